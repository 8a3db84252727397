"""Where a reader is put in a text that has changed since it was cited."""

from lens_tui.tui.landing import Landing, nearest

WORDS = "It ends in May."
CITED = Landing(line=3, excerpt=(4, 30), sentence=(10, 25), words=WORDS, mark="[1]", why="word for word")


def test_in_the_same_text_nothing_changes() -> None:
    assert CITED.within("x" * 10 + WORDS) is CITED
    assert Landing(line=3).within("anything") == Landing(line=3)


def test_excerpt_and_sentence_move_with_the_words() -> None:
    now = CITED.within("\n" * 20 + WORDS)
    assert (now.line, now.sentence, now.excerpt) == (None, (20, 35), (14, 40))
    assert now.changed == "changed after the answer; the sentence moved from line 3 to 21"
    assert CITED.within("\n\n" + WORDS).changed.endswith("; the sentence is still there")


def test_of_words_that_are_gone_nothing_is_marked_and_the_reader_stands_at_the_line() -> None:
    now = CITED.within("Quite another text, and a long one.")
    assert (now.line, now.sentence, now.excerpt, now.mark) == (3, None, None, "[1]")
    assert now.why == "when answered: word for word"
    assert now.changed.endswith("; the sentence that was cited is no longer in it")


def test_the_nearest_of_two_equal_sentences_is_meant() -> None:
    text = "same. " + "x" * 100 + " same."
    assert nearest(text, "same.", 90) == text.rindex("same.")
    assert nearest(text, "same.", 3) == 0
    assert nearest(text, "other", 3) is None
