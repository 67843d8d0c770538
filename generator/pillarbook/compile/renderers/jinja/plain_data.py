"""Data for C code: dicts and lists whose own storage has their content.

Templates get grains, pillar and options as views, subclasses of dict whose own storage is empty. An
encoder in C reads the storage, so data for it is copied first.
"""

from collections import OrderedDict
from typing import Any

from pillarbook.compile.renderers.jinja.ordered_set import OrderedSet, list_members

_Copies = dict[int, tuple[Any, Any]]


def to_plain(value: Any) -> Any:
    """Return a deep copy of containers, made with their Python methods.

    Mappings become ``dict``; ``OrderedDict``, lists and tuples keep their types. Sets and scalars,
    including undefined values, are not copied. A container that occurs twice is one copy that
    occurs twice.
    """
    return _copy(value, {})


def _copy(value: Any, copies: _Copies) -> Any:
    if not isinstance(value, dict | list | tuple):
        return value
    known = copies.get(id(value))
    if known is not None:
        return known[1]
    if isinstance(value, tuple):
        members = [_copy(item, copies) for item in value]
        made: Any = value._make(members) if hasattr(value, "_make") else tuple(members)
        copies[id(value)] = value, made
        return made
    made = [] if isinstance(value, list) else _new_mapping(value)
    copies[id(value)] = value, made  # keeps the original, so that no other object gets its id
    if isinstance(value, list):
        made.extend(_copy(item, copies) for item in value)
    else:
        made.update((key, _copy(item, copies)) for key, item in value.items())
    return made


def _new_mapping(like: dict[Any, Any]) -> dict[Any, Any]:
    return like.__class__() if isinstance(like, OrderedDict) else {}


def decode(value: Any, *, above: int = 0) -> Any:
    """Return loaded YAML as templates get it: bytes as text, tuples as lists.

    Nothing in the result is shared, unlike YAML aliases in the data. ``above`` is the number of
    containers above it.

    Source: Salt ``salt/utils/data.py`` (``decode``).

    Raises:
        UnicodeDecodeError: Bytes are not UTF-8.
    """
    if isinstance(value, dict):
        return {
            decode(key, above=above + 1): decode(item, above=above + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [decode(item, above=above + 1) for item in value]
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, set):
        return _remake(value, above + 2 if above else 1)
    return value


def _remake(members: set[Any], times: int) -> OrderedSet:
    """Return a set that was copied several times, which may change its order.

    Salt copies decoded data once, and again for each container above it.
    """
    made = OrderedSet(list_members(members))
    for _ in range(times - 1):
        made = OrderedSet(list(made))
    return made
