"""How fast texts are cut: ours beside others, and beside one pass of tiktoken over the same text.

Single thread, CPU time, the best of several rounds in which all take turns, so that a busy machine slows all alike.
Every splitter is given the same texts, 220 tokens of cl100k_base a chunk and, where it knows overlaps, 40 of them.
Others than ours are measured where they are installed (``pip install 'lens-tui[bench]'``) and named where they are not.
cl100k_base's vocabulary is looked for where lens-tui looks for it, or in ``--vocabulary``; nothing is downloaded.

Run: python -m tests.benchmarks.chunking FOLDER… [--megabytes 20] [--rounds 3] [--vocabulary DIRECTORY]
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lens_tui.chunking import STRATEGIES
from lens_tui.files.loaders.markdown import MarkdownLoader
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Chunker, Tokenizer
from lens_tui.text.tokens import BpeTokenizer, open_tokenizer
from lens_tui.text.vocabularies import VOCABULARIES, directories_of, find_vocabulary
from lens_tui.types import Document

SIZE, OVERLAP = 220, 40
"""What ``paragraph`` has by itself."""

LARGEST_FILE = 1_000_000


@dataclass
class Contender:
    """One way to cut, and what it took for all texts in each round."""

    name: str
    cut: Callable[[Document], int]
    """Makes the chunks of a text and counts them."""
    seconds: list[float]
    chunks: int = 0


def markdown_files(folders: Sequence[Path], wanted: int) -> list[Document]:
    """Markdown files of the folders, each content once, until they are as large as wanted."""
    found: list[Document] = []
    seen: set[str] = set()
    size = 0
    for path in (path for folder in folders for path in sorted(folder.rglob("*.md"))):
        if not path.is_file() or not 200 <= path.stat().st_size <= LARGEST_FILE:
            continue
        document = MarkdownLoader().load(path.name, path.read_bytes())
        if document.checksum in seen:
            continue
        seen.add(document.checksum)
        found.append(document)
        size += len(document.text.encode("utf-8", "replace"))
        if size >= wanted:
            break
    return found


def ours(tokenizer: Tokenizer) -> Iterator[Contender]:
    """Strategies that need neither a model nor a grammar: ``paragraph`` at the sizes of all, the rest at their own."""
    for strategy in ("paragraph", "markdown", "recursive", "fixed", "sentence"):
        chunker = STRATEGIES[strategy](tokenizer, ChunkOptions())
        yield Contender(f"lens-tui {chunker.told(Document('a', '', ''))}", counting(chunker), [])


def counting(chunker: Chunker) -> Callable[[Document], int]:
    return lambda read: len(chunker.chunk(read).chunks)


def others() -> Iterator[tuple[str, Callable[[], Callable[[Document], int]]]]:
    """Names of other splitters, and what makes each; the making raises ImportError where it is not installed."""

    def chonkie_recursive() -> Callable[[Document], int]:
        import chonkie
        import tiktoken

        made = chonkie.RecursiveChunker(tiktoken.get_encoding("cl100k_base"), SIZE)
        return lambda read: len(made.chunk(read.text))

    def chonkie_token() -> Callable[[Document], int]:
        import chonkie
        import tiktoken

        made = chonkie.TokenChunker(tiktoken.get_encoding("cl100k_base"), SIZE, OVERLAP)
        return lambda read: len(made.chunk(read.text))

    def semchunk_() -> Callable[[Document], int]:
        import semchunk
        import tiktoken

        made = semchunk.chunkerify(tiktoken.get_encoding("cl100k_base"), SIZE, memoize=False)
        return lambda read: len(made(read.text, overlap=OVERLAP))

    def langchain() -> Callable[[Document], int]:
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        made = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
            "cl100k_base", chunk_size=SIZE, chunk_overlap=OVERLAP, disallowed_special=()
        )
        return lambda read: len(made.split_text(read.text))

    def semantic() -> Callable[[Document], int]:
        from semantic_text_splitter import TextSplitter

        made = TextSplitter.from_tiktoken_model("gpt-4", SIZE, OVERLAP)
        return lambda read: len(made.chunks(read.text))

    yield "chonkie RecursiveChunker", chonkie_recursive
    yield "chonkie TokenChunker", chonkie_token
    yield "semchunk", semchunk_
    yield "LangChain recursive", langchain
    yield "semantic-text-splitter", semantic


def contenders(tokenizer: Tokenizer) -> tuple[list[Contender], list[str]]:
    """Everything that can be measured here, the pass first, and why the rest cannot."""
    if not isinstance(tokenizer, BpeTokenizer):
        passed = Contender("one pass of the offline count", lambda read: len(tokenizer.starts(read.text)), [])
        return [passed, *ours(tokenizer)], [f"{name}: no vocabulary of cl100k_base here" for name, _ in others()]
    import tiktoken

    encoding = tiktoken.get_encoding("cl100k_base")
    found = [Contender("one tiktoken pass", lambda read: len(encoding.encode_ordinary(read.text)), [])]
    found += ours(tokenizer)
    missing: list[str] = []
    for name, make in others():
        try:
            found.append(Contender(name, make(), []))
        except ImportError:
            missing.append(f"{name}: not installed")
    return found, missing


def measure(found: Sequence[Contender], documents: Sequence[Document], rounds: int) -> None:
    for _ in range(rounds):
        for contender in found:
            begun = time.process_time()
            contender.chunks = sum(contender.cut(document) for document in documents)
            contender.seconds.append(time.process_time() - begun)


def table(found: Sequence[Contender], size: int) -> Iterator[str]:
    first = found[0]
    yield f"{'':44} {'MB/s':>6} {'of the pass':>12} {'chunks':>9}"
    for contender in found:
        rate = size / min(contender.seconds) / 1e6
        share = statistics.median(b / a for a, b in zip(contender.seconds, first.seconds, strict=True))
        yield f"{contender.name:44} {rate:6.2f} {share:12.2f} {contender.chunks:9,}"


def opened(vocabulary: Path | None) -> Tokenizer:
    """cl100k_base where its vocabulary is at hand; tiktoken itself, which others ask, is told where it lies."""
    places = (vocabulary,) if vocabulary is not None else directories_of()
    file = find_vocabulary(VOCABULARIES["cl100k_base"], places)
    if file is not None:
        os.environ["TIKTOKEN_CACHE_DIR"] = str(file.parent)
    return open_tokenizer("", places)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="where Markdown files are")
    parser.add_argument("--megabytes", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--vocabulary", type=Path, help="directory that holds cl100k_base's vocabulary")
    given = parser.parse_args()
    tokenizer = opened(given.vocabulary)
    documents = markdown_files(given.folders, int(given.megabytes * 1e6))
    size = sum(len(document.text.encode("utf-8", "replace")) for document in documents)
    print(f"{len(documents)} Markdown files, {size / 1e6:.1f} MB, counted by {tokenizer.name}")
    found, missing = contenders(tokenizer)
    measure(found, documents, given.rounds)
    print("\n".join(table(found, size)))
    for name in missing:
        print(f"not measured: {name}")


if __name__ == "__main__":
    main()
