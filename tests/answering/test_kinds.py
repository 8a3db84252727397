"""What a question asks for, and which sentences tell it."""

import pytest

from lens_tui.answering.kinds import Kind, kind_of, tells


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who signed the lease?", "who"),
        ("Wer hat unterschrieben?", "who"),
        ("Qui a signé le bail ?", "who"),
        ("¿Quién firmó el contrato?", "who"),
        ("Кто подписал договор?", "who"),
        ("契約に署名したのは誰ですか", "who"),
        ("谁签了合同？", "who"),
        ("When does it end?", "when"),
        ("In which year was it built?", "when"),
        ("Wann endet der Vertrag?", "when"),
        ("Quand finit le bail ?", "when"),
        ("¿Cuándo termina?", "when"),
        ("Когда заканчивается договор?", "when"),
        ("契約はいつ終わりますか", "when"),
        ("何年に建てられたか", "when"),
        ("合同什么时候到期？", "when"),
        ("Where is the key?", "where"),
        ("Wo liegt der Schlüssel?", "where"),
        ("Où est la clé ?", "where"),
        ("¿Dónde está la llave?", "where"),
        ("Где ключ?", "where"),
        ("鍵はどこですか", "where"),
        ("钥匙在哪里？", "where"),
        ("How many rooms are there?", "number"),
        ("How much is the rent?", "number"),
        ("How long is the term?", "number"),
        ("Wie viele Zimmer gibt es?", "number"),
        ("Combien coûte le loyer ?", "number"),
        ("¿Cuántas habitaciones hay?", "number"),
        ("Сколько стоит аренда?", "number"),
        ("部屋はいくつありますか", "number"),
        ("何人住んでいますか", "number"),
        ("房租多少钱？", "number"),
        ("Why was it closed?", "why"),
        ("Warum wurde es geschlossen?", "why"),
        ("Pourquoi est-ce fermé ?", "why"),
        ("¿Por qué está cerrado?", "why"),
        ("Почему закрыто?", "why"),
        ("なぜ閉鎖されたのか", "why"),
        ("为什么关闭？", "why"),
        ("Describe the garden.", None),
        ("Summarize what was said about wood.", None),
        ("Is the roof of slate?", None),
    ],
)
def test_the_kind_of_a_question_is_known_in_seven_languages(question: str, kind: Kind | None) -> None:
    assert kind_of(question) == kind


@pytest.mark.parametrize(
    ("kind", "told", "untold"),
    [
        ("who", "It was signed by Anna Weber.", "it was signed without delay."),
        ("who", "Dann kam Frau Weber.", "dann wurde unterschrieben."),
        ("who", "договор подписал Иванов.", "договор подписан."),
        ("who", "田中氏が署名した。", "署名は済んだ。"),
        ("when", "It ends on 31 March 2027.", "It ends with a notice."),
        ("when", "Er endet am Freitag.", "Er endet mit der Kündigung."),
        ("when", "Le bail finit le 3 mai.", "Le bail finit bientôt."),
        ("when", "Договор до 3 марта 2027.", "Договор заканчивается скоро."),
        ("when", "契約は2027年3月に終わる。", "契約は解約で終わる。"),
        ("when", "合同于2027年到期。", "合同即将到期。"),
        ("where", "The key lies in Berlin.", "The key is lost."),
        ("where", "鍵は京都市の事務所にある。", "鍵は失われた。"),
        ("number", "There are three rooms.", "There are rooms."),
        ("number", "Die Miete beträgt 900 Euro.", "Die Miete ist hoch."),
        ("number", "部屋は三つある。3部屋だ。", "部屋がある。"),
        ("why", "It was closed because of rain.", "It was closed."),
        ("why", "Закрыто из-за дождя.", "Закрыто."),
        ("why", "雨のため閉鎖された。", "閉鎖された。"),
        ("why", "因为下雨而关闭。", "关闭了。"),
    ],
)
def test_a_sentence_tells_what_is_asked_for_or_does_not(kind: Kind, told: str, untold: str) -> None:
    assert tells(kind, told, "?")
    assert not tells(kind, untold, "?")


def test_what_the_question_itself_says_is_no_answer() -> None:
    assert not tells("when", "In 2027 it ended.", "When in 2027 did it end?")
    assert tells("when", "In 2027 it ended in March.", "When in 2027 did it end?")
