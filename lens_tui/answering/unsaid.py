"""What a claim says that a sentence does not: words, figures, words in Kana, and what stands for the opposite."""

import re
from collections.abc import Sequence

from lens_tui.answering.alignment import SAYS, Alignment, says
from lens_tui.answering.lexicon import PRONOUNS
from lens_tui.answering.statements import Piece, Statement
from lens_tui.answering.wordforms import opposite

LIGHT_WEIGHT = 0.3
"""Weight up to which a piece may be missing."""

_GRAMMAR = re.compile(
    "(?:なければ|ている|ていた|ており|でいる|います|いました|いる|いた|おり|ある|あり|あっ|です|でし|ます|まし|した|する|され|して|られ|"
    "れる|れて|れた|だっ|である|こと|もの|ところ|ため|よう|など|これ|それ|その|この|そして|また|から|まで|より|には|では|とは|という|"
    "[のはがをにでともやへねよなしてただるりきいくけっうれせん])+"
)
"""Kana that are endings, particles and auxiliary verbs, and say nothing by themselves."""

BOUNDS = frozenset(
    (
        "after",
        "before",
        "since",
        "until",
        "till",
        "nach",
        "vor",
        "seit",
        "bis",
        "после",
        "до",
        "以前",
        "以降",
        "以后",
        "之前",
        "之后",
    )
)
"""What stands between a figure and when or how much it means."""

NOBODY = frozenset(("nobody", "none", "niemand", "никто", "nothing", "nichts", "ничего"))
"""Denials that are of everyone or everything."""


def unsaid(laid: Alignment, before: Sequence[Statement] = ()) -> list[int]:
    """The claim's pieces that the sentence does not say, but for a subject that it only means."""
    said = {at for at in laid.missing if laid.claim.pieces[at].weight > LIGHT_WEIGHT}
    missing = sorted({*said, *_unsaid_kana(laid), *_opposed(laid), *_placed(laid)} - _given_names(laid))
    if not missing or not before:
        return missing
    first = next((at for at, place in enumerate(laid.at) if place is not None and says(laid.claim.pieces[at])), None)
    if first is None:
        return missing
    leading = [at for at in missing if at < first]
    source = laid.source.pieces
    means = laid.source.signs or any(piece.key in PRONOUNS for piece in source[:6])
    if not leading or not means:
        return missing
    known = {piece.key for one in before for piece in one.pieces}
    if all(laid.claim.pieces[at].key in known for at in leading):
        return [at for at in missing if at not in leading]
    return missing


_CALLINGS = ("ist", "or", "er", "ian", "man", "ess", "ant", "in")
"""Ends of words such as author and chairman, which at the beginning of a sentence look like first names."""


def _given_names(laid: Alignment) -> set[int]:
    """First names before a name that the sentence has alone: ``Anna Berg`` where it says ``Berg``."""
    pieces, source = laid.claim.pieces, laid.source.pieces
    found: set[int] = set()
    for at in range(len(pieces) - 2, -1, -1):
        last = laid.at[at + 1]
        piece = pieces[at]
        leads = at == 0 and not piece.key.endswith(_CALLINGS)
        if laid.at[at] is not None or piece.kind != "word" or not (piece.named or leads) or not piece.weight:
            continue
        whole = last is not None and pieces[at + 1].named and source[last].kind == "word"
        if (
            whole
            and last is not None
            and not (last > 0 and (source[last - 1].named or (last == 1 and says(source[0]))))
        ):
            found.add(at)
    return found


def _unsaid_kana(laid: Alignment) -> list[int]:
    """Words in Hiragana, and single Han characters that stand in the source only in longer words."""
    found: list[int] = []
    run: list[int] = []
    pieces = laid.claim.pieces
    for at in range(len(pieces) + 1):
        if at < len(pieces) and pieces[at].kind == "sign" and pieces[at].weight < SAYS and laid.at[at] is None:
            run.append(at)
            continue
        if len(run) > 1 and not _GRAMMAR.fullmatch("".join(pieces[one].key for one in run)):
            found += run
        run = []
    found += [at for at, place in enumerate(laid.at) if place is not None and _of_another_word(laid, at, place)]
    return found


def _of_another_word(laid: Alignment, at: int, place: int) -> bool:
    """Whether a Han character that is a word of its own in the claim ends or begins a longer one in the source."""

    def han(pieces: Sequence[Piece], index: int) -> bool:
        return 0 <= index < len(pieces) and pieces[index].kind == "sign" and pieces[index].weight >= SAYS

    mine, yours = laid.claim.pieces, laid.source.pieces
    if not laid.claim.japanese or not han(mine, at) or han(mine, at - 1) or han(mine, at + 1):
        return False
    return han(yours, place - 1) or han(yours, place + 1)


def _opposed(laid: Alignment) -> list[int]:
    """Pieces of however little weight whose opposite the source has instead."""
    taken = {place for place in laid.at if place is not None}
    left = {piece.key for place, piece in enumerate(laid.source.pieces) if place not in taken and piece.kind == "word"}
    return [
        at
        for at, (place, piece) in enumerate(zip(laid.at, laid.claim.pieces, strict=True))
        if place is None and piece.kind == "word" and any(opposite(piece.key, other) for other in left)
    ]


def _placed(laid: Alignment) -> list[int]:
    """Words such as after and before, which the source does not have before its figure, and nobody."""
    pieces = laid.claim.pieces
    return [
        at
        for at, place in enumerate(laid.at[:-1])
        if place is None
        and ((pieces[at].key in BOUNDS and pieces[at + 1].kind in ("number", "day")) or pieces[at].key in NOBODY)
    ]
