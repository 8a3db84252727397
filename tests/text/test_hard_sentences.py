"""Sentences that are easy to cut wrongly, in many languages; ``|`` stands where one ends and the next begins."""

from itertools import pairwise

import pytest

from lens_tui.text.sentences import sentences

CASES = """
He paid $5.5 million.|She left.
Version 2.0.1 is out.|Get it.
Visit www.example.com.|Then call.
Mail bob@example.com.|Thanks.
He said "Stop."|Then he left.
"Who are you?" she asked.|"Nobody."
(This is an aside.)|It goes on.
It works (see Fig. 3).|Good.
Prof. Smith, Ph.D., spoke.|All listened.
Apples, pears, etc. are fruit.|Yes.
Apples, pears, etc.|The rest is veg.
J. R. R. Tolkien wrote it.|C. S. Lewis read it.
The U.S. economy grew.|So did the U.K.
See p. 5 and pp. 7-9.|End.
On Jan. 5 it rained.|On Feb. 6 too.
It was 5 p.m.|The sun set.
Really?!|Yes!!|OK...
Wait... what?|I see.
Smith et al. showed this.|We agree.
Acme Inc. hired her.|Acme Corp. did not.
1. First item.|2. Second item.
He lives at 5 Main St.|She does too.
St. Petersburg is cold.|Mt. Everest is high.
It is 3.5 m. long.|Fine.
Gen. Lee and Lt. Col. Jones met.|They spoke.
The file is a.py.|Run it.
Use node.js.|It works.
‘Go!’ he cried.|‘Now!’
Dr. Müller kam am 3. Oktober an.|Er blieb.
Das ist z. B. gut.|Nicht wahr?
Er sagte: „Komm!“|Dann ging er.
Ca. 20 % d. h. wenig.|Ende.
Das 19. Jahrhundert war lang.|Das 20. Jahrhundert auch.
Siehe S. 12 und Nr. 4.|Ende.
M. Dupont est là.|Mme. Petit aussi.
« Bonjour ! » dit-il.|Elle rit.
Quoi ?|Rien !|C'est tout.
Il pèse 3,5 kg.|C'est peu.
¿Qué hora es?|¡Son las dos!|Vale.
El Sr. López y la Sra. Ruiz.|Adiós.
EE. UU. es grande.|Sí.
Il sig. Rossi è qui.|La dott.ssa Bianchi no.
O Sr. Silva chegou.|A Dra. Costa não.
Dhr. Jansen komt.|Mevr. de Vries ook.
В 1990 г. он уехал.|В 2000 г. вернулся.
А. С. Пушкин родился в Москве.|Он поэт.
Ул. Ленина, д. 5.|Вход со двора.
«Стой!» — крикнул он.|Все замерли.
これは本です。|あれは「何ですか？」と聞いた。
「行こう！」彼は言った。
価格は3.5万円です。|安い！
彼（田中。部長）は来た。|終わり。
本当？！|嘘。
他说：“走吧。”我走了。
价格是3.14元。|很便宜！|是吗？
그는 갔다.|나는 3.5km를 걸었다.|끝.
वह गया।|मैं रुका।|क्यों?
ذهب إلى البيت.|هل عاد؟|نعم.
הוא הלך.|היא נשארה!|למה?
یہ کتاب ہے۔|وہ قلم ہے۔
ဒါက စာအုပ်ပါ။|ဟုတ်တယ်။
እሱ ሄደ።|እሷ ቀረች።
Pan Kowalski mieszka przy ul. Długiej.|Tak.
To jest np. dobre.|Koniec.
Je to č. 5.|Konec.
Hr. Hansen kom kl. 5.|Så gik han.
Bay Yılmaz geldi.|Dr. Kaya gitti.
Ông Nguyễn đến.|TP. HCM rất lớn.
See **this.**|Then *that.*|Done.
He asked why. because.|Then left.
No.|I won't.|No. 5 is alive.
In Sec. 3 we saw it.|Ch. 4 follows.
She is the No. 1.|He is No. 2.
""".strip().split("\n")


@pytest.mark.parametrize("case", CASES)
def test_each_sentence_is_found_whole(case: str) -> None:
    wanted = case.split("|")
    wide = [first[-1] > "\u2e7f" and second[0] > "\u2e7f" for first, second in pairwise(wanted)]
    text = wanted[0] + "".join(("" if close else " ") + part for close, part in zip(wide, wanted[1:], strict=True))
    assert [text[start:end] for start, end in sentences(text)] == wanted
