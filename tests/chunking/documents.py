"""Documents that break chunkers, and a small vocabulary."""

import random

from lens_tui.files.loaders.markdown import MarkdownLoader
from lens_tui.text.tokens import BpeTokenizer
from lens_tui.types import Document

PROSE = (
    "The tide tables were kept in a green ledger. Nobody asked why. Mr. Okafor wrote them at 5 p.m. each day, "
    "in ink, and blotted them twice! Was it superstition? He never said. "
)

MARKDOWN = f"""---
title: Tides
tags: [sea, log]
---
# Tides

{PROSE * 3}

## Method

{PROSE * 12}

Setext heading
--------------

```python
def tide(hour):

    return hour * 2  # not #a tag
```

- one item
- another item

### Deep

| a | b |
|---|---|
| 1 | 2 |

{PROSE}

## Last words
"""

SOURCES: dict[str, str] = {
    "a word": "word",
    "prose": PROSE * 40,
    "paragraphs": "\n\n".join(PROSE * (1 + n % 4) for n in range(30)),
    "markdown": MARKDOWN,
    "headings only": "".join(f"{'#' * (1 + n % 6)} heading {n}\n" for n in range(200)),
    "heading then giant": "# Title\n\n" + "word " * 1000 + "\n## End\n",
    "giant heading": "# " + "word " * 1000 + "\n\ntext",
    "headings without blank lines": "".join(f"# Part {n}\n{PROSE}" + "\n" for n in range(20)),
    "japanese": "吾輩は猫である。名前はまだ無い。「どこで生れた。」と聞かれても、とんと見当がつかぬ。" * 60,
    "japanese without stops": "東京都千代田区霞が関" * 300,
    "korean": "대한민국의 수도는 서울이다. 인구는 약 천만 명이다. " * 60,
    "thai": "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย" * 60,
    "hindi": "नमस्ते दुनिया, क्या हाल है। " * 100 + "क्ष" * 200,
    "emoji": "👩‍👩‍👧‍👦👍🏽🇯🇵🇺🇸❤️‍🔥" * 150,
    "flags": "🇯🇵🇺🇸" * 500,
    "combining": "e\u0301a\u0300\u0323o\u0302" * 400,
    "a mark after a space": ("word \u0301x " * 200),
    "zalgo": "a" + "\u0301\u0300\u0323" * 600 + " b",
    "one long line": "0123456789abcdef" * 400,
    "no spaces, stops": "a.b!c?d" * 1000,
    "code": "class A:\n" + "".join(f"    def f{n}(self, x):\n        return self.g{n}(x) + {n}\n\n" for n in range(80)),
    "fences": "Text before.\n\n" + "```\nx = 1\n\n\ny = 2\n```\n\n~~~\nopen for ever\n" * 40,
    "minified": "function(a,b){return a+b;}var c=[1,2,3];" * 200,
    "table": "| a | b |\n|---|---|\n" + "| cell one | cell two, longer |\n" * 200,
    "newlines": "\n" * 1000 + "x" + "\n" * 1000 + "y",
    "spaces": " " * 3000 + "x" + " " * 3000 + "y\t",
    "wide spaces": "　段落一。\n　段落二。\u2003\u2028next\u00a0word " * 80,
    "controls": "a\x00b\x1b[31mred\x1b[0m\x07 c\x85d " * 120,
    "right to left": "שלום עולם. مرحبا بالعالم؟ " * 80,
    "astral": "𝒳𝒴 𠮷野家 " * 200,
}


def noise(seed: int) -> str:
    """Anything after anything, always the same for a seed."""
    pool = [
        *"ab. !?\n\n #-`|",
        *"「」。、漢字あ",
        "\n\n",
        "\n# h\n",
        "  \n",
        "word ",
        "\u0301",
        "👨‍👩‍👧",
        "🇯🇵",
        "🏽",
        "\u200d",
        "क्ष",
        "각",
        "\u1100\u1161",
        "\t",
        "\u3000",
        "```\n",
        "sentence here. ",
    ]
    chooser = random.Random(seed)
    return "".join(chooser.choice(pool) for _ in range(chooser.randint(1, 1200)))


SOURCES |= {f"noise {seed}": noise(seed) for seed in range(12)}


def document(source: str) -> Document:
    """Read a source as the Markdown file that it may be."""
    return MarkdownLoader().load("notes/a.md", source.encode("utf-8"))


def tiny_tokenizer() -> BpeTokenizer:
    """Every byte, and some merges: a token may begin or end inside a character."""
    merges = (
        b"th",
        b"the",
        b" the",
        b"er",
        b"or",
        b"ord",
        b" w",
        b"\xe3\x81",
        b"\x81\xaf",
        b"\xe7\x8c",
        b"  ",
        b"\n\n",
    )
    ranks = {bytes([value]): value for value in range(256)}
    return BpeTokenizer("tiny", ranks | {merge: 256 + place for place, merge in enumerate(merges)})
