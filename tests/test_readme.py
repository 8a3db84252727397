"""The README is true: its tables are those of the code, its pictures exist, its commands are what CI runs."""

import importlib
import re
import tomllib
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from lens_tui.chunking import STRATEGIES
from lens_tui.cli import COMMANDS
from lens_tui.cli.cutting import FLAGS, flag
from lens_tui.options import Key
from lens_tui.settings import SPECS
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.tui import keymap
from lens_tui.types import Document
from lens_tui.values import Spec

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def usage(name: str) -> str:
    """How a command is typed, from its own parameters."""
    command: click.Command = importlib.import_module(f"lens_tui.cli.{name}").command
    words = ["lens-tui", *([] if name == "app" else [name])]
    for param in command.params:
        if param.name in FLAGS:
            words += ["[CUTTING]"] if param.name == "strategy" else []
        elif isinstance(param, click.Option):
            if "--version" not in param.opts:
                words.append(f"[{param.opts[0]}{'' if param.is_flag else f' {param.metavar}'}]")
        else:
            word = param.make_metavar(click.Context(command))
            words.append(word)
    return " ".join(words)


def command_rows() -> list[str]:
    rows = [f"| `{usage('app')}` | the app, on the current folder where none is named |"]
    return rows + [f"| `{usage(name)}` | {does} |" for name, does in COMMANDS.items()]


def key_rows() -> list[str]:
    rows = []
    for key in keymap.KEYMAP:
        shown = [keymap.shown(name) for name in key.keys]
        names = f"`{shown[0]}` – `{shown[-1]}`" if key.id == "cite.number" else " ".join(f"`{name}`" for name in shown)
        where = "anywhere" if key.where == keymap.ANYWHERE else ", ".join(key.where)
        rows.append(f"| {names} | {key.does} | {where} | `{key.id}` |")
    return rows


def setting_rows() -> list[str]:
    return [f"| `{name}` | {default_of(spec)} | {meaning(spec.key)} |" for name, spec in SPECS.items()]


def default_of(spec: Spec) -> str:
    if isinstance(spec.default, bool):
        return f"`{str(spec.default).lower()}`"
    return f"`{spec.default}`" if spec.default not in ("", (), {}, None) else ""


def meaning(spec: Key) -> str:
    if spec.one_of:
        return f"{spec.about}: {', '.join(f'`{value}`' for value in spec.one_of)}"
    if spec.high is not None:
        return f"{spec.about}, {spec.low:g} to {spec.high:g}"
    return spec.about


def rows_under(heading: str) -> list[str]:
    """The rows of the first table after a heading, without its head."""
    section = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert section, f"the README has no section {heading}"
    return [line for line in section.splitlines() if line.startswith("|")][2:]


@pytest.mark.parametrize(
    ("heading", "rows"), [("Commands", command_rows()), ("Keys", key_rows()), ("Settings", setting_rows())]
)
def test_a_table_of_the_readme_is_that_of_the_code(heading: str, rows: list[str]) -> None:
    assert rows_under(heading) == rows, "the table should read:\n" + "\n".join(rows)


def test_every_strategy_is_told_with_its_own_sizes() -> None:
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows_under("How files are cut")]
    assert [name for name, *_ in rows] == [f"`{name}`" for name in STRATEGIES]
    for name, _, sizes in rows[1:]:
        told = STRATEGIES[name.strip("`")](OfflineTokenizer()).told(Document("a.py", "", ""))
        size, shared = sizes.split(", ")
        assert told.startswith(f"{name.strip('`')} {size}")
        assert f"/{shared}" in told


def test_every_file_that_the_readme_shows_or_names_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    pictures = re.findall(r'src(?:set)?="([^":]+)"', README)
    assert pictures
    assert all(path.startswith("snapshots/") for path in pictures)
    paths = [unquote(path) for path in (*links, *pictures)]
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_map_of_the_house_names_rooms_that_are_there_and_leaves_none_out() -> None:
    drawn = README.partition("\n## The house\n")[2].partition("```")[2].partition("```")[0]
    named = set(re.findall(r"\b[a-z_]+(?:/|\.py)", drawn)) - {"lens_tui/"}
    package = ROOT / "lens_tui"
    present = {f"{path.name}/" for path in package.iterdir() if path.is_dir() and list(path.rglob("*.py"))}
    present |= {path.name for path in package.glob("*.py") if path.name != "__init__.py"}
    assert named == present


def test_ci_runs_the_very_line_that_the_readme_gives_for_the_tests() -> None:
    (line,) = [line for line in README.splitlines() if "/pytest " in line]
    assert f"\n{line}\n" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_line_that_sets_everything_up_needs_nothing_but_python() -> None:
    (line,) = [line for line in README.splitlines() if line.startswith("python3 -m venv") and "lens-tui ~" in line]
    assert line == "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/lens-tui ~/notes"


def test_the_oldest_python_that_the_readme_names_is_the_oldest_that_works() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"
    assert "Python 3.11" in README


def test_every_command_line_of_the_readme_names_a_command_or_a_folder() -> None:
    lines = re.findall(r"^(?:\$ )?lens-tui ([^\s#]+)", README, re.MULTILINE)
    assert lines
    strange = [word for word in lines if word not in COMMANDS and not word.startswith(("~", ".", "-", "["))]
    assert strange == []


def test_the_readme_names_every_flag_that_says_how_files_are_cut() -> None:
    (line,) = [line for line in README.splitlines() if line.startswith("CUTTING stands for")]
    assert re.findall(r"`(--[a-z-]+[a-z])`", line) == [flag(name) for name in FLAGS]
