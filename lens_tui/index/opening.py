"""Opens a folder's index as it was asked for, and says what had to be made anew for that."""

import shutil
from dataclasses import replace
from pathlib import Path

from lens_tui.errors import StoreError
from lens_tui.index.dense import Dense
from lens_tui.index.fulltext import FullText
from lens_tui.index.hybrid import HybridBackend
from lens_tui.index.lexical import Lexical
from lens_tui.index.recipes import changes
from lens_tui.index.store import Store
from lens_tui.index.vectors import NOTE_AT, VectorShelf
from lens_tui.protocols import Embedder, SearchBackend
from lens_tui.types import Recipe


def open_backend(
    directory: Path,
    *,
    recipe: Recipe,
    embedder: Embedder,
    title_weight: float = 3.0,
    vector: bool = True,
    note_at: str = NOTE_AT,
    spawn_canary: bool = True,
) -> tuple[SearchBackend, tuple[str, ...]]:
    """Open the index in ``directory``, made where there is none.

    Where ``recipe`` differs from the stored one in how texts are cut, every file counts as one to be read again, and
    is found as it was until then; where words are analysed otherwise, every file is taken out; where the embedder
    differs, only vectors are made anew. Stored vectors stay and are used again where they fit.

    Args:
        directory: Holds store.sqlite3, lexical/ and chroma/.
        recipe: What is wanted; kept from now on.
        embedder: Makes the vectors; its name is the recipe's.
        title_weight: How often the words of path, title and headings stand among those of the text, rounded; part
            of how words are analysed.
        vector: False keeps no vectors.
        note_at: Where a chunk's note stands when it is embedded: ``prefix``, ``suffix`` or ``both``.
        spawn_canary: Whether a child process may look at the vector index after an unclean close.

    Returns:
        The backend, and sentences on what was rebuilt and why.

    Raises:
        StoreError: The index cannot be opened or written, is of a newer version, or another process holds it.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The index cannot be kept in {directory}: {error.strerror}.",
            hint="Mend its permissions, or set data_dir to another place.",
        ) from error
    title_times = round(title_weight)
    recipe = replace(recipe, analysis=f"{recipe.analysis}, names ×{title_times}")
    lexical, chroma = directory / "lexical", directory / "chroma"
    store = Store(directory / "store.sqlite3")
    try:
        notes = list(store.notes)
        before = store.recipe()
        if before is not None:
            notes += _fitted(store, before, recipe, (lexical, chroma))
        shelf = VectorShelf(store, embedder.name, embedder.frame, note_at)
        if before != recipe:
            store.keep_recipe(recipe)
        shelf.prune()
        store.database.shrink()
        fulltext = FullText(lexical, store, analysis=recipe.analysis, title_times=title_times)
    except BaseException:
        store.close()
        raise
    dense = Dense(chroma, embedder.name, shelf, spawn_canary=spawn_canary) if vector else None
    return HybridBackend(store, fulltext, shelf, dense, embedder), (*notes, *fulltext.notes)


def _fitted(store: Store, before: Recipe, now: Recipe, derived: tuple[Path, Path]) -> list[str]:
    """Let what the new recipe does not fit be made anew. Returns sentences."""
    notes = []
    changed = changes(before, now)
    if changed:
        if before.analysis == now.analysis:
            store.distrust()
        else:
            # What is kept of each text's words is of the other analysis too.
            store.clear()
            lexical, chroma = derived
            Lexical.remove(lexical)
            shutil.rmtree(chroma, ignore_errors=True)
        verb = "has" if len(changed) == 1 else "have"
        names = " and ".join([", ".join(changed[:-1]), changed[-1]] if len(changed) > 1 else changed)
        notes.append(f"{names[0].upper()}{names[1:]} {verb} changed, so every file is read and cut anew.")
    if before.embedder != now.embedder:
        notes.append(
            f"The embedder is now {now.embedder} (it was {before.embedder}), so vectors are made anew; "
            "full text stays as it is."
        )
    return notes
