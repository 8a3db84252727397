"""The words of one full-text index: gathered when it is opened, kept up with every change, written down for later."""

import logging
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from lens_tui.errors import StoreError
from lens_tui.index.fresh import WORDS, FieldTerms
from lens_tui.index.lexical import Damaged, Reading
from lens_tui.index.store import Row, Store
from lens_tui.index.vocabulary import Vocabulary

FILE = "words.lens"
"""Beside tantivy's own files, and derived as they are."""

GROWN = 2_000
"""New words after which the file is written while changes still come; closing writes it too."""

LEARNED = 200
"""Chunks that came after the file was written, as after a kill, whose words are taken from the store; with more of them
all words are gathered from tantivy's files, which takes half a second at 50,000 chunks."""

PATIENCE = 2.0
"""Seconds that a search waits for the words; after that it does without similar ones."""

LOG = logging.getLogger(__name__)


class Gathering:
    """A vocabulary and its file. Safe from any thread."""

    def __init__(self, directory: Path, store: Store, analysis: str) -> None:
        """Begin empty; ``start`` brings in what there is."""
        self._vocabulary, self._there = Vocabulary(), threading.Event()
        self._file, self._store = directory / FILE, store
        self._index = {"store": store.identity, "analysis": analysis}
        self._written = (0, 0)
        """Words and generation of the file."""

    def start(self, reading: Reading, terms_of: Callable[[Row], FieldTerms]) -> None:
        """Gather, in a thread of its own, the words of what was committed."""
        threading.Thread(target=self._gather, args=(reading, terms_of), name="words", daemon=True).start()

    def vocabulary(self) -> Vocabulary | None:
        """Every word of the index; None where they are not there in time."""
        return self._vocabulary if self._there.wait(PATIENCE) else None

    def learn(self, found: Iterable[FieldTerms]) -> None:
        """Take in the words of chunks."""
        self._vocabulary.add({term for terms in found for term in terms[WORDS]})

    def keep(self, generation: int, *, closing: bool = False) -> None:
        """Write the words down where it is worth it: those of every change up to ``generation`` were learnt."""
        words = len(self._vocabulary)
        worth = self._written != (words, generation) if closing else words - self._written[0] >= GROWN
        if not (worth and self._there.is_set()):
            return
        try:
            self._vocabulary.save(self._file, {**self._index, "generation": generation})
            self._written = words, generation
        except OSError as error:
            # They are gathered again at the next opening.
            LOG.warning("the words of the full-text index could not be written: %s", error)

    def _gather(self, reading: Reading, terms_of: Callable[[Row], FieldTerms]) -> None:
        """Where they cannot be read, a search soon finds the damage too."""
        try:
            known = self._vocabulary.load(self._file, self._index)
            generation = int(known.get("generation", 0))
            if known and self._store.lacking(generation)[0] <= LEARNED:
                self._written = len(self._vocabulary), generation
                for rows in self._store.since(generation):
                    self.learn(terms_of(row) for row in rows)
            else:
                self._vocabulary.add(reading.terms())
        except (Damaged, StoreError):
            LOG.warning("the words of the full-text index could not be read")
        finally:
            self._there.set()
