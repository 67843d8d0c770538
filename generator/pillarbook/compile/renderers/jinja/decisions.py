"""The decisions of one render: what makes something known of an answer that is not known.

Each decision has two outcomes. A render gets the outcomes of its first decisions; from there on,
each has its default. Two decisions of different renders with the same state go on alike: at the
same place of the templates, with the same variables and on the same line of output.
"""

import sys
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any, NamedTuple

from jinja2 import Undefined
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.utils import Namespace, missing

from pillarbook.compile.reads import View
from pillarbook.compile.renderers.jinja.functions.loader import Functions, LoadedFunction, Module

MAX_DECISIONS = 300
"""The most decisions of a render; most of them could never be tried out."""


class Decision(NamedTuple):
    """One decision of a render."""

    outcome: bool
    """What was decided."""
    position: int
    """The number of characters that were printed before."""
    line: int
    """The number of line feeds in these."""
    sources: tuple[str, ...]
    """The sources of what it was decided on."""
    state: Hashable
    """Equal for decisions after which the templates go on alike."""


@dataclass(slots=True, eq=False)
class Rounds:
    """A loop that is under way."""

    number: int = 0
    """The number of rounds so far."""
    over: Any = None
    """What it goes over if that is not known."""


class DecisionPath:
    """The decisions of one render, in order."""

    def __init__(self, forced: tuple[bool, ...] = ()) -> None:
        self.forced = forced
        """The outcomes of the first decisions."""
        self.decisions: list[Decision] = []
        """The decisions."""
        self.refused = False
        """Whether the render ended at a use of which nobody can say what it gives."""
        self.tainted: dict[int, tuple[Any, Any]] = {}
        """By ``id``, mappings and lists of which nothing is known, with what stands for them."""
        self.open_loops: list[Rounds] = []
        """The loops that are under way, the innermost last."""
        self.changed: tuple[set[Hashable], set[Hashable]] = set(), set()
        """The places that changed something in the first, and in a later round of a loop of
        unknown rounds."""
        self.environment: Any = None
        """The environment of the templates."""
        self.shape_of: Callable[[str], str] = str
        """Returns a text with the same token for each answer of the same sources."""
        self._length = self._lines = 0
        self._line = ""

    def print(self, piece: str) -> str:
        """Note a piece of output, and return it."""
        self._length += len(piece)
        feeds = piece.count("\n")
        self._lines += feeds
        self._line = piece.rpartition("\n")[2] if feeds else self._line + piece
        return piece

    @property
    def outcomes(self) -> tuple[bool, ...]:
        """The outcomes of all decisions."""
        return tuple(one.outcome for one in self.decisions)

    def decide(self, sources: tuple[str, ...], *, default: bool) -> bool | None:
        """Return the outcome of a decision; None if there are too many."""
        at = len(self.decisions)
        if at >= MAX_DECISIONS:
            return None
        outcome = self.forced[at] if at < len(self.forced) else default
        state = () if at < len(self.forced) else self._describe()
        self.decisions.append(Decision(outcome, self._length, self._lines, sources, state))
        return outcome

    def note_change(self) -> list[Any]:
        """Note that something is changed; return what the open loops of unknown rounds go over."""
        unknown = [one for one in self.open_loops if one.over is not None]
        if unknown:
            later = any(one.number > 1 for one in unknown)
            self.changed[later].add(self._place())
        return [one.over for one in unknown]

    def _place(self) -> Hashable:
        frame: Any = sys._getframe(1)  # noqa: SLF001 (the only way)
        while frame is not None and frame.f_globals.get("environment") is not self.environment:
            frame = frame.f_back
        return None if frame is None else (frame.f_code, frame.f_lasti)

    def _describe(self) -> Hashable:
        """Return the state of the templates."""
        describe = _State(self.tainted, self.shape_of).describe
        found: list[Hashable] = [self.shape_of(self._line)]
        found += [(one.number, one.over is None) for one in self.open_loops]
        frame: Any = sys._getframe(1)  # noqa: SLF001 (the only way)
        while frame is not None:
            if frame.f_globals.get("environment") is self.environment:
                found += (frame.f_code, frame.f_lasti)
                found += ((name, describe(value)) for name, value in frame.f_locals.items())
            frame = frame.f_back
        return tuple(found)


def namespace_of(value: Namespace) -> dict[str, Any]:
    """Return the attributes of Jinja's namespace."""
    held: dict[str, Any] = object.__getattribute__(value, "_Namespace__attrs")
    return held


def _identity_of(value: Any) -> Hashable:
    """Return what is equal for this object only."""
    try:
        hash(value)
    except TypeError:
        return object()
    known: Hashable = value
    return known


class _State:
    """Describes values so that equal descriptions mean values that do the same."""

    def __init__(
        self, tainted: Mapping[int, tuple[Any, Any]], shape_of: Callable[[str], str]
    ) -> None:
        self._tainted = tainted
        self._shape_of = shape_of
        self._seen: dict[int, int] = {}

    def describe(self, value: Any) -> Hashable:
        kind = value.__class__
        if kind in (int, float, bool, type(None)):
            return kind, repr(value)
        if isinstance(value, str):
            return self._shape_of(value)
        if id(value) in self._seen:
            return "seen", self._seen[id(value)]
        self._seen[id(value)] = len(self._seen)
        if id(value) in self._tainted:
            return "tainted", self._tainted[id(value)][1].shape
        found = _teller_of(kind)(self, value)
        return _identity_of(value) if found is None else (kind, found)

    def all(self, values: Any) -> Hashable:
        return tuple(map(self.describe, values))

    def pairs(self, value: Mapping[Any, Any]) -> Hashable:
        if isinstance(value, View):  # which never changes
            return value._pb_name, repr(value._pb_path)  # noqa: SLF001 (not for templates)
        return self.all(part for pair in value.items() for part in pair)


def _describe_answer(state: _State, value: Any) -> Hashable:
    describe = getattr(value.__class__, "describe_answer", None)
    return None if describe is None else (*describe(value), state.all(value.aliases))


def _describe_function(state: _State, function: Any) -> Hashable:
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    held = [cell.cell_contents for name, cell in cells if name.startswith("l_")]
    return function.__code__, state.all(held)


_Tell = Callable[[_State, Any], Hashable]
_TOLD: tuple[tuple[Any, _Tell], ...] = (
    (Context, lambda state, value: state.pairs(value.vars)),
    (Undefined, lambda _, value: str(vars(Undefined)["_undefined_message"].fget(value))),
    (Mapping, _State.pairs),
    (list, _State.all),
    (tuple, _State.all),
    (Namespace, lambda state, value: state.pairs(namespace_of(value))),
    (LoopContext, lambda _, value: (value.index0, value.depth0)),
    (Macro, lambda state, value: _describe_function(state, value._func)),  # noqa: SLF001 (no other way)
    (FunctionType, _describe_function),
    (MethodType, lambda state, value: (value.__name__, state.describe(value.__self__))),
    (BuiltinMethodType, lambda state, value: (value.__name__, state.describe(value.__self__))),
    (TemplateModule, lambda state, value: state.pairs(vars(value))),
    (type(missing), lambda *_: "missing"),
    (Functions, lambda *_: "salt"),
    (Module, lambda _, value: repr(value)),
    (LoadedFunction, lambda _, value: repr(value)),
    (object, _describe_answer),
)


# By class, of which templates use a few.
@cache
def _teller_of(kind: type) -> _Tell:
    return next(told for one, told in _TOLD if issubclass(kind, one))
