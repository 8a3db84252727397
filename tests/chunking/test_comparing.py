from lens_tui.chunking.comparing import cuts_in_functions, cuts_in_sentences, cuts_inside
from lens_tui.types import Chunk, Document


def ending_at(*ends: int) -> list[Chunk]:
    return [Chunk("a", "0" * 64, index, 0, end, "", (1, 1), 1) for index, end in enumerate(ends)]


def test_only_ends_strictly_inside_a_span_are_cuts() -> None:
    assert cuts_inside([(0, 5), (6, 10)], ending_at(0, 3, 5, 6, 9, 10, 11)) == 2
    assert cuts_inside([], ending_at(3)) == 0


def test_sentences_after_the_front_matter_count_where_they_stand() -> None:
    text = "---\na: b\n---\nOne sentence. Another one."
    document = Document("a.md", text, "0" * 64, body_start=text.index("One"))
    whole = text.index(" Another")
    assert cuts_in_sentences(document, ending_at(whole, len(text))) == 0
    assert cuts_in_sentences(document, ending_at(whole - 5, whole + 4, len(text))) == 2


def test_a_cut_in_a_function_within_a_function_is_one() -> None:
    text = "def outer():\n    def inner():\n        return 1\n    return inner\n\n\ndef other():\n    return 2\n"
    document = Document("a.py", text, "0" * 64)
    inside, between = text.index("return 1"), text.index("\n\n\ndef other")
    assert cuts_in_functions(document, ending_at(inside, between, len(text))) == 1
    assert cuts_in_functions(Document("a.txt", "Only words.", "0" * 64), ending_at(4)) is None
