"""Members, rows and cells packed whole, under the names that lead to them."""

import json

import pytest

from lens_tui.chunking.auto import AutoChunker
from lens_tui.chunking.records import RecordsChunker
from lens_tui.errors import ChunkingValueError
from lens_tui.files.reading import document_of
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Chunk, Document


def read(path: str, text: str) -> Document:
    document = document_of(path, text.encode())
    assert isinstance(document, Document)
    return document


def chunks(document: Document, **options: object) -> tuple[Chunk, ...]:
    found = RecordsChunker(OfflineTokenizer(), ChunkOptions(**options)).chunk(document).chunks  # type: ignore[arg-type]
    covered = 0
    for chunk in found:
        assert document.text[chunk.start : chunk.end] == chunk.text
        assert document.text[covered : chunk.start].strip() == ""
        assert chunk.tokens <= (options.get("size") or 220)  # type: ignore[operator]
        covered = chunk.end
    assert document.text[covered:].strip() == ""
    return found


def words(count: int) -> str:
    return " ".join(["word"] * count)


def test_rows_are_packed_whole_and_each_chunk_knows_the_columns() -> None:
    rows = [f'{number},"{words(20)}\n{words(20)}"' for number in range(40)]
    found = chunks(read("a.csv", "id,note\n" + "\n".join(rows) + "\n"))
    assert len(found) > 4
    held = [row for chunk in found for row in chunk.text.removeprefix("id,note\n").split("\n") if row[0].isdigit()]
    assert len(held) == len(rows)
    assert all(chunk.text.endswith('"') and chunk.text[0] in "i0123456789" for chunk in found)
    assert {chunk.heading for chunk in found[1:]} == {("id, note",)}


def test_a_row_that_is_too_long_is_cut_as_text_is() -> None:
    found = chunks(read("a.csv", f"id,note\n1,{words(500)}\n2,short\n"))
    assert len(found) > 2
    assert found[-1].text.endswith("2,short")


def test_a_member_is_whole_and_under_its_keys() -> None:
    value = {
        "name": "tides",
        "harbours": {"north": {"note": words(150)}, "south": {"note": words(150)}},
        "log": [{"hour": hour, "note": words(120)} for hour in range(3)],
    }
    found = chunks(read("a.json", json.dumps(value, indent=1)))
    assert [chunk.heading for chunk in found] == [
        ("name",),
        ("harbours", "north"),
        ("harbours", "south"),
        ("log", "[0]"),
        ("log", "[1]"),
        ("log", "[2]"),
    ]
    assert json.loads("{" + found[-4].text.rstrip("}, \n") + "}}")["south"]["note"] == words(150)


def test_members_that_fit_together_are_together_under_what_they_share() -> None:
    value = {"harbours": {f"harbour {n}": {"note": words(90)} for n in range(6)}, "end": 1}
    found = chunks(read("a.json", json.dumps(value)))
    assert [chunk.heading for chunk in found] == [("harbours",), ("harbours",), ("harbours",), ("end",)]
    assert found[0].text.startswith('{"harbours": {"harbour 0"')


def test_a_small_file_is_one_chunk() -> None:
    (chunk,) = chunks(read("a.json", '{"a": [1, 2, {"b": 3}]}'))
    assert (chunk.text, chunk.heading) == ('{"a": [1, 2, {"b": 3}]}', ())


def test_cells_are_packed_whole_under_their_headings() -> None:
    sources = [("markdown", "# Tides"), ("code", f"x = '{words(100)}'"), ("markdown", f"## More\n\n{words(150)}")]
    sources.append(("code", words(180)))
    cells = [{"cell_type": kind, "source": source} for kind, source in sources]
    found = chunks(read("a.ipynb", json.dumps({"cells": cells})))
    assert [chunk.text.split("\n")[0][:7] for chunk in found] == ["# Tides", "## More", "word wo"]
    assert [chunk.heading for chunk in found] == [("Tides",), ("Tides", "More"), ("Tides", "More")]


def test_neighbours_share_what_is_asked_for() -> None:
    text = "".join(f"row {number},{words(30)}\n" for number in range(20))
    found = chunks(read("a.csv", text), size=100, overlap="20")
    assert any(0 < chunk.overlap_before <= 20 for chunk in found)


def test_a_blank_file_has_no_chunks() -> None:
    assert chunks(read("a.csv", "\n\n")) == ()


def test_sizes_out_of_their_bounds_are_refused() -> None:
    with pytest.raises(ChunkingValueError, match="1 to 8192"):
        chunks(read("a.csv", "a"), size=9000)


@pytest.mark.parametrize(
    ("path", "text"),
    [("a.json", "[" * 3_000 + "1" + "]" * 3_000), ("a.json", f"[{'1,' * 3_000}1]"), ("a.csv", "a\n" * 3_000)],
)
def test_hostile_records_are_cut_without_losing_anything(path: str, text: str) -> None:
    assert len(chunks(read(path, text))) > 3


@pytest.mark.parametrize("path", ["a.csv", "a.json", "a.ipynb"])
def test_auto_packs_records(path: str) -> None:
    text = {"a.csv": "a,b\n1,2\n", "a.json": '{"a": 1}', "a.ipynb": '{"cells": [{"source": "x"}]}'}[path]
    auto = AutoChunker(OfflineTokenizer())
    assert auto.told(read(path, text)) == "records 220/0"
    assert [chunk.strategy for chunk in auto.chunk(read(path, text)).chunks] == ["records"]
