"""How whole functions stay when source code is cut, and how fast, on source trees of this machine.

Run: python -m tests.benchmarks.code FOLDER... [--size 384] [--megabytes 8]

A function is whole where one chunk holds all of it; those above the size are not counted, nor those in one that is.
Speed is CPU time of one thread, beside that of what no cutting by grammar can do without: the parser alone, and one
token pass alone; ``times`` is how much longer all takes than these two. LangChain's splitter for the language stands
beside it where that is installed.
"""

import argparse
import contextlib
import importlib
import random
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lens_tui.chunking.code import CodeChunker, functions_of
from lens_tui.chunking.code_grammars import KNOWN, GrammarError, trees
from lens_tui.files.decoding import decode, is_binary
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.text.languages import language_of
from lens_tui.text.tokens import open_tokenizer
from lens_tui.types import Chunk, Document, Span

LARGEST = 1_000_000
"""Bytes; a larger file is generated."""

PEER_NAMES = {"cpp": "cpp", "csharp": "csharp", "javascript": "js", "typescript": "ts", "tsx": "ts"}
"""What LangChain calls languages that it names otherwise."""


@dataclass
class Figures:
    files: int = 0
    size: int = 0
    functions: int = 0
    whole: int = 0
    chunks: int = 0
    tokens: int = 0
    largest: int = 0
    seconds: float = 0.0
    parsing: float = 0.0
    counting: float = 0.0
    told: int = 0


def gathered(folders: Sequence[Path], most: int) -> dict[str, list[Document]]:
    """Source files by language, at most so many bytes of each, from all over the folders."""
    found: dict[str, list[Document]] = defaultdict(list)
    sizes: dict[str, int] = defaultdict(int)
    paths = sorted(path for folder in folders for path in folder.rglob("*") if language_of(path.name) in KNOWN)
    random.Random(1).shuffle(paths)
    for path in paths:
        language = language_of(path.name)
        if sizes[language] >= most or path.name.endswith(".d.ts") or not path.is_file():
            continue
        data = path.read_bytes()
        if not is_binary(data[:8192]) and len(data) <= LARGEST:
            found[language].append(Document(str(path), decode(data).text, "0" * 64, kind="code"))
            sizes[language] += len(data)
    return found


def small_functions(document: Document, tokenizer: Tokenizer, size: int) -> list[Span]:
    """Functions of at most the size that are not inside a larger one of at most the size."""
    spans: list[Span] = []
    for start, end in functions_of(document):
        inside = spans and end <= spans[-1][1]
        if not inside and tokenizer.count(document.text[start:end]) <= size:
            spans.append((start, end))
    return spans


def held(span: Span, starts: Sequence[int], chunks: Sequence[Chunk]) -> bool:
    place = bisect_right(starts, span[0]) - 1
    return place >= 0 and chunks[place].end >= span[1]


def spent(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def parsed(text: str, language: str) -> None:
    with contextlib.suppress(GrammarError):
        for _ in trees(text, language):
            pass


def measured(language: str, documents: Sequence[Document], tokenizer: Tokenizer, size: int) -> Figures:
    chunker = CodeChunker(tokenizer, ChunkOptions(size=size))
    figures = Figures()
    for document in documents:
        begun = time.process_time()
        cut = chunker.chunk(document)
        figures.seconds += time.process_time() - begun
        figures.parsing += spent(lambda text=document.text: parsed(text, language))  # type: ignore[misc]
        figures.counting += spent(lambda text=document.text: tokenizer.starts(text))  # type: ignore[misc]
        figures.files += 1
        figures.size += len(document.text.encode("utf-8", "replace"))
        figures.chunks += len(cut.chunks)
        figures.tokens += sum(chunk.tokens for chunk in cut.chunks)
        figures.largest = max([figures.largest, *(chunk.tokens for chunk in cut.chunks)])
        figures.told += len(cut.warnings)
        starts = [chunk.start for chunk in cut.chunks]
        small = small_functions(document, tokenizer, size)
        figures.functions += len(small)
        figures.whole += sum(held(span, starts, cut.chunks) for span in small)
    return figures


def peer(language: str, size: int, tokenizer: Tokenizer) -> Callable[[str], object] | None:
    """LangChain's splitter for a language; None where it is not installed or has none."""
    try:
        splitters = importlib.import_module("langchain_text_splitters")
        named = splitters.Language(PEER_NAMES.get(language, language))
        splitter = splitters.RecursiveCharacterTextSplitter.from_language(
            named, chunk_size=size, chunk_overlap=0, length_function=tokenizer.count
        )
    except (ImportError, ValueError):
        return None
    split: Callable[[str], object] = splitter.split_text
    return split


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--megabytes", type=float, default=8.0)
    given = parser.parse_args()
    tokenizer = open_tokenizer()
    print(f"tokenizer {tokenizer.name}, size {given.size}")
    print(
        f"{'language':12}{'files':>7}{'MB':>7}{'functions':>11}{'whole':>9}{'chunks':>8}{'tokens':>7}"
        f"{'MB/s':>7}{'parser':>8}{'tokens':>8}{'times':>7}{'LangChain':>11}"
    )
    total = Figures()
    for language, documents in sorted(gathered(given.folders, int(given.megabytes * 1e6)).items()):
        one = measured(language, documents, tokenizer, given.size)
        beside = "-"
        if split := peer(language, given.size, tokenizer):
            seconds = sum(spent(lambda text=document.text: split(text)) for document in documents[:50])  # type: ignore[misc]
            beside = f"{sum(len(document.text) for document in documents[:50]) / 1e6 / seconds:.1f}"
        print(row(language, one, given.size, beside))
        for name in ("size", "seconds", "parsing", "counting"):
            setattr(total, name, getattr(total, name) + getattr(one, name))
    print(
        f"all: {total.size / 1e6:.1f} MB at {total.size / 1e6 / total.seconds:.1f} MB/s,"
        f" {total.seconds / (total.parsing + total.counting):.2f} times parser and token pass"
    )


def row(language: str, one: Figures, size: int, peer: str) -> str:
    megabytes = one.size / 1e6
    flag = f" largest {one.largest}!" if one.largest > size else ""
    return (
        f"{language:12}{one.files:7}{megabytes:7.1f}{one.functions:11}{one.whole / max(1, one.functions):9.2%}"
        f"{one.chunks:8}{one.tokens / max(1, one.chunks):7.0f}{megabytes / one.seconds:7.1f}"
        f"{megabytes / one.parsing:8.1f}{megabytes / one.counting:8.1f}"
        f"{one.seconds / (one.parsing + one.counting):7.2f}{peer:>11}{flag}"
        + (f" {one.told} warnings" if one.told else "")
    )


if __name__ == "__main__":
    main()
