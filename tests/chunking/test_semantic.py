"""What is the semantic strategy's own."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lens_tui.chunking.semantic import SemanticChunker
from lens_tui.errors import ChunkEmbeddingError, ChunkingValueError, ModelUnreachable
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Cancel
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Chunk
from tests.chunking.documents import document


@dataclass
class Topics:
    """Gives each text the direction of the topic that it names; obeys ``protocols.Embedder``."""

    semantic: bool = True
    name: str = "topics-v1"
    frame: str = "title: {title} | text: {text}"
    dimensions: int = 8
    window: int | None = None
    averaged: int = 0
    asked: list[str] = field(default_factory=list)
    topics: Mapping[str, int] = field(default_factory=lambda: {"sea": 0, "moon": 1, "bread": 2})

    def knows(self, text: str) -> bool:
        return True

    def passages(self, texts: Sequence[str], cancel: Cancel | None = None) -> NDArray[np.float32]:
        self.asked += texts
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[next((at for topic, at in self.topics.items() if topic in text), 7)] = 1
        return rows

    def query(self, text: str) -> NDArray[np.float32]:
        return self.passages([text])


@dataclass
class Away(Topics):
    def passages(self, texts: Sequence[str], cancel: Cancel | None = None) -> NDArray[np.float32]:
        raise ModelUnreachable("Nothing answers at localhost:11434.", hint="Start it with: ollama serve")


def cut(source: str, embedder: Topics | None = None, **options: Any) -> tuple[Chunk, ...]:
    chosen = ChunkOptions(**{"minimum": 0, **options})
    return SemanticChunker(OfflineTokenizer(), chosen, embedder=embedder or Topics()).chunk(document(source)).chunks


def texts(source: str, **options: Any) -> list[str]:
    return [chunk.text for chunk in cut(source, **options)]


def test_it_cuts_where_neighbouring_sentences_are_not_alike() -> None:
    assert texts("The sea is deep. A sea is wide. The moon is far. My moon is round. Some bread.") == [
        "The sea is deep. A sea is wide.",
        "The moon is far. My moon is round.",
        "Some bread.",
    ]


@dataclass
class Drifting(Topics):
    """Turns a little with each numbered text: neighbours are alike by .6, every sixth and the one before it by .1."""

    def passages(self, texts: Sequence[str], cancel: Cancel | None = None) -> NDArray[np.float32]:
        turns = [math.acos(0.6 if number % 6 else 0.1) for number in range(100)]
        angles = [sum(turns[1 : int(text.split()[-1].rstrip(".")) + 1]) for text in texts]
        return np.array([(math.cos(angle), math.sin(angle)) for angle in angles], np.float32)


def test_where_all_sentences_are_less_alike_than_a_models_threshold_only_the_weakest_joints_are_cut() -> None:
    source = " ".join(f"It goes on by {number}." for number in range(24))
    assert len(cut(source, Drifting(), threshold=0.7)) == 24
    assert [chunk.text.split(".")[0][14:] for chunk in cut(source, Drifting())] == ["0", "6", "12", "18"]
    few = cut("It goes on by 5. It goes on by 6. It goes on by 7.", Drifting())
    assert [chunk.text for chunk in few] == ["It goes on by 5.", "It goes on by 6. It goes on by 7."]


def test_it_cuts_before_each_line_that_begins_with_a_mark() -> None:
    assert texts("The sea.\n\n## On\n\nA sea.\n\n---\n\nSea again.") == [
        "The sea.",
        "## On\n\nA sea.",
        "---\n\nSea again.",
    ]
    assert texts("The sea.\nPart II\nA sea.", breaks=("Part",)) == ["The sea.", "Part II\nA sea."]


def test_a_mark_in_code_in_a_table_or_under_a_heading_cuts_nothing() -> None:
    fence = "The sea.\n\n```sh\n## sea\n\n--- sea\n```\n\nA sea."
    assert texts(fence) == [fence]
    table = "A sea:\n\nsea | more\n--- | ---\nsea | 2\n"
    assert texts(table) == [table.strip()]
    setext = "The sea\n-------\n\nA sea."
    assert texts(setext) == [setext]


def test_a_mark_cuts_also_where_the_parts_are_under_the_minimum() -> None:
    assert len(texts("The sea.\n\n## On\n\nA sea.", minimum=64)) == 2


def test_a_heading_and_a_bare_rule_go_with_what_follows() -> None:
    assert texts("# Moon\n\nThe sea.\n\n---\n\n## Moon\n\nBread.") == ["# Moon\n\nThe sea.", "---\n\n## Moon\n\nBread."]


def test_groups_under_the_minimum_join_a_neighbour() -> None:
    assert len(texts("The sea is deep. Bread. The moon is round.")) == 3
    assert len(texts("The sea is deep. Bread. The moon is round.", minimum=4)) == 2


def test_a_group_over_the_target_is_cut_and_none_is_over_the_maximum() -> None:
    chunks = cut("The sea is deep. " * 400, size=100, maximum=120)
    assert len(chunks) > 15
    assert max(chunk.tokens for chunk in chunks) <= 120
    assert min(chunk.tokens for chunk in chunks) > 40


def test_a_sentence_over_the_maximum_is_cut_like_any_stretch() -> None:
    chunks = cut("sea " * 500, size=100, maximum=120)
    assert max(chunk.tokens for chunk in chunks) <= 120


def test_each_sentence_is_embedded_once_in_the_models_frame() -> None:
    embedder = Topics()
    cut("The sea. A moon. The sea. A moon. " * 300, embedder)
    assert embedder.asked == ["title: none | text: The sea.", "title: none | text: A moon."]


def test_the_built_in_vectors_have_a_threshold_of_their_own_and_that_is_told() -> None:
    def told(embedder: Topics | HashingEmbedder, **options: Any) -> str:
        chosen = ChunkOptions(**options)
        return SemanticChunker(OfflineTokenizer(), chosen, embedder=embedder).told(document(""))

    assert told(HashingEmbedder()) == "semantic 512/0, minimum 64, maximum 1024, threshold 0.12, built-in vectors"
    assert told(Topics()) == (
        "semantic 512/0, minimum 64, maximum 1024, threshold 0.7 for the weakest 25 % of joints, topics-v1"
    )
    assert told(Topics(), threshold=0.7) == "semantic 512/0, minimum 64, maximum 1024, threshold 0.7, topics-v1"
    assert "threshold 0.3," in told(HashingEmbedder(), threshold=0.3)


@pytest.mark.parametrize("options", [{"threshold": -0.1}, {"threshold": 1.1}, {"size": 200, "maximum": 199}])
def test_what_is_out_of_its_bounds_is_refused_with_the_range(options: dict[str, Any]) -> None:
    with pytest.raises(ChunkingValueError, match=r"0 to 1|200 to 8192"):
        cut("", **options)


def test_vectors_that_cannot_be_had_are_an_error_with_its_cause() -> None:
    with pytest.raises(ChunkEmbeddingError, match="Nothing answers at localhost") as failed:
        cut("The sea. A moon.", Away())
    assert isinstance(failed.value.__cause__, ModelUnreachable)
    assert failed.value.hint == "Start it with: ollama serve"


def test_without_an_embedder_only_a_text_with_nothing_to_compare_is_cut() -> None:
    chunker = SemanticChunker(OfflineTokenizer())
    assert [chunk.text for chunk in chunker.chunk(document("One sentence.")).chunks] == ["One sentence."]
    with pytest.raises(ChunkEmbeddingError):
        chunker.chunk(document("One sentence. And another."))
