"""Folders that tools fill and people do not write in: told by their names, or by the build files beside them."""

import os
from collections.abc import Container
from pathlib import Path

ALWAYS = frozenset(
    {
        ".bundle",
        ".cache",
        ".dart_tool",
        ".eggs",
        ".git",
        ".gradle",
        ".hg",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".next",
        ".nox",
        ".nuxt",
        ".pnpm-store",
        ".pytest_cache",
        ".ruff_cache",
        ".stack-work",
        ".svn",
        ".terraform",
        ".tox",
        ".venv",
        ".yarn",
        "__pycache__",
        "__pypackages__",
        "bower_components",
        "dist-newstyle",
        "elm-stuff",
        "jspm_packages",
        "node_modules",
        "site-packages",
        "venv",
    }
)
"""Vendored wherever they stand."""

_BUILDS_WITH = {
    "target": ("Cargo.toml", "pom.xml", "build.sbt"),
    "vendor": ("go.mod", "composer.json", "Gemfile"),
    "build": ("pyproject.toml", "setup.py", "build.gradle", "build.gradle.kts", "CMakeLists.txt", "package.json"),
    "dist": ("pyproject.toml", "setup.py", "package.json"),
    "out": ("build.gradle", "package.json"),
    "Pods": ("Podfile",),
    "_build": ("mix.exs", "dune-project", "rebar.config"),
    "deps": ("mix.exs",),
}
"""Ordinary words: vendored only beside one of these files, since a folder of notes may have the same name."""

_MARKS = ("pyvenv.cfg", "CACHEDIR.TAG")
"""Files that say of the folder they lie in that a tool made it: a virtual environment, a cache."""

MOST_COUNTED = 10_000
"""Files counted in one such folder; what is beyond is told as ``over 10,000``."""


def is_vendored(folder: Path, name: str, beside: Container[str]) -> bool:
    """Whether the folder ``folder`` named ``name``, with the names ``beside`` it, is a tool's."""
    if name in ALWAYS or any(mark in beside for mark in _BUILDS_WITH.get(name, ())):
        return True
    return any(os.path.lexists(folder / mark) for mark in _MARKS)


def count_files(folder: Path, most: int = MOST_COUNTED) -> tuple[int, bool]:
    """Count the files under a folder without following links; returns the count and whether it is all of them.

    At most ``most`` entries are looked at. What cannot be listed counts nothing.
    """
    files = seen = 0
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if seen > most:
                        return files, False
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        files += 1
        except OSError:
            continue
    return files, True
