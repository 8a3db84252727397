"""What a scan finds, leaves out, and says of it."""

import os
import socket
from pathlib import Path

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.errors import FolderUnreadable, Stopped
from lens_tui.files.scan import Scanner

needs_permissions = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")


def write(root: Path, *paths: str, text: str = "words") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def scanner(root: Path, **options: object) -> Scanner:
    settings: dict[str, object] = {"max_bytes": 20_000_000, "hidden": False, "exclude": ()}
    return Scanner(root, **(settings | options))  # type: ignore[arg-type]


def found(root: Path, **options: object) -> list[str]:
    return list(scanner(root, **options).scan().found)


def failed(root: Path) -> dict[str, str]:
    return {note.path: note.reason for note in scanner(root).scan().failed}


def left_out(root: Path, **options: object) -> dict[str, str]:
    return {note.path: note.reason for note in scanner(root, **options).scan().left_out}


def test_everything_is_found_in_the_order_of_names_with_what_its_content_would_change_with(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a/z.txt", "a/b/c.py", "日本.md", "with [red]\n\x1b.md")
    scan = scanner(tmp_path).scan()
    assert list(scan.found) == ["b.md", "with [red]\n\x1b.md", "日本.md", "a/z.txt", "a/b/c.py"]
    assert scan.left_out == ()
    seen = (tmp_path / "a/z.txt").stat()
    one = scan.found["a/z.txt"]
    assert (one.path, one.size, one.mtime_ns, one.inode) == ("a/z.txt", 5, seen.st_mtime_ns, seen.st_ino)


def test_an_empty_folder_has_nothing_and_leaves_nothing_out(tmp_path: Path) -> None:
    scan = scanner(tmp_path).scan()
    assert (scan.found, scan.left_out) == ({}, ())


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("*.log\n!keep.log", ["a.md", "keep.log", "sub/a.md", "sub/keep.log"]),
        ("/a.md\n*.log", ["sub/a.md"]),
        ("sub/", ["a.md", "b.log", "keep.log"]),
        ("sub/*\n!sub/a.md\n*.log", ["a.md", "sub/a.md"]),
        ("**/a.md\r\n*.log\r\n", []),
        ("# *.md\n\n   \n*.log", ["a.md", "sub/a.md"]),
        ("\ufeff*.md\n*.log", []),
        ("*.l[o]g", ["a.md", "sub/a.md"]),
        ("sub\n!sub/a.md\n*.log", ["a.md"]),
    ],
)
def test_ignore_files_speak_as_git_reads_them(tmp_path: Path, rules: str, expected: list[str]) -> None:
    write(tmp_path, "a.md", "b.log", "keep.log", "sub/a.md", "sub/keep.log")
    (tmp_path / ".gitignore").write_text(rules, encoding="utf-8")
    assert sorted(found(tmp_path)) == expected


def test_each_folder_stands_over_its_parents_and_lensignore_over_ignore_over_gitignore(tmp_path: Path) -> None:
    write(tmp_path, "a.x", "sub/a.x", "sub/b.x", "sub/c.x", "sub/d.y")
    write(tmp_path, ".gitignore", text="*.x\n*.y")
    write(tmp_path, "sub/.gitignore", text="!*.x\nc.x")
    write(tmp_path, "sub/.ignore", text="b.x\n!c.x\n!d.y")
    write(tmp_path, "sub/.lensignore", text="!b.x\nd.y")
    assert found(tmp_path) == ["sub/a.x", "sub/b.x", "sub/c.x"]
    assert left_out(tmp_path)["sub/d.y"] == "ignored by sub/.lensignore"
    assert left_out(tmp_path)["a.x"] == "ignored by .gitignore"


def test_an_ignored_folder_is_one_row_and_not_entered(tmp_path: Path) -> None:
    write(tmp_path, "out/a.md", "out/deep/b.md", "in.md")
    write(tmp_path, ".ignore", text="out/")
    assert left_out(tmp_path) == {".ignore": "hidden", "out/": "ignored by .ignore"}


def test_patterns_of_the_setting_stand_over_every_ignore_file(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.md", "c.txt")
    write(tmp_path, ".lensignore", text="!a.md\nb.md")
    assert found(tmp_path, exclude=("a.md", "!b.md")) == ["b.md", "c.txt"]
    assert left_out(tmp_path, exclude=("a.md",))["a.md"] == "ignored by files.exclude"


def test_a_line_that_is_no_pattern_is_told_and_the_others_hold(tmp_path: Path) -> None:
    write(tmp_path, "a.log", "b.md")
    write(tmp_path, ".gitignore", text="!\n*.log")
    assert found(tmp_path) == ["b.md"]
    notes = [note.reason for note in scanner(tmp_path).scan().left_out if note.path == ".gitignore"]
    assert "line 1 is no pattern and is passed over: !" in notes


def test_hidden_names_are_left_out_unless_they_are_asked_for(tmp_path: Path) -> None:
    write(tmp_path, ".secret/a.md", ".env", "a.md")
    assert left_out(tmp_path) == {".env": "hidden", ".secret/": "hidden"}
    assert found(tmp_path, hidden=True) == [".env", "a.md", ".secret/a.md"]


def test_lensignore_can_bring_back_hidden_and_vendored_names_and_gitignore_cannot(tmp_path: Path) -> None:
    write(tmp_path, ".github/a.md", "node_modules/x/b.md")
    write(tmp_path, ".gitignore", text="!.github/\n!node_modules/")
    assert found(tmp_path) == []
    write(tmp_path, ".lensignore", text="!.github/\n!node_modules/")
    assert found(tmp_path) == [".github/a.md", "node_modules/x/b.md"]


def test_a_vendored_folder_is_one_row_with_its_number_of_files(tmp_path: Path) -> None:
    write(tmp_path, "node_modules/a/index.js", "node_modules/b/index.js", "app/.venv/x.py", "app/main.py")
    write(tmp_path, "my-env/pyvenv.cfg", "my-env/lib/y.py")
    assert found(tmp_path) == ["app/main.py"]
    assert left_out(tmp_path) == {
        "node_modules/": "2 files, vendored folder",
        "app/.venv/": "1 file, vendored folder",
        "my-env/": "2 files, vendored folder",
    }


def test_target_build_and_vendor_are_vendored_only_beside_their_build_files(tmp_path: Path) -> None:
    write(tmp_path, "notes/target/market.md", "notes/build/house.md", "crate/Cargo.toml", "crate/target/x.md")
    write(tmp_path, "site/package.json", "site/build/y.md")
    assert found(tmp_path) == [
        "notes/build/house.md",
        "notes/target/market.md",
        "crate/Cargo.toml",
        "site/package.json",
    ] or sorted(found(tmp_path)) == [
        "crate/Cargo.toml",
        "notes/build/house.md",
        "notes/target/market.md",
        "site/package.json",
    ]
    assert set(left_out(tmp_path)) == {"crate/target/", "site/build/"}


def test_a_large_file_is_left_out_with_both_sizes(tmp_path: Path) -> None:
    with (tmp_path / "big.csv").open("wb") as file:
        file.truncate(24_000_000)
    (tmp_path / "edge.csv").write_bytes(b"x" * 101)
    assert left_out(tmp_path) == {"big.csv": "24 MB, above the limit of 20 MB"}
    assert left_out(tmp_path, max_bytes=100)["edge.csv"] == "101 bytes, above the limit of 100 bytes"
    with (tmp_path / "big.csv").open("wb") as file:
        file.truncate(20_000_001)
    assert left_out(tmp_path) == {"big.csv": "20,000,001 bytes, above the limit of 20,000,000 bytes"}


def test_symbolic_links_are_not_followed_and_the_reason_says_where_they_lead(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(tmp_path, "outside/secret.md", "root/real/a.md")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "out.md").symlink_to(tmp_path / "outside/secret.md")
    (root / "loop").symlink_to(root)
    (root / "in.md").symlink_to("real/a.md")
    (root / "gone.md").symlink_to("nowhere")
    (root / "self.md").symlink_to("self.md")
    assert found(root) == ["real/a.md"]
    reasons = left_out(root)
    assert reasons["out"] == reasons["out.md"] == "symbolic link that leads out of the folder"
    assert reasons["in.md"].endswith("in its own place: real/a.md")
    assert reasons["gone.md"] == "symbolic link that leads nowhere"
    assert set(reasons) == {"out", "out.md", "loop", "in.md", "gone.md", "self.md"}


def test_pipes_and_sockets_are_left_out_without_being_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("sock")
    finally:
        os.chdir(here)
    assert left_out(tmp_path) == {"pipe": "a named pipe, not a file", "sock": "a socket, not a file"}


def test_a_name_that_is_not_utf8_is_told_in_printable_form_with_a_next_step(tmp_path: Path) -> None:
    write(tmp_path, "good.md")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_text("x", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/d\xff")).mkdir()
    assert found(tmp_path) == ["good.md"]
    reason = "its name is not UTF-8; rename it to have it read"
    assert left_out(tmp_path) == {"caf\\xe9.md": reason, "d\\xff/": reason}


def test_lens_tuis_own_data_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "data/brains/store", "a.md")
    assert found(tmp_path, skip=[tmp_path / "data"]) == ["a.md"]
    assert left_out(tmp_path, skip=[tmp_path / "data"]) == {"data/": "lens-tui's own data"}


@needs_permissions
def test_an_unreadable_folder_is_told_and_the_rest_is_found(tmp_path: Path) -> None:
    write(tmp_path, "closed/a.md", "open/b.md")
    (tmp_path / "closed").chmod(0)
    try:
        assert found(tmp_path) == ["open/b.md"]
        assert failed(tmp_path) == {"closed/": "cannot be read: Permission denied"}
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_a_path_longer_than_the_system_takes_does_not_end_the_scan(tmp_path: Path) -> None:
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        for _ in range(20):
            Path("d" * 250).mkdir()
            os.chdir("d" * 250)
        Path("deep.md").write_text("x", encoding="utf-8")
    finally:
        os.chdir(here)
    write(tmp_path, "z.md")
    assert "z.md" in found(tmp_path)
    assert any("cannot be read" in reason for reason in failed(tmp_path).values())


def test_a_folder_that_is_gone_is_an_error_and_never_an_empty_scan(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    scan = scanner(root)
    root.rmdir()
    for path in ("a.md", ""):
        with pytest.raises(FolderUnreadable, match="cannot be read") as caught:
            scan.look(path)
        assert caught.value.hint


def test_a_folder_that_goes_while_it_is_scanned_is_an_error(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, "a/x.md", "b/y.md")

    class RemovesIt:
        """Asked once for each folder; moves the root away at the second."""

        asked = 0

        @property
        def cancelled(self) -> bool:
            self.asked += 1
            if self.asked == 2:
                root.rename(tmp_path / "moved")
            return False

        def on_cancel(self, act: object) -> object:
            raise AssertionError

    with pytest.raises(FolderUnreadable):
        scanner(root).scan(RemovesIt())  # type: ignore[arg-type]


def test_a_scan_can_be_stopped(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Stopped):
        scanner(tmp_path).scan(token)


LOOKED = [
    "",
    "a",
    "a/b",
    "a/b/c.md",
    "a/.hidden",
    "a/.hidden/x.md",
    "node_modules",
    "node_modules/m/i.js",
    "skip.log",
    "a/keep.log",
]


@pytest.mark.parametrize("path", LOOKED)
def test_a_look_at_one_path_finds_what_a_whole_scan_finds_under_it(tmp_path: Path, path: str) -> None:
    write(
        tmp_path, "a/b/c.md", "a/b/skip.log", "a/.hidden/x.md", "node_modules/m/i.js", "skip.log", "a/keep.log", "z.md"
    )
    write(tmp_path, ".gitignore", text="*.log")
    write(tmp_path, "a/.ignore", text="!keep.log")
    everything = scanner(tmp_path).scan()
    looked = scanner(tmp_path).look(path)
    under = {
        key: value for key, value in everything.found.items() if not path or key == path or key.startswith(path + "/")
    }
    assert looked.found == under
    assert set(looked.left_out) <= set(everything.left_out)
    if path and not under:
        assert len(looked.left_out) == 1


@pytest.mark.parametrize("path", ["gone.md", "a/gone", "a.md/below", "..", "../x", "/etc/passwd", "a/../../x", "nul\0"])
def test_a_look_at_what_is_not_in_the_folder_finds_nothing(tmp_path: Path, path: str) -> None:
    write(tmp_path, "a.md")
    scan = scanner(tmp_path).look(path)
    assert (scan.found, scan.left_out) == ({}, ())


def test_a_look_does_not_go_through_a_symbolic_link(tmp_path: Path) -> None:
    write(tmp_path, "outside/secret.md")
    (tmp_path / "root").mkdir()
    (tmp_path / "root/link").symlink_to(tmp_path / "outside")
    scan = scanner(tmp_path / "root").look("link/secret.md")
    assert scan.found == {}
    assert [note.path for note in scan.left_out] == ["link"]


def test_a_change_of_an_ignore_file_asks_for_a_scan_of_everything() -> None:
    assert all(map(Scanner.is_rule_file, (".gitignore", "a/b/.ignore", "x/.lensignore")))
    assert not any(map(Scanner.is_rule_file, ("gitignore", ".gitignore/x", "a.md", "")))
