"""Source code cut by its grammar: what stays whole, what goes together, and what each chunk is called."""

import pytest

from lens_tui.chunking.code import CodeChunker, functions_of
from lens_tui.chunking.code_grammars import KNOWN, SEGMENT, GrammarError, trees
from lens_tui.errors import ChunkingValueError
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Chunk, Cut, Document

LONG = "total = total + weight * share - rest"


def cut(path: str, text: str, **options: object) -> Cut:
    chunker = CodeChunker(OfflineTokenizer(), ChunkOptions(strategy="code", **options))  # type: ignore[arg-type]
    return chunker.chunk(Document(path, text, "0" * 64, kind="code"))


def chunks(path: str, text: str, **options: object) -> tuple[Chunk, ...]:
    found = cut(path, text, **options)
    assert found.warnings == ()
    covered = 0
    for chunk in found.chunks:
        assert text[chunk.start : chunk.end] == chunk.text
        assert text[covered : chunk.start].strip() == ""
        assert chunk.tokens <= (options.get("size") or 384)  # type: ignore[operator]
        covered = chunk.end
    assert text[covered:].strip() == ""
    return found.chunks


def holding(found: tuple[Chunk, ...], *parts: str) -> Chunk:
    """The one chunk that holds all of these."""
    held = [chunk for chunk in found if all(part in chunk.text for part in parts)]
    assert len(held) == 1, [chunk.text for chunk in found]
    return held[0]


def python_function(name: str, statements: int, indent: str = "") -> str:
    return f"{indent}def {name}(total):\n" + f"{indent}    {LONG}\n" * statements + f"{indent}    return total\n"


SMALL: dict[str, tuple[str, str]] = {
    "bash": ("a.sh", "area() {\n  echo 1\n}\n"),
    "c": ("a.c", "int area(int x)\n{\n  return x;\n}\n"),
    "cpp": ("a.cpp", "int area(int x) {\n  return x;\n}\n"),
    "csharp": ("a.cs", "class S\n{\n  int area(int x) { return x; }\n}\n"),
    "go": ("a.go", "package a\n\nfunc area(x int) int {\n\treturn x\n}\n"),
    "java": ("a.java", "class S {\n  int area(int x) { return x; }\n}\n"),
    "javascript": ("a.js", "function area(x) {\n  return x;\n}\n"),
    "kotlin": ("a.kt", "fun area(x: Int): Int {\n  return x\n}\n"),
    "php": ("a.php", "<?php\nfunction area($x) {\n  return $x;\n}\n"),
    "python": ("a.py", "def area(x):\n    return x\n"),
    "ruby": ("a.rb", "def area(x)\n  x\nend\n"),
    "rust": ("a.rs", "fn area(x: i32) -> i32 {\n  x\n}\n"),
    "scala": ("a.scala", "def area(x: Int): Int = {\n  x\n}\n"),
    "swift": ("a.swift", "func area(x: Int) -> Int {\n  return x\n}\n"),
    "tsx": ("a.tsx", "function area(x: number) {\n  return <b>{x}</b>;\n}\n"),
    "typescript": ("a.ts", "function area(x: number): number {\n  return x;\n}\n"),
}


@pytest.mark.parametrize("language", KNOWN)
def test_every_known_language_has_its_functions_found(language: str) -> None:
    path, text = SMALL[language]
    (span,) = functions_of(Document(path, text, "0" * 64))
    assert "area" in text[span[0] : span[1]]
    assert "x" in text[span[0] : span[1]] or language == "bash"


@pytest.mark.parametrize("language", KNOWN)
def test_in_every_known_language_a_chunk_is_named_after_its_function(language: str) -> None:
    path, text = SMALL[language]
    (chunk,) = chunks(path, text)
    assert chunk.heading[-1] in ("area", "S")
    assert chunk.strategy == "code"


def test_each_function_of_at_most_the_size_is_a_chunk_of_its_own() -> None:
    text = python_function("first", 12) + "\n\n" + python_function("second", 12)
    assert [chunk.heading for chunk in chunks("a.py", text)] == [("first",), ("second",)]


def test_a_small_class_is_one_chunk_and_a_longer_one_becomes_its_functions() -> None:
    methods = [python_function(f"method_{number}", 12, "    ") for number in range(3)]
    small, large = "class Small:\n" + methods[0], "class Large:\n" + "\n".join(methods)
    found = chunks("a.py", small + "\n\n" + large)
    assert [chunk.heading for chunk in found] == [
        ("Small",),
        ("Large", "method_0"),
        ("Large", "method_1"),
        ("Large", "method_2"),
    ]


def test_a_longer_function_is_cut_between_its_statements() -> None:
    text = python_function("long", 80)
    found = chunks("a.py", text)
    assert len(found) > 1
    for chunk in found:
        assert chunk.heading == ("long",)
        assert chunk.text.split("\n")[-1].strip() in (LONG, "return total")
        assert chunk.text.split("\n")[0].strip() in (LONG, "def long(total):")


def test_a_statement_that_is_too_long_is_cut_between_its_parts_before_its_tokens() -> None:
    text = "table = {\n" + "".join(f'    "key {n}": "the value of number {n}",\n' for n in range(60)) + "}\n"
    found = chunks("a.py", text)
    assert len(found) > 1
    assert all(chunk.text.rstrip(",}\n")[-1] == '"' for chunk in found)


def test_text_without_parts_is_cut_as_text_is() -> None:
    found = chunks("a.py", f'note = """{"word " * 900}"""\n', size=100)
    assert len(found) > 8


@pytest.mark.parametrize(
    ("path", "before", "function"),
    [
        ("a.py", "# why it is so\n@cache\n@other(1)", "def area(x):"),
        ("a.rs", "/// why it is so\n#[inline]\n#[must_use]", "fn area(x: i32) -> i32 {"),
        ("a.java", "/** why it is so */\n@Override\n@Deprecated", "int area(int x) {"),
        ("a.kt", "// why it is so\n// and more\n@JvmStatic", "fun area(x: Int): Int {"),
        ("a.ts", "// why it is so\n// and more\n", "export function area(x: number) {"),
        ("a.cpp", "// why it is so\ntemplate <class T>", "int area(T x) {"),
    ],
)
def test_comments_attributes_and_decorators_stay_with_what_they_precede(path: str, before: str, function: str) -> None:
    end = "" if path == "a.py" else "}\n"
    open_, close = ("", "") if path != "a.java" else ("class S {\n", "}\n")
    body = "    return x * 2 + x * 3 + x * 4 + x * 5 + x * 6 + x * 7;\n" * 6
    one = f"{before}\n{function}\n{body}{end}\n"
    other = one.replace("area", "other")
    text = open_ + other + other.replace("other", "third") + one + close
    chunk = holding(chunks(path, text), function)
    assert chunk.text.startswith(before.split("\n")[0])
    assert chunk.heading[-1] == "area"


def test_a_comment_at_the_end_of_a_line_stays_on_it() -> None:
    text = "".join(f"LIMIT_{n} = {n}  # the limit of number {n}\n" for n in range(100))
    assert all(not chunk.text.startswith("#") for chunk in chunks("a.py", text))


def test_a_comment_that_does_not_fit_leaves_its_function_whole_and_has_its_name() -> None:
    text = f"# {'word ' * 300}\n" + python_function("area", 20)
    found = chunks("a.py", python_function("before", 20) + text)
    assert [chunk.heading for chunk in found] == [("before",), ("area",), ("area",)]
    assert found[2].text.startswith("def area")


def test_small_definitions_go_together_and_what_is_left_joins_its_nearest_neighbour() -> None:
    getters = "".join(f"    def get_{n}(self):\n        return self.n{n}\n\n" for n in range(30))
    found = chunks("a.py", "class Bag:\n" + getters)
    assert 1 < len(found) < 6
    assert all(chunk.heading[0] == "Bag" and chunk.tokens >= 64 for chunk in found)
    large = python_function("large", 12, "    ")
    (first, *_) = chunks("a.py", "class Bag:\n    def tiny(self): pass\n\n" + large + large.replace("large", "larger"))
    assert first.text.startswith("class Bag:\n    def tiny(self): pass\n\n    def large")


def test_the_heading_names_all_definitions_that_stand_side_by_side() -> None:
    functions = [python_function(name, 1) for name in ("first", "second", "third", "fourth", "fifth")]
    headings = [
        [chunk.heading for chunk in chunks("a.py", "\n\n".join(functions[:count]), minimum=200)] for count in (2, 4, 5)
    ]
    assert headings == [
        [("first, second",)],
        [("first, second, third, fourth",)],
        [("first, second, third and 2 more",)],
    ]
    large = python_function("large", 26, "    ")
    getters = "".join(f"    def get_{n}(self):\n        return self.n\n\n" for n in range(2))
    found = chunks("a.py", "class One:\n" + large + getters + "\nclass Two:\n" + large)
    assert holding(found, "get_0", "class Two").heading == ("One, Two",)


def test_a_heading_claims_no_more_than_half_of_its_chunk() -> None:
    constants = "".join(f"LIMIT_{n} = {n} * 60 * 60\n" for n in range(12))
    mostly_other = constants + "\n\ndef area(x):\n    return x\n"
    mostly_it = "import os\n\n\n" + python_function("area", 3)
    assert [chunk.heading for chunk in chunks("a.py", mostly_other)] == [()]
    assert [chunk.heading for chunk in chunks("a.py", mostly_it)] == [("area",)]
    head = 'class Bag:\n    """Holds things, each with its weight."""\n\n'
    filler = python_function("large", 24, "    ")
    found = chunks("a.py", head + python_function("fill", 12, "    ") + "\n" + filler)
    assert found[0].text.startswith("class Bag:")
    assert found[0].heading == ("Bag", "fill")


def test_the_minimum_says_what_is_small() -> None:
    text = "\n\n".join(python_function(f"f{n}", 2) for n in range(4))
    assert len(chunks("a.py", text, minimum=0)) == 4
    assert len(chunks("a.py", text, minimum=80)) == 1


def test_neighbours_share_what_is_asked_for() -> None:
    found = chunks("a.py", python_function("first", 12) + "\n\n" + python_function("second", 12), overlap="20")
    assert 0 < found[1].overlap_before <= 20
    assert found[1].text.startswith(LONG)
    assert found[1].heading == ("second",)


@pytest.mark.parametrize(
    ("path", "around"),
    [
        ("a.c", ("#ifdef WIDE\n", "#else\nint none;\n#endif\n")),
        ("a.js", ("(function () {\n'use strict';\n", "})();\n")),
        ("a.js", ("module.exports = {\n", "};\n")),
        ("a.cpp", ('namespace shapes {\nextern "C" {\n', "}\n}\n")),
    ],
)
def test_functions_stay_whole_inside_what_is_only_around_them(path: str, around: tuple[str, str]) -> None:
    heads = {"a.c": "int {}(int total)", "a.cpp": "int {}(int total)", "a.js": "function {}(total)"}
    head, comma = (heads[path], "") if "module" not in around[0] else ("{}: function (total)", ",")
    body = f" {{\n{'  total = total * 2 + total * 3 + total * 4;' + chr(10)}" * 1 + f"  {LONG};\n" * 15 + "}"
    functions = [head.replace("{}", f"area{n}") + body + comma + "\n" for n in range(3)]
    found = chunks(path, around[0] + "".join(functions) + around[1])
    for number, function in enumerate(functions):
        assert holding(found, function.rstrip(",\n")).heading[-1] == f"area{number}"


@pytest.mark.parametrize(
    ("path", "text", "heading"),
    [
        ("a.go", "package a\n\nfunc (s *Stack[T]) Push(x T) {\n}\n", ("Stack", "Push")),
        ("a.cpp", "void Shape::draw() const {\n}\n", ("Shape", "draw")),
        ("a.rs", "impl<T> Draw for Shape<T> {\n  fn draw(&self) {}\n}\n", ("Draw for Shape<T>",)),
        ("a.js", "Shape.prototype.draw = function () {};\n", ("Shape.prototype.draw",)),
        ("a.ts", "export const draw = async (x: number) => {\n};\n", ("draw",)),
        ("a.py", "@cached\nclass Shape:\n    pass\n", ("Shape",)),
        ("a.kt", "interface Shape {\n  fun draw()\n}\n", ("Shape",)),
        ("a.swift", "extension Shape {\n  init(x: Int) {}\n}\n", ("Shape",)),
        ("a.cs", "interface IShape\n{\n  void Draw();\n}\n", ("IShape",)),
        ("a.c", "typedef struct {\n  int side;\n} shape;\n", ("shape",)),
        ("a.py", "def größe(x):\n    return '猫👍🏽' + x\n", ("größe",)),
        ("a.py", "import os\n\nX = 1\n", ()),
        (
            "a.py",
            "if POSIX:\n    def usage(x):\n        return x\nelse:\n    def usage(x):\n        pass\n",
            ("usage",),
        ),
        (
            "a.py",
            "try:\n  import z\nexcept E:\n  if X:\n    class Zlib:\n      level, window, memory = 6, 15, 8\n",
            ("Zlib",),
        ),
        ("a.py", "if X:\n    def a():\n        pass\n    class B:\n        pass\n", ("a, B",)),
        ("a.py", "if X:\n    LIMITS = [1, 2, 3, 4, 5, 6]\n    MORE = LIMITS * 2\n    def a():\n        pass\n", ()),
        ("a.js", "if (wide) {\n  draw = function () { return 1; };\n}\n", ("draw",)),
        (
            "a.c",
            "#ifdef WIDE\nint area(int x) { return x; }\n#else\nint area(char x) { return x; }\n#endif\n",
            ("area",),
        ),
    ],
)
def test_the_heading_has_the_names_that_people_know_it_by(path: str, text: str, heading: tuple[str, ...]) -> None:
    assert [chunk.heading for chunk in chunks(path, text)] == [heading]


def test_offsets_count_characters_where_not_all_are_ascii() -> None:
    text = "".join(python_function(f"größe_{n}", 11).replace(LONG, f"{LONG}  # 猫が👍🏽 e\u0301") for n in range(3))
    found = chunks("a.py", text)
    assert [chunk.text.split("(")[0] for chunk in found] == ["def größe_0", "def größe_1", "def größe_2"]


def test_source_with_mistakes_is_cut_all_the_same() -> None:
    text = python_function("first", 12) + "\ndef broken((:\n  = [\n\n" + python_function("second", 12)
    found = chunks("a.py", text)
    assert holding(found, "def second").text.endswith("return total")


def test_what_is_no_source_is_cut_by_paragraph_and_that_is_said() -> None:
    found = cut("notes.txt", "A note.\n\nAnother one.")
    assert [chunk.strategy for chunk in found.chunks] == ["paragraph"]
    assert found.warnings == ("It is no source code of a known language, so it is cut by paragraph.",)
    assert cut("a.lua", "x = 1").warnings == ("There is no grammar of lua, so it is cut by paragraph.",)
    chunker = CodeChunker(OfflineTokenizer())
    assert chunker.told(Document("notes.txt", "", "")) == "paragraph 384/0, minimum 64"
    assert chunker.told(Document("a.py", "", "")) == "code 384/0, minimum 64"
    assert chunker.told(Document("a.py", "", "", kind="markdown")) == "paragraph 384/0, minimum 64"


def test_a_language_that_is_named_stands_over_the_name_of_the_file() -> None:
    assert cut("stdin", "fun area() = 1\n", language="kotlin").chunks[0].heading == ("area",)
    with pytest.raises(ChunkingValueError, match="no grammar of 'klingon'"):
        cut("a.py", "", language="klingon")


def test_a_parser_that_takes_too_long_is_stopped_and_the_text_is_cut_by_paragraph() -> None:
    ticks = iter(range(0, 100_000, 100))
    with pytest.raises(GrammarError, match="hardly python"):
        list(trees("x = 1\n" * 20_000, "python", clock=lambda: float(next(ticks))))


def test_a_very_long_source_is_parsed_in_parts_that_begin_at_the_margin() -> None:
    one = python_function("area", 12) + "\n\n"
    text = one * (SEGMENT // len(one) + 2)
    bases = [base for base, _ in trees(text, "python")]
    assert len(bases) == 2
    assert text[bases[1] :].startswith("def area")


@pytest.mark.parametrize(
    ("path", "unit", "end"),
    [
        ("a.js", "(", ")"),
        ("a.java", "class A{", "}"),
        ("a.js", "if (x) {\n", "}"),
        ("a.py", "x=[1,2,{3:4}]\n", ""),
        ("a.js", "function f(a,b){return a+b;}var c=[1,2,3];", ""),
        ("a.c", "#if X\n", ""),
        ("a.py", "\x00\x01é", ""),
        ("a.js", "a.b!c?d ", ""),
    ],
)
def test_hostile_source_is_cut_without_losing_anything(path: str, unit: str, end: str) -> None:
    chunks(path, unit * 3_000 + "\n" + end * 3_000)
