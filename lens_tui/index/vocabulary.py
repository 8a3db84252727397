"""The words of the index, and which of them are most alike to one that was asked for.

Two words are as alike as the pairs of letters that they share, their beginning and end among them: 2 · common / all
(Dice). That finds typing errors and word forms in any language that is written with spaces. Looking is quick because
of each word's signature: 128 bits, one or more of them set by its pairs. As many bits as two signatures have in common
bound how many pairs the words can have in common, so that few words are compared themselves.
"""

import json
import math
import threading
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lens_tui.text.words import is_word

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHORTEST, LONGEST = 4, 40
"""Letters of a word that is kept and widened: shorter ones are alike by chance, longer ones are no words."""

LEAST_ALIKE = 0.5
"""Dice from which on two words are alike: one error in four letters has .4 to .6, one in eight .67 to .78."""

ABOVE_FORM = 0.6
"""Dice above which a word is taken for a form of one that is spelled right: ``heaps`` has .73, ``help`` .6."""

LEAST_LONG = 0.4
"""Of the longer of two alike words, what the shorter one makes at least: of others, one is part of the other."""

LEAST_PART = 3
"""Letters of a word's beginning or end by which it is found."""

PARTS = 50
"""Words that begin so, and that end so, which are compared."""

MOST_ALIKE = 8
"""Words that one is widened to."""

COMPARED = 24
"""Words of the best signatures that are compared themselves."""

REMEMBERED = 4_000
"""Answers that are kept until the vocabulary grows."""


_POWERS = np.cumprod(np.full(LONGEST, 0x9E3779B97F4A7C15, np.uint64), dtype=np.uint64)
"""Odd numbers that spread letters over 64 bits by their places in a word."""


SWAPPED = 0.8
"""How alike two words are that differ in the order of two letters side by side (``recieve``): they share few pairs, and
no other error is as common."""


def alike(one: str, other: str) -> float:
    """How alike two words are, 0 to 1."""
    return _share(one, _pairs(one), other)


def _share(one: str, pairs: set[tuple[str, str]], other: str) -> float:
    share = _dice(pairs, _pairs(other))
    return max(share, SWAPPED) if len(one) == len(other) and _is_swapped(one, other) else share


def _is_swapped(one: str, other: str) -> bool:
    places = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(places) != 2 or places[1] != places[0] + 1:
        return False
    at = places[0]
    return one[at] == other[at + 1] and one[at + 1] == other[at]


@dataclass(frozen=True, slots=True)
class _Shelf:
    """Some words, by first letter, then by number of letters; never changed."""

    firsts: "NDArray[np.uint32]"
    sizes: "NDArray[np.uint8]"
    """Pairs of each word."""
    low: "NDArray[np.uint64]"
    high: "NDArray[np.uint64]"
    """Both halves of the signatures."""
    starts: "NDArray[np.uint32]"
    ends: "NDArray[np.uint32]"
    """Where each word stands in ``text``."""
    text: bytes
    hashes: "NDArray[np.uint64]"
    """Of the words, sorted."""

    def __len__(self) -> int:
        return len(self.sizes)

    def word(self, at: int) -> str:
        return self.text[self.starts[at] : self.ends[at]].decode("utf-8", "surrogatepass")


_COLUMNS = {
    "hashes": "<u8", "low": "<u8", "high": "<u8", "firsts": "<u4", "starts": "<u4", "ends": "<u4", "sizes": "<u1"
}  # fmt: skip
"""In the order of the file: the widest first, so that each begins where numbers of its kind may."""


class Vocabulary:
    """Words, each once. Safe from any thread. About 45 bytes and its letters a word."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.Lock()
        self._shelves: tuple[_Shelf, ...] = ()
        self._known: dict[tuple[str, bool], tuple[tuple[str, float], ...]] = {}

    def __len__(self) -> int:
        return sum(len(shelf) for shelf in self._shelves)

    def add(self, terms: Iterable[str]) -> None:
        """Take in what is a word among these terms and is not known yet."""
        words = [term for term in set(terms) if SHORTEST <= len(term) <= LONGEST and is_word(term)]
        if not words:
            return
        hashes = _hashes(words)
        with self._lock:
            new = np.ones(len(words), bool)
            for shelf in self._shelves:
                places = np.minimum(np.searchsorted(shelf.hashes, hashes), len(shelf) - 1)
                new &= shelf.hashes[places] != hashes
            if not new.any():
                return
            shelves = [*self._shelves, _shelved([words[at] for at in np.flatnonzero(new)])]
            # Each is more than twice as large as the next: a word is moved as often as the number doubles.
            while len(shelves) > 1 and len(shelves[-2]) <= 2 * len(shelves[-1]):
                shelves[-2:] = [_joined(*shelves[-2:])]
            self._shelves = tuple(shelves)
            self._known = {}

    def save(self, file: Path, made_of: Mapping[str, Any]) -> None:
        """Write everything, with what it was made of. Raises OSError; the file is then as it was."""
        with self._lock:
            shelves = list(self._shelves)
            while len(shelves) > 1:
                shelves[-2:] = [_joined(*shelves[-2:])]
            self._shelves = tuple(shelves)
        shelf = shelves[0] if shelves else _shelved([])
        parts = [getattr(shelf, name).tobytes() for name in _COLUMNS] + [shelf.text]
        body = b"".join(parts)
        told = {"made_of": made_of, "columns": [*_COLUMNS], "words": len(shelf), "check": zlib.crc32(body)}
        head = json.dumps(told).encode()
        beside = file.with_suffix(".new")
        beside.write_bytes(head + b"\n" + body)
        beside.replace(file)

    def load(self, file: Path, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Take in what ``save`` wrote where it was made of ``wanted``, among others.

        Returns what it was made of; empty where nothing was taken in: there is no such file, or not a whole one.
        """
        try:
            head, _, body = file.read_bytes().partition(b"\n")
            told = json.loads(head)
            made_of: dict[str, Any] = dict(told["made_of"])
            whole = told["check"] == zlib.crc32(body) and told["columns"] == [*_COLUMNS]
            if not (whole and wanted.items() <= made_of.items()):
                return {}
            columns, at = {}, 0
            for name, kind in _COLUMNS.items():
                columns[name] = np.frombuffer(body, kind, told["words"], at)
                at += columns[name].nbytes
        except (OSError, ValueError, KeyError, TypeError):
            return {}
        if told["words"]:
            with self._lock:
                self._shelves = (*self._shelves, _Shelf(**columns, text=body[at:]))
                self._known = {}
        return made_of

    def similar(self, word: str) -> tuple[tuple[str, float], ...]:
        """(Word, how alike) of at most MOST_ALIKE other words that are at least LEAST_ALIKE, best first."""
        return self._remembered(word, forms=False)

    def forms(self, word: str) -> tuple[tuple[str, float], ...]:
        """The same of words that begin with the same letter and are more alike than ABOVE_FORM: ten times as fast."""
        return self._remembered(word, forms=True)

    def longer(self, part: str) -> tuple[tuple[str, float], ...]:
        """(Word, how alike) of at most MOST_ALIKE words that begin or end with ``part``, the most alike first."""
        if not (LEAST_PART <= len(part) <= LONGEST and is_word(part)):
            return ()
        found = {shelf.word(at) for shelf in self._shelves for at in _begun_or_ended(shelf, part)}
        return _best((alike(part, word), word) for word in found - {part})

    def _remembered(self, word: str, *, forms: bool) -> tuple[tuple[str, float], ...]:
        known = self._known
        found = known.get((word, forms))
        if found is None:
            found = self._similar(word, forms=forms)
            if len(known) < REMEMBERED:
                known[word, forms] = found
        return found

    def _similar(self, word: str, *, forms: bool) -> tuple[tuple[str, float], ...]:
        if not (SHORTEST <= len(word) <= LONGEST and is_word(word)):
            return ()
        low, high, size = _signatures([word])
        pairs = _pairs(word)
        found: list[tuple[float, str]] = []
        for shelf in self._shelves:
            for at in _near(shelf, low[0], high[0], int(size[0]), word[0] if forms else ""):
                other = shelf.word(at)
                # What is spelled right is no other word with two letters swapped (trial, trail).
                share = _dice(pairs, _pairs(other)) if forms else _share(word, pairs, other)
                if other != word and (share > ABOVE_FORM if forms else share >= LEAST_ALIKE):
                    found.append((share, other))
        return _best(found)


def _best(found: Iterable[tuple[float, str]]) -> tuple[tuple[str, float], ...]:
    ordered = sorted((-share, word) for share, word in found)[:MOST_ALIKE]
    return tuple((word, -share) for share, word in ordered)


def _begun_or_ended(shelf: _Shelf, part: str) -> "list[int]":
    """Places of the shortest words that begin so and of those that end so, at most PARTS of each."""
    wanted = part.encode("utf-8", "surrogatepass")
    begun, ended = np.zeros((2, len(shelf.text) + 1), bool)
    at = shelf.text.find(wanted)
    while at >= 0:
        begun[at] = ended[at + len(wanted)] = True
        at = shelf.text.find(wanted, at + 1)
    places = (np.flatnonzero(begun[shelf.starts])[:PARTS], np.flatnonzero(ended[shelf.ends])[:PARTS])
    return [int(at) for some in places for at in some]


def _near(shelf: _Shelf, low: "np.uint64", high: "np.uint64", size: int, letter: str) -> "list[int]":
    """Places of the COMPARED words whose signatures promise most, where there is a letter of those that begin so."""
    # As numbers of the column's own kind: of any other, NumPy first makes the whole column into those.
    shortest, longest = np.uint8(math.ceil(size * LEAST_LONG)), np.uint8(math.floor(size / LEAST_LONG))
    first, last = 0, len(shelf)
    if letter:
        first = int(np.searchsorted(shelf.firsts, np.uint32(ord(letter))))
        last = int(np.searchsorted(shelf.firsts, np.uint32(ord(letter)), "right"))
    sizes = shelf.sizes[first:last]
    common = np.bitwise_count(shelf.low[first:last] & low)
    common += np.bitwise_count(shelf.high[first:last] & high)
    # Common pairs that make words half alike: a quarter of all that both have, rounded down.
    need = sizes + np.uint8(size)
    need >>= np.uint8(2)
    promising = np.flatnonzero((common >= need) & (sizes >= shortest) & (sizes <= longest))
    if len(promising) > COMPARED:
        share = common[promising] / (sizes[promising] + np.float32(size))
        promising = promising[np.argpartition(-share, COMPARED)[:COMPARED]]
    places: list[int] = (promising + first).tolist()
    return places


def _shelved(words: Sequence[str]) -> _Shelf:
    low, high, sizes = _signatures(words)
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    widths = np.fromiter(map(len, encoded), np.uint32, len(words))
    ends = np.cumsum(widths, dtype=np.uint32)
    starts = np.subtract(ends, widths, dtype=np.uint32)
    firsts = np.fromiter((ord(word[0]) for word in words), np.uint32, len(words))
    return _sorted(firsts, sizes, low, high, starts, ends, b"".join(encoded), np.sort(_hashes(words)))


def _joined(one: _Shelf, other: _Shelf) -> _Shelf:
    shift = np.uint32(len(one.text))
    return _sorted(
        np.concatenate([one.firsts, other.firsts]),
        np.concatenate([one.sizes, other.sizes]),
        np.concatenate([one.low, other.low]),
        np.concatenate([one.high, other.high]),
        np.concatenate([one.starts, other.starts + shift]),
        np.concatenate([one.ends, other.ends + shift]),
        one.text + other.text,
        np.sort(np.concatenate([one.hashes, other.hashes])),
    )


def _sorted(
    firsts: "NDArray[np.uint32]",
    sizes: "NDArray[np.uint8]",
    low: "NDArray[np.uint64]",
    high: "NDArray[np.uint64]",
    starts: "NDArray[np.uint32]",
    ends: "NDArray[np.uint32]",
    text: bytes,
    hashes: "NDArray[np.uint64]",
) -> _Shelf:
    order = np.lexsort((sizes, firsts))
    return _Shelf(firsts[order], sizes[order], low[order], high[order], starts[order], ends[order], text, hashes)


def _hashes(words: Sequence[str]) -> "NDArray[np.uint64]":
    """Of each word the same in every process: its letters weighed by their places, modulo 2**64."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    codes = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    starts = np.cumsum(lengths) - lengths
    places = np.arange(len(codes)) - np.repeat(starts, lengths)
    mixed: NDArray[np.uint64] = (codes + np.uint64(1)) * _POWERS[places]
    mixed ^= mixed >> np.uint64(29)
    return np.add.reduceat(mixed, starts).astype(np.uint64) if words else mixed


def _signatures(words: Sequence[str]) -> "tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint8]]":
    """Both halves of each word's signature, and how many pairs it has (those that come twice counted twice)."""
    lengths = np.fromiter(map(len, words), np.int64, len(words)) + 2
    joined = "^" + "$^".join(words) + "$"
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    mixed = (codes[:-1] * np.uint32(0x9E3779B1) + codes[1:]) * np.uint32(0x85EBCA6B)
    bits = (mixed >> np.uint32(25)).astype(np.uint64)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    flags = np.left_shift(np.uint64(1), bits & np.uint64(63))
    # The pair of one word's end and the next one's beginning is none.
    flags[ends[:-1] - 1] = 0
    upper = bits >= 64
    low = np.bitwise_or.reduceat(np.where(upper, np.uint64(0), flags), starts)
    high = np.bitwise_or.reduceat(np.where(upper, flags, np.uint64(0)), starts)
    return low, high, (lengths - 1).astype(np.uint8)


def _pairs(word: str) -> set[tuple[str, str]]:
    return set(pairwise(f"^{word}$"))


def _dice(one: set[tuple[str, str]], other: set[tuple[str, str]]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))
