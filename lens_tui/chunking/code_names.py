"""What the nodes of syntax trees are to a reader: definitions and their names, bodies, and what precedes others."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from lens_tui.text.standing import NAMES_APART

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST_NAME = 120
"""Characters of a name that are kept."""

MOST_NAMES = 4
"""Names of neighbours in one heading; of more, three and how many more there are."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTIONS = _words(
    """
    function_definition function_declaration function_item generator_function_declaration method_definition
    method_declaration constructor_declaration compact_constructor_declaration secondary_constructor
    destructor_declaration operator_declaration conversion_operator_declaration local_function_statement
    init_declaration deinit_declaration subscript_declaration method singleton_method function_static_declaration
    """
)

FUNCTION_VALUES = _words(
    """
    arrow_function function_expression function generator_function anonymous_function closure_expression
    """
)
"""Functions without a name of their own, which what they are assigned to gives them."""

_TYPES = _words(
    """
    class_definition class_declaration abstract_class_declaration interface_declaration enum_declaration
    record_declaration struct_declaration annotation_type_declaration trait_declaration protocol_declaration
    object_declaration companion_object object_definition trait_definition enum_definition package_object
    given_definition extension_definition class_specifier struct_specifier union_specifier enum_specifier
    concept_definition namespace_definition namespace_declaration internal_module struct_item enum_item union_item
    trait_item impl_item mod_item macro_definition type_spec type_definition type_alias_declaration class module
    singleton_class
    """
)
_DEFINITIONS = FUNCTIONS | _TYPES

_ALONE = _words(
    """
    type_declaration ambient_declaration expression_statement lexical_declaration variable_declaration
    """
)
_LAST = _words(
    """
    decorated_definition export_statement template_declaration
    """
)
_AROUND = _ALONE | _LAST
"""Nodes that may be there for one definition: the only node in them, or the last one."""

_ASSIGNED = {
    "variable_declarator": ("name", "value"),
    "pair": ("key", "value"),
    "public_field_definition": ("name", "value"),
    "field_definition": ("property", "value"),
    "assignment_expression": ("left", "right"),
}
"""Where a function gets its name: node → fields of the name and of the function."""

NAMED = frozenset({*_DEFINITIONS, *_AROUND, *_ASSIGNED})
"""Nodes that can be definitions."""

PRECEDING = _words(
    """
    comment line_comment block_comment multiline_comment doc_comment html_comment attribute_item
    inner_attribute_item attribute_list attribute_declaration decorator annotation file_annotation marker_annotation
    access_specifier
    """
)
"""Nodes that belong to what comes after them: comments, attributes, decorators."""

_CONDITIONS = _words(
    """
    if_statement elif_clause else_clause try_statement except_clause except_group_clause finally_clause with_statement
    preproc_if preproc_ifdef preproc_elif preproc_elifdef preproc_else linkage_specification
    """
)
"""Statements that definitions stand in for the sake of a condition: ``if`` there is a module, there is a function."""

_BODY_ENDINGS = ("block", "body", "_list", "statements", "compound_statement")
_BODIES = frozenset(("body_statement", "then", "do", "do_group"))

_IDENTIFIERS = frozenset(("identifier", "simple_identifier", "type_identifier", "constant", "user_type"))
_SPACE = re.compile(r"\s+")

Reader = Callable[["Node"], str]
"""Gives a node's text."""


@cache
def is_body(kind: str) -> bool:
    """Whether such a node is the inside of another one: what stands in it follows on that one's head."""
    return kind.endswith(_BODY_ENDINGS) or kind in _BODIES


def names_of(node: "Node", read: Reader) -> tuple[str, ...] | None:
    """The names of a definition, such as ``("area",)`` or, of a method outside its type, ``("Shape", "area")``.

    Empty for a definition without a name; None for what is no definition.
    """
    kind = node.type
    while kind in _AROUND or kind in _ASSIGNED:
        if kind in _ASSIGNED:
            return _assigned(node, kind, read)
        count = node.named_child_count
        inner = node.named_child(count - 1) if count == 1 or (count and kind in _LAST) else None
        if inner is None or inner.type not in NAMED:
            return None
        node, kind = inner, inner.type
    if kind not in _DEFINITIONS:
        return None
    found = tuple(_title(name) for name in _parts(node, kind, read))
    return tuple(name for name in found if name)


def names_within(node: "Node", read: Reader) -> tuple[str, ...]:
    """The definitions, as one name, that make up half of a condition or more; empty where they do not, or of another.

    ``if`` and ``else`` with one definition each, of the same name, have that name.
    """
    if node.type not in _CONDITIONS:
        return ()
    found: list[str] = []
    size = 0
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        names = names_of(inner, read) if inner.type in NAMED else None
        if names:
            found.append(names[-1])
            size += inner.end_byte - inner.start_byte
        elif inner.type in _CONDITIONS or is_body(inner.type):
            waiting.extend(reversed(inner.named_children))
    return (_together(list(dict.fromkeys(found))),) if found and 2 * size >= node.end_byte - node.start_byte else ()


def heading_of(parts: Sequence[tuple[tuple[str, ...], int]]) -> tuple[str, ...]:
    """The heading of code that is made of these parts: their paths, and how many tokens each has.

    It goes down the path only as long as at least half of the tokens stand there, so that a function does not give its
    name to the constants before it; it ends where several definitions stand side by side, with the names of all:
    ``("Queue", "join, qsize")``.
    """
    total = sum(tokens for _, tokens in parts)
    heading: tuple[str, ...] = ()
    while True:
        depth = len(heading)
        parts = [(path, tokens) for path, tokens in parts if len(path) > depth]
        if not parts or 2 * sum(tokens for _, tokens in parts) < total:
            return heading
        names = list(dict.fromkeys(path[depth] for path, _ in parts))
        heading = (*heading, _together(names))
        if len(names) > 1:
            return heading


def _together(names: Sequence[str]) -> str:
    if len(names) <= MOST_NAMES:
        return NAMES_APART.join(names)
    return f"{NAMES_APART.join(names[: MOST_NAMES - 1])} and {len(names) - MOST_NAMES + 1} more"


def is_wrapper(kind: str) -> bool:
    """Whether such a node is named after a definition that is a node in it."""
    return kind in _AROUND


def _assigned(node: "Node", kind: str, read: Reader) -> tuple[str, ...] | None:
    name, value = _ASSIGNED[kind]
    given = node.child_by_field_name(value)
    if given is None or given.type not in FUNCTION_VALUES:
        return None
    named = node.child_by_field_name(name)
    return (_title(read(named)),) if named is not None else ()


def _parts(node: "Node", kind: str, read: Reader) -> tuple[str, ...]:
    if kind == "impl_item":
        return (_implemented(node, read),)
    name = node.child_by_field_name("name")
    if name is not None:
        receiver = node.child_by_field_name("receiver") if kind == "method_declaration" else None
        return (read(name),) if receiver is None else (_received(read(receiver)), read(name))
    if node.child_by_field_name("declarator") is not None:
        return _declared(node, read)
    first = next((child for child in node.named_children if child.type in _IDENTIFIERS), None)
    if first is not None:
        return (read(first),)
    return (_UNNAMED.get(kind, ""),)


_UNNAMED = {
    "init_declaration": "init",
    "deinit_declaration": "deinit",
    "subscript_declaration": "subscript",
    "secondary_constructor": "constructor",
    "companion_object": "companion object",
    "singleton_class": "self",
}
"""What stands for the name of a definition that has none in the language."""


def _implemented(node: "Node", read: Reader) -> str:
    """Of Rust's ``impl``: ``Type``, or ``Trait for Type``."""
    type_, trait = node.child_by_field_name("type"), node.child_by_field_name("trait")
    named = read(type_) if type_ is not None else ""
    return f"{read(trait)} for {named}" if trait is not None else named


def _received(receiver: str) -> str:
    """The type in Go's ``(s *Stack[T])``."""
    return receiver.strip("() ").split(" ")[-1].lstrip("*").partition("[")[0]


def _declared(node: "Node", read: Reader) -> tuple[str, ...]:
    """The name at the end of C's chain of declarators, and the type that it is qualified with."""
    while (inner := node.child_by_field_name("declarator")) is not None:
        node = inner
    owner, _, name = read(node).rpartition("::")
    return (owner, name) if owner else (name,)


def _title(name: str) -> str:
    """A name on one line."""
    return _SPACE.sub(" ", name).strip()[:LONGEST_NAME]
