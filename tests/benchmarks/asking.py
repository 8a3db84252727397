"""From Enter to the request leaving for Ollama, at 50,000 chunks: the engine, its socket and a scripted Ollama between.

Run: python -m tests.benchmarks.asking [--chunks 50000] [--questions 200] [--keep DIRECTORY]

The clock starts where the app hands its question to the engine and stops where the server has the head of the chat
request. The folder is this machine's own texts; there are no vectors, so that none of a question is waited for.
"""

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from lens_tui.engine.client import EngineClient
from lens_tui.places import places_of, prepare
from lens_tui.requests import Ask, Index, IndexDone, Leave
from lens_tui.settings import load_settings
from lens_tui.types import Failed
from tests.benchmarks.search import corpus, question
from tests.ollama.scripted import Asked, Model, Reply, ScriptedOllama

WARM = 5
"""Questions asked before any is counted."""

SHARE = 0.66
"""Of the engine's chunks, how many ``corpus`` counts in the same text: its own are longer and do not overlap."""


class Clocked(ScriptedOllama):
    """Notes when each request came."""

    def __init__(self, models: Sequence[Model]) -> None:
        self.came: list[tuple[str, float]] = []
        super().__init__(models)

    def reply_to(self, asked: Asked) -> Reply:
        self.came.append((asked.path, time.perf_counter()))
        return super().reply_to(asked)


def write_folder(folder: Path, chunks: int) -> list[str]:
    """Write texts that make about so many chunks. Returns questions' words, a chunk each."""
    texts = []
    for document, cut in corpus(int(chunks * SHARE)):
        file = folder / document.path.replace("/.", "/").replace("site-packages", "packages")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(document.text, "utf-8")
        texts.append(cut)
    chance = random.Random(7)
    every = [chunk for cut in texts for chunk in cut]
    return [question(chance, every, chance.randint(5, 12)) for _ in range(1000)]


def indexed(engine: EngineClient) -> IndexDone:
    for event in engine.start(Index(text_only=True)):
        if isinstance(event, Failed):
            raise SystemExit(event.message)
        if isinstance(event, IndexDone):
            return event
    raise SystemExit("The engine ended.")


def measured(engine: EngineClient, server: Clocked, question: str) -> tuple[float, list[tuple[str, float]]]:
    """Milliseconds to the chat request, and when each request before it came."""
    server.came.clear()
    began = time.perf_counter()
    list(engine.start(Ask(question=question, host=server.host, fresh=False, keep=True, temperature=0.0)))
    came = [(path, (at - began) * 1000) for path, at in server.came]
    return next(at for path, at in came if path == "/api/chat"), came


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--pause", type=float, default=0.0, help="Seconds between two questions.")
    parser.add_argument("--keep", type=Path, default=None, help="Directory for folder and index; used again.")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        run(asked.keep or Path(temporary), asked.chunks, asked.questions, asked.pause)


def run(directory: Path, chunks: int, wanted: int, pause: float) -> None:
    folder = directory / "folder"
    questions = write_folder(folder, chunks)[: wanted + WARM]
    server = Clocked([Model("cites:latest", context=32_768, loaded=8192)])
    os.environ["OLLAMA_HOST"] = server.host
    settings = load_settings({"data_dir": str(directory / "data"), "vector": "none"})
    places = places_of(folder.resolve(), settings.data_dir)
    prepare(places)
    engine = EngineClient(places, settings, flags={"vector": "none"})
    done = indexed(engine)
    print(f"{done.files:,} files, {done.chunks:,} chunks, indexed in {done.seconds:.0f} s")
    times: list[float] = []
    shares: dict[str, list[float]] = {}
    for at, words in enumerate(questions):
        spent, came = measured(engine, server, words)
        time.sleep(pause)
        if at < WARM:
            continue
        times.append(spent)
        for path, moment in came:
            shares.setdefault(path, []).append(moment)
    times.sort()
    p99 = times[int(len(times) * 0.99) - 1]
    count = len(times)
    print(f"Enter to the chat request: p50 {statistics.median(times):.1f} ms   p99 {p99:.1f} ms   ({count} questions)")
    for path, when in shares.items():
        p50 = statistics.median(when)
        print(f"    {path:<12} asked {len(when) / count:.2f} times a question, p50 at {p50:.1f} ms")
    list(engine.start(Leave()))
    engine.close()
    server.stop()


if __name__ == "__main__":
    main()
