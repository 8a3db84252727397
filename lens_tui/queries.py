"""What a search asks for, parsed once, and what it says of each hit; ``types.py`` hands these nouns on."""

from dataclasses import dataclass
from typing import Literal

Retriever = Literal["lexical", "vector", "hybrid"]


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on the file that a hit stands in."""

    kind: Literal["path", "type", "tag"]
    value: str
    """As typed, without quotes."""
    excluded: bool = False
    """Written with ``-`` before it: what matches is left out."""


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked. A question is its text alone; a search's text is parsed by ``text/querying.py``."""

    text: str
    retriever: Retriever = "lexical"
    words: str | None = None
    """The words outside phrases, filters and exclusions; None: all of the text is words."""
    phrases: tuple[str, ...] = ()
    """Each stands word for word in a hit's text."""
    excluded: tuple[str, ...] = ()
    """Words and phrases that no hit holds."""
    filters: tuple[Filter, ...] = ()
    beginning: str = ""
    """The last word, where it is still being typed: words that begin so are meant too."""
    explain: bool = False
    """Whether hits say why they are where they are."""
    notes: tuple[str, ...] = ()
    """Sentences on what could not be taken as it was meant."""

    @property
    def searched(self) -> str:
        """What is searched for: the words, and those of the phrases."""
        return self.text if self.words is None else " ".join((self.words, *self.phrases))

    @property
    def is_search(self) -> bool:
        """Whether this is a search in the query language, and not a question."""
        return self.words is not None


@dataclass(frozen=True, slots=True)
class Reason:
    """Where one retriever put a hit."""

    rank: int
    """From 1."""
    score: float
    """In the retriever's own measure: BM25 for words, cosine for vectors."""


@dataclass(frozen=True, slots=True)
class AskedWord:
    """One word of the question, as the index knows it, and what a hit has of it."""

    word: str
    share: float
    """What it is worth of all that was asked for, 0 to 1: rare words are worth more. All shares together are 1."""
    found: str = ""
    """The form that the hit holds; empty where it holds none."""
    where: Literal["", "text", "heading", "title", "path", "context"] = ""

    @property
    def told(self) -> str:
        """All of it in words: ``tenant 30% as tenants in the title``, ``roof 10% not there``."""
        share = f"{self.word} {self.share:.0%}"
        if not self.found:
            return f"{share} not there"
        form = "" if self.found == self.word else f" as {self.found}"
        return f"{share}{form} in the {self.where}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit is where it is."""

    words: tuple[AskedWord, ...]
    value: float
    """What hits were ordered by."""
    order: str
    """How that value comes about, in words and figures."""
    score: str
    """How the score comes about, in words and figures."""
