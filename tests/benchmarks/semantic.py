"""How alike the vectors of neighbouring sentences are, and of unrelated ones: where ``semantic`` should cut.

Run: python -m tests.benchmarks.semantic FOLDER [--embedder DIR] [--paragraphs 250]

The built-in vectors are measured, or those of a model in a directory (see ``lens_tui/onnx.py``).

Neighbours stand one after the other in a paragraph; unrelated are the sentences of paragraphs taken by chance. The
better a threshold, the more of the unrelated and the fewer of the neighbours it would cut apart.
"""

import argparse
import random
import re
from pathlib import Path

import numpy as np

from lens_tui.index.hashing import HashingEmbedder
from lens_tui.index.local import LocalEmbedder
from lens_tui.onnx import ModelDirectory
from lens_tui.protocols import Embedder
from lens_tui.text.sentences import sentences
from tests.benchmarks.ranking import read

THRESHOLDS = (0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7)
PAIRS = 5_000


def paragraphs(texts: list[str]) -> list[list[str]]:
    """Every paragraph of at least two sentences."""
    cut = [[part[start:end] for start, end in sentences(part)] for text in texts for part in re.split(r"\n\s*", text)]
    return [part for part in cut if len(part) > 1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", type=Path)
    parser.add_argument("--paragraphs", type=int)
    given = parser.parse_args()
    embedder: Embedder = LocalEmbedder(ModelDirectory(given.embedder)) if given.embedder else HashingEmbedder()
    chance = random.Random(1)
    found = paragraphs([document.text for document in read(given.folder)])
    chance.shuffle(found)
    found = found[: given.paragraphs]
    rows = [embedder.passages(part) for part in found]
    neighbours = np.concatenate([(part[1:] * part[:-1]).sum(axis=1) for part in rows])
    drawn = [chance.sample(rows, 2) for _ in range(PAIRS)]
    unrelated = np.array([float(chance.choice(one) @ chance.choice(other)) for one, other in drawn])
    print(f"{len(neighbours):,} neighbours, median {np.median(neighbours):.3f}; unrelated {np.median(unrelated):.3f}")
    print(f"the weakest quarter of the neighbours is under {np.percentile(neighbours, 25):.3f}")
    print("threshold  neighbours cut  unrelated cut")
    for threshold in THRESHOLDS:
        print(f"{threshold:9.2f}  {np.mean(neighbours < threshold):14.3f}  {np.mean(unrelated < threshold):13.3f}")


if __name__ == "__main__":
    main()
