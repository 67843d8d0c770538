"""Scalars as text, and the members of sets and tuples, which are scalars for Salt's merging.

YAML has both: ``!!set`` and ``!!pairs``. Code of the tree may return any of them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pillarbook.model.unknown import Unknown

COMPOUND = (set, frozenset, tuple)
"""The types of scalars that have members."""


def scalars_in(value: Any) -> Iterator[Any]:
    """Yield the scalars in a value, of any depth; keys of mappings, too."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from scalars_in(key)
            yield from scalars_in(item)
    elif isinstance(value, (*COMPOUND, list)):
        for item in value:
            yield from scalars_in(item)
    else:
        yield value


def pairs_in(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a name and a value for each pair in a compound value: ``("password", "example")``."""
    if isinstance(value, Mapping):
        yield from ((key, item) for key, item in value.items() if isinstance(key, str))
        members: Any = value.values()
    elif isinstance(value, (*COMPOUND, list)):
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
            yield value
        members = value
    else:
        return
    for item in members:
        yield from pairs_in(item)


def text_of(value: Any) -> str | None:
    """Return a value as text; None if it has no text, as bytes or ``true``.

    That of an unknown value is its source, which may quote a secret. That of a set or a tuple has
    a line for each member.
    """
    if value.__class__ is Unknown:
        return str(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, COMPOUND):
        return "\n".join(sorted(filter(None, map(text_of, scalars_in(value)))))
    return value if isinstance(value, str) else None
