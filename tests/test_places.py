import os
import stat
from pathlib import Path

import pytest

from lens_tui.errors import EngineError, FolderError, FolderUnreadable, LensError, SettingsError, StoreError
from lens_tui.places import SOCKET_PATH_LIMIT, Places, checked_folder, data_root, places_of, prepare
from tests.conftest import Home

AS_ROOT = os.geteuid() == 0


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class TestTheFolder:
    def test_its_real_path_is_what_counts(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        assert checked_folder(tmp_path / "link") == (tmp_path / "real").resolve()

    def test_a_name_in_its_own_directory_is_found(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert checked_folder(Path()) == tmp_path.resolve()

    def test_a_tilde_is_the_home_unless_a_folder_has_that_name(
        self, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert checked_folder(Path("~")) == home.root
        (tmp_path / "~").mkdir()
        assert checked_folder(Path("~")) == (tmp_path / "~").resolve()

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("nowhere", "There is no folder"),
            ("file", "is a file, not a folder"),
            ("file/under", "lies under a file"),
            ("x" * 300, "There is no folder"),
            ("circle", "There is no folder"),
            ("a\0b", "There is no folder"),
        ],
    )
    def test_what_is_no_folder_is_said(self, tmp_path: Path, name: str, said: str) -> None:
        (tmp_path / "file").write_text("x", "utf-8")
        (tmp_path / "circle").symlink_to("circle")
        with pytest.raises(FolderError, match=said) as caught:
            checked_folder(tmp_path / name)
        assert caught.value.hint

    def test_an_unknown_persons_home_is_no_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(FolderError):
            checked_folder(Path("~nobody-of-that-name/notes"))

    @pytest.mark.skipif(AS_ROOT, reason="root reads everything")
    @pytest.mark.parametrize("bits", [0o000, 0o300, 0o600])
    def test_a_folder_that_cannot_be_listed_or_entered_is_unreadable(self, tmp_path: Path, bits: int) -> None:
        closed = tmp_path / "closed"
        closed.mkdir(mode=bits)
        with pytest.raises(FolderUnreadable, match="Permission denied"):
            checked_folder(closed)


class TestTheNames:
    def test_two_folders_of_one_name_have_places_of_their_own(self, home: Home) -> None:
        one, two = (places_of(Path(path), str(home.data)) for path in ("/a/notes", "/b/notes"))
        assert one.data.name.startswith("notes-")
        assert len({one.data, two.data}) == len({one.socket, two.socket}) == len({one.talks, two.talks}) == 2

    def test_one_folder_in_two_data_directories_has_two_sockets(self, home: Home) -> None:
        one, two = (places_of(Path("/notes"), str(home.data / name)) for name in "ab")
        assert one.socket != two.socket

    def test_two_ways_to_write_one_data_directory_name_one_socket(
        self, home: Home, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (home.root / "link").symlink_to(home.data)
        monkeypatch.chdir(home.root)
        ways = [str(home.data), str(home.root / "link"), "data", "./data/../data", "~/data"]
        assert len({places_of(Path("/notes"), way).socket for way in ways}) == 1

    @pytest.mark.parametrize("name", ["日記", "a b/c"[:3], "-rf", "..x", "n" * 250, "\udcff", "\x1b[31m\n", ""])
    def test_any_folder_name_makes_a_plain_directory_name(self, home: Home, name: str) -> None:
        places = places_of(Path("/") / name, str(home.data))
        readable = places.data.name[:-13]
        assert readable
        assert readable[0] not in "-."
        assert readable.isprintable()
        assert len(os.fsencode(places.data.name)) < 200
        prepare(places)

    def test_the_socket_fits_what_a_system_takes(self, home: Home) -> None:
        deep = home.root / ("d" * 90)
        deep.mkdir()
        socket = places_of(Path("/notes"), str(home.data), {"XDG_RUNTIME_DIR": str(deep)}).socket
        assert len(os.fsencode(socket)) <= SOCKET_PATH_LIMIT
        assert not socket.is_relative_to(deep)

    def test_the_socket_lies_in_the_runtime_directory(self, home: Home) -> None:
        socket = places_of(Path("/notes"), str(home.data)).socket
        assert socket.parent == home.runtime / "lens-tui"
        missing = places_of(Path("/notes"), str(home.data), {"XDG_RUNTIME_DIR": str(home.root / "none")}).socket
        assert not missing.is_relative_to(home.root / "none")

    def test_nothing_is_made_by_naming(self, home: Home) -> None:
        places_of(Path("/notes"), str(home.data))
        assert list(home.data.iterdir()) == []

    @pytest.mark.parametrize("name", ["~nobody-of-that-name/x", "a\0b"])
    def test_a_data_directory_that_cannot_be_one_is_a_settings_error(self, name: str) -> None:
        with pytest.raises(SettingsError, match="data_dir"):
            data_root(name)


class TestTheDirectories:
    @pytest.fixture
    def places(self, home: Home) -> Places:
        return places_of(Path("/notes"), str(home.data / "deep" / "er"))

    def test_they_are_this_users_alone(self, places: Places) -> None:
        os.umask(0o022)
        prepare(places)
        prepare(places)
        for directory in (places.data, places.data.parent, places.talks.parent, places.socket.parent):
            assert mode(directory) == 0o700

    def test_open_ones_are_closed_again(self, places: Places) -> None:
        prepare(places)
        places.data.chmod(0o755)
        prepare(places)
        assert mode(places.data) == 0o700

    def test_a_file_in_the_way_is_told(self, home: Home) -> None:
        (home.data / "brains").write_text("x", "utf-8")
        with pytest.raises(StoreError, match="cannot be kept"):
            prepare(places_of(Path("/notes"), str(home.data)))

    @pytest.mark.skipif(AS_ROOT, reason="root writes everywhere")
    def test_a_data_directory_that_cannot_be_written_is_told(self, home: Home) -> None:
        home.data.chmod(0o500)
        with pytest.raises(StoreError, match="cannot be kept"):
            prepare(places_of(Path("/notes"), str(home.data)))

    def test_a_socket_directory_that_others_may_enter_is_refused(self, places: Places) -> None:
        places.socket.parent.mkdir(mode=0o777)
        places.socket.parent.chmod(0o777)
        with pytest.raises(EngineError, match="not a private directory"):
            prepare(places)

    def test_a_link_in_the_socket_directorys_place_is_refused(self, home: Home, places: Places) -> None:
        (home.root / "elsewhere").mkdir(mode=0o700)
        places.socket.parent.symlink_to(home.root / "elsewhere")
        with pytest.raises(LensError):
            prepare(places)
