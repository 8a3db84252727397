"""A chat model on an Ollama server, as the ChatModel that answers; the server and its address beside it."""

import json
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from lens_tui.beside import beside
from lens_tui.errors import ModelError
from lens_tui.ollama import faults
from lens_tui.ollama.address import address_of, is_local
from lens_tui.ollama.patience import Patience, Tries
from lens_tui.ollama.server import OllamaServer
from lens_tui.ollama.thinking import Thinking
from lens_tui.protocols import Cancel
from lens_tui.types import ChatPiece, ModelInfo, Prompt

__all__ = ["OllamaChat", "OllamaServer", "Patience", "Tries", "address_of", "is_local"]

UNTOLD_CONTEXT = 4096
"""The context of a model whose file tells none: what Ollama 0.24.0 gives a model that is asked for without one."""


class OllamaChat:
    """One model of a server. Implements ChatModel; every stream is a connection of its own."""

    def __init__(
        self,
        server: OllamaServer,
        name: str,
        *,
        temperature: float | None = None,
        keep_alive: str = "",
        info: ModelInfo | None = None,
    ) -> None:
        """Name the model; nothing is asked yet.

        Args:
            server: Where it is.
            name: As the server lists it; ``:latest`` may be left out.
            temperature: 0 to 2; None leaves it to the model's own file.
            keep_alive: How long it stays loaded, in Ollama's form (``10m``, ``-1``); empty leaves it to the server.
            info: What is known of the model already, which saves asking for it.
        """
        self.name = name
        self._server = server
        self._temperature = temperature
        self._keep_alive = keep_alive.strip()
        self._info = info
        self._asked: Future[int | None] | None = None
        """What ``prepare`` has asked for."""
        self._told: int | None = None
        """The context that ``loaded_context`` found, for the one stream that follows at once."""

    def context(self) -> int:
        """The longest context it can have, in tokens. Raises ModelError."""
        return self._found().context or UNTOLD_CONTEXT

    def prepare(self) -> None:
        """Ask for the context that it is loaded with, beside what the caller does meanwhile."""
        self._asked = beside(lambda: self._server.loaded(self.name), "ollama")

    def loaded_context(self) -> int | None:
        """The context that it is loaded with, None where it is not loaded. Raises ModelError."""
        asked, self._asked = self._asked, None
        self._told = asked.result() if asked is not None else self._server.loaded(self.name)
        return self._told

    def stream(self, prompt: Prompt, *, num_ctx: int, cancel: Cancel) -> Iterator[ChatPiece]:
        """Yield steps while waiting, then thinking and text as they arrive; the last piece has the counts.

        A fault that can pass is tried again only while nothing has arrived. Ends quietly when cancelled.

        Raises:
            ModelError: As ChatModel tells.
        """
        fields = self._request(prompt, num_ctx)
        done = 0
        while not cancel.cancelled:
            arrived = False
            try:
                for piece in self._once(fields, prompt.tokens, num_ctx, cancel):
                    arrived = arrived or bool(piece.text or piece.thinking)
                    yield piece
                return
            except ModelError as fault:
                done += 1
                if arrived or cancel.cancelled:
                    if cancel.cancelled:
                        return
                    raise
                if not self._server.tries.again(fault, done, cancel):
                    if cancel.cancelled:
                        return
                    raise
                yield ChatPiece(step=f"trying again: {fault.message}")

    def _found(self) -> ModelInfo:
        if self._info is None:
            self._info = self._server.find(self.name)
        return self._info

    def _request(self, prompt: Prompt, num_ctx: int) -> dict[str, Any]:
        options: dict[str, Any] = {"num_ctx": num_ctx}
        if self._temperature is not None:
            options["temperature"] = self._temperature
        fields: dict[str, Any] = {
            "model": self.name,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "stream": True,
            # Left to itself, Ollama cuts a prompt that is too long, and old tokens of a long answer, without a word.
            "truncate": False,
            "shift": False,
            "options": options,
        }
        if "thinking" in self._found().capabilities:
            fields["think"] = False
        if self._keep_alive:
            number = self._keep_alive.lstrip("+-").isdecimal()
            fields["keep_alive"] = int(self._keep_alive) if number else self._keep_alive
        return fields

    def _once(self, fields: dict[str, Any], tokens: int, num_ctx: int, cancel: Cancel) -> Iterator[ChatPiece]:
        loaded, self._told = self._told == num_ctx, None
        patience = self._server.patience
        thinking = Thinking()
        lines = self._server.stream(
            "/api/chat",
            fields,
            cancel=cancel,
            is_last=lambda line: line.get("done") is True,
            first_seconds=patience.first + tokens / patience.reading,
        )
        shown = ""
        for line in lines:
            if line is None:
                loaded = loaded or self._loaded_with() == num_ctx
                step = f"reading {tokens:,} tokens" if loaded else f"loading {self.name} into memory"
                if step != shown:
                    shown = step
                    yield ChatPiece(step=step)
                continue
            piece = self._piece(line, thinking)
            if piece != ChatPiece():
                yield piece

    def _loaded_with(self) -> int | None:
        try:
            return self._server.loaded(self.name, again=False)
        except ModelError:
            return None  # only what is shown while waiting depends on it; the chat itself tells what is wrong

    def _piece(self, line: dict[str, Any], thinking: Thinking) -> ChatPiece:
        message = line.get("message")
        done = line.get("done") is True
        if not isinstance(message, dict):
            if not done:
                raise faults.garbled(self._server.address, faults.described(json.dumps(line).encode()))
            message = {}
        thought, text = thinking.feed(_text(message.get("content")))
        thought = _text(message.get("thinking")) + thought
        if not done:
            return ChatPiece(text=text, thinking=thought)
        held = thinking.end()
        piece = ChatPiece(text=text + held[1], thinking=thought + held[0])
        return replace(
            piece,
            prompt_tokens=_count(line.get("prompt_eval_count")),
            answer_tokens=_count(line.get("eval_count")),
            done_reason=_text(line.get("done_reason")) or "stop",
        )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
