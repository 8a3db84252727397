"""What of a question is in a text: which forms count for which word, how much, and what is marked."""

import pytest

from lens_tui.index.sought import Alike, Sought
from lens_tui.index.vocabulary import alike
from lens_tui.text.words import occurrences

IDF = {"lease": 2.0, "configuration": 3.0, "the": 0.1}


def marked(text: str, sought: Sought) -> list[str]:
    return [text[start:end] for start, end, *_ in sought.marks(occurrences(text, sought.wanted))]


def coverage(text: str, sought: Sought) -> float:
    return sought.coverage(sought.shares(word.term for word in occurrences(text, sought.wanted)))


def test_all_words_are_all_that_was_asked_for() -> None:
    assert coverage("The lease, the configuration.", Sought(IDF)) == pytest.approx(1.0)
    assert coverage("Nothing of it.", Sought(IDF)) == 0.0
    assert coverage("A lease.", Sought({})) == 0.0


def test_another_form_counts_by_how_alike_it_is() -> None:
    sought = Sought(IDF)
    share = alike("lease", "leases")
    assert sought.meant("leases") == ("lease", share)
    assert coverage("Two leases.", sought) == pytest.approx(2.0 * share / 5.0)
    assert marked("Two Leases.", sought) == ["Leases"]


def test_what_only_begins_alike_is_none() -> None:
    sought = Sought({"interest": 1.0})
    assert sought.meant("internationalisation") == ("", 0.0)
    assert marked("Of internationalisation.", sought) == []


def test_what_a_word_begins_is_meant_by_it_however_long() -> None:
    sought = Sought({"inter": 1.0})
    assert sought.meant("internationalisation") == ("inter", alike("inter", "internationalisation"))
    assert marked("Of internationalisation.", sought) == ["internationalisation"]


def test_a_word_that_was_searched_instead_counts_as_told_and_is_marked() -> None:
    others: Alike = {"lease": ("laese", 0.6)}
    sought = Sought({"laese": 4.0, "roof": 4.0}, others)
    assert coverage("The lease.", sought) == pytest.approx(0.3)
    assert marked("The lease and the roof.", sought) == ["lease", "roof"]


def test_beside_the_word_itself_what_is_merely_alike_is_not_marked() -> None:
    sought = Sought({"nation": 2.0}, {"station": ("nation", 0.7), "nations": ("nation", 0.9)})
    assert marked("The nation, its nations and a station.", sought) == ["nation", "nations"]
    assert marked("Nothing but a station.", sought) == ["station"]


def test_little_words_are_marked_where_nothing_else_was_asked_for() -> None:
    assert marked("The lease and the roof.", Sought(IDF)) == ["lease"]
    assert marked("The roof.", Sought({"the": 0.1, "is": 0.2})) == ["The"]


def test_an_explanation_looks_for_little_words_too() -> None:
    assert "the" in Sought(IDF).everything()
    assert "the" not in Sought(IDF).wanted


def test_little_words_do_not_count_beside_others_and_count_alone() -> None:
    idf = {"where": 1.0, "the": 0.1, "purple": 5.0, "dragon": 5.0}
    assert coverage("Where is the lamp?", Sought(idf)) == 0.0
    assert coverage("To be or not to be", Sought({"not": 0.5, "be": 0.5})) == pytest.approx(1.0)


def test_a_word_of_every_text_is_still_something_that_was_asked_for() -> None:
    sought = Sought({"landlord": 0.01, "unheard": 5.0})
    assert coverage("The landlord.", sought) == pytest.approx(0.5 / 5.5)
