"""Views through which templates read a minion, and which note each question and its answer.

A render depends on its file, its questions and the answers. So a minion with the same answers to
the same questions has the same render.

A view is a ``dict`` whose own storage stays empty: code that does not use its methods (a C encoder,
for example) finds nothing. The result is missing data, and never another minion's data. Lists, and
data that is read as a whole, are copies that refuse changes.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeAlias

from pillarbook.compile.misses import Misses, MissLog, join_misses
from pillarbook.compile.watched_data import (
    ReadMapping,
    WatchedDict,
    WatchedList,
    unwatched,
    watched,
)
from pillarbook.model.long_integers import holds_long_integer
from pillarbook.model.unknown import Unknown, UnknownKey

Question = tuple[Hashable, ...]
"""``(view, what, path)``; for questions that are not about a view, other words."""
Answer = Hashable
"""Equal for equal answers: type and key order count; ``1``, ``True`` and ``1.0`` differ."""

Asked: TypeAlias = tuple[Mapping[Question, Answer], Misses]
"""Questions with their answers, and those that found nothing."""

_MAPPINGS = (dict, Mapping)
"""The most frequent class is first, because checks of abstract classes are slow."""
_LISTS = (list, tuple)
_SCALARS = frozenset((bool, float, int, type(None)))
"""Tested before abstract classes, because this is faster."""
MISSING: Answer = ("missing",)
MAPPING: Answer = ("mapping",)
LONG_KEY = "(an integer of too many digits)"
"""Replaces a key in questions that has no text."""
_UNKNOWN = frozenset((Unknown, UnknownKey))
_NOT_GIVEN: Any = object()


class Trace:
    """The questions of one render, in order, each once, with their answers."""

    def __init__(self) -> None:
        self.answers: dict[Question, Answer] = {}
        self.fixed: dict[Question, Answer] = {}
        """The questions that were not asked by pure expressions only."""
        self.order: list[Question | int] = []
        """These questions, and the numbers of evaluations of pure expressions, in order."""
        # For one computation: a list that is read twice must be the same object, as in Salt,
        # because templates may compare or change it.
        self._handed_out: dict[Question, Any] = {}
        # The questions of the current evaluation; None outside of evaluations.
        self._asked: dict[Question, Answer] | None = None
        self._fixed_misses = self.misses = MissLog()
        self._other_misses = MissLog(self._fixed_misses)
        self._taken_over: Misses = {}
        self._stand_in: Callable[[Unknown], Any] | None = None

    def note(self, question: Question, answer: Answer) -> None:
        """Note a question; only the first time counts, because answers do not change."""
        if question not in self.answers:
            self.answers[question] = answer
        if self._asked is not None:
            self._asked[question] = answer
        elif question not in self.fixed:
            self.fixed[question] = answer
            self.order.append(question)

    def begin_evaluation(self, number: int) -> None:
        """Note that until the end only the evaluation of a pure expression asks questions."""
        self.order.append(number)
        self._asked, self.misses = {}, MissLog(self._other_misses)

    def end_evaluation(self, *, is_fixed: bool = False) -> "Asked":
        """Note the end of the evaluation, and return what it asked.

        With ``is_fixed``, its questions count as those of another part of the template.
        """
        asked, misses = self._asked or {}, self.misses
        self._asked, self.misses = None, self._fixed_misses
        (self._fixed_misses if is_fixed else self._other_misses).absorb(misses)
        if is_fixed:
            self.order.pop()
            for question, answer in asked.items():
                self.note(question, answer)
        return asked, misses.found

    def take_over(self, answers: Mapping[Question, Answer], misses: Misses) -> None:
        """Note the questions of an evaluation that was recorded on its own."""
        for question, answer in answers.items():
            self.answers.setdefault(question, answer)
        self._taken_over = join_misses(self._taken_over, misses)

    @property
    def missed(self) -> Misses:
        """The reads that found nothing, and whether each had a default."""
        own = join_misses(self.fixed_misses, self._other_misses.found)
        return join_misses(own, self._taken_over)

    @property
    def fixed_misses(self) -> Misses:
        """The reads without result that are not of pure expressions."""
        return self._fixed_misses.found

    def hand_out(self, name: str, path: tuple[Any, ...], value: Any) -> Any:
        """Return the object that a template gets for a value: the same one for each read."""
        if not isinstance(value, Mapping | list):
            return self.fill(value)
        place = (name, path)
        if place not in self._handed_out:
            kind = PillarView if isinstance(value, PillarDict) else View
            self._handed_out[place] = (
                kind(name, value, self, path)
                if isinstance(value, Mapping)
                else watched(self.fill(value))
            )
        return self._handed_out[place]

    def begin_trial(self, stand_in: Callable[[Unknown], Any]) -> None:
        """Begin a render whose templates get stand-ins for values that are not known."""
        self._stand_in = stand_in
        self._handed_out.clear()

    def fill(self, value: Any) -> Any:
        """Return a value with stand-ins for what is not known in it."""
        if self._stand_in is None:
            return value
        if value.__class__ is Unknown:
            return self._stand_in(value)
        if isinstance(value, Mapping):
            return {key: self.fill(item) for key, item in value.items()}
        return [self.fill(item) for item in value] if isinstance(value, list) else value


def fingerprint(value: Any) -> Answer:
    """Return a key for the whole content of a value; types and key order count."""
    if value.__class__ is str:
        return value
    kind: type = value.__class__
    if kind in _SCALARS:
        # a very long integer has no text
        return (kind.__name__, value if kind is int else repr(value))
    if isinstance(value, _MAPPINGS):
        return ("map", *[(fingerprint(key), fingerprint(item)) for key, item in value.items()])
    if isinstance(value, _LISTS):
        return (kind.__name__, *map(fingerprint, value))
    return (kind if kind in _UNKNOWN else kind.__name__, repr(value))  # a text may be any name


def shows_unknown(answers: Iterable[Answer]) -> bool:
    """Say whether one of some answers is, or has in it, a value that is not known."""
    return any(
        isinstance(one, tuple) and (not _UNKNOWN.isdisjoint(one[:1]) or shows_unknown(one))
        for one in answers
    )


def shallow(value: Any) -> Answer:
    """Return a key for a value that a template gets; for a mapping, only its type."""
    if value.__class__ is str:
        return value
    return MAPPING if isinstance(value, _MAPPINGS) else fingerprint(value)


def answer_about(data: Any, what: str, path: tuple[Any, ...]) -> Answer:
    """Answer a question about a view's data, as the view notes it."""
    for key in path[:-1] if what in ("get", "has") else path:
        if not isinstance(data, _MAPPINGS) or key not in data:
            return MISSING
        data = data[key]
    if what == "get":
        key = path[-1]
        is_there = isinstance(data, _MAPPINGS) and key in data
        return shallow(data[key]) if is_there else MISSING
    if not isinstance(data, _MAPPINGS):
        return MISSING
    if what == "has":
        return path[-1] in data
    if what == "keys":
        return tuple(fingerprint(key) for key in data)
    return fingerprint(data)


class PillarCopy(dict[Any, Any]):
    """A copy of the whole pillar that a template may change; error messages contain this class."""

    __slots__ = ()


class View(ReadMapping, WatchedDict):
    """A mapping that notes each question and refuses each change.

    Its own attributes begin with ``_pb_``, so that they hide no key.
    """

    __slots__ = ("_pb_data", "_pb_name", "_pb_path", "_pb_trace")

    def __init__(
        self, name: str, data: Mapping[Any, Any], trace: Trace, path: tuple[Any, ...] = ()
    ) -> None:
        super().__init__()
        self._pb_name = name
        self._pb_data = data
        self._pb_trace = trace
        self._pb_path = path

    def _pb_note(self, what: str, path: tuple[Any, ...], answer: Answer) -> None:
        self._pb_trace.note((self._pb_name, what, path), answer)

    def _pb_hand_out(self, key: Any, value: Any) -> Any:
        return self._pb_trace.hand_out(self._pb_name, (*self._pb_path, key), value)

    def _pb_read(self, key: Any) -> tuple[bool, Any]:
        is_there = key in self._pb_data
        value = self._pb_data[key] if is_there else None
        self._pb_note("get", self._pb_path_of(key), shallow(value) if is_there else MISSING)
        return is_there, value

    def _pb_path_of(self, key: Any) -> tuple[Any, ...]:
        """Return the path of a key; an integer without text is not in any data."""
        has_no_text = key.__class__ is int and holds_long_integer(key)
        return (*self._pb_path, LONG_KEY if has_no_text else key)

    def __getitem__(self, key: Any) -> Any:
        is_there, value = self._pb_read(key)
        if not is_there:
            self._pb_trace.misses.add(self._pb_name, self._pb_path_of(key), bare=True)
            raise KeyError(key)
        return self._pb_hand_out(key, value)

    def get(self, key: Any, default: Any = _NOT_GIVEN) -> Any:
        """Return the value of a key, or the default."""
        is_there, value = self._pb_read(key)
        if is_there:
            return self._pb_hand_out(key, value)
        bare = default is _NOT_GIVEN
        self._pb_trace.misses.add(self._pb_name, self._pb_path_of(key), bare=bare)
        return None if bare else default

    def __contains__(self, key: object) -> bool:
        is_there = key in self._pb_data
        self._pb_note("has", self._pb_path_of(key), is_there)
        return is_there

    def _pb_keys(self) -> list[Any]:
        self._pb_note("keys", self._pb_path, tuple(fingerprint(key) for key in self._pb_data))
        return list(self._pb_data)

    def _pb_whole(self) -> dict[Any, Any]:
        self._pb_note("whole", self._pb_path, fingerprint(self._pb_data))
        return dict(self._pb_trace.fill(unwatched(self._pb_data)))

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[Any, Any]:
        return self._pb_whole()


class PillarView(View):
    """The pillar of a minion that renders states; mappings in it are ordinary views."""

    __slots__ = ()


class OptionsView(View):
    """The options, which have their own class in Salt."""

    __slots__ = ()


class PillarDict(dict[Any, Any]):
    """The pillar that templates see without recording."""

    __slots__ = ()


class OptionsDict(dict[Any, Any]):
    """The options that templates see without recording."""

    __slots__ = ()


# Error messages contain the class of an object. On a master, these are plain dicts and lists in
# Salt.
_NAMES: tuple[tuple[type, str, str], ...] = (
    (View, "builtins", "dict"),
    (WatchedDict, "builtins", "dict"),
    (WatchedList, "builtins", "list"),
    (PillarView, "salt.utils.optsdict", "DictProxy"),
    (PillarDict, "salt.utils.optsdict", "DictProxy"),
    (OptionsView, "salt.utils.optsdict", "OptsDict"),
    (OptionsDict, "salt.utils.optsdict", "OptsDict"),
)
for _kind, _module, _name in _NAMES:
    _kind.__module__, _kind.__name__ = _module, _name


def whole_of(view: View) -> dict[Any, Any]:
    """Return all that a view shows, noted as read; a copy."""
    return view._pb_whole()  # noqa: SLF001 (a view of this module)
