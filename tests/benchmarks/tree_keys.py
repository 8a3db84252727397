"""Key to paint in the tree of files, idle and while 200 rows a second change, beside a bare Textual tree.

Run: python -m tests.benchmarks.tree_keys [--keys 150]. Each app runs in a pseudo-terminal of its own; the clock
runs from the key that is sent until the row's number, which the app draws at every move, is on the screen.
"""

import argparse
import os
import pty
import random
import select
import signal
import statistics
import sys
import time

from lens_tui.types import FileRow, FileState

CHANGES = 200
"""Rows that change in a second: the indexer at its fastest."""
BATCHES = 20
"""In so many messages: the engine gathers what changes within 50 ms."""
FILES = 5_000
SEED = 3


def rows(state: str = "waiting") -> list[FileRow]:
    """A folder of a few thousand files, 50 to a folder."""
    return [FileRow(f"{number // 50:03}/{number:05}.md", state) for number in range(FILES)]  # type: ignore[arg-type]


def run_ours(*, changing: bool) -> None:
    """The tree of lens-tui in a small app."""
    from textual.app import ComposeResult

    from lens_tui.tui.widgets.drawn import Words
    from lens_tui.tui.widgets.tree import FilesTree
    from tests.tui.tiny import TinyApp

    class Ours(TinyApp):
        def compose(self) -> ComposeResult:
            yield FilesTree()
            yield Words(id="at")

        def on_mount(self) -> None:
            tree = self.query_one(FilesTree)
            tree.open_folders(f"{number:03}/" for number in range(FILES // 50))
            tree.show(rows())
            tree.focus()
            self.dice = random.Random(SEED)
            self.paths = [row.path for row in rows()]
            if changing:
                self.set_interval(1 / BATCHES, self.change)

        def change(self) -> None:
            picked = [self.paths[self.dice.randrange(FILES)] for _ in range(CHANGES // BATCHES)]
            states: tuple[FileState, ...] = ("reading", "indexed", "waiting")
            self.query_one(FilesTree).apply([FileRow(path, self.dice.choice(states), 2) for path in picked])

        def on_files_tree_moved(self) -> None:
            self.query_one("#at", Words).show(((f"<{self.query_one(FilesTree)._at}>", "text"),))

    Ours().run()


def run_bare() -> None:
    """Textual's own tree with the same rows, nothing changing."""
    from textual.app import App, ComposeResult
    from textual.widgets import Static, Tree

    class Bare(App[None]):
        def compose(self) -> ComposeResult:
            tree: Tree[None] = Tree("notes")
            tree.show_root = False
            for first in range(0, FILES, 50):
                folder = tree.root.add(f"{first // 50:03}", expand=True)
                for number in range(first, first + 50):
                    folder.add_leaf(f"{number:05}.md")
            tree.root.expand()
            yield tree
            yield Static("", id="at")

        def on_mount(self) -> None:
            self.query_one(Tree).focus()
            self.query_one(Tree).cursor_line = 0

        def on_tree_node_highlighted(self) -> None:
            self.query_one("#at", Static).update(f"<{self.query_one(Tree).cursor_line}>")

    Bare().run()


def measured(mode: str, keys: int) -> list[float]:
    """Seconds from key to paint."""
    pid, screen = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", TEXTUAL_ANIMATIONS="none")
        os.execv(sys.executable, [sys.executable, "-m", "tests.benchmarks.tree_keys", "--run", mode])
    try:
        wait_for(screen, b"00010", 20.0)
        time.sleep(1.0)
        times = []
        for number in range(1, keys + 1):
            drain(screen, 0.03 + 0.04 * (number % 3))
            began = time.perf_counter()
            os.write(screen, b"\x1b[B")
            wait_for(screen, f"<{number}>".encode(), 10.0)
            times.append(time.perf_counter() - began)
        return times
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(screen)
        os.waitpid(pid, 0)


def wait_for(screen: int, wanted: bytes, seconds: float) -> None:
    """Read until these bytes are drawn."""
    seen, end = b"", time.perf_counter() + seconds
    while wanted not in seen:
        if time.perf_counter() > end:
            raise TimeoutError(f"{wanted!r} was not drawn within {seconds:g} s")
        if select.select([screen], [], [], 0.05)[0]:
            seen = seen[-200:] + os.read(screen, 65536)


def drain(screen: int, seconds: float) -> None:
    """Read what is drawn meanwhile."""
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        if select.select([screen], [], [], left)[0]:
            os.read(screen, 65536)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=150)
    parser.add_argument("--run", choices=("idle", "changing", "bare"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        run_bare() if options.run == "bare" else run_ours(changing=options.run == "changing")
        return
    p99: dict[str, float] = {}
    for mode in ("bare", "idle", "changing"):
        times = sorted(measured(mode, options.keys))
        p99[mode] = times[int(len(times) * 0.99) - 1]
        print(f"{mode:9} p50 {statistics.median(times) * 1000:6.1f} ms   p99 {p99[mode] * 1000:6.1f} ms")
    print(
        f"changing / idle p99 {p99['changing'] / p99['idle']:.2f} ×, idle / bare p99 {p99['idle'] / p99['bare']:.2f} ×"
    )


if __name__ == "__main__":
    main()
