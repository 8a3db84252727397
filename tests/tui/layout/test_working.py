"""What the rule says of running work."""

from dataclasses import replace

from lens_tui.requests import IndexState
from lens_tui.tui.layout.working import indexing


def test_notes_are_counted_while_they_are_written_and_not_where_no_model_can() -> None:
    state = IndexState(phase="idle", chunks=200, notes_left=50, vectors=0, vectors_total=200, vector_rate=20.0)
    assert indexing(state) == ("notes 150 of 200", 0.75)
    assert indexing(replace(state, note_problem="Nothing answers."))[0].startswith("meaning 0 of 200")
