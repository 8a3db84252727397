"""``--fail-on``: which verdicts a script takes as a failure, and the exit code that says so."""

from collections.abc import Collection, Iterable
from typing import get_args

import click

from lens_tui.cli.wording import counted
from lens_tui.errors import CheckFailed, UsageError
from lens_tui.types import Verdict

_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


def fail_on(value: str | None) -> frozenset[Verdict]:
    """Read verdicts parted by commas; none where the option was not given.

    Raises:
        UsageError: For a word that is no verdict, and for no word at all.
    """
    if value is None:
        return frozenset()
    named = [word.strip().lower() for word in value.split(",") if word.strip()]
    known: dict[str, Verdict] = {verdict: verdict for verdict in _VERDICTS}
    hint = f"Choose from {', '.join(_VERDICTS)}, such as --fail-on contradicted,invented."
    if not named:
        raise UsageError("--fail-on names no verdict.", hint=hint)
    for word in named:
        if word not in known:
            raise UsageError(f"There is no verdict {word}.", hint=hint)
    return frozenset(known[word] for word in named)


def check(verdicts: Iterable[Verdict | None], failing: Collection[Verdict]) -> None:
    """Raise CheckFailed where any verdict is one of ``failing``, saying how many are of which."""
    given = [verdict for verdict in verdicts if verdict in failing]
    if not given:
        return
    told = ", ".join(f"{given.count(verdict)} {verdict}" for verdict in _VERDICTS if verdict in given)
    raise CheckFailed(
        f"Of the citations, {told}: --fail-on asks for none.",
        hint=f"Look at {counted(len(given), 'citation')} above; without --fail-on this is no failure.",
    )


def fail_on_option(function: click.decorators.FC) -> click.decorators.FC:
    """Add ``--fail-on`` as the parameter ``failing``, a string or None that ``fail_on`` reads."""
    text = f"End with exit code 5 where a citation is one of these, parted by commas: {', '.join(_VERDICTS)}."
    return click.option("--fail-on", "failing", metavar="VERDICTS", help=text)(function)
