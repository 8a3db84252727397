"""Cutting for agents: the options of ``chunk_text``, from the same keys as flags and settings, and its answer."""

from dataclasses import replace
from typing import Any

from lens_tui.agents.arguments import Arguments
from lens_tui.agents.quotes import quoted
from lens_tui.chunk_json import chunk_event, done_event, tallied
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.requests import TextCut
from lens_tui.settings import CHUNKING, SPECS
from lens_tui.text.display import one_line, printable
from lens_tui.values import Spec, checked

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", tuple: "array"}


def option_schemas() -> dict[str, dict[str, Any]]:
    """JSON schema of each option, by its field's name."""
    return {SPECS[key].place[-1]: _schema(SPECS[key]) for key in CHUNKING}


def _schema(spec: Spec) -> dict[str, Any]:
    key = spec.key
    bounds = {name: value for name, value in (("minimum", key.low), ("maximum", key.high)) if value is not None}
    schema: dict[str, Any] = {"type": _TYPES[spec.kind], "description": key.about.replace("`", "")}
    if spec.kind is tuple:
        return {**schema, "items": {"type": _TYPES[spec.part], **bounds}}
    if key.one_of:
        schema["enum"] = list(key.one_of)
    return schema | bounds


def options_of(given: Arguments) -> ChunkOptions:
    """The options among a call's arguments. Raises SettingsError for one of the wrong type or out of its bounds."""
    values = {}
    for key in CHUNKING:
        spec = SPECS[key]
        name = spec.place[-1]
        if given.get(name) is not None:
            values[name] = checked(spec, given[name], "", name)
    return replace(DEFAULTS, **values)  # type: ignore[arg-type]  # each in its field's type, by checked


def shown(cut: TextCut) -> tuple[str, dict[str, Any]]:
    """The answer: every chunk as a quote, and as structured content the shapes of ``lens-tui chunks --json``."""
    tally = tallied(cut.chunks)
    done = done_event(
        tally,
        strategy=cut.strategy,
        told=cut.told,
        tokenizer=cut.tokenizer,
        milliseconds=cut.milliseconds,
        warnings=cut.warnings,
    )
    parts = [f"{tally.count} chunks by {cut.told}, counted by {cut.tokenizer}."]
    for chunk in cut.chunks:
        heading = f", {one_line(' > '.join(chunk.heading))}" if chunk.heading else ""
        head = f"{chunk.index + 1}. {chunk.tokens} tokens, lines {chunk.lines[0]}-{chunk.lines[1]}{heading}"
        parts.append(f"{head}\n\n{quoted(chunk.text)}")
    parts += map(printable, cut.warnings)
    return "\n\n".join(parts), {"chunks": [chunk_event(chunk) for chunk in cut.chunks], "done": done}
