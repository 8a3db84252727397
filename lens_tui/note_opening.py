"""Opens what writes the notes of chunks: like ``opening.py``, it knows concrete classes."""

from collections.abc import Callable
from pathlib import Path

from lens_tui.chunking.contextual import TEMPERATURE, NoteOptions, Noter
from lens_tui.chunking.note_cache import NoteFile
from lens_tui.errors import ModelMissing
from lens_tui.ollama.client import OllamaChat, OllamaServer
from lens_tui.ollama.models import choose_chat
from lens_tui.options import ChunkOptions
from lens_tui.places import data_root
from lens_tui.protocols import Tokenizer
from lens_tui.settings import Settings

NOTES = "notes.sqlite3"
"""In the data directory, beside every index: notes are the person's, not a folder's."""


def noters(settings: Settings, tokenizer: Tokenizer) -> Callable[[ChunkOptions], Noter]:
    """What opens a model that writes notes, asked anew each time: a server comes and goes.

    It raises ModelError where no model can be had, and StoreError where the cache cannot be opened.
    """
    server = OllamaServer(settings.ollama_host)
    cache: list[NoteFile] = []

    def noter(options: ChunkOptions) -> Noter:
        wanted = options.context_model or (settings.model if settings.model != "none" else "")
        choice = choose_chat(server, wanted=wanted or None, remembered=None)
        if choice.name is None:
            raise ModelMissing(
                "No model can write notes for excerpts.",
                hint=f"{choice.why} Get one with: {choice.hint.splitlines()[0]}" if choice.hint else choice.why,
            )
        temperature = TEMPERATURE if options.context_temperature is None else options.context_temperature
        model = OllamaChat(server, choice.name, temperature=temperature, keep_alive=settings.ollama_keep_alive)
        if options.context_cache is not False and not cache:
            cache.append(NoteFile(Path(data_root(settings.data_dir)) / NOTES))
        kept = cache[0] if options.context_cache is not False else None
        return Noter(model, tokenizer, NoteOptions.of(options), kept)

    return noter
