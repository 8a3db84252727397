"""A conversation written out: Markdown that reads well and is read by ``verify``, JSON in the shapes of ``ask``."""

import json
import time
from dataclasses import replace

from lens_tui import wire
from lens_tui.history import Conversation, PromptSent, Turn
from lens_tui.talks.exporting import as_json, as_markdown
from lens_tui.types import Answered, Failed
from tests.fakes import lease_answered, lease_retrieved

ANSWER = lease_answered()
CITATION = replace(ANSWER.citations[0], verdict="contradicted", why="the source says 31 March, the answer 13 March")
JUDGED = replace(ANSWER, citations=(CITATION, replace(CITATION, verdict="supported", why=None)), uncited=((0, 2),))
SENT = PromptSent(model="cites", system="rules", user="excerpts and question")
TALK = Conversation(
    1,
    "Lease and notice",
    (
        Turn(1, "When does it end?\nAnd how?", 0.0, lease_retrieved(), JUDGED, None, SENT),
        Turn(2, "Why?", 60.0, lease_retrieved(), Answered(text="Quoted.", model=None)),
        Turn(3, "And then?", 120.0, None, None, Failed(message="Nothing answers.", hint="ollama serve")),
    ),
)


def test_markdown_has_each_answer_with_its_sources_and_what_is_wrong_with_it() -> None:
    assert as_markdown(TALK, local=time.gmtime) == (
        "# Lease and notice\n\n"
        "## When does it end?\n\n> And how?\n\n*1970-01-01 00:00, cites*\n\n"
        "Checked: 1 of 2 citations supported.\n"
        "- citation of excerpt 1 is contradicted: the source says 31 March, the answer 13 March\n"
        "- 1 sentence without a citation\n\n"
        "It ends on 31 March 2027 [1].\n\nSources:\n\n[1] house/lease.md:9-10\n\n"
        "## Why?\n\n*1970-01-01 00:01, quoted, no model*\n\nQuoted.\n\n"
        "## And then?\n\n*1970-01-01 00:02*\n\n*Failed: Nothing answers.*\n"
    )


def test_json_has_the_events_as_ask_prints_them() -> None:
    fields = json.loads(as_json(TALK))
    assert fields["title"] == "Lease and notice"
    first, second, third = fields["turns"]
    assert first["question"] == "When does it end?\nAnd how?"
    assert [event["event"] for event in first["events"]] == ["retrieved", "sent", "answered"]
    assert first["events"][2] == json.loads(wire.to_json(JUDGED))
    assert [event["event"] for event in second["events"]] == ["retrieved", "answered"]
    assert third["events"] == [json.loads(wire.to_json(TALK.turns[2].failed))]


def test_nothing_in_a_text_steers_the_terminal_that_shows_it() -> None:
    turn = Turn(1, "\x1b[31mred\udce9", 0.0, None, Answered(text="\x1b]0;title\x07", model="m"))
    assert "\x1b" not in as_markdown(Conversation(1, "\x1b[2J", (turn,)), local=time.gmtime)
    assert json.loads(as_json(Conversation(1, "caf\udce9", (turn,))))["title"] == "caf?"
