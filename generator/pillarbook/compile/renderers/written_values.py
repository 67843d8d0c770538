"""Values that the source of a file assigns to names, whether or not a render uses them.

A branch that no minion uses may set a password that another key, another minion or an error message
shows. Such values are searched for. They get no placeholders, because no template computes with
them.
"""

import ast
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pillarbook.model import KeyPath

EXPRESSION, BLOCK = "\x00", "\x01"
"""Replace, in text, the output of an expression and the border of a block."""
WrittenValue = tuple[KeyPath, str]
"""A text with the names to which it is assigned."""
LINE = re.compile(
    r"(?P<indent>[ \x01]*(?:-[ ]+)*)"
    r"(?:(?P<quoted>\"[^\"]+\"|'[^']+')|(?P<plain>[^\s#'\"\[\]{},&*!|>%@`\x00\x01-][^:#\x00\x01]*))"
    r":(?:[ ]+(?P<value>\S.*))?\Z"
)
"""A line of YAML with a key, and maybe the begin of its value."""
ITEM = re.compile(r"[ ]*-[ ]")
"""A line of YAML with a list item."""
PAIR = re.compile(
    r"[{,]\s*[\"']?(?P<name>[^\s\"'{}\[\],:]+)[\"']?\s*:\s+(?P<value>\"[^\"]*\"|'[^']*'|[^{}\[\],]+)"
)
"""A pair in braces."""
BEGINS_TEXT = re.compile(r"[|>][-+0-9]*(?: +#.*)?\Z")
"""The begin of a block scalar."""
ENDS_PAIR = re.compile(r"[ ,}\]]*[,}\]]\Z")
"""The end of a value in braces on several lines."""
PROPERTY = re.compile(r"\A(?:[&!]\S*\s+)+")
COMMENT = re.compile(r"[ \t]#.*")


def is_block(text: str) -> bool:
    """Say whether a text of several lines is YAML with keys or a list, and not one value."""
    lines = text.strip().split("\n")
    return len(lines) > 1 and any(LINE.match(one) or ITEM.match(one) for one in lines)


def find_in_lines(text: str) -> Iterator[WrittenValue]:
    """Yield the values in a text that may be YAML, each with the keys above it.

    The text may be invalid; marks replace the output of expressions.
    """
    above: list[tuple[int, str]] = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        found = LINE.match(line.rstrip())
        if found is None:
            continue
        indent = len(found["indent"].replace(BLOCK, ""))
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, (found["quoted"] or found["plain"]).strip("\"' ")))
        path, value = tuple(key for _, key in above), found["value"] or ""
        if BEGINS_TEXT.match(value):
            yield path, "\n".join(_lines_below(lines[number + 1 :], indent))
        elif not value:
            yield from _parts(path, _value_below(lines[number + 1 :], indent))
        else:
            yield from _parts(path, value)
            if value[:1] not in "{[" and ENDS_PAIR.search(value):
                yield from _parts(path, ENDS_PAIR.sub("", value))


def _value_below(lines: Sequence[str], indent: int) -> str:
    """Return a value that begins on the line below its key; empty for keys or items."""
    first = lines[0] if lines else ""
    if not first.strip() or LINE.match(first.rstrip()) or ITEM.match(first):
        return ""
    return " ".join(_lines_below(lines, indent))


def _lines_below(lines: Iterable[str], indent: int) -> Iterator[str]:
    """Yield the lines of a text below its key."""
    for line in lines:
        bare = line.strip(f" \r{BLOCK}")
        if bare and len(line) - len(line.lstrip(f" {BLOCK}")) <= indent:
            return
        yield bare


def _parts(path: KeyPath, value: str) -> Iterator[WrittenValue]:
    """Yield the texts of a value: alternatives, and pairs in braces."""
    if value.startswith("{"):
        for pair in PAIR.finditer(value):
            yield from _parts((*path, pair["name"]), pair["value"])
        return
    for part in value.split(BLOCK):
        bare = PROPERTY.sub("", COMMENT.sub("", part)).strip()
        if bare and EXPRESSION not in bare:
            is_quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'"
            yield path, bare[1:-1] if is_quoted else bare


def find_constants(code: str) -> tuple[WrittenValue, ...]:
    """Return the texts that Python code assigns to names; none if it cannot be parsed."""
    try:
        tree = ast.parse(textwrap.dedent(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(_constants(tree))


def _constants(tree: ast.AST) -> Iterator[WrittenValue]:
    for node in ast.walk(tree):
        find = _GIVEN.get(type(node))
        for name, value in () if find is None else find(node):
            yield from _texts((name,), value)


_Given = Iterator[tuple[str, ast.AST | None]]
"""Names, each with its assigned value."""


def _by_assignment(node: ast.Assign) -> _Given:
    for target in node.targets:
        yield from _assigned(target, node.value)


def _by_target(node: ast.AnnAssign | ast.NamedExpr) -> _Given:
    yield from _assigned(node.target, node.value)


def _by_dict(node: ast.Dict) -> _Given:
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant):
            yield str(key.value), value


def _by_keyword(node: ast.keyword) -> _Given:
    if node.arg is not None:
        yield node.arg, node.value


def _by_default(node: ast.arguments) -> _Given:
    positional = [*node.posonlyargs, *node.args]
    with_default = positional[len(positional) - len(node.defaults) :]
    for one, value in zip(with_default, node.defaults, strict=True):
        yield one.arg, value
    for one, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        yield one.arg, default


def _by_comparison(node: ast.Compare) -> _Given:
    for other in node.comparators:
        yield from _assigned(node.left, other)
        yield from _assigned(other, node.left)


def _by_read(node: ast.Call) -> _Given:
    """Yield the key of ``x.get(key, value)`` with the default as its value."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="get" | "pop" | "setdefault")
            | ast.Subscript(slice=ast.Constant(value="pillar.get" | "config.get" | "grains.get")),
            args=[ast.Constant(value=str(key)), value, *_],
        ):
            yield key.rpartition(":")[2], value
        case _:
            pass


def _assigned(target: ast.AST, value: ast.AST | None) -> _Given:
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for one, other in zip(targets, values, strict=True):
                yield from _assigned(one, other)
        case (
            (ast.Name(id=name), _)
            | (ast.Attribute(attr=name), _)
            | (ast.Subscript(slice=ast.Constant(value=str(name))), _)
        ):
            yield name, value
        case _:
            pass


def _texts(path: KeyPath, value: ast.AST | None) -> Iterator[WrittenValue]:
    """Yield the texts in a value; those in mappings have the keys as names as well."""
    match value:
        case ast.Constant(value=str(text)):
            yield path, text
        case ast.Constant(value=bytes(raw)):
            yield path, raw.decode("utf-8", "replace")
        case ast.Dict():
            for name, one in _by_dict(value):
                yield from _texts((*path, name), one)
        case (
            ast.List(elts=several)
            | ast.Tuple(elts=several)
            | ast.Set(elts=several)
            | ast.BoolOp(values=several)
        ):
            for one in several:
                yield from _texts(path, one)
        case ast.IfExp(body=first, orelse=second):
            yield from _texts(path, first)
            yield from _texts(path, second)
        case _:
            pass


_GIVEN: dict[type[ast.AST], Callable[[Any], _Given]] = {
    ast.AnnAssign: _by_target,
    ast.Assign: _by_assignment,
    ast.Call: _by_read,
    ast.Compare: _by_comparison,
    ast.Dict: _by_dict,
    ast.NamedExpr: _by_target,
    ast.arguments: _by_default,
    ast.keyword: _by_keyword,
}
"""The functions that find assignments, by the type of node."""
