"""Warnings about files that render, but most likely not as their authors mean.

Salt says nothing about them. The signs are searched for in the text of a file; what looks like one
of them in a comment or a block of text is none, because the rendered value does not confirm it.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from pillarbook.compile.renderers.pipe import find_late_shebang
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import ListNode, MapNode, Node, Position
from pillarbook.roots.tree_interface import FoundFile

RULE = "doubtful-yaml"
LATE = "Salt reads renderers only in the first line"
SHEBANG = "begin the first line of the file with `#!`, with nothing before it"
NO_BREAK = "\u00a0"
"""A space that YAML reads as a letter."""
MOST = 1_000
"""The most signs of a kind that are looked at in one file, as counting their lines takes long."""
PGP = "-----BEGIN PGP MESSAGE-----"
_Sign = tuple[re.Pattern[str], Callable[[Any], bool], str, str]
_ENCRYPTED: _Sign = (
    re.compile(rf"^.*\n *{PGP}$", re.MULTILINE),
    lambda value: isinstance(value, str) and value.startswith(PGP),
    "nothing decrypts this value: the file does not use the renderer `gpg`",
    "begin the file with `#!jinja|yaml|gpg`",
)
_SIGNS: tuple[_Sign, ...] = (
    (
        re.compile(r"&(?<=[:\-] &)[^\s,\]}]+ *(?:#.*)?$", re.MULTILINE),
        lambda value: value is None,
        "YAML reads a text that begins with `&` as an anchor, so the value here is null",
        "quote the text, or write null if the anchor is meant",
    ),
    (
        re.compile(r": *\n +-[^\s\-].*$", re.MULTILINE),
        lambda value: isinstance(value, str) and value.startswith("-"),
        "YAML reads a dash without a space as text, so there is one text here, and no list",
        "write a space after each dash, or quote the text",
    ),
    (
        re.compile(r"[:\-] +[-+]?[1-9]\d*(?::[0-5]?\d)+ *(?:#.*)?$", re.MULTILINE),
        lambda value: isinstance(value, int),
        "YAML reads numbers with colons between them as one number in base 60",
        "quote it",
    ),
    (
        re.compile(rf"^ *{NO_BREAK}.*$", re.MULTILINE),
        lambda value: isinstance(value, str) and value.startswith(NO_BREAK),
        "the name of the key begins with a no-break space, which does not indent it",
        "replace it with spaces",
    ),
)
"""Signs in a text, what confirms them in a value or key, and the message and remedy."""


class DoubtfulLines:
    """The signs in the text of a file, which the values of a render confirm or not."""

    def __init__(self, found: FoundFile, context: RenderContext) -> None:
        text = found.text.replace("\r\n", "\n")
        late = find_late_shebang(text, context.options, context.renderers)
        self._found = found
        self._late = () if late is None else (_new(found, late, LATE, SHEBANG),)
        decrypts = "gpg" in context.steps or context.options.get("decrypt_pillar")
        signs = _SIGNS if decrypts or PGP not in text else (_ENCRYPTED, *_SIGNS)
        self._signs = [(sign, lines) for sign in signs if (lines := _lines_of(sign[0], text))]
        self._lines = frozenset[int]().union(*(lines for _, lines in self._signs))

    def find(self, tree: Node | None) -> tuple[Diagnostic, ...]:
        """Return what is doubtful in the file; of each kind, the first line.

        ``tree`` is what the file renders to, or None if that fails.
        """
        if tree is None or not self._signs:
            return self._late
        values = [*_values_in(tree, self._found.shown, self._lines)]
        told = []
        for (_, confirms, message, remedy), lines in self._signs:
            confirmed = [line for line, value in values if line in lines and confirms(value)]
            if confirmed:
                told.append(_new(self._found, min(confirmed), message, remedy))
        return *self._late, *told


def _lines_of(sign: re.Pattern[str], text: str) -> set[int]:
    return {
        text.count("\n", 0, at) + 1
        for one in islice(sign.finditer(text), MOST)
        for at in one.span()
    }


def _new(found: FoundFile, line: int, message: str, remedy: str) -> Diagnostic:
    return new_diagnostic(RULE, message, Position(found.shown, line), remedy=remedy)


def _values_in(tree: Node, file: str, lines: frozenset[int]) -> Iterator[tuple[int, Any]]:
    """Yield the scalars and keys that a file sets on some lines, with their lines."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ListNode):
            waiting.extend(node.items)
        elif isinstance(node, MapNode):
            waiting.extend(node.items.values())
            own = ((key, one.origins[-1]) for key, one in node.items.items() if one.origins)
            yield from ((at.line, key) for key, at in own if at.line in lines and at.file == file)
        elif node.origins[-1].line in lines and node.origins[-1].file == file:
            yield node.origins[-1].line, node.value
