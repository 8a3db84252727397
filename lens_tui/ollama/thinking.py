"""What a model thinks aloud inside its answer, told apart from the answer while it streams.

Ollama takes thinking out of an answer itself where a template says how. A model that thinks although it was told not
to sends it as text: ``<think>…</think>`` at the very beginning (seen with Ollama 0.24.0). Later in the text the tag
is the answer's own matter, such as one about thinking models.
"""

TAGS = (("<think>", "</think>"), ("<thinking>", "</thinking>"))
"""What opens thinking and what ends it, as the models on Ollama's list write them."""


class Thinking:
    """Splits a stream into thinking and text, whatever the pieces are cut at."""

    def __init__(self) -> None:
        """Begin before the first piece."""
        self._held = ""
        self._close = ""
        """What ends the thinking that is open; empty where none is."""
        self._text = False
        """Whether the answer has begun: from then on all is text."""

    def feed(self, piece: str) -> tuple[str, str]:
        """Take the next piece. Returns (thinking, text), what of either is certain by now."""
        if self._text:
            return "", piece
        self._held += piece
        thinking = ""
        while True:
            if self._close:
                thought, ended = self._thought()
                thinking += thought
                if not ended:
                    return thinking, ""
            rest = self._held.lstrip()
            opened = [tags for tags in TAGS if rest.startswith(tags[0])]
            if opened:
                self._close = opened[0][1]
                self._held = rest.removeprefix(opened[0][0])
                continue
            if any(tag.startswith(rest) for tag, _ in TAGS):
                return thinking, ""
            self._text, self._held = True, ""
            return thinking, rest

    def end(self) -> tuple[str, str]:
        """Return what is still held when the stream is over, as ``feed`` does."""
        held, self._held = self._held, ""
        return (held, "") if self._close else ("", held.lstrip())

    def _thought(self) -> tuple[str, bool]:
        """Thinking that is certain, and whether it has ended."""
        thought, found, rest = self._held.partition(self._close)
        if found:
            self._held, self._close = rest, ""
            return thought, True
        keep = next((n for n in range(len(self._close) - 1, 0, -1) if self._held.endswith(self._close[:n])), 0)
        cut = len(self._held) - keep
        thought, self._held = self._held[:cut], self._held[cut:]
        return thought, False
