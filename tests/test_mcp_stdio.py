"""The installed MCP server as a client meets it: the SDK's own client, a real process, folder and engine."""

import json
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, TextContent

from tests.conftest import Home
from tests.engine.conftest import is_running, until
from tests.terminal import Terminal

pytestmark = [pytest.mark.network, pytest.mark.timeout(240)]

LEASE = """---
tags: [home]
---
# House

## 4 Term and renewal

The lease runs until 31 March 2027 and renews by one year.
"""
LONG = "# Letters\n\n" + "\n\n".join(
    f"Letter {number} is about the lease of house number {number}." for number in range(90)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Notes in two languages, one of a strange name, what is to be left out, and a way out that must not be taken."""
    folder = tmp_path / "notes"
    for name, text in {
        "house/lease.md": LEASE,
        "letters.md": LONG,
        "日記.md": "# 日記\n\n屋根の修理は十月までに終わる予定です。\n",
        "[red]\x1b[31m`::%41.md": "A lease in a file\x1b[31m with a colourful name.\n",
        ".gitignore": "drafts/\n",
        "drafts/old.md": "The lease never ends.\n",
        "../outside.md": "The lease is a secret.\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (folder / "link.md").symlink_to(folder.parent / "outside.md")
    return folder


def engine_of(home: Home) -> int | None:
    """The process that serves this test's only folder."""
    for lock in home.data.glob("brains/*/engine.lock"):
        words = lock.read_text("utf-8", "replace")
        if words.startswith("{"):
            pid = json.loads(words)["pid"]
            return pid if isinstance(pid, int) and is_running(pid) else None
    return None


@pytest.fixture(autouse=True)
def _no_engine_stays(home: Home) -> Iterator[None]:
    yield
    if pid := engine_of(home):
        os.kill(pid, signal.SIGTERM)


class Agent:
    """A connected client, and what the server's stderr holds."""

    def __init__(self, client: Client, errors: Path) -> None:
        self.client = client
        self._errors = errors

    @property
    def told(self) -> str:
        return self._errors.read_text("utf-8")

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, said(result)
        assert result.structured_content is not None
        return dict(result.structured_content)

    async def fails(self, tool: str, **arguments: Any) -> str:
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error, result
        assert len(said(result).splitlines()) == 2, said(result)
        return said(result)


def said(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@asynccontextmanager
async def agent_on(installed: Path, folder: Path, tmp_path: Path) -> AsyncIterator[Agent]:
    errors = tmp_path / "stderr.txt"
    server = StdioServerParameters(command=str(installed), args=["mcp", str(folder)], env=dict(os.environ))
    with errors.open("w") as stream:
        async with Client(stdio_client(server, errlog=stream)) as client:
            yield Agent(client, errors)


async def test_an_agent_gets_what_the_command_line_gets_while_the_app_is_open(
    installed: Path, folder: Path, tmp_path: Path
) -> None:
    with Terminal([installed, folder]) as terminal:
        terminal.wait("4 files")
        async with agent_on(installed, folder, tmp_path) as agent:
            for query, k in (("lease", 10), ("屋根の修理", 3), ("letter 41", 1)):
                line = [str(installed), "search", str(folder), query, "-k", str(k), "--json"]
                printed = json.loads(subprocess.run(line, capture_output=True, check=True, timeout=60).stdout)
                found = await agent.call("search_rag", query=query, k=k)
                refs = [hit.pop("ref") for hit in found["hits"]]
                payloads = [hit.pop("payload") for hit in found["hits"]]
                assert found == printed
                assert len(set(refs)) == len(refs) > 0
                for hit, ref, payload in zip(found["hits"], refs, payloads, strict=True):
                    assert payload == {"file": hit["path"], **{name: hit[name] for name in ("start", "end", "tags")}}
                    read = await agent.call("read_excerpt", ref=ref)
                    same = ("path", "chunk", "start", "end", "lines", "text", "checksum")
                    assert [read[name] for name in same] == [hit[name] for name in same]
            status = await agent.call("index_status")
            assert (status["files"], status["left_out"], status["failed"]) == (4, 3, 0)
            assert [row for row in agent.told.splitlines() if not row.startswith("indexing")] == []
        terminal.press("F4")
        terminal.wait("4 files")


async def test_files_have_their_state_and_a_strange_name_harms_nobody(
    installed: Path, folder: Path, tmp_path: Path
) -> None:
    async with agent_on(installed, folder, tmp_path) as agent:
        result = await agent.client.call_tool("list_files", {})
        assert all(char.isprintable() or char == "\n" for char in said(result))
        assert result.structured_content is not None
        states = {row["path"]: row["state"] for row in result.structured_content["files"]}
        assert states["link.md"] == states["drafts/"] == "left_out"
        assert states["[red]\x1b[31m`::%41.md"] == states["house/lease.md"] == "indexed"
        result = await agent.client.call_tool("search_rag", {"query": "colourful"})
        assert all(char.isprintable() or char == "\n" for char in said(result))
        ref = said(result).split("`")[1]
        assert (await agent.call("read_excerpt", ref=ref))["text"].startswith("A lease in a file\x1b[31m")


async def test_neighbours_of_an_excerpt_are_the_files_own_text(installed: Path, folder: Path, tmp_path: Path) -> None:
    async with agent_on(installed, folder, tmp_path) as agent:
        hits = (await agent.call("search_rag", query="house number 41"))["hits"]
        hits = [hit for hit in hits if hit["path"] == "letters.md"]
        read = await agent.call("read_excerpt", ref=hits[0]["ref"], around=2)
        first, last = read["chunks"]
        assert last - first >= 2
        assert read["text"] == LONG[read["start"] : read["end"]]
        assert hits[0]["text"] in read["text"]


async def test_nothing_outside_the_folder_and_nothing_left_out_is_read(
    installed: Path, folder: Path, tmp_path: Path
) -> None:
    async with agent_on(installed, folder, tmp_path) as agent:
        ref = (await agent.call("search_rag", query="lease", k=1))["hits"][0]["ref"]
        path = ref.partition("::")[0]
        for other in (
            "../outside.md",
            str(folder.parent / "outside.md"),
            "link.md",
            "drafts/old.md",
            "house/../../outside.md",
        ):
            told = await agent.fails("read_excerpt", ref=ref.replace(path, other, 1))
            assert "secret" not in told
            assert "never ends" not in told
        for under in ("..", "/", "house/../.."):
            assert "leads out" in await agent.fails("list_files", under=under)
        found = await agent.call("search_rag", query="secret")
        assert "secret" not in json.dumps([hit["text"] for hit in found["hits"]])


async def test_a_changed_file_is_found_as_it_is_and_its_old_excerpt_is_refused(
    installed: Path, folder: Path, tmp_path: Path
) -> None:
    async with agent_on(installed, folder, tmp_path) as agent:
        old = (await agent.call("search_rag", query="renews by one year", k=1))["hits"][0]["ref"]
        (folder / "house" / "lease.md").write_text("# House\n\nThe lease was ended and renews no more.\n", "utf-8")
        new = (await agent.call("search_rag", query="renews no more", k=1))["hits"][0]
        assert new["text"].endswith("The lease was ended and renews no more.")
        assert "search_rag again" in await agent.fails("read_excerpt", ref=old)


async def test_failures_are_errors_with_a_next_step_and_no_hits_a_sentence(
    installed: Path, folder: Path, tmp_path: Path
) -> None:
    async with agent_on(installed, folder, tmp_path) as agent:
        for wrong in ({"k": 0}, {"k": 51}, {"query": ""}, {"query": "x " * 10_000}, {"query": 3}, {"kk": 1}):
            await agent.fails("search_rag", **{"query": "lease", **wrong})
        await agent.fails("search_everything", query="lease")
        result = await agent.client.call_tool("search_rag", {"query": "zzzzqqqq"})
        assert not result.is_error
        assert said(result).endswith(".")
        folder.rename(folder.with_name("gone"))
        assert "cannot be read" in await agent.fails("search_rag", query="lease")
        folder.with_name("gone").rename(folder)
        assert (await agent.call("search_rag", query="lease"))["hits"]
        assert "Traceback" not in agent.told


async def test_an_engine_that_dies_is_started_again(installed: Path, folder: Path, tmp_path: Path, home: Home) -> None:
    async with agent_on(installed, folder, tmp_path) as agent:
        before = await agent.call("search_rag", query="lease")
        first = engine_of(home)
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert await agent.call("search_rag", query="lease") == before
        assert engine_of(home) not in (None, first)
        assert "Traceback" not in agent.told


@contextmanager
def started(installed: Path, folder: Path) -> "Iterator[subprocess.Popen[str]]":
    """The server on pipes, with its first answer read: it serves."""
    line = [str(installed), "mcp", str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(line, text=True, start_new_session=True, **pipes) as server:  # type: ignore[call-overload]
        try:
            info = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            assert send(server, "initialize", info)["result"]["serverInfo"]["name"] == "lens-tui"
            send(server, "notifications/initialized", None)
            yield server
        finally:
            server.kill()


def send(server: "subprocess.Popen[str]", method: str, params: Any, **more: Any) -> Any:
    """Write a message; where it is a request, wait for its answer."""
    assert server.stdin is not None
    assert server.stdout is not None
    message = {"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {}), **more}
    if not method.startswith("notifications/"):
        message["id"] = 1
    server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline()) if "id" in message else None


def end_by_hanging_up(server: "subprocess.Popen[str]") -> None:
    assert server.stdin is not None
    server.stdin.close()


def end_by_ctrl_c(server: "subprocess.Popen[str]") -> None:
    os.killpg(server.pid, signal.SIGINT)


def end_by_leaving_in_mid_answer(server: "subprocess.Popen[str]") -> None:
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdout.close()
    call = {"name": "list_files", "arguments": {}}
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}) + "\n")
    server.stdin.flush()


@pytest.mark.parametrize(
    ("end", "code", "told"),
    [(end_by_hanging_up, 0, ""), (end_by_ctrl_c, 130, "lens-tui: Stopped."), (end_by_leaving_in_mid_answer, 0, "")],
)
def test_it_ends_quietly_and_takes_nothing_with_it(
    installed: Path,
    folder: Path,
    home: Home,
    end: Callable[["subprocess.Popen[str]"], None],
    code: int,
    told: str,
) -> None:
    with started(installed, folder) as server:
        assert server.stderr is not None
        assert until(lambda: engine_of(home) is not None)
        end(server)
        assert server.wait(20) == code
        words = [row for row in server.stderr.read().splitlines() if not row.startswith("indexing")]
        assert words[:1] == ([told] if told else [])
        assert "Traceback" not in "".join(words)
    time.sleep(0.3)
    assert engine_of(home) is not None
    found = subprocess.run(
        [str(installed), "search", str(folder), "lease"], capture_output=True, timeout=60, check=False
    )
    assert found.returncode == 0


def test_ctrl_c_ends_it_while_the_folder_is_still_read_and_the_reading_goes_on(
    installed: Path, folder: Path, home: Home
) -> None:
    for number in range(600):
        (folder / f"note-{number:03}.md").write_text(
            f"# Note {number}\n\n" + f"Word{number} stands here. " * 200, "utf-8"
        )
    with started(installed, folder) as server:
        end_by_ctrl_c(server)
        assert server.wait(20) == 130
    with started(installed, folder) as server:
        files = 0
        end = time.monotonic() + 100
        while files < 604:
            answer = send(server, "tools/call", {"name": "index_status", "arguments": {}})
            files = answer["result"]["structuredContent"]["files"]
            assert time.monotonic() < end


def test_what_is_no_message_is_passed_over_and_stdout_holds_only_the_protocol(installed: Path, folder: Path) -> None:
    with started(installed, folder) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        for line in ("", "hello", "{", "[1]", '{"jsonrpc": "2.0"}', "\x00\x1b[31m", '{"id": 7, "method": "nothing"}'):
            server.stdin.write(line + "\n")
        call = {"name": "search_rag", "arguments": {"query": "lease", "k": 1}}
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}) + "\n")
        server.stdin.flush()
        answers: list[dict[str, Any]] = []
        while not answers or answers[-1].get("id") != 2:
            answers.append(json.loads(server.stdout.readline()))
        assert answers[-1]["result"]["structuredContent"]["hits"]
        server.stdin.close()
        assert server.wait(20) == 0
        assert server.stdout.read() == ""
        assert "Traceback" not in server.stderr.read()


def test_requests_from_a_file_are_read_to_their_end(installed: Path, folder: Path, tmp_path: Path) -> None:
    requests = tmp_path / "requests.jsonl"
    requests.write_text('{"jsonrpc": "2.0", "id": 1, "method": "ping"}', "utf-8")
    with requests.open() as stdin:
        run = subprocess.run(
            [str(installed), "mcp", str(folder)], stdin=stdin, capture_output=True, text=True, timeout=60, check=False
        )
    assert run.returncode == 0, run
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in run.stdout.splitlines())


def test_an_index_that_cannot_be_kept_ends_it_with_its_code(installed: Path, folder: Path) -> None:
    line = [str(installed), "mcp", str(folder), "--data-dir", str(folder / "house" / "lease.md")]
    run = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.startswith("lens-tui: The index cannot be kept")
    assert len(run.stderr.splitlines()) == 2
