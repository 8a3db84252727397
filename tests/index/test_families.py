"""Known models are given what they were trained on, whatever a server calls them; unknown ones get plain texts."""

import pytest

from lens_tui.index.families import family_of
from lens_tui.text.framing import TEXT, framed

ASK = "Represent this sentence for searching relevant passages: lease"


@pytest.mark.parametrize(
    ("model", "query", "passage", "english"),
    [
        ("nomic-embed-text:latest", "search_query: lease", "search_document: It ends.", True),
        ("hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4_K_M", "search_query: lease", "search_document: It ends.", True),
        ("nomic-embed-text-v2-moe", "search_query: lease", "search_document: It ends.", False),
        ("embeddinggemma:300m", "task: search result | query: lease", "title: Of houses | text: It ends.", False),
        ("bge-m3:latest", "lease", "It ends.", False),
        ("bge-large:335m", ASK, "It ends.", True),
        (
            "qwen3-embedding:0.6b",
            "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:lease",
            "It ends.",
            False,
        ),
        ("dengcao/Qwen3-Embedding-0.6B:F16", None, "It ends.", False),
        ("all-minilm:33m", "lease", "It ends.", True),
        ("mxbai-embed-large", ASK, "It ends.", True),
        ("snowflake-arctic-embed:22m", ASK, "It ends.", True),
        ("snowflake-arctic-embed-m-v1.5", ASK, "It ends.", True),
        ("snowflake-arctic-embed2:568m", "query: lease", "It ends.", False),
        ("hf.co/Casual-Autopsy/snowflake-arctic-embed-l-v2.0-gguf", "query: lease", "It ends.", False),
        ("jeffh/intfloat-multilingual-e5-large", "query: lease", "passage: It ends.", False),
    ],
)
def test_a_known_model_gets_its_own_words_around_a_text(
    model: str, query: str | None, passage: str, english: bool
) -> None:
    family = family_of(model)
    assert family.known
    assert query is None or framed(family.query, "lease") == query
    assert framed(family.passage, "It ends.", "Of houses") == passage
    assert family.english is english


@pytest.mark.parametrize("model", ["ruri:310m", "my-embedder", "bge-small-zh-v1.5", "notbge-m3x"])
def test_an_unknown_model_gets_texts_as_they_are(model: str) -> None:
    family = family_of(model)
    assert not family.known
    assert (family.query, family.passage) == (TEXT, TEXT)


def test_braces_and_line_ends_break_no_frame() -> None:
    frame = "title: {title} | text: {text}"
    assert framed(frame, "{title} {text}", "A\n {text}  b") == "title: A {text} b | text: {title} {text}"
    assert framed(frame, "It ends.") == "title: none | text: It ends."
