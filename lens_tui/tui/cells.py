"""Text measured in terminal cells: how wide it is, where it is cut, how it wraps."""

from collections.abc import Iterator

from rich.cells import cell_len, get_character_cell_size

from lens_tui.text.display import one_line
from lens_tui.tui.layout.lines import NO_START


def width_of(text: str) -> int:
    """Cells that ``text`` takes on one row."""
    return cell_len(text)


def cut_end(text: str, width: int, ellipsis: str = "…") -> str:
    """``text`` in at most ``width`` cells, its end lost to the ellipsis where it is longer."""
    if cell_len(text) <= width:
        return text
    room = width - cell_len(ellipsis)
    return head(text, room) + ellipsis if room >= 0 else ""


def cut_middle(text: str, width: int, ellipsis: str = "…", keep: int = 0) -> str:
    """``text`` in at most ``width`` cells, its middle lost to the ellipsis where it is longer.

    Args:
        text: One row of printable text.
        width: Cells.
        ellipsis: What stands for the loss.
        keep: Cells at the end that must stay, such as a file's ending; as many as fit.
    """
    if cell_len(text) <= width:
        return text
    room = width - cell_len(ellipsis)
    if room <= 0:
        return ellipsis if room == 0 else ""
    end = tail(text, min(max(keep, room // 2), room))
    return head(text, room - cell_len(end)) + ellipsis + end


def cut_name(name: str, width: int, ellipsis: str = "…") -> str:
    """A file's name in at most ``width`` cells: its middle goes, its ending (``.md``) stays."""
    stem, dot, ending = name.rpartition(".")
    keep = cell_len(ending) + 3 if stem and dot and len(ending) <= 8 else 0
    return cut_middle(name, width, ellipsis, keep) if keep < width // 2 else cut_end(name, width, ellipsis)


def cut_path(path: str, width: int, ellipsis: str = "…") -> str:
    """A path in at most ``width`` cells: folders in its middle go first, the file's name last."""
    if cell_len(path) <= width:
        return path
    parts = path.split("/")
    for first in range(1, len(parts)):
        short = ellipsis + "/" + "/".join(parts[first:])
        if cell_len(short) <= width:
            return short
    return cut_name(parts[-1], width, ellipsis)


def head(text: str, width: int) -> str:
    """The longest beginning of ``text`` of at most ``width`` cells."""
    used = 0
    for place, character in enumerate(text):
        used += get_character_cell_size(character)
        if used > width:
            return text[:place]
    return text


def tail(text: str, width: int) -> str:
    """The longest end of ``text`` of at most ``width`` cells."""
    used = 0
    for place in range(len(text) - 1, -1, -1):
        used += get_character_cell_size(text[place])
        if used > width:
            return text[place + 1 :]
    return text


def fitted(name: str) -> str:
    """A name from the file system as one row of printable text."""
    return one_line(name)


def wrapped(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Where the rows of one logical line begin and end, as offsets in ``text``; at least one row.

    Breaks after blanks and wide characters where there are some in the row (never before what may not begin one, such
    as ``。``), else between any two characters. Blanks at a break stay at the end of their row and may hang over its
    width. ``text`` has no line ends and no tabs.
    """
    start, last_break, used, size = 0, -1, 0, len(text)
    place = 0
    width = max(1, width)
    while place < size:
        character = text[place]
        cells = get_character_cell_size(character)
        if used + cells > width and character != " " and place > start:
            end = last_break if last_break > start else place
            yield start, end
            start, last_break = end, -1
            used = cell_len(text[start:place])
            continue
        used += cells
        place += 1
        following = text[place : place + 1]
        if (character == " " or cells == 2) and (following not in NO_START or not following):
            last_break = place
    yield start, size
