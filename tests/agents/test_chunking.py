"""``chunk_text`` over MCP: the shapes of ``lens-tui chunks``, and what is refused."""

from typing import Any

import pytest
from mcp.client import Client
from mcp.types import CallToolResult, TextContent

from lens_tui.agents.chunking import option_schemas
from lens_tui.chunk_json import chunk_event
from lens_tui.cli.cutting import FLAGS
from lens_tui.mcp_server import FolderTools, server_of
from lens_tui.options import STRATEGY_NAMES, ChunkOptions
from lens_tui.requests import CutText, Event, TextCut
from lens_tui.settings import DEFAULTS
from lens_tui.types import Chunk, Failed
from tests.fakes import ScriptedEngine
from tests.test_mcp_server import FOLDER

CHUNKS = tuple(
    Chunk("text", "c0ffee" * 10 + "0000", at, at * 10, at * 10 + 8, f"text {at}\x1b!", (1, 1), 4 + at, heading=("A",))
    for at in range(2)
)
CUT = TextCut(strategy="auto", told="paragraph 220/40", tokenizer="offline", chunks=CHUNKS, milliseconds=1.25)


async def call(engine: ScriptedEngine, **arguments: Any) -> CallToolResult:
    def crash(error: Exception) -> Any:
        raise error

    tools = FolderTools(engine, FOLDER, DEFAULTS, show=lambda progress: None, unforeseen=crash)
    async with Client(server_of(tools)) as client:
        return await client.call_tool("chunk_text", arguments)


def said(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def test_the_answer_has_the_shapes_of_chunks() -> None:
    result = await call(ScriptedEngine([CUT]), text="some text")
    assert not result.is_error
    data = result.structured_content
    assert data is not None
    assert [list(chunk) for chunk in data["chunks"]] == [list(chunk_event(chunk)) for chunk in CHUNKS]
    assert [chunk["index"] for chunk in data["chunks"]] == [0, 1]
    assert data["done"] == {
        "event": "done",
        "strategy": "auto",
        "tokenizer": "offline",
        "count": 2,
        "average": 4.5,
        "smallest": 4,
        "largest": 5,
        "milliseconds": 1.25,
        "warnings": [],
        "told": "paragraph 220/40",
    }
    assert said(result).startswith(
        "2 chunks by paragraph 220/40, counted by offline.\n\n1. 4 tokens, lines 1-1, A\n\n> "
    )
    assert "\x1b" not in said(result)


async def test_a_blank_text_has_null_sizes_and_a_warning() -> None:
    blank = TextCut(
        strategy="auto", told="paragraph 220/40", tokenizer="offline", warnings=("There is nothing to cut.",)
    )
    data = (await call(ScriptedEngine([blank]), text="x")).structured_content
    assert data is not None
    assert (data["chunks"], data["done"]["smallest"]) == ([], None)
    assert data["done"]["warnings"] == ["There is nothing to cut."]


async def test_every_option_is_taken_by_its_own_name() -> None:
    assert [*option_schemas(), "embedder"] == list(FLAGS)
    assert option_schemas()["strategy"]["enum"] == list(STRATEGY_NAMES)
    engine = ScriptedEngine([CUT])
    await call(
        engine, text="t", name="a.md", strategy="fixed", size=200, overlap=20, levels=[1, 2], threshold=1, inherit=False
    )
    options = ChunkOptions(strategy="fixed", size=200, overlap="20", levels=(1, 2), threshold=1.0, inherit=False)
    assert engine.asked == [CutText(text="t", name="a.md", options=options)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "The text is missing."),
        ({"text": " "}, "The text is empty."),
        ({"text": "x" * 1_000_001}, "The text has 1,000,001 characters."),
        ({"text": "t", "strategy": "fixd"}, "strategy cannot be 'fixd'"),
        ({"text": "t", "size": 9000}, "size is 9000; it must be from 1 to 8192."),
        ({"text": "t", "size": "200"}, "size must be a whole number"),
        ({"text": "t", "levels": [9]}, "levels is 9; it must be from 1 to 6."),
        ({"text": "t", "sise": 3}, "chunk_text has no argument sise."),
    ],
)
async def test_wrong_arguments_are_refused_with_a_next_step(arguments: dict[str, Any], expected: str) -> None:
    engine = ScriptedEngine([CUT])
    result = await call(engine, **arguments)
    assert result.is_error
    message, hint = said(result).split("\n")
    assert expected in message
    assert hint
    assert engine.asked == []


async def test_what_the_engine_refuses_is_an_error_with_its_hint() -> None:
    failed: Event = Failed(message="The size is 9; it must be 128 to 8192.", hint="Choose.", kind="ChunkingValueError")
    result = await call(ScriptedEngine([failed]), text="t", strategy="fixed", size=9)
    assert result.is_error
    assert said(result) == "The size is 9; it must be 128 to 8192.\nChoose."
