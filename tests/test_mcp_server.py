"""The tools as the SDK's own client sees them, over a scripted engine in this process."""

import json
from collections.abc import Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult, TextContent

from lens_tui.errors import LensError
from lens_tui.mcp_server import FolderTools, server_of
from lens_tui.requests import (
    Event,
    FileText,
    FolderNews,
    Found,
    IndexProgress,
    IndexState,
    OpenFile,
    Request,
    Search,
    Status,
)
from lens_tui.settings import DEFAULTS, Settings
from lens_tui.types import Failed, FileRow
from tests.fakes import Script, ScriptedEngine, lease_hit, outlines

FOLDER = Path("/home/me/notes")
FOUND = Found(query="lease", k=10, retriever="lexical", hits=(lease_hit(),), notes=("2 vectors are missing.",))
TEXT = "# House\n\nOne.\n\nTwo.\n\nThree.\n"
FILE = FileText(
    path="a.md", text=TEXT, checksum="0123456789ab" + "0" * 52, chunks=outlines((0, 13), (15, 19), (21, 28))
)
PATHS = ("b.md", "house/a.md", "house/b.md", "household.md")
ROWS = (*(FileRow(path, "indexed", 2) for path in PATHS), FileRow("a.bin", "left_out", 0, "binary"))
GONE = Failed(message="The engine ended before it had answered.", kind="EngineError")


class Bench:
    """A scripted engine behind the tools, and what the person at stderr was shown."""

    def __init__(self, script: Script, settings: Settings) -> None:
        self.engine = ScriptedEngine(script)
        self.shown: list[IndexProgress | None] = []
        self.crashes: list[Exception] = []
        self.tools = FolderTools(self.engine, FOLDER, settings, show=self.shown.append, unforeseen=self.crash)

    def crash(self, error: Exception) -> LensError:
        self.crashes.append(error)
        return LensError("Something unforeseen went wrong.", hint="The log has it.")

    def client(self) -> AbstractAsyncContextManager[Client]:
        return Client(server_of(self.tools))

    async def call(self, name: str, **arguments: Any) -> CallToolResult:
        async with self.client() as client:
            return await client.call_tool(name, arguments)

    async def fails(self, name: str, **arguments: Any) -> str:
        """Call a tool that must fail in words, with a next step."""
        result = await self.call(name, **arguments)
        assert result.is_error, result
        message, hint = said(result).split("\n")
        assert message.endswith((".", "?", "!"))
        assert hint
        assert result.structured_content is not None
        assert (result.structured_content["message"], result.structured_content["hint"]) == (message, hint)
        return said(result)


def bench(*events: Event, settings: Settings = DEFAULTS) -> Bench:
    return Bench(events, settings)


def said(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def test_five_tools_are_offered_that_only_read() -> None:
    async with bench().client() as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == ["search_rag", "read_excerpt", "list_files", "chunk_text", "index_status"]
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
    assert all(tool.description and tool.input_schema["additionalProperties"] is False for tool in tools)


async def test_a_hit_has_its_fields_its_ref_and_dialogois_payload() -> None:
    at = bench(FOUND)
    result = await at.call("search_rag", query="lease")
    assert at.engine.asked == [Search(query="lease", k=10)]
    assert not result.is_error
    assert said(result).endswith("> The lease ends on 31 March 2027.\n\n2 vectors are missing.")
    found = result.structured_content
    assert found is not None
    assert (found["query"], found["k"], found["retriever"]) == ("lease", 10, "lexical")
    (hit,) = found["hits"]
    promised = "rank score path id chunk start end lines page heading tags text snippet marks why"
    assert set(promised.split()) <= set(hit)
    assert hit["id"] == "0123456789ab-0"
    assert hit["ref"] == "house/lease.md::House > 4 Term::chunk-0@0123456789ab"
    assert hit["payload"] == {"file": "house/lease.md", "start": 100, "end": 165, "tags": ["home"]}


async def test_no_hits_is_a_sentence_and_no_error() -> None:
    for notes, sentence in ((("Not in the index: xyz.",), "Not in the index: xyz."), ((), "Nothing was found.")):
        result = await bench(replace(FOUND, hits=(), notes=notes)).call("search_rag", query="xyz")
        assert not result.is_error
        assert said(result) == sentence
        assert result.structured_content is not None
        assert result.structured_content["notes"] == [sentence]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "The query is missing."),
        ({"query": None}, "The query is missing."),
        ({"query": " \n"}, "The query is empty."),
        ({"query": 7}, "The query is not text."),
        ({"query": ["a"]}, "The query is not text."),
        ({"query": "a", "k": 0}, "k is 0; it must be from 1 to 20."),
        ({"query": "a", "k": 21}, "k is 21; it must be from 1 to 20."),
        ({"query": "a", "k": 10**30}, "it must be from 1 to 20."),
        ({"query": "a", "k": "3"}, "k is no whole number."),
        ({"query": "a", "k": 2.5}, "k is no whole number."),
        ({"query": "a", "k": True}, "k is no whole number."),
        ({"query": "a", "k": None}, "k is no whole number."),
        ({"query": "a", "limit": 3}, "search_rag has no argument limit."),
    ],
)
async def test_a_wrong_argument_is_told_and_never_reaches_the_engine(arguments: Any, expected: str) -> None:
    at = bench(FOUND, settings=Settings(search_max_k=20))
    assert expected in await at.fails("search_rag", **arguments)
    assert at.engine.asked == []


async def test_the_settings_say_how_many_and_by_what() -> None:
    at = bench(FOUND, settings=Settings(search_default_k=3, search_retriever="vector"))
    await at.call("search_rag", query="lease")
    await at.call("search_rag", query="lease", k=4.0)
    assert at.engine.asked == [Search(query="lease", k=k, retriever="vector") for k in (3, 4)]


async def test_what_the_engine_refuses_is_told_with_its_hint() -> None:
    at = bench(Failed(message="The query has 16,001 characters.", hint="Shorten it.", kind="UsageError"))
    assert await at.fails("search_rag", query="a") == "The query has 16,001 characters.\nShorten it."
    assert len(at.engine.asked) == 1


async def test_a_tool_that_there_is_not_is_told_with_those_that_there_are() -> None:
    assert "search_rag, read_excerpt" in await bench().fails("rewrite_file", text="a")
    assert "It takes none." in await bench().fails("index_status", path="a")


async def test_an_engine_that_ends_on_the_way_is_asked_once_more() -> None:
    replies: Iterator[list[Event]] = iter([[IndexProgress(done=0, total=2, current="", chunks=0), GONE], [FOUND]])
    at = Bench(lambda _: next(replies), DEFAULTS)
    assert not (await at.call("search_rag", query="lease")).is_error
    assert at.engine.asked == [Search(query="lease")] * 2


async def test_an_engine_that_ends_each_time_is_told() -> None:
    for events in ((GONE,), ()):
        at = bench(*events, settings=DEFAULTS)
        result = await at.call("search_rag", query="lease")
        assert result.is_error
        assert said(result).startswith("The engine ended before it had answered.")
        assert len(at.engine.asked) == 2


async def test_what_nobody_foresaw_is_a_sentence_for_the_agent_and_a_story_for_the_log() -> None:
    def script(request: Request) -> Iterable[Event]:
        raise ZeroDivisionError("a bug")

    at = Bench(script, DEFAULTS)
    assert "unforeseen" in await at.fails("search_rag", query="lease")
    assert [type(error) for error in at.crashes] == [ZeroDivisionError]


async def test_progress_reaches_the_client_rising_and_stderr_until_the_wait_is_over() -> None:
    steps = [IndexProgress(done=done, total=3, current="a.md", chunks=0) for done in (0, 1, 1, 3)]
    at = bench(*steps, FOUND)
    told: list[tuple[float, float | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))
        assert message == f"indexing {progress:.0f} of 3 files"

    async with at.client() as client:
        await client.call_tool("search_rag", {"query": "lease"}, progress_callback=on_progress)
    assert told == [(0, 3), (1, 3), (3, 3)]
    assert at.shown == [*steps, None]


@pytest.mark.parametrize(
    ("around", "chunks", "lines", "text"),
    [(0, [1, 1], [5, 5], "Two."), (1, [0, 2], [1, 7], TEXT[:28]), (10, [0, 2], [1, 7], TEXT[:28])],
)
async def test_an_excerpt_is_read_whole_with_as_many_neighbours_as_there_are(
    around: int, chunks: list[int], lines: list[int], text: str
) -> None:
    at = bench(FILE)
    ref = "a.md::House::chunk-1@0123456789ab"
    result = await at.call("read_excerpt", ref=ref, around=around)
    assert at.engine.asked == [OpenFile(path="a.md")]
    read = result.structured_content
    assert read is not None
    assert (read["ref"], read["path"], read["chunk"], read["chunks"]) == (ref, "a.md", 1, chunks)
    assert (read["text"], read["lines"]) == (text, lines)
    assert TEXT[read["start"] : read["end"]] == text
    assert said(result).startswith(f"a.md:{lines[0]}-{lines[1]}\n\n> ")


@pytest.mark.parametrize("ref", ["a.md::House::chunk-1@ffffffffffff", "a.md::House::chunk-3@0123456789ab"])
async def test_an_excerpt_of_a_file_that_changed_is_not_passed_off_as_the_one_that_was_found(ref: str) -> None:
    assert "search_rag again" in await bench(FILE).fails("read_excerpt", ref=ref)


@pytest.mark.parametrize("path", ["../a.md", "/etc/passwd", "house/../../a.md", "%2e%2e/a.md", "%2Fetc/passwd"])
async def test_no_ref_leads_out_of_the_folder(path: str) -> None:
    at = bench(FILE)
    assert "leads out of the folder" in await at.fails("read_excerpt", ref=f"{path}::::chunk-0@0123456789ab")
    assert at.engine.asked == []


async def test_files_are_listed_by_path_with_state_and_reason() -> None:
    at = bench(FolderNews(state=IndexState(), rows=ROWS, all=True))
    result = await at.call("list_files")
    assert at.engine.asked == [Status(fresh=True, rows=True)]
    assert said(result).splitlines() == [
        "- a.bin (left_out: binary)",
        "- b.md (indexed, 2 chunks)",
        "- house/a.md (indexed, 2 chunks)",
        "- house/b.md (indexed, 2 chunks)",
        "- household.md (indexed, 2 chunks)",
    ]
    listed = result.structured_content
    assert listed is not None
    assert (listed["total"], listed["next_offset"]) == (5, None)
    assert listed["files"][0] == {"path": "a.bin", "state": "left_out", "chunks": 0, "detail": "binary"}


@pytest.mark.parametrize(
    ("under", "paths"),
    [
        ("house", ["house/a.md", "house/b.md"]),
        ("./house//", ["house/a.md", "house/b.md"]),
        ("house/a.md", ["house/a.md"]),
        (".", sorted(row.path for row in ROWS)),
    ],
)
async def test_files_are_listed_under_a_folder(under: str, paths: list[str]) -> None:
    listed = (await bench(FolderNews(state=IndexState(), rows=ROWS)).call("list_files", under=under)).structured_content
    assert listed is not None
    assert [row["path"] for row in listed["files"]] == paths


async def test_a_long_list_comes_in_parts_and_says_so() -> None:
    at = bench(FolderNews(state=IndexState(), rows=ROWS))
    seen, offset = [], 0
    while offset is not None:
        result = await at.call("list_files", offset=offset, limit=2)
        assert result.structured_content is not None
        offset = result.structured_content["next_offset"]
        seen += [row["path"] for row in result.structured_content["files"]]
        assert (f"the next ones with offset {offset}." in said(result)) == (offset is not None)
    assert seen == sorted(row.path for row in ROWS)
    assert "from 0 to 4" in await at.fails("list_files", offset=5)
    assert "from 1 to 1000" in await at.fails("list_files", limit=1001)


@pytest.mark.parametrize(
    ("under", "expected"),
    [
        ("..", "leads out of the folder"),
        ("/etc", "leads out of the folder"),
        ("house/../..", "leads out of the folder"),
        ("hou", "has nothing called hou"),
    ],
)
async def test_what_is_not_in_the_folder_is_no_empty_list(under: str, expected: str) -> None:
    assert expected in await bench(FolderNews(state=IndexState(), rows=ROWS)).fails("list_files", under=under)


async def test_an_empty_folder_is_a_sentence_and_no_error() -> None:
    result = await bench(FolderNews(state=IndexState())).call("list_files")
    assert not result.is_error
    assert said(result) == f"There is no file in {FOLDER}."


async def test_the_status_is_a_sentence_and_the_states_own_fields() -> None:
    state = IndexState(
        phase="idle", files=3, total=3, chunks=7, vectors=5, vectors_total=7, embedder="builtin", failed=1
    )
    result = await bench(FolderNews(state=state)).call("index_status")
    assert "3 of 3 files indexed in 7 chunks, 0 left out, 1 failed." in said(result)
    assert "5 of 7 vectors made by builtin." in said(result)
    assert result.structured_content is not None
    assert result.structured_content["folder"] == str(FOLDER)
    assert result.structured_content["phase"] == "idle"


async def test_the_words_are_made_printable_and_the_structured_content_keeps_them() -> None:
    hit = replace(lease_hit(path="a\x1b.md"), snippet="\x1b[31mred", text="\x1b[31mred\ud800", tags=("t\x07",))
    result = await bench(replace(FOUND, hits=(hit,), notes=("\x1b",))).call("search_rag", query="red")
    shown = said(result)
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert "␛[31mred" in shown
    assert result.structured_content is not None
    (structured,) = result.structured_content["hits"]
    assert structured["text"] == "\x1b[31mred\ufffd"
    assert structured["path"] == "a\x1b.md"
    assert structured["ref"] in shown
    json.dumps(result.structured_content).encode("utf-8")
