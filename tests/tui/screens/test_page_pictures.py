"""Pictures of the pages, in ``snapshots/``: each was looked at beside the design's."""

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from lens_tui.chunk_requests import ChunkOutline
from lens_tui.options import ChunkOptions
from lens_tui.requests import FileText
from lens_tui.tui.landing import Landing
from lens_tui.tui.screens.file import FilePage
from lens_tui.tui.screens.files import FilesPage
from lens_tui.tui.screens.keys import KeysPage
from lens_tui.tui.signs import ASCII
from lens_tui.types import FileRow
from tests.fakes import outlines
from tests.tui.screens.test_pages import MODEL, STATE, commands, status
from tests.tui.tiny import TinyApp

Compare = Callable[..., bool]
SIZES = {80: (80, 24), 120: (120, 36)}

NOTES = (
    FileRow("house/lease.md", "indexed", 11),
    FileRow("house/repairs.md", "indexed", 23),
    FileRow("house/scans.pdf", "reading", 0, "12/80"),
    FileRow("house/letters.eml", "waiting"),
    *(FileRow(f"letters/{number}.md", "indexed", 2) for number in range(31)),
    *(FileRow(f"work/{number}.md", "indexed" if number < 97 else "waiting", 2) for number in range(214)),
    *(FileRow(f"日記/{number}.md", "indexed", 2) for number in range(96)),
    FileRow("ideas.md", "indexed", 4),
    FileRow("todo.md", "changed", 4, "14:02"),
    FileRow("broken.pdf", "failed", 0, "not a PDF, it starts with <html"),
    FileRow("old.zip", "left_out", 0, "binary"),
)
LEASE = (
    "# Lease\n\nBetween Ada Okafor and the owner of the house.\n\n## 1 House\n\nThe house is let as it stands.\n\n"
    "## 4 Term and renewal\n\nThe term is two years.\n"
    "The lease runs until 31 March 2027 and renews by one year unless either party gives three months' notice in "
    "writing.\n\nThe rent may be raised once in each period, by at most the change of the index.\n\n## 5 Deposit\n\n"
    "The deposit is three months' rent. It is kept in an account of its own.\n\n大家さんに三か月前のnoticeを書面で送る"
    "こと。返事は四月まで待つ。\n"
)
TERM, RENT = LEASE.index("## 4"), LEASE.index("The rent")
SENTENCE = (LEASE.index("The lease runs"), LEASE.index("writing.") + 8)


def lease() -> FilePage:
    return FilePage(
        FileText(
            path="house/lease.md",
            text=LEASE,
            checksum="x",
            chunks=(
                *outlines((0, 1)) * 3,
                ChunkOutline(TERM, LEASE.index("\n\n## 5"), (9, 14), 112, 0, 18, ("Lease", "4 Term and renewal")),
                ChunkOutline(RENT, LEASE.index("\n\n大家"), (14, 18), 201, 18, 0, ("Lease", "4 Term and renewal")),
                *outlines((len(LEASE), len(LEASE))) * 6,
            ),
            cut="paragraph 220/40",
            options=ChunkOptions(strategy="paragraph"),
            kind="markdown",
        ),
        Landing(
            excerpt=(LEASE.index("## 4"), LEASE.index("\n\n## 5")),
            sentence=SENTENCE,
            mark="[1≠]",
            why="the source says 31 March 2027, the answer 13 March 2027",
            position="1 of 3",
            changed="changed 14:02, after the answer; the sentence moved from line 9 to 12",
            hints="cited",
        ),
        borders=True,
    )


def files() -> FilesPage:
    return FilesPage(NOTES, STATE, "~/notes", choice=MODEL, opened=("house/",), chosen="house/lease.md")


async def settled(pilot: Pilot[Any]) -> None:
    await pilot.pause()
    await pilot.pause()


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("theme", ["lens-dark", "lens-light", "lens-ansi"])
def test_file(snap_compare: Compare, theme: str, columns: int) -> None:
    assert snap_compare(TinyApp(page=lease, theme=theme), terminal_size=SIZES[columns], run_before=settled)


@pytest.mark.parametrize("theme", ["lens-dark", "lens-light", "lens-ansi"])
def test_files(snap_compare: Compare, theme: str) -> None:
    assert snap_compare(TinyApp(page=files, theme=theme), terminal_size=SIZES[80], run_before=settled)


def test_files_in_ascii(snap_compare: Compare) -> None:
    assert snap_compare(TinyApp(page=files, signs=ASCII), terminal_size=SIZES[80], run_before=settled)


@pytest.mark.parametrize("columns", [80, 120])
def test_status(snap_compare: Compare, columns: int) -> None:
    assert snap_compare(TinyApp(page=status), terminal_size=SIZES[columns], run_before=settled)


@pytest.mark.parametrize("columns", [80, 120])
def test_keys(snap_compare: Compare, columns: int) -> None:
    page = TinyApp(page=lambda: KeysPage("answer"))
    assert snap_compare(page, terminal_size=SIZES[columns], run_before=settled)


@pytest.mark.parametrize("theme", ["lens-dark", "lens-light"])
def test_commands(snap_compare: Compare, theme: str) -> None:
    async def typed(pilot: Pilot[Any]) -> None:
        await pilot.press(*"ind")
        await settled(pilot)

    assert snap_compare(TinyApp(page=commands, theme=theme), terminal_size=SIZES[80], run_before=typed)


def test_finding(snap_compare: Compare) -> None:
    async def found(pilot: Pilot[Any]) -> None:
        await settled(pilot)
        await pilot.press("slash", *"deposit", "enter", "n")
        await settled(pilot)

    assert snap_compare(TinyApp(page=lease), terminal_size=SIZES[80], run_before=found)
