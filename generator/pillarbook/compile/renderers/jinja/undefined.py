"""Undefined values with Salt's error messages, which know what is missing.

Jinja's own filters and tests for undefined values mark the read as expected.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jinja2 import StrictUndefined, Undefined, UndefinedError
from jinja2.filters import do_default
from jinja2.utils import missing, object_type_repr
from yaml.representer import RepresenterError

from pillarbook.compile.missing_reads import excuse_miss
from pillarbook.compile.reads import PillarCopy, View
from pillarbook.compile.renderers.jinja.function_errors import UnknownExistenceError
from pillarbook.compile.watched_data import WatchedDict, WatchedList

_SEEN_AS: dict[type, str] = {
    PillarCopy: "dict object",
    View: "dict object",
    WatchedDict: "dict object",
    WatchedList: "list object",
}


class MissingValueError(UndefinedError):
    """An undefined value was used; has the missing name and its owner."""

    def __init__(self, message: str, owner: Any, name: Any) -> None:
        super().__init__(message)
        self.owner = owner
        """The object without the name; None if the name is a variable."""
        self.name = name
        """The missing name."""


class LenientUndefined(Undefined):
    """An undefined value that prints nothing, for ``allow_undefined``."""

    __slots__ = ()

    def __init__(
        self,
        hint: str | None = None,
        obj: Any = missing,
        name: Any = None,
        exc: Any = UndefinedError,
    ) -> None:
        super().__init__(hint, obj, name, _exception(obj, name, exc))

    @property
    def _undefined_message(self) -> str:
        return _word(self._undefined_hint, self._undefined_obj, self._undefined_name)


class SaltUndefined(LenientUndefined, StrictUndefined):
    """An undefined value that is an error in every use except tests and the default filter."""

    __slots__ = ()


# Error messages contain the class of an object, and Salt has Jinja's class.
for _kind, _jinja in ((LenientUndefined, Undefined), (SaltUndefined, StrictUndefined)):
    _kind.__module__, _kind.__name__ = _jinja.__module__, _jinja.__name__
    _kind.__qualname__ = _jinja.__qualname__


def missing_value(error: Exception) -> MissingValueError | None:
    """Return what an error says is missing; None if it is about something else.

    PyYAML rejects an undefined value of its own accord, in the filter ``yaml_encode``.
    """
    if isinstance(error, MissingValueError):
        return error
    given = error.args[-1] if isinstance(error, RepresenterError) and error.args else None
    if not isinstance(given, Undefined):
        return None
    owner, name = given._undefined_obj, given._undefined_name  # noqa: SLF001 (no other way to know)
    found = _exception(owner, name, UndefinedError)("")
    return found if isinstance(found, MissingValueError) else None


def _exception(owner: Any, name: Any, exc: Any) -> Any:
    if exc is not UndefinedError:
        return exc
    return lambda message: MissingValueError(message, None if owner is missing else owner, name)


def _word(hint: str | None, owner: Any, name: Any) -> str:
    if hint:
        return hint
    if owner is missing:
        return f"{name!r} is undefined"
    owner = _SEEN_AS.get(type(owner)) or object_type_repr(owner)
    if not isinstance(name, str):
        return f"{owner} has no element {name!r}"
    return f"{owner!r} has no attribute {name!r}"


def _default(value: Any, default_value: Any = "", boolean: bool = False) -> Any:
    if isinstance(value, Undefined) and _excuse(value):
        raise UnknownExistenceError(str(value._undefined_name))  # noqa: SLF001 (no other way to know)
    return do_default(value, default_value, boolean)


def _is_defined(value: Any) -> bool:
    return not isinstance(value, Undefined) or _excuse(value)


EXCUSING_FILTERS = {"default": _default, "d": _default}
EXCUSING_TESTS = {"defined": _is_defined, "undefined": lambda value: not _is_defined(value)}
"""Jinja's filter ``default`` and its tests, which mark a missing value as expected."""


def _excuse(value: Undefined) -> bool:
    """Note that a missing value is replaced, or only tested; say whether Salt has it all the same.

    That is so for a function, or a module, that is not here.
    """
    from pillarbook.compile.renderers.jinja.functions.loader import (  # noqa: PLC0415 (it loads this)
        is_in_salt,
        name_looked_for,
    )

    owner, name = value._undefined_obj, value._undefined_name  # noqa: SLF001 (no other way to know)
    excuse_miss(owner, name, value)
    function = name_looked_for(owner, name)
    return function is not None and is_in_salt(owner, function)


_SCALARS = frozenset({str, int, float, bool, type(None)})


def hand_on_undefined(filter_function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a filter return an undefined value if one is in its arguments.

    The message of the result joins their messages. Only strict undefined values count.
    """

    @functools.wraps(filter_function)
    def careful(value: Any, *arguments: Any, **options: Any) -> Any:
        found = tuple(find_undefined(value, {}))
        return _join(found) if found else filter_function(value, *arguments, **options)

    return careful


def find_undefined(value: Any, seen: dict[int, Any]) -> Iterator[Undefined]:
    """Yield the strict undefined values in a value, each object once.

    Mappings with their keys, lists and tuples are searched at any depth. ``seen`` are the searched
    objects, by ``id``.
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
        return found[0]  # it has the missing name and the owner
    messages = "\n".join(undefined._undefined_message for undefined in found)  # noqa: SLF001
    return type(found[0])(hint=messages)
