"""What known embedding models want to be given: the words put before queries and passages, and what they can read.

A family is known by its name, wherever the model was fetched from (``nomic-embed-text:v1.5``,
``hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF``). One that is not here is given texts as they are.
"""

import re
from dataclasses import dataclass

from lens_tui.text.framing import TEXT

ASK = "Represent this sentence for searching relevant passages: {text}"
"""What BGE's English models, mxbai and Arctic want before a query: each one's model card on Hugging Face."""


@dataclass(frozen=True, slots=True)
class Family:
    """Models that were trained alike."""

    name: str
    """Regular expression, looked for in the model's name in lower case."""
    query: str = TEXT
    """A query is put in the place of ``{text}``."""
    passage: str = TEXT
    """A passage is put in the place of ``{text}``, its file's title (or ``none``) in that of ``{title}``."""
    english: bool = False
    """Whether it was trained on English alone, as far as its card tells."""
    known: bool = True
    """False of what is not in the list: what it can read is then found out by asking it (see reads.py)."""


FAMILIES = (
    # huggingface.co/nomic-ai/nomic-embed-text-v2-moe: a hundred languages, prefixes as v1.5.
    Family("nomic-embed-text-v2", "search_query: {text}", "search_document: {text}"),
    # huggingface.co/nomic-ai/nomic-embed-text-v1.5: English; both prefixes are required.
    Family("nomic-embed-text", "search_query: {text}", "search_document: {text}", english=True),
    # huggingface.co/google/embeddinggemma-300m, "Prompt Instructions": a hundred languages.
    Family("embedding-?gemma", "task: search result | query: {text}", "title: {title} | text: {text}"),
    # huggingface.co/BAAI/bge-m3: "no need to add instructions to the queries"; a hundred languages.
    Family("bge-m3"),
    # huggingface.co/BAAI/bge-large-en-v1.5: queries only; Ollama's bge-large is this one.
    Family("bge-(?:large|base|small)(?!-zh)", ASK, english=True),
    # huggingface.co/Qwen/Qwen3-Embedding-0.6B: the instruct form, queries only; a hundred languages.
    Family(
        "qwen3-embedding",
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:{text}",
    ),
    # huggingface.co/sentence-transformers/all-MiniLM-L6-v2 (and -L12-v2): English, nothing before either.
    Family("all-minilm", english=True),
    # huggingface.co/mixedbread-ai/mxbai-embed-large-v1: English, queries only.
    Family("mxbai-embed-large", ASK, english=True),
    # huggingface.co/Snowflake/snowflake-arctic-embed-l-v2.0: 74 languages, "query: " before queries only.
    Family("snowflake-arctic-embed(?:2|-[a-z]+-v2)", "query: {text}"),
    # huggingface.co/Snowflake/snowflake-arctic-embed-l (and v1.5): English, queries only.
    Family("snowflake-arctic-embed", ASK, english=True),
    # huggingface.co/intfloat/multilingual-e5-large: a hundred languages.
    Family("multilingual-e5", "query: {text}", "passage: {text}"),
    # huggingface.co/intfloat/e5-large-v2: English.
    Family("e5-(?:large|base|small)", "query: {text}", "passage: {text}", english=True),
    # huggingface.co/sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2: fifty languages.
    Family("paraphrase-multilingual"),
)
"""The first whose name is found is the model's."""


def family_of(model: str) -> Family:
    """The family of a model, by its name on the server; one that is not known has no frames and ``known`` False."""
    folded = model.lower()
    for family in FAMILIES:
        if re.search(rf"(?<![a-z0-9]){family.name}", folded):
            return family
    return Family(folded, known=False)
