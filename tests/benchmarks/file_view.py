"""How fast a big file opens and scrolls, beside Textual's own TextArea with the same text.

Run: python -m tests.benchmarks.file_view [--megabytes 20] [--keys 200]. All in this process, without a
terminal: what is counted is the work from the key to the finished strips of the screen. A line of one megabyte
is measured too.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Callable

from textual.app import App
from textual.widget import Widget
from textual.widgets import TextArea

from lens_tui.requests import FileText
from lens_tui.tui.widgets.fileview import FileView
from tests.tui.tiny import TinyApp

LINE = "line {number} of a long file that somebody keeps, with a few words on it\n"
BARE_MEGABYTES = 2.0
"""TextArea takes 35 s for 50 MB: it gets less, and its time is said for a megabyte."""


class Bare(App[None]):
    """Textual's own widget, read-only."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> list[Widget]:
        return [TextArea(self.text, read_only=True, show_line_numbers=True, soft_wrap=True)]


def text_of(megabytes: float) -> str:
    """Lines of about 72 characters."""
    return "".join(LINE.format(number=number) for number in range(int(megabytes * 1_000_000 / 72)))


async def measured(make: Callable[[], App[object]] | Callable[[], App[None]], keys: int) -> tuple[float, list[float]]:
    """Seconds until the first screen stands, and seconds for each of ``keys`` key presses."""
    began = time.perf_counter()
    app = make()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        opened = time.perf_counter() - began
        widget = next(each for each in app.screen.walk_children() if isinstance(each, FileView | TextArea))
        widget.focus()
        await pilot.pause()
        times: list[float] = []
        for number in range(keys):
            began = time.perf_counter()
            act = widget.action_page_down if isinstance(widget, FileView) else widget.action_cursor_page_down
            act() if number % 10 == 9 else (
                widget.action_down() if isinstance(widget, FileView) else widget.action_cursor_down()
            )
            app.screen._compositor.render_strips()
            times.append(time.perf_counter() - began)
            await asyncio.sleep(0)
        return opened, times


def said(name: str, opened: float, times: list[float]) -> None:
    ordered = sorted(times)
    p50, p99 = statistics.median(ordered), ordered[int(len(ordered) * 0.99) - 1]
    print(f"{name:34} open {opened * 1000:8.0f} ms   key p50 {p50 * 1000:6.2f} ms   p99 {p99 * 1000:6.2f} ms")


def view_of(text: str) -> Callable[[], App[object]]:
    return lambda: TinyApp(lambda: FileView(FileText(path="big.txt", text=text, checksum="x")))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=20.0)
    parser.add_argument("--keys", type=int, default=200)
    options = parser.parse_args()
    small = text_of(BARE_MEGABYTES)
    asyncio.run(measured(view_of("warm"), 1))
    ours, our_times = asyncio.run(measured(view_of(text_of(options.megabytes)), options.keys))
    said(f"file view, {options.megabytes:g} MB", ours, our_times)
    same, same_times = asyncio.run(measured(view_of(small), options.keys))
    said(f"file view, {BARE_MEGABYTES:g} MB", same, same_times)
    line, line_times = asyncio.run(measured(view_of("word " * 200_000), options.keys))
    said("file view, one line of 1 MB", line, line_times)
    bare, bare_times = asyncio.run(measured(lambda: Bare(small), options.keys))
    said(f"TextArea, {BARE_MEGABYTES:g} MB", bare, bare_times)
    ratio = statistics.median(same_times) / statistics.median(bare_times)
    print(f"beside TextArea with the same text: open {same / bare:.2f} ×, key {ratio:.2f} ×")


if __name__ == "__main__":
    main()
