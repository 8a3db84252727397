"""How long after a key of a query the list of the search page is another one, through the engine's socket.

Run: python -m tests.benchmarks.search_page [--chunks 50000] [--queries 40] [--folder DIRECTORY] [--keep DIRECTORY]

The installed program runs in a pseudo-terminal of 120×36, on this machine's own texts (see search.py) or those of a
folder that is named. In one run letters are typed into the question, and queries of two words, letter by letter, into
the search page; p50 and p99 are printed of an ordinary key's echo, of the echo of a query's letter, of the changed
list, and of what the engine itself says that it took. Each letter waits until nothing is drawn any more, so that every
list is the work of one key. No vectors are made: they would keep the engine busy for minutes.
"""

import argparse
import os
import random
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pyte

from tests.benchmarks.key_to_paint import PROGRAM, Screen, environment_in, figures
from tests.benchmarks.search import corpus

QUIET_SECONDS = 0.25
"""Silence after which a key is done with."""
ECHOES = 100
FIELD, LIST = 1, slice(3, -1)
"""The rows of the page: what is typed, and the hits with the file's lines."""
TOOK = re.compile(r"· (?:(\d+) ms|under (1) ms)")
UNKNOWN_TO_PYTE = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*(?:\$p|u|c|n)")


class Drawn:
    """What the terminal shows, and when each part of it came."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._shown = pyte.Screen(120, 36)
        self._stream = pyte.ByteStream(self._shown)

    @property
    def rows(self) -> list[str]:
        return list(self._shown.display)

    def after(self, key: bytes) -> Iterator[tuple[float, list[str]]]:
        """(ms, rows) of each picture that follows a key; times are taken before a picture is looked at."""
        began = time.perf_counter()
        os.write(self._screen.fd, key)
        pieces: list[tuple[float, bytes]] = []
        while select.select([self._screen.fd], [], [], QUIET_SECONDS)[0]:
            data = os.read(self._screen.fd, 1 << 20)
            pieces.append(((time.perf_counter() - began) * 1000, data))
        for at, data in pieces:
            self._stream.feed(UNKNOWN_TO_PYTE.sub(b"", data))
            yield at, self.rows

    def press(self, key: bytes) -> None:
        for _ in self.after(key):
            pass


def make_folder(folder: Path, chunks: int) -> None:
    for number, (document, _) in enumerate(corpus(chunks)):
        file = folder / f"{number % 100:02}" / f"{number:05}-{Path(document.path).name.removesuffix('.gz')}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(document.text)


def queries(folder: Path, wanted: int) -> list[str]:
    """Two words of one line each, the same ones every time."""
    chance = random.Random(5)
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    found: list[str] = []
    while len(found) < wanted:
        words = re.findall(r"\b[a-z]{4,12}\b", chance.choice(files).read_text("utf-8", "replace")[:20_000])
        if len(words) > 2:
            found.append(" ".join(chance.sample(words, 2)))
    return found


def question_echoes(drawn: Drawn) -> list[float]:
    took = []
    for number in range(ECHOES):
        if number % 40 == 39:
            drawn.press(b"\x15")
        letter = "QZXJ"[number % 4]
        took.append(next(at for at, rows in drawn.after(letter.encode()) if rows[-2].rstrip().endswith(letter)))
    drawn.press(b"\x15")
    return took


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="From a key of a query to the changed list.")
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--keep", type=Path, help="keep texts and index here, and use them again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lt-", ignore_cleanup_errors=True) as name:
        scratch = options.keep or Path(name)
        folder = options.folder or scratch / "texts"
        if options.folder is None and not folder.exists():
            make_folder(folder, options.chunks)
        (scratch / "config").mkdir(exist_ok=True)
        (scratch / "config" / "settings.toml").write_text('vector = "none"\n')
        made = [sys.executable, "-c", PROGRAM, "index", str(folder)]
        report = subprocess.run(made, env=environment_in(scratch), check=True, capture_output=True, text=True).stdout
        print(report.partition("\n")[0])
        screen = Screen(folder, scratch)
        try:
            screen.until(b"commands")
            screen.drain(4.0)
            drawn = Drawn(screen)
            drawn.press(b"\x0c")
            ordinary = question_echoes(drawn)
            typed, listed, engine, same = type_queries(drawn, queries(folder, options.queries))
        finally:
            screen.close()
    rows = {"an ordinary key's echo": ordinary, "a query's letter": typed, "the changed list": listed}
    for label, took in {**rows, "of that, the engine's own": engine}.items():
        print(f"{label:28} p50 {figures(took)[0]:6.1f} ms   p99 {figures(took)[1]:6.1f} ms   ({len(took)})")
    print(f"{same} letters changed nothing in the list")


def type_queries(drawn: Drawn, wanted: list[str]) -> tuple[list[float], list[float], list[float], int]:
    """Echo, list and the engine's own time of each letter that changed the list; how many changed nothing."""
    typed, listed, engine, same = list[float](), list[float](), list[float](), 0
    drawn.press(b"/")
    for query in wanted:
        drawn.press(b"\x15")
        for place, letter in enumerate(query, 1):
            before, echo, change = drawn.rows[LIST], 0.0, 0.0
            took: re.Match[str] | None = None
            for at, rows in drawn.after(letter.encode()):
                echo = echo or at * rows[FIELD].startswith(f"/ {query[:place]}".rstrip())
                if rows[LIST] != before and not change:
                    # The first hits; the whole list comes when the keys rest, and takes longer.
                    change, took = at, TOOK.search(rows[0])
            typed.append(echo)
            same += not change
            if change and took:
                listed.append(change)
                engine.append(float(took[1] or took[2]))
    return typed, listed, engine, same


if __name__ == "__main__":
    main()
