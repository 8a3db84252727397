"""The rows of an answer while it comes, laid out as little anew as each piece needs."""

from lens_tui.tui.layout import marks as citation_marks
from lens_tui.tui.layout.lines import Drawing, Line
from lens_tui.tui.layout.markdown import Style, answer_lines
from lens_tui.tui.layout.turn import ANSWER, INDENT


class Stream:
    """The rows of an answer that is still coming: only its last source line is laid out again."""

    def __init__(self, how: Drawing) -> None:
        """Begin an empty answer."""
        self._how = how
        self._style = Style(how.signs.thin, INDENT)
        self._rows: list[Line] = []
        self._done = 0
        self._fenced = False

    def rows(self, text: str) -> list[Line]:
        """Every row of the answer so far; ``text`` begins with what it was before."""
        cut = text.rfind("\n") + 1
        if cut > self._done:
            rows, self._fenced = self._lay(text[self._done : cut - 1], self._done)
            self._rows += rows
            self._done = cut
        tail = closed(citation_marks.finished(text[cut:])) if not self._fenced else text[cut:]
        return [*self._rows, *self._lay(tail, cut)[0]] if tail.strip() else list(self._rows)

    def _lay(self, text: str, offset: int) -> tuple[list[Line], bool]:
        marks = citation_marks.streamed(text, offset)
        how = self._how
        return answer_lines(text, marks, how.width, self._style, part=ANSWER, offset=offset, fenced=self._fenced)


def closed(line: str) -> str:
    """End what a line that is still coming has begun: code and bold are drawn as such from their first word on."""
    if line.count("`") % 2:
        return line[:-1] if line.endswith("`") else line + "`"
    if line.count("**") % 2:
        return line[:-2] if line.endswith("**") else line.rstrip() + "**"
    return line[:-1] if line.endswith("*") else line
