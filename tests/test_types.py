from dataclasses import FrozenInstanceError, fields, is_dataclass

import pytest

from lens_tui import queries, requests, types
from lens_tui.errors import LensError, UsageError
from lens_tui.types import Chunk

NOUNS = [
    kind
    for module in (queries, types, requests)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
]

PROMISED = {
    "SearchHit": "rank score path id chunk start end lines page heading tags text snippet marks why",
    "Found": "query k retriever hits notes",
    "IndexProgress": "event done total current chunks",
    "IndexDone": "event files chunks vectors vectors_pending added changed removed unchanged left_out failed warnings "
    "notes_failed seconds",
    "FileNote": "path reason",
    "FileError": "path error",
    "FileWarning": "path warning",
    "AskRetrieved": "event hits excerpts notes",
    "Excerpt": "number path start end lines hits",
    "AnswerText": "event text",
    "Answered": "event text model citations uncited prompt_tokens context_tokens answer_tokens left_out notes",
    "Citation": "start end number claim path span lines verdict why",
    "Failed": "event message hint",
    "Reason": "rank score",
}
"""Noun → the JSON fields that product.md promises to scripts."""


@pytest.mark.parametrize("kind", NOUNS, ids=lambda kind: kind.__name__)
def test_a_noun_is_frozen(kind: type) -> None:
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_a_noun_has_the_fields_that_scripts_rely_on(name: str) -> None:
    (kind,) = (kind for kind in NOUNS if kind.__name__ == name)
    assert set(PROMISED[name].split()) <= {field.name for field in fields(kind)}


def test_a_chunks_id_names_its_content_not_its_place() -> None:
    one, two = (Chunk(path, "0123456789abcdef", 3, 0, 1, "x", (1, 1), 1) for path in ("a.md", "b.md"))
    assert one.id == two.id == "0123456789ab-3"
    with pytest.raises(FrozenInstanceError):
        one.index = 4  # type: ignore[misc]


def test_an_error_is_a_sentence_with_a_step() -> None:
    error = UsageError("It cannot be.", hint="Try another.")
    assert str(error) == error.message == "It cannot be."
    assert isinstance(error, LensError)
    assert error.exit_code == 2
