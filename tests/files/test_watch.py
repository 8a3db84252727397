"""Hints of changes, from a real folder."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lens_tui.files.watch import Watcher

PATIENCE = 8.0
"""Seconds that a hint may take on a loaded machine; on an idle one it takes 0.02."""


class Hints:
    """Everything that was hinted, to be waited for."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.news = threading.Condition()

    def __call__(self, paths: frozenset[str]) -> None:
        with self.news:
            self.paths += sorted(paths)
            self.news.notify_all()

    def wait_for(self, told: Callable[[list[str]], bool]) -> bool:
        with self.news:
            return self.news.wait_for(lambda: told(self.paths), PATIENCE)

    def forget(self) -> None:
        with self.news:
            self.paths.clear()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = (tmp_path / "root").resolve()
    folder.mkdir()
    return folder


@pytest.fixture
def hints() -> Hints:
    return Hints()


@pytest.fixture
def watcher(root: Path, hints: Hints) -> Iterator[Watcher]:
    watching = Watcher(root, hints, alive_seconds=0.1, skip=[root / "data"])
    watching.start()
    yield watching
    watching.stop()


def test_a_new_a_changed_and_a_removed_file_are_hinted_by_their_paths(
    watcher: Watcher, root: Path, hints: Hints
) -> None:
    assert watcher.mode == "events"
    (root / "sub").mkdir()
    assert hints.wait_for(lambda paths: "sub" in paths)
    (root / "sub/日本.md").write_text("one", encoding="utf-8")
    assert hints.wait_for(lambda paths: "sub/日本.md" in paths)
    hints.forget()
    (root / "sub/日本.md").write_text("two", encoding="utf-8")
    assert hints.wait_for(lambda paths: "sub/日本.md" in paths)
    hints.forget()
    (root / "sub/日本.md").unlink()
    assert hints.wait_for(lambda paths: "sub/日本.md" in paths)
    assert "" not in hints.paths


def test_a_folder_moved_in_or_out_is_hinted_by_its_own_path(
    watcher: Watcher, root: Path, hints: Hints, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere/deep").mkdir(parents=True)
    (tmp_path / "elsewhere/deep/a.md").write_text("x", encoding="utf-8")
    (tmp_path / "elsewhere").rename(root / "arrived")
    assert hints.wait_for(lambda paths: "arrived" in paths)
    hints.forget()
    (root / "arrived").rename(tmp_path / "gone")
    assert hints.wait_for(lambda paths: "arrived" in paths)


def test_a_root_removed_and_made_again_is_hinted_as_everything_and_watched_anew(
    watcher: Watcher, root: Path, hints: Hints
) -> None:
    root.rmdir()
    assert hints.wait_for(lambda paths: "" in paths)
    time.sleep(0.3)
    hints.forget()
    root.mkdir()
    assert hints.wait_for(lambda paths: "" in paths)
    for attempt in range(40):
        (root / f"new{attempt}.md").write_text("x", encoding="utf-8")
        with hints.news:
            if hints.news.wait_for(lambda: any(path.startswith("new") for path in hints.paths), 0.2):
                return
    pytest.fail(f"the new folder is not watched: {hints.paths}")


def test_changes_in_git_and_in_lens_tuis_own_data_are_no_news(watcher: Watcher, root: Path, hints: Hints) -> None:
    for folder in (".git", "data"):
        (root / folder).mkdir()
        (root / folder / "index").write_text("x", encoding="utf-8")
    (root / "data.md").write_text("x", encoding="utf-8")
    assert hints.wait_for(lambda paths: "data.md" in paths)
    assert set(hints.paths) == {"data.md"}


def test_after_stopping_no_hint_comes(watcher: Watcher, root: Path, hints: Hints) -> None:
    watcher.stop()
    (root / "a.md").write_text("x", encoding="utf-8")
    time.sleep(0.3)
    assert hints.paths == []


def test_a_watcher_may_be_stopped_from_a_hint(root: Path) -> None:
    stopped = threading.Event()

    def stop(_: frozenset[str]) -> None:
        watching.stop()
        stopped.set()

    watching = Watcher(root, stop)
    watching.start()
    (root / "a.md").write_text("x", encoding="utf-8")
    assert stopped.wait(PATIENCE)


def test_without_events_everything_is_hinted_again_and_again(root: Path, hints: Hints) -> None:
    watching = Watcher(root, hints, poll_seconds=0.02, events=False)
    watching.start()
    assert watching.mode == "polling"
    assert hints.wait_for(lambda paths: paths.count("") >= 3)
    watching.stop()
    assert set(hints.paths) == {""}


@pytest.mark.parametrize("error", [OSError(28, "OS file watch limit reached"), RuntimeError("backend failed")])
def test_where_the_system_cannot_watch_it_polls_and_says_why(
    root: Path, hints: Hints, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", refuse)
    watching = Watcher(root, hints, poll_seconds=0.02)
    watching.start()
    assert hints.wait_for(lambda paths: paths.count("") >= 3)
    assert watching.mode == "polling"
    assert watching.reason in ("OS file watch limit reached", "backend failed")
    watching.stop()


def test_slow_polls_are_made_seldom(root: Path) -> None:
    begun: list[float] = []

    def slow(_: frozenset[str]) -> None:
        begun.append(time.monotonic())
        time.sleep(0.05)

    watching = Watcher(root, slow, poll_seconds=0.01, events=False)
    watching.start()
    time.sleep(1.0)
    watching.stop()
    assert 1 <= len(begun) <= 2
