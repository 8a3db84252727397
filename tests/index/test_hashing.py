"""The built-in vectors: alike for alike texts, the same on every machine."""

import subprocess
import sys
import threading

import numpy as np
import pytest

from lens_tui.index.hashing import HashingEmbedder

PLACES = [19, -150, 176, 209, -264, 271, -298, 302, -350, 501]


@pytest.fixture
def embedder() -> HashingEmbedder:
    return HashingEmbedder()


def near(embedder: HashingEmbedder, one: str, two: str) -> float:
    a, b = embedder.passages([one, two])
    return float(a @ b)


@pytest.mark.parametrize("text", ["", "...", "a", "猫", "The lease.", "\ud83d \x00", "x" * 10_000, "é" * 3])
def test_every_text_has_a_vector_of_length_one(embedder: HashingEmbedder, text: str) -> None:
    rows = embedder.passages([text])
    assert rows.shape == (1, embedder.dimensions)
    assert rows.dtype == np.float32
    assert float(np.linalg.norm(rows[0])) == pytest.approx(1.0, abs=1e-5)


def test_no_texts_give_no_rows(embedder: HashingEmbedder) -> None:
    assert embedder.passages([]).shape == (0, embedder.dimensions)


def test_word_forms_and_typing_errors_are_nearer_than_other_words(embedder: HashingEmbedder) -> None:
    text = "The tenants repaired the roofs before winter."
    assert near(embedder, text, "A tenant repairing a roof in winters") > 0.4
    assert near(embedder, text, "The tennants repared the rooves before winter") > 0.5
    assert near(embedder, text, "Ships left the harbour with grain and salt") < 0.2


def test_japanese_passages_that_share_words_are_near(embedder: HashingEmbedder) -> None:
    text = "吾輩は猫である。名前はまだ無い。"
    assert near(embedder, text, "名前の無い猫") > near(embedder, text, "経済学の入門書を読む") + 0.15


def test_full_width_and_case_make_no_difference(embedder: HashingEmbedder) -> None:
    assert near(embedder, "ＬＥＡＳＥ terms", "lease TERMS") == pytest.approx(1.0, abs=1e-5)


def test_another_process_makes_the_same_vectors() -> None:
    code = (
        "from lens_tui.index.hashing import HashingEmbedder; import hashlib;"
        "print(hashlib.sha256(HashingEmbedder().passages(['The lease 猫 of winter', 'b']).tobytes()).hexdigest())"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60, env=env)
        for env in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"})
    ]
    assert runs[0].stdout == runs[1].stdout


def test_the_vectors_are_those_that_indexes_were_made_with(embedder: HashingEmbedder) -> None:
    # Where this fails the name must change too: vectors of two makes are never mixed.
    (row,) = embedder.passages(["The lease ends in winter; 猫は眠る。"])
    places = [int(at * np.sign(row[at])) for at in np.flatnonzero(np.abs(row) > 0.15)]
    assert (embedder.name, places) == ("builtin-ngrams-512-v1", PLACES)


def test_threads_may_share_one(embedder: HashingEmbedder) -> None:
    texts = [f"word{n} lease{n % 7} of winter {n * 31}" for n in range(400)]
    alone = HashingEmbedder().passages(texts)
    found: list[bool] = []

    def work() -> None:
        found.append(bool(np.array_equal(embedder.passages(texts), alone)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 4
