"""Hits widened to their sections."""

from dataclasses import replace

from lens_tui.chunking.markdown import MarkdownChunker
from lens_tui.errors import FileUnreadable
from lens_tui.files.loaders.markdown import MarkdownLoader
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Chunk, Document, SearchHit
from lens_tui.widening import LONGEST, widened

WORDS = "Some words on the matter that go on. " * 6


def read(source: str) -> Document:
    return MarkdownLoader().load("a.md", source.encode())


def cut(document: Document) -> tuple[Chunk, ...]:
    options = ChunkOptions(levels=(1, 2, 3), size=60)
    return MarkdownChunker(OfflineTokenizer(), options).chunk(document).chunks


def hit(chunk: Chunk, rank: int = 1) -> SearchHit:
    return SearchHit(
        rank, 0.5, chunk.path, chunk.id, chunk.index, chunk.start, chunk.end, chunk.lines, None, chunk.heading, (),
        chunk.text, chunk.text[:20], ((5, 10),), {}, checksum=chunk.checksum, above="Above",
    )  # fmt: skip


def sections(source: str, *at: int) -> list[SearchHit]:
    document = read(source)
    chunks = cut(document)
    hits = [hit(chunks[place], rank) for rank, place in enumerate(at, 1)]
    return list(widened(hits, lambda path: chunks, lambda path: document)[0])


def test_a_hit_becomes_its_section_with_those_below_it() -> None:
    source = f"# A\n\nOn A.\n\n## B\n\n{WORDS * 3}\n\n### C\n\nOn C.\n\n## D\n\nOn D."
    chunks = cut(read(source))
    middle = next(chunk for chunk in chunks if chunk.heading == ("A", "B") and "## B" not in chunk.text)
    (whole,) = sections(source, middle.index)
    assert whole.text == source[source.index("## B") : source.index("\n\n## D")]
    assert (whole.start, whole.end) == (source.index("## B"), source.index("\n\n## D"))
    assert whole.lines == (5, 11)
    assert [whole.text[start:end] for start, end in whole.marks] == [middle.text[5:10]]
    assert whole.above == ""


def test_of_several_hits_in_a_section_the_best_stays() -> None:
    source = f"# A\n\n{WORDS * 4}\n\n# B\n\nOn B."
    chunks = cut(read(source))
    assert [found.rank for found in sections(source, 1, len(chunks) - 1, 0)] == [1, 2]


def test_two_sections_of_one_title_stay_apart() -> None:
    found = sections("# A\n\nOn A.\n\n## Notes\n\nOne.\n\n## Notes\n\nTwo.", 1, 2)
    assert [one.text for one in found] == ["## Notes\n\nOne.", "## Notes\n\nTwo."]


def test_a_section_that_is_too_long_is_taken_without_those_below_it() -> None:
    source = f"# A\n\nOn A.\n\n## B\n\n{WORDS * (LONGEST // len(WORDS) + 1)}"
    (whole,) = sections(source, 0)
    assert whole.text == "# A\n\nOn A."
    (same,) = sections(source, 2)
    assert len(same.text) < 400


def test_hits_whose_section_is_too_long_are_named_and_then_counted() -> None:
    document = read(f"# A\n\n{WORDS * (LONGEST // len(WORDS) + 1)}\n\n# B\n\nOn B.")
    chunks = cut(document)

    def told(many: int) -> tuple[str, ...]:
        hits = [hit(chunks[-1]), *(hit(chunk) for chunk in chunks[:many])]
        return widened(hits, lambda path: chunks, lambda path: document)[1]

    named = ", ".join(f"a.md:{chunk.lines[0]}" for chunk in chunks[:3])
    said = "Only the excerpt is shown where its section is longer than 8,000 characters: "
    assert [told(many) for many in (0, 3, 5)] == [(), (f"{said}{named}.",), (f"{said}{named} and 2 more.",)]


def test_text_before_the_first_heading_is_a_section_of_its_own() -> None:
    source = f"{WORDS * 3}\n\n# A\n\nOn A."
    (whole,) = sections(source, 1)
    assert whole.text == (WORDS * 3).strip()


def test_a_file_that_changed_or_is_gone_widens_nothing() -> None:
    document = read(f"# A\n\n{WORDS * 4}")
    chunks = cut(document)

    def gone(path: str) -> Document:
        raise FileUnreadable("It is gone.")

    one = hit(chunks[1])
    assert widened([one], lambda path: chunks, lambda path: replace(document, checksum="1" * 64)) == ((one,), ())
    assert widened([one], lambda path: chunks, gone) == ((one,), ())
    assert widened([replace(one, checksum="1" * 64)], lambda path: chunks, gone)[0][0].text == one.text


def test_a_file_with_many_hits_is_read_once() -> None:
    document = read(f"# A\n\nOn A.\n\n## B\n\n{WORDS * 3}\n\n## D\n\nOn D.")
    chunks, asked = cut(document), list[str]()

    def read_it(path: str) -> Document:
        asked.append(path)
        return document

    assert len(widened([hit(chunk) for chunk in chunks], lambda path: chunks, read_it)[0]) > 1
    assert asked == ["a.md"]
