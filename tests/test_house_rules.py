"""The rules of the house that no other tool holds: what may be loaded where, and how a file looks."""

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lens_tui"
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
"""House style says about 40; past this a function is two."""
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc", "core"}

ROOMS = {
    "textual": ("tui/",),
    "rich": ("tui/",),
    "click": ("cli/",),
    "chromadb": ("index/dense.py",),
    "tantivy": ("index/lexical.py",),
    "mcp": ("mcp_server.py",),
    "ollama": ("ollama/",),
    "httpx": ("ollama/", "index/qdrant.py"),
    "onnxruntime": ("onnx.py",),
    "watchfiles": ("files/watch.py",),
    "sqlite3": ("chunking/note_cache.py", "index/", "talks/"),
    "tiktoken": ("text/tokens.py",),
    "tokenizers": ("text/model_tokens.py", "onnx.py"),
    "tree_sitter": ("chunking/code_",),
    "selectolax": ("files/loaders/html.py",),
}
"""Library → the only places that may import it."""

HEAVY = (
    "textual",
    "rich",
    "chromadb",
    "tantivy",
    "tiktoken",
    "ollama",
    "mcp",
    "httpx",
    "onnxruntime",
    "watchfiles",
    "tree_sitter",
    "selectolax",
)


@functools.cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"), str(file))


def _imported(file: Path) -> set[str]:
    """Top-level packages that a file imports anywhere, functions and type checking included."""
    names: set[str] = set()
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names


def _named(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def _loaded(code: str, names: tuple[str, ...]) -> list[str]:
    """Which of ``names`` a fresh interpreter has loaded after ``code``."""
    script = f"{code}\nimport sys\nprint(*[name for name in {names!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    return run.stdout.split()


@pytest.mark.parametrize("library", sorted(ROOMS))
def test_a_heavy_library_is_imported_only_in_its_room(library: str) -> None:
    strangers = [
        _named(file) for file in MODULES if library in _imported(file) and not _named(file).startswith(ROOMS[library])
    ]
    assert strangers == []


@pytest.mark.parametrize(
    "module",
    [
        "lens_tui",
        "lens_tui.cli",
        "lens_tui.cli.mcp",
        "lens_tui.agents.quotes",
        "lens_tui.types",
        "lens_tui.wire",
        "lens_tui.settings",
        "lens_tui.engine.client",
    ],
)
def test_a_headless_door_loads_no_heavy_library(module: str) -> None:
    assert _loaded(f"import {module}", HEAVY) == []


def test_the_way_to_the_app_does_not_load_the_command_library() -> None:
    assert _loaded("import lens_tui.cli", ("click", "msgspec", "numpy")) == []


def test_the_server_of_agents_loads_no_screen_index_tokenizer_or_model_library() -> None:
    # uvicorn, which the SDK imports, takes watchfiles along where it is installed.
    libraries = tuple(name for name in HEAVY if name not in ("mcp", "watchfiles"))
    assert _loaded("import lens_tui.mcp_server, lens_tui.engine.client", libraries) == []


def test_the_rooms_below_the_engine_do_not_load_the_screen() -> None:
    assert _loaded("import lens_tui.lens", ("textual", "rich", "click", "mcp", "onnxruntime")) == []


def test_the_screen_process_loads_no_index_tokenizer_or_model_library() -> None:
    code = "import lens_tui.tui.app, lens_tui.engine.client"
    assert _loaded(code, ("chromadb", "tantivy", "tiktoken", "ollama", "mcp")) == []


@pytest.mark.parametrize("file", [*MODULES, *TESTS], ids=lambda file: file.relative_to(ROOT).as_posix())
def test_no_file_is_longer_than_one_idea(file: Path) -> None:
    assert len(file.read_text("utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("file", MODULES, ids=_named)
def test_a_file_opens_by_saying_what_it_owns(file: Path) -> None:
    if not _tree(file).body:
        assert file.name == "__init__.py"
        return
    assert ast.get_docstring(_tree(file))


@pytest.mark.parametrize("file", MODULES, ids=_named)
def test_no_function_is_longer_than_a_screen(file: Path) -> None:
    long = [
        f"{node.name}: {(node.end_lineno or 0) - node.lineno + 1} lines"
        for node in ast.walk(_tree(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert long == []


def test_no_room_has_a_name_that_says_nothing() -> None:
    vague = [_named(file) for file in MODULES if VAGUE_NAMES & set(file.relative_to(PACKAGE).with_suffix("").parts)]
    assert vague == []


@pytest.mark.parametrize("file", MODULES, ids=_named)
def test_every_public_name_has_a_docstring(file: Path) -> None:
    bare = [
        node.name
        for node in _tree(file).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert bare == []


@pytest.mark.parametrize("folder", ["lens_tui", "tests"])
def test_no_source_file_reads_from_the_place_it_was_written_in(folder: str) -> None:
    # Absolute home paths and workplace folders would be true on one machine only.
    needles = ("/wo" + "rk/", "/ro" + "ot/", "../sha" + "red")
    bad = [f"{file}: {n}" for file in (ROOT / folder).rglob("*.py") for n in needles if n in file.read_text("utf-8")]
    assert bad == []


def test_imports_point_down() -> None:
    run = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert run.returncode == 0, run.stdout + run.stderr
