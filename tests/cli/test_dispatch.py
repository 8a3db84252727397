import os
from pathlib import Path

import pytest

from lens_tui import __version__
from lens_tui.cli import COMMANDS
from lens_tui.requests import Search
from tests.cli.running import Shell


class TestTheApp:
    def test_a_folder_opens_the_app_on_its_real_path(self, shell: Shell) -> None:
        assert shell.on_terminal("notes").code == 0
        assert shell.opened[0][0].folder == shell.folder.resolve()

    def test_no_word_opens_the_app_on_the_current_folder(self, shell: Shell) -> None:
        shell.on_terminal()
        assert shell.opened[0][0].folder == shell.folder.parent.resolve()

    def test_its_exit_code_is_the_shells(self, shell: Shell) -> None:
        assert shell.on_terminal("notes", app=lambda: 7).code == 7

    def test_options_stand_before_or_after_the_folder(self, shell: Shell) -> None:
        shell.on_terminal("--model", "none", "notes")
        shell.on_terminal("notes", "--model", "qwen3:4b", "--theme", "lens-light")
        assert [settings.model for _, settings in shell.opened] == ["none", "qwen3:4b"]
        assert shell.opened[1][1].theme == "lens-light"

    @pytest.mark.parametrize("host", [":::x", "http://:::bad", "ftp://here"])
    def test_an_address_that_cannot_be_one_is_refused_before_it_opens(self, shell: Shell, host: str) -> None:
        ran = shell.on_terminal("notes", "--host", host)
        assert ran.code == 2
        assert "The Ollama address" in ran.err
        assert "Write host, host:port, :port or a URL" in ran.err
        assert shell.opened == []

    @pytest.mark.parametrize("host", ["", ":11500", "[::1]:11434", "example.org"])
    def test_an_address_that_can_be_one_opens_it(self, shell: Shell, host: str) -> None:
        assert shell.on_terminal("notes", "--host", host).code == 0
        assert shell.opened[0][1].ollama_host == host

    @pytest.mark.parametrize("name", sorted(COMMANDS))
    def test_a_folder_named_like_a_command_opens_as_a_path(self, shell: Shell, name: str) -> None:
        folder = shell.folder.parent / name
        folder.mkdir()
        shell.on_terminal(f"./{name}")
        shell.on_terminal(f"{name}/")
        assert [places.folder for places, _ in shell.opened] == [folder.resolve()] * 2


def test_without_a_terminal_the_app_says_so(shell: Shell) -> None:
    ran = shell.fails(2, "notes")
    assert "not a terminal" in ran.err
    assert "lens-tui search" in ran.err
    assert not (Path(os.environ["LENS_TUI_DATA_DIR"]) / "brains").exists()


def test_a_command_of_a_folders_name_needs_its_words_and_says_how_to_open_the_folder(shell: Shell) -> None:
    (shell.folder.parent / "search").mkdir()
    assert "lens-tui ./search" in shell.fails(2, "search").err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["serach"], "Did you mean: lens-tui search"),
        (["serach", "notes", "lease"], "Did you mean: lens-tui search"),
        (["chapters"], "There is no folder and no command chapters."),
        (["./nowhere"], "There is no folder nowhere."),
        (["index", "nowhere"], "There is no folder nowhere."),
        (["index"], "Missing argument 'FOLDER'"),
        (["index", "notes", "more"], "extra argument"),
        (["index", "--josn", "notes"], "Did you mean --json?"),
        (["search", "notes"], "Missing argument 'QUERY'"),
        (["search", "notes", "three", "months"], "in quotes"),
        (["search", "notes", "lease", "-k", "many"], "not a valid integer"),
        (["search", "notes/house/lease.md", "lease"], "is a file, not a folder"),
        (["--wat"], "There is no option --wat."),
        (["ask", "notes", "why", "--retriever", "lexcal"], "Did you mean lexical?"),
    ],
)
def test_wrong_words_get_a_sentence_and_a_next_step(shell: Shell, words: list[str], expected: str) -> None:
    assert expected in shell.fails(2, *words).err


def test_a_name_full_of_escapes_reaches_the_terminal_harmless(shell: Shell) -> None:
    ran = shell.fails(2, "./\x1b[31mred\x07")
    assert "\x1b" not in ran.err
    assert "␛[31mred␇" in ran.err


def test_the_version_is_printed(shell: Shell) -> None:
    assert shell.run("--version").out == f"lens-tui {__version__}\n"


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_every_help_text_has_an_example(shell: Shell, name: str) -> None:
    ran = shell.run(*name.split(), "--help")
    assert ran.code == 0
    assert "Example" in ran.out
    assert f"lens-tui {name}".strip() in ran.out.partition("Example")[2]


def test_the_front_help_lists_every_command(shell: Shell) -> None:
    help_text = shell.run("--help").out
    assert all(f"\n  {name}" in help_text for name in COMMANDS)


def test_every_command_is_a_file_of_its_own() -> None:
    room = Path(__file__).resolve().parents[2] / "lens_tui" / "cli"
    assert [name for name in COMMANDS if not (room / f"{name}.py").exists()] == []


@pytest.mark.parametrize("query", ["-draft lease", "--json", "-k", "-", "--", "--help"])
def test_the_word_after_the_folder_is_always_the_query(
    shell: Shell, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("from stdin"))
    ran = shell.run("search", "-k", "3", "notes", query)
    assert ran.engine.asked == [Search(query="from stdin" if query == "-" else query, k=3)]


def test_a_double_dash_may_stand_before_the_query(shell: Shell) -> None:
    asked = [shell.run("search", *words).engine.asked for words in (["--", "notes", "-x"], ["notes", "--", "-x"])]
    assert asked == [[Search(query="-x")], [Search(query="-x")]]


@pytest.mark.parametrize("options", [["-k5"], ["-k", "5"], ["-k=5"]])
def test_options_may_stand_before_the_folder_in_every_form(shell: Shell, options: list[str]) -> None:
    if options == ["-k=5"]:
        assert "'=5'" in shell.fails(2, "search", *options, "notes", "-draft").err
    else:
        assert shell.run("search", "--json", *options, "notes", "-draft").engine.asked == [Search(query="-draft", k=5)]
