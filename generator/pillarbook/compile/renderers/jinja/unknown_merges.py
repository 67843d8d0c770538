"""What functions that merge give for containers with members that are not known.

Such a function asks of a member only whether it is a mapping, a list or something else. So it is
called with a stand-in of each kind, and what is not the same in all results is not known.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from pillarbook.compile.reads import View, whole_of
from pillarbook.compile.renderers.jinja.functions.loader import LoadedFunction
from pillarbook.compile.renderers.jinja.unknown_answers import (
    UnknownAnswer,
    UnknownAnswers,
    is_sealed,
)

MERGES = frozenset(
    (
        *("defaults.deepcopy", "defaults.merge", "grains.filter_by"),
        *("slsutil.merge", "slsutil.merge_all", "slsutil.update"),
    )
)
"""Functions of Salt that merge, copy or choose containers and look at nothing else."""
Kind: TypeAlias = Literal["text", "mapping", "list"]
KINDS: tuple[Kind, ...] = ("text", "mapping", "list")


def merges(called: Any) -> bool:
    """Say whether code merges or copies containers, and looks at nothing else."""
    if called.__class__ is LoadedFunction:
        return called._name in MERGES  # noqa: SLF001 (not for templates)
    return called is dict


def merge_unknown(
    answers: UnknownAnswers, function: Callable[..., Any], arguments: tuple[Any, ...], named: Any
) -> Any:
    """Return what a function gives for containers with unknown members.

    Raises:
        Exception: What the function raises for one kind of answer; the render proves nothing then.
    """
    if function is dict:  # which hands on what it is given
        return dict(
            *(whole_of(one) if isinstance(one, View) else one for one in arguments), **named
        )
    merge = _Merge(answers, function, arguments, named)
    made = [merge.run(kind) for kind in KINDS]
    joined = merge.join(*(result for result, _ in made))
    dest = arguments[0] if arguments else None
    if dest.__class__ is not dict or not all(is_in_place for _, is_in_place in made):
        return joined
    if joined.__class__ is not dict:
        answers.taint(dest, joined)
        return joined
    dest.clear()
    dest.update(joined)
    return dest


class _Merge:
    """The calls of one function."""

    def __init__(
        self,
        answers: UnknownAnswers,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        named: Mapping[str, Any],
    ) -> None:
        self._answers = answers
        self._function = function
        self._stand_ins: dict[str, UnknownAnswer] = {}
        self._lists: list[Any] = []
        # Read once: each read of the pillar gives other objects for what is not known.
        self._arguments = [self._read(one) for one in arguments]
        self._named = {name: self._read(one) for name, one in named.items()}

    def run(self, kind: Kind) -> tuple[Any, bool]:
        """Return the result for one kind of answer, and whether it is the first argument."""
        given = [_with_kind(one, kind) for one in self._arguments]
        options = {name: _with_kind(one, kind) for name, one in self._named.items()}
        # A failure proves nothing: the function may not fail for the answer itself.
        path = self._answers.path
        was_refused, path.refused = path.refused, True
        made = self._function(*given, **options)
        path.refused = was_refused
        return made, bool(given) and made is given[0]

    def join(self, *results: Any) -> Any:
        """Return what the results for all kinds have in common."""
        first = results[0]
        if first.__class__ is str and first in self._stand_ins:
            stand_in = self._stand_ins[first]
            is_whole = list(results) == [_of_kind(stand_in, kind) for kind in KINDS]
            return stand_in.again() if is_whole else self._unknown()
        if any(one.__class__ is not first.__class__ for one in results):
            return self._unknown()
        if isinstance(first, dict) and all(list(one) == list(first) for one in results):
            return {key: self.join(*(one[key] for one in results)) for key in first}
        # An unknown member of a list may be equal to one of another list that it is merged with.
        if first.__class__ is list and first in self._lists and len({*map(len, results)}) == 1:
            return [self.join(*members) for members in zip(*results, strict=True)]
        is_same = all(one == first for one in results)
        return first if is_same and not self._answers.holds_token(repr(first)) else self._unknown()

    def _unknown(self) -> UnknownAnswer:
        return self._answers.derive(*self._stand_ins.values())

    def _read(self, value: Any) -> Any:
        """Return a copy of plain containers with what is not known in them."""
        value = self._answers.lift(value)
        if value.__class__ is UnknownAnswer:
            self._stand_ins[value.text] = value
            return value
        if isinstance(value, View):
            value = whole_of(value)
        if isinstance(value, dict):
            return {key: self._read(item) for key, item in value.items()}
        if value.__class__ is not list:
            return value
        read = list(map(self._read, value))
        self._lists.append(_with_kind(read, "text"))
        return read


def _with_kind(value: Any, kind: Kind) -> Any:
    """Return containers with a stand-in of one kind for each answer."""
    if value.__class__ is UnknownAnswer:
        return _of_kind(value, kind)
    if value.__class__ is dict:
        return {key: _with_kind(item, kind) for key, item in value.items()}
    return [_with_kind(item, kind) for item in value] if value.__class__ is list else value


def _of_kind(value: UnknownAnswer, kind: Kind) -> Any:
    """Return what stands for an answer; one of which parts are known is a text."""
    if kind == "text" or value.is_partly_known or is_sealed(value):
        return value.text
    return {value.text: value.text} if kind == "mapping" else [value.text]
