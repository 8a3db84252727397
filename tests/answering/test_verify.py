"""Verdicts: what a sentence bears out, what it says otherwise, and what it leaves open, in five languages."""

import pytest

from lens_tui.answering.verify import Judgement, judge_text
from tests.answering.evidence_fakes import LEASE


def verdict(claim: str, excerpt: str) -> str:
    return judge_text(claim, excerpt).verdict


@pytest.mark.parametrize(
    ("claim", "excerpt"),
    [
        ("The term is two years", LEASE),
        ("The lease ends on 31 March 2027.", LEASE),
        ("The lease renews by one year.", "The lease runs until 31 March 2027 and renews by one year."),
        ("In 1901 the bridge was rebuilt.", "The bridge was rebuilt in 1901."),
        ("If it is empty, the file is deleted.", "The file is removed if it is empty."),
        ("The firm employs 1,200 people.", "The firm employs 1200 people in Ghent."),
        ("More than 90 people came.", "93 people came."),
        ("It renews by one year.", "It renews by a year at a time."),
        ("According to the notes, the bridge was rebuilt in 1901.", "The bridge was rebuilt in 1901."),
        ("Der Vertrag endet am 31. März 2027.", "Der Vertrag endet am 31.3.2027 ohne Kündigung."),
        ("Die Häuser wurden 1920 gebaut.", "Die alten Häuser wurden im Jahr 1920 gebaut."),
        ("Файл удаляется программой.", "Файл удаляется программой при выходе."),
        ("契約は2027年3月31日に終わる。", "契約は2027年3月31日に終わる。更新はできる。"),
        ("東京は日本の首都である。", "日本の首都である東京は人口が多い。東京は、日本の首都である。"),
        ("该命令删除文件。", "该命令会移除文件。"),
        ("Berg was born in Oslo.", "Anna Berg wrote plays. She was born in Oslo."),
        ("Anna Berg was born in Oslo.", "Berg was born in Oslo."),
    ],
)
def test_what_a_sentence_says_is_supported(claim: str, excerpt: str) -> None:
    assert judge_text(claim, excerpt).verdict == "supported"


@pytest.mark.parametrize(
    ("claim", "excerpt", "why"),
    [
        ("The lease ends on 13 March 2027.", LEASE, "the source says 31 March 2027, the answer 13 March 2027"),
        ("The term is three years.", LEASE, "the source says two, the answer three"),
        ("It has 1,000 seats.", "It has 2,000 seats.", "the source says 2,000, the answer 1,000"),
        ("It renews by two years.", "It renews by one year.", "the source says one, the answer two"),
        (
            "Das Geld kommt nach acht Wochen.",
            "Das Geld kommt nach sechs Wochen.",
            "the source says sechs, the answer acht",
        ),
        ("Sales rose by 5 percent.", "Sales rose by 7 %.", "the source says 7 %, the answer 5 percent"),
        ("It was built in Oslo.", "It was built in Bergen.", "the source says Bergen, the answer Oslo"),
        ("The key is not returned.", "The key is returned.", "the source says it, the answer denies it with “not”"),
        (
            "Smoking is allowed in the hall.",
            "Smoking isn't allowed in the hall.",
            "the source denies it with “n't”, the answer does not",
        ),
        ("Prices fell in May.", "Prices rose in May.", "the source says rose, the answer fell"),
        ("Wait at most 3 days.", "Wait at least 3 days.", "the source says least, the answer most"),
        ("Der Schlüssel wird nicht zurückgegeben.", "Der Schlüssel wird zurückgegeben.", "nicht"),
        ("Die Datei hat 12 Zeilen.", "Die Datei hat 14 Zeilen.", "the source says 14, the answer 12"),
        ("Команда не удаляет файлы.", "Команда удаляет файлы.", "не"),
        ("Договор действует до 30 марта.", "Договор действует до 31 марта.", "31 марта"),
        ("契約は2027年3月13日に終わる。", "契約は2027年3月31日に終わる。", "2027年3月31日"),
        ("この機能は使えません。", "この機能は使えます。", "ません"),
        ("人口は3万人である。", "人口は5万人である。", "the source says 5万, the answer 3万"),
        ("彼はイタリアで生まれた。", "彼はフランスで生まれた。", "the source says フランス, the answer イタリア"),
        ("该命令不会删除文件。", "该命令会删除文件。", "不"),
        ("文件大于 5 页。", "文件小于 5 页。", "小于"),
    ],
)
def test_what_a_sentence_says_otherwise_is_contradicted_and_said_in_words(claim: str, excerpt: str, why: str) -> None:
    judged = judge_text(claim, excerpt)
    assert judged.verdict == "contradicted"
    assert why in judged.why
    assert judged.line is not None


@pytest.mark.parametrize(
    ("claim", "excerpt"),
    [
        ("Alba bought Berg.", "Berg bought Alba."),
        ("Paris is larger than Oslo.", "Oslo is larger than Paris."),
        ("The dog bit the man.", "The man was bitten by the dog and the cat."),
        ("The rent is raised once in each period.", "The rent may be raised once in each period."),
        ("All files are deleted.", "Some files are deleted."),
        ("Only root can read it.", "Root can read it."),
        ("The director died in 1990.", "The former director died in 1990."),
        ("The second edition has maps.", "The first edition has pictures and maps."),
        ("The wall is red.", "The wall is red or green."),
        ("It has 1,000 seats.", "It has a bar and 2,000 books; the seats are new."),
        ("Berg died in 1990.", "Berg was born in 1950 and her brother Olaf died in 1990."),
        ("The lease ends when the tenant moves.", LEASE),
        ("Anna Berg was born in Oslo.", "Today we speak of plays. Olaf Berg was born there, in Oslo."),
        ("Author Berg was born in Oslo.", "Berg was born in Oslo."),
        ("Entry is free.", "Entry is free except on Sundays."),
        ("It is the highest peak.", "It is the second highest peak."),
        ("Er wohnt in Köln.", "Er arbeitet in Köln."),
        ("Он живёт в Москве.", "Он работает в Москве."),
        ("彼は東京で働いている。", "彼は東京に住んでいる。"),
        ("他在北京工作。", "他在北京出生。"),
        ("東京は大阪より大きい。", "大阪は東京より大きい。"),
        ("It may be so.", "It may or may not be so."),
        ("Pets are not allowed.", "Pets are allowed only with consent."),
    ],
)
def test_what_cannot_be_told_is_weak(claim: str, excerpt: str) -> None:
    assert verdict(claim, excerpt) == "weak"


def test_what_stands_elsewhere_in_the_excerpt_is_not_contradicted() -> None:
    excerpt = "Flat 3 has two rooms. Flat 4 has five rooms."
    assert verdict("Flat 4 has two rooms.", excerpt) != "supported"
    assert verdict("Flat 3 has two rooms.", excerpt) == "supported"
    assert verdict("Flat 4 has five rooms.", excerpt) == "supported"


def test_a_claim_of_two_parts_rests_on_two_sentences() -> None:
    excerpt = "The bridge of Lindau was opened in 1854. The bridge of Lindau has eight arches. It is made of stone."
    claim = "The bridge of Lindau was opened in 1854, and the bridge of Lindau has eight arches."
    assert verdict(claim, excerpt) == "supported"


def test_several_sentences_are_judged_one_by_one_and_the_worst_counts() -> None:
    excerpt = "The term is two years. The rent is 900 euros."
    assert verdict("The term is two years. The rent is 900 euros.", excerpt) == "supported"
    assert verdict("The term is two years. The rent is 800 euros.", excerpt) == "contradicted"
    assert verdict("The term is two years. The neighbours are kind.", excerpt) == "weak"


def test_an_answer_behind_its_question_is_looked_for_where_it_stands() -> None:
    excerpt = "The lease of the flat was signed in spring. Anna Berg wrote it. The lease of the flat ends soon."
    judged = judge_text("Who wrote the lease of the flat? Anna Berg", excerpt)
    assert judged.line is not None
    assert judged.line.text == "Anna Berg wrote it."


@pytest.mark.parametrize(("claim", "excerpt"), [("", "a"), ("a", ""), ("?!", "?!"), ("…", "The term is two years.")])
def test_what_says_nothing_is_weak_at_most(claim: str, excerpt: str) -> None:
    assert verdict(claim, excerpt) in ("weak", "supported")


def test_a_claim_of_a_thousand_sentences_is_not_judged() -> None:
    assert judge_text("It ends. " * 1000, "It ends.").why == "is too long to be judged"


@pytest.mark.parametrize("claim", ["The firm employs 1,2", "The firm employs 1,200 people in Gh", "The firm em"])
def test_a_sentence_that_broke_off_is_not_contradicted_by_its_source(claim: str) -> None:
    assert verdict(claim, "The firm employs 1,200 people in Ghent.") != "contradicted"


def test_the_same_claim_is_judged_the_same_each_time() -> None:
    judged: list[Judgement] = [judge_text("The lease ends on 13 March 2027.", LEASE) for _ in range(3)]
    assert len({(one.verdict, one.why, one.said, one.found) for one in judged}) == 1


@pytest.mark.parametrize("row", ["space_left = size - end", "reversed_chunks[-1] = chunk[end:]", "a = chunk[0]; b = 1"])
def test_a_line_of_code_is_supported_by_itself_though_its_neighbours_are_read_with_it(row: str) -> None:
    code = f"while end > 0:\n    if space:\n        {row}\n    else:\n        space = end\n    return 1\n"
    judged = judge_text(row, code)
    assert (judged.verdict, judged.why) == ("supported", "word for word in its source")
    assert judged.line is not None
    assert judged.line.text == row


def test_a_half_of_a_wrapped_sentence_is_not_taken_for_the_sentence() -> None:
    assert judge_text("the firm is in Ghent.", "It may be that\nthe firm is in Ghent.").verdict == "weak"


def test_another_amount_of_money_is_contradicted_beside_a_second_sentence() -> None:
    judged = judge_text("The rent is 2,850 euros a month.", "The rent is 1,850 euros a month. It is due on the first.")
    assert judged.verdict == "contradicted"
    assert judged.why == "the source says 1,850 euros, the answer 2,850 euros"
