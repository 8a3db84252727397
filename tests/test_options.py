from lens_tui.chunking import STRATEGIES
from lens_tui.options import STRATEGY_NAMES, ChunkOptions


def test_the_names_of_strategies_are_those_that_there_are() -> None:
    assert sorted(STRATEGY_NAMES) == sorted(STRATEGIES)
    assert ChunkOptions().strategy == "auto"


def test_every_strategy_takes_options_that_there_are() -> None:
    known = set(ChunkOptions.__dataclass_fields__)
    assert {name: sorted(made.takes - known) for name, made in STRATEGIES.items() if made.takes - known} == {}
