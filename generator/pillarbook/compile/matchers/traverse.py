"""Follows a key such as ``disks:0:size`` through mappings and lists, as Salt does.

Each level reads one key (two if YAML reads the key as another value), so a mapping that records its
reads records only what the answer depends on.
"""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any

import yaml

from pillarbook.compile.missing_reads import note_path_miss, take_back_miss

_NO_OTHER_KEY = object()
_LINE_CHARACTERS = frozenset("\t\r\n")
_DIGITS = frozenset("0123456789_")
_CONSTRUCTION_FAULTS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


def traverse(data: Any, key: Any, default: Any = None, delimiter: str = ":") -> Any:
    """Return the value at ``key`` in nested data, or the default.

    The key is a text that is split at ``delimiter``, an integer, or a sequence of keys. In a list,
    the key is searched in the mappings among the items, first item first; a number that none of
    them has is an index. In a mapping, a text that is not a key is tried again as YAML reads it:
    ``7`` finds the number 7, ``None`` and ``null`` find null.

    Source: Salt ``salt/utils/data.py`` (``traverse_dict_and_list``).
    """
    keys = keys_of(key, delimiter)
    place = data
    for step in keys:
        found = _from_list(place, step) if isinstance(place, list) else _from_mapping(place, step)
        if found is _NO_OTHER_KEY:
            note_path_miss(data, keys, place, step)
            return default
        place = found
    return place


traverse.__qualname__ = "traverse_dict_and_list"  # errors name a function by it


def keys_of(key: Any, delimiter: str = ":") -> Any:
    """Return the steps of a key."""
    if isinstance(key, str):
        return key.split(delimiter)
    return (key,) if isinstance(key, int) else key


def _from_mapping(data: Any, step: Any) -> Any:
    try:
        return data[step]
    except TypeError:  # data is not a container
        return _NO_OTHER_KEY
    except KeyError:
        other = read_as_yaml(step) if isinstance(step, str) else _NO_OTHER_KEY
    if other is _NO_OTHER_KEY:
        return other
    try:
        found = data[other]
    except (KeyError, TypeError):
        take_back_miss(data, other)
        return _NO_OTHER_KEY
    take_back_miss(data, step)
    return found


def _from_list(members: Sequence[Any], step: Any) -> Any:
    try:
        index = int(step)
    except ValueError:
        return _from_members(members, step)
    found = _from_members(members, index)
    if found is _NO_OTHER_KEY:
        try:
            return members[index]
        except IndexError:
            return _NO_OTHER_KEY
    return found


def _from_members(members: Sequence[Any], key: Any) -> Any:
    for member in members:
        if isinstance(member, dict):
            try:
                return member[key]
            except KeyError:
                continue
    return _NO_OTHER_KEY


class _KeyLoader(yaml.CSafeLoader):
    """Salt's scalars: a date stays text, and a leading zero does not mean octal."""


def _construct_text(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> Any:
    return loader.construct_scalar(node)


def _construct_int(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> int:
    if node.value.startswith("0") and not node.value.startswith(("0b", "0x")):
        node.value = node.value.lstrip("0") or "0"
    return loader.construct_yaml_int(node)


_KeyLoader.add_constructor("tag:yaml.org,2002:timestamp", _construct_text)
_KeyLoader.add_constructor("tag:yaml.org,2002:int", _construct_int)


# By the text, which determines the result; the same few keys are used for all minions.
@lru_cache(maxsize=8192)
def read_as_yaml(text: str) -> Hashable:
    """Return the other key that YAML makes from ``text``, or a sentinel if there is none.

    A list or a mapping cannot be a key; with a YAML error, the text stays.

    Source: Salt ``salt/utils/args.py`` (``yamlify_arg``).
    """
    if text == "None":
        return None
    if _stays_text(text):
        return _NO_OTHER_KEY
    try:
        value = yaml.load(text, Loader=_KeyLoader)  # noqa: S506 - a subclass of the safe loader
    except (yaml.YAMLError, *_CONSTRUCTION_FAULTS):
        return _NO_OTHER_KEY
    if "#" in text and (value is None or isinstance(value, str)):
        return _NO_OTHER_KEY  # it would begin a comment
    if value == text or (text in ("|", "!") and not value):
        return _NO_OTHER_KEY
    # bytes only get past Salt where it stops at the comment sign above
    types = float | int | str | bytes if "#" in text else float | int | str
    return value if value is None or isinstance(value, types) else _NO_OTHER_KEY


def stays_key(text: str) -> bool:
    """Say whether a text can only be the key itself."""
    return read_as_yaml(text) is _NO_OTHER_KEY


def _stays_text(text: str) -> bool:
    bare = text.strip()
    if bare in ("", "---", "..."):
        return True
    if "_" in bare and _DIGITS.issuperset(bare):
        return True
    return not _LINE_CHARACTERS.isdisjoint(text)
