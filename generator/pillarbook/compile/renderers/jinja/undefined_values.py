"""Filters that hand an undefined value on instead of serializing around it.

Source: Salt ``salt/utils/jinja.py`` (``_handle_strict_undefined``).
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jinja2 import StrictUndefined, Undefined

_SCALARS = frozenset({str, int, float, bool, type(None)})


def hand_on_undefined(filter_function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a filter return an undefined value where one is in what it is given.

    The message of the returned value joins theirs. Only strict undefined values count.
    """

    @functools.wraps(filter_function)
    def careful(value: Any, *arguments: Any, **options: Any) -> Any:
        found = tuple(find_undefined(value, {}))
        return _join(found) if found else filter_function(value, *arguments, **options)

    return careful


def find_undefined(value: Any, seen: dict[int, Any]) -> Iterator[Undefined]:
    """Yield the strict undefined values in a value, each object once.

    Args:
        value: What to look through: mappings with their keys, lists and tuples, at any depth.
        seen: What was looked at, by ``id``; filled.
    """
    if isinstance(value, StrictUndefined):
        members: Any = ()
    elif isinstance(value, Mapping):
        members = (part for pair in value.items() for part in pair)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        members = value
    else:
        return
    if id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, StrictUndefined):
        yield value
    for member in members:
        if member.__class__ not in _SCALARS:
            yield from find_undefined(member, seen)


def _join(found: tuple[Undefined, ...]) -> Undefined:
    if len(found) == 1:
        return found[0]  # knows more than its message: what was looked for, and where
    messages = "\n".join(undefined._undefined_message for undefined in found)  # noqa: SLF001
    return type(found[0])(hint=messages)
