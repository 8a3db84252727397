"""What an index was built with: how it is kept, and what is said where that is not what is wanted now."""

import json
from typing import Annotated, get_args, get_origin, get_type_hints

import msgspec

from lens_tui.options import ChunkOptions, Key
from lens_tui.types import Recipe

PARTS = {"tokenizer": "the tokenizer", "rules": "the way texts are cut", "analysis": "the analysis of words"}
"""Fields of a recipe, options and embedder aside, on which the chunks depend or what is kept with them."""


def written(recipe: Recipe) -> str:
    """A recipe as text."""
    return msgspec.json.encode(recipe).decode()


def read(text: str) -> Recipe:
    """The recipe that was written, also by an older or a newer program: what is missing there is empty."""
    empty = {"tokenizer": "", "chunking": {}, "rules": "", "analysis": "", "embedder": ""}
    return msgspec.convert(empty | json.loads(text), Recipe)


def changes(before: Recipe, now: Recipe) -> list[str]:
    """What makes the chunks of two recipes different, in words; empty where nothing does."""
    said = [what for name, what in PARTS.items() if getattr(before, name) != getattr(now, name)]
    if before.rules != now.rules:
        # Options of other rules are no measure of ours: an older program may not have known them.
        return said
    return [*_changed_options(before.chunking, now.chunking), *said]


def _changed_options(before: ChunkOptions, now: ChunkOptions) -> list[str]:
    hints = get_type_hints(ChunkOptions, include_extras=True)
    said = []
    for name, hint in hints.items():
        was, is_ = getattr(before, name), getattr(now, name)
        if was != is_ and get_origin(hint) is Annotated:
            key = next(part for part in get_args(hint) if isinstance(part, Key))
            said.append(f"{key.name} ({_told(was)} → {_told(is_)})")
    return said


def _told(value: object) -> str:
    if value in (None, "", ()):
        return "its default"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
