"""Names as a person writes them."""

from pathlib import Path

from lens_tui.text.display import one_line


def folder_name(folder: Path, home: Path) -> str:
    """The folder as a person writes it."""
    try:
        inside = folder.relative_to(home)
    except ValueError:
        return one_line(str(folder))
    return one_line("~" if str(inside) == "." else f"~/{inside}")


def model_name(name: str) -> str:
    """A model as a person writes it: without the tag that Ollama adds where none was given."""
    return one_line(name).removesuffix(":latest")
