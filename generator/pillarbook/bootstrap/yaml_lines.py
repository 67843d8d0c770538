"""Edits YAML that people write, line by line: what is not edited stays, byte for byte."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

import yaml

from pillarbook.diagnostics import PillarbookError


class YamlFormError(PillarbookError):
    """A file that no lines can be added to as it is written."""

    def __init__(self, shown: str, why: str) -> None:
        super().__init__(f"{shown}: {why}")


@dataclass(frozen=True, slots=True)
class Edit:
    """Lines that replace others; none of them if ``first`` is ``end``."""

    first: int
    """The first line that is replaced, counted from 0."""
    end: int
    """The line behind the last that is replaced."""
    lines: tuple[str, ...] = ()
    """The new lines, indented, without line ends."""


def read_exactly(file: Path) -> str:
    """Return the text of a file with its own line ends."""
    return file.read_bytes().decode("utf-8")


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with edits, none of which overlap; each counts lines before any edit."""
    lines = text.splitlines(keepends=True)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += end
    for edit in sorted(edits, key=lambda one: one.first, reverse=True):
        lines[edit.first : edit.end] = [f"{line}{end}" for line in edit.lines]
    return "".join(lines)


def compose_mapping(text: str, shown: str) -> yaml.MappingNode:
    """Return the nodes of a document that is a mapping, with their lines; nothing is constructed.

    Raises:
        YamlFormError: It is not YAML, or something else.
    """
    try:
        root = _compose(text)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = shown if mark is None else f"{shown}:{mark.line + 1}"
        raise YamlFormError(place, "the file is not valid YAML") from error
    if not isinstance(root, yaml.MappingNode):
        raise YamlFormError(shown, "the file is not a mapping")
    return root


def _compose(text: str) -> yaml.Node | None:
    """Return the root of a document; libyaml takes some tabs that PyYAML itself does not."""
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return yaml.compose(text, Loader=yaml.CSafeLoader)


def value_of(mapping: yaml.Node | None, key: str) -> yaml.Node | None:
    """Return the value of a key; None if there is none, or no mapping."""
    pairs = mapping.value if isinstance(mapping, yaml.MappingNode) else ()
    return next((value for name, value in pairs if name.value == key), None)


def is_block(node: yaml.Node | None) -> TypeGuard[yaml.MappingNode]:
    """Say whether a node is a mapping with an entry on each line."""
    return isinstance(node, yaml.MappingNode) and not node.flow_style


def append_to(text_lines: Sequence[str], mapping: yaml.Node, added: Iterable[str]) -> Edit:
    """Return the edit that adds entries behind the last one of a mapping with lines of its own.

    ``is_block`` is true for the mapping; the added lines are without its own indentation.
    """
    indent = mapping.start_mark.column
    at = end_of(text_lines, mapping)
    return Edit(at, at, tuple(" " * indent + line for line in added))


def end_of(text_lines: Sequence[str], node: yaml.Node) -> int:
    """Return the line behind a block; comments further out belong to what follows."""
    at = min(node.end_mark.line, len(text_lines))
    if _ends_within_line(node) and at < len(text_lines):
        at += 1
    while at > node.start_mark.line + 1 and _is_aside(text_lines[at - 1], node.start_mark.column):
        at -= 1
    return at


def _ends_within_line(node: yaml.Node) -> bool:
    """Say whether a node ends in a line of its own; a block ends where the next token begins."""
    if isinstance(node, yaml.ScalarNode):
        return node.style not in ("|", ">")
    return isinstance(node, yaml.CollectionNode) and bool(node.flow_style)


def _is_aside(line: str, indent: int) -> bool:
    bare = line.lstrip(" ")
    return not bare.strip() or (bare.startswith("#") and len(line) - len(bare) < indent)


_ENDLESS = 1 << 30


def as_yaml(value: Any) -> str:
    """Return a value on one line of YAML, as it is read back."""
    text = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, width=_ENDLESS, sort_keys=False
    )
    return text.removesuffix("\n").removesuffix("\n...").removesuffix("\n")
