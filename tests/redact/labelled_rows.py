"""The labelled table: values as real pillars hold them, each labelled secret or ordinary.

Every document of ``labelled/*.yaml`` is the pillar of one minion. A tag says what a value is:
``!secret/KIND`` a secret of that kind, ``!KIND`` an ordinary value of a kind that is easily taken
for a secret; a tag on a mapping or list counts for all below it, and what has none is a ``setting``.
What is tagged ``!either`` may be hidden or not, and is no row. In a longer text, ``«`` and ``»``
enclose the secret itself. A tagged key is a key that is the secret.

The keys, and what kinds of values stand under them, are those of public formulas and trees; the
values are made up. Files named ``held_out_*`` hold a third of each kind, drawn by the digest of key
path and value. They are for measuring alone: no rule may be written by looking at them. What is added since is open.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent / "labelled"
EITHER = "either"
MARKED = re.compile("«(.*?)»", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """One value, or one key, with its label."""

    path: tuple[int, ...]
    """Where it is: for each level, which item of the mapping or list."""
    words: str
    """Where it is, for people."""
    value: Any
    """The value, or the key."""
    kind: str
    """What kind of secret or ordinary value it is."""
    is_secret: bool
    """The label."""
    is_key: bool
    """Whether it is the key itself."""
    secrets: tuple[str, ...]
    """The texts in it that nobody may see."""


@dataclass(frozen=True, slots=True)
class Document:
    """One minion's pillar."""

    minion: str
    """Its file, and which document of it."""
    is_held_out: bool
    """Whether it is for measuring alone."""
    pillar: Any
    """What it gets, without tags and marks."""
    rows: tuple[Row, ...]
    """Its values, in their order."""


def read_documents() -> tuple[Document, ...]:
    """Return the whole table."""
    return tuple(
        document for file in sorted(FOLDER.glob("*.yaml")) for document in _read_file(file)
    )


def _read_file(file: Path) -> Iterator[Document]:
    text = file.read_text(encoding="utf-8")
    for index, node in enumerate(yaml.compose_all(text, Loader=yaml.CSafeLoader)):
        rows = tuple(_find_rows(node, "setting", (), ""))
        pillar = _construct(node)
        yield Document(f"{file.stem}-{index}", file.stem.startswith("held_out_"), pillar, rows)


def _find_rows(node: yaml.Node, kind: str, path: tuple[int, ...], words: str) -> Iterator[Row]:
    kind = _own_tag(node) or kind
    if isinstance(node, yaml.MappingNode):
        for index, (key, value) in enumerate(node.value):
            place, name = (*path, index), f"{words}:{_construct(key)}".lstrip(":")
            if tag := _own_tag(key):
                yield _row(key, tag, place, name, is_key=True)
            yield from _find_rows(value, kind, place, name)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from _find_rows(value, kind, (*path, index), f"{words}:{index}")
    elif kind != EITHER:
        yield _row(node, kind, path, words, is_key=False)


def _row(node: yaml.Node, tag: str, path: tuple[int, ...], words: str, *, is_key: bool) -> Row:
    is_secret, kind = tag.startswith("secret/"), tag.removeprefix("secret/")
    value = _construct(node)
    marked = tuple(MARKED.findall(str(node.value)))
    secrets = (marked or (str(value),)) if is_secret else ()
    return Row(path, words, value, kind, is_secret, is_key, secrets)


def _own_tag(node: yaml.Node) -> str | None:
    return node.tag[1:] if node.tag.startswith("!") else None


def _construct(node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {_construct(key): _construct(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_construct(value) for value in node.value]
    return _construct_scalar(node)


def _construct_scalar(node: yaml.Node) -> Any:
    assert isinstance(node, yaml.ScalarNode)
    text = MARKED.sub(r"\1", node.value)
    loader = yaml.SafeLoader("")
    tag = node.tag
    if _own_tag(node):
        is_plain = node.style is None
        tag = loader.resolve(yaml.ScalarNode, text, (is_plain, not is_plain))  # type: ignore[no-untyped-call]
    return loader.construct_object(yaml.ScalarNode(tag, text))
