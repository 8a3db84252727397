"""What was searched for and where one stood in what was found: it outlives the page that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lens_tui.requests import Found
    from lens_tui.types import Failed, Retriever, SearchHit

RANKINGS: Mapping[Retriever, str] = {"lexical": "words", "hybrid": "words and meaning", "vector": "meaning"}
"""Retrievers in the order that Ctrl+R goes round, with what a person calls them."""


@dataclass(slots=True)
class Sought:
    """One search, as a person left it."""

    query: str = ""
    ranking: Retriever | None = None
    """The retriever that was chosen; None for what settings and models make of it."""
    section: bool = False
    """Whether hits are the sections that they stand in."""
    found: Found | None = None
    """The newest results, also of an older query while newer ones are on their way."""
    failed: Failed | None = None
    """Why the newest search has none."""
    chosen: int = 0
    """Place of the current hit."""
    top: int = 0
    """First row in sight."""
    explained: bool = False
    """Whether the current hit says why it ranks so."""

    @property
    def hits(self) -> tuple[SearchHit, ...]:
        """What is listed."""
        return self.found.hits if self.found is not None else ()

    @property
    def hit(self) -> SearchHit | None:
        """The current one."""
        return self.hits[self.chosen] if self.chosen < len(self.hits) else None

    def take(self, found: Found, *, stay: bool) -> None:
        """Take results in the place of those before, the first hit current.

        With ``stay`` a list of the same query keeps its place, and the hit that was gone to stays current where it can.
        A hit of another query was not chosen from this list, wherever it stands in it.
        """
        stay = stay and self.found is not None and self.found.query == found.query
        gone_to = self.hit if stay and self.chosen else None
        places = {(hit.path, hit.chunk): place for place, hit in enumerate(found.hits)}
        self.chosen = places.get((gone_to.path, gone_to.chunk), 0) if gone_to is not None else 0
        self.top = self.top if stay else 0
        self.found, self.failed = found, None

    def remember(self, ranking: object) -> None:
        """Take a ranking that was kept from another day; what is none changes nothing."""
        self.ranking = next((name for name in RANKINGS if name == ranking), self.ranking)
