"""What a model was sent, and where each excerpt stands in it."""

from dataclasses import replace

from lens_tui.answering.budget import Fit
from lens_tui.answering.counting import Counting
from lens_tui.answering.prompt import SYSTEM, excerpts_of, user_message
from lens_tui.answering.sending import prompt_sent
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Prompt
from tests.answering.evidence_fakes import hit_of


def test_each_excerpt_stands_where_it_says_with_what_stands_above_it() -> None:
    hits = (
        replace(hit_of("Alpha.", path="a.md", chunk=3), above="Tides > Sea"),
        hit_of("Beta.", rank=2, path="b.md", chunk=0),
    )
    excerpts = excerpts_of(hits)
    user = user_message("What is it?", excerpts)
    sent = prompt_sent(
        Fit(Prompt(SYSTEM, user, excerpts, 99), 2048), "qwen3:4b", "What is it?", Counting(OfflineTokenizer())
    )
    assert [user[one.start : one.end] for one in sent.excerpts] == [
        "[1] a.md#chunk-3\nTides > Sea\nAlpha.",
        "[2] b.md#chunk-0\nBeta.",
    ]
