"""The answer of a call that only a live Salt can answer, as templates see it.

It can be handed on, taken apart, joined with text, printed, and put into filters and functions, of
which the results are as unknown. What makes something known of it (truth, equality, order, a test,
the rounds of a loop) is a decision (``decisions``). What it prints is a token, by which
``unknown_text`` finds it in the document again.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, NoReturn, TypeAlias

from jinja2.utils import Namespace

from pillarbook.compile.reads import View, whole_of
from pillarbook.compile.renderers.jinja.decisions import DecisionPath, namespace_of
from pillarbook.model.unknown import STAND_IN, Unknown

# No text of the tree can hold it, by chance or on purpose. Letters and digits only, so that it is a
# word to YAML wherever it is. One for the run, because each render would compile its pattern anew.
_HEAD = f"{STAND_IN}n"
_BEGINNING = re.compile(_HEAD)
_TOKEN = re.compile(rf"{_HEAD}(\d+)s\d+e")
Describe: TypeAlias = Callable[[str, tuple[Any, ...], Mapping[str, Any]], str]


class UnknownUsedError(Exception):
    """A template does something with an unknown answer of which nobody can say what it gives."""

    def __init__(self) -> None:
        super().__init__("a use of an answer that is not known")


class UnknownAnswers:
    """The unknown answers of one file, in all its renders."""

    def __init__(self) -> None:
        self.describe: Describe = lambda name, _arguments, _options: name
        """Returns the source of a call, given the function's name and what it is called with."""
        self.path = DecisionPath()
        """The decisions of the current render."""
        self.stood_in: list[UnknownAnswer] = []
        """The answers that stand in for values that a template or a function read."""
        self.called: dict[str, None] = {}
        """The calls, also those whose answers nothing prints."""
        self._sources: dict[str, int] = {}
        self.sealed: dict[str, Unknown] = {}
        """The values that are not decrypted, by their tokens."""
        self._made = 0

    def begin(self, forced: tuple[bool, ...]) -> DecisionPath:
        """Begin a render, with the outcomes of its first decisions."""
        self.path = DecisionPath(forced)
        self.path.shape_of = self.shape_of
        return self.path

    def answer(
        self, function: str, arguments: tuple[Any, ...], options: Mapping[str, Any]
    ) -> "UnknownAnswer":
        """Return the answer of a call."""
        source = self.describe(function, arguments, options)
        self.called[source] = None
        return self._of((source,))

    def stand_in(self, unknown: Unknown) -> "UnknownAnswer":
        """Return what stands in for a value that is not known before the render."""
        made = self._of(unknown.sources)
        self.stood_in.append(made)
        if unknown.ciphertext is not None:
            self.sealed[made.text] = unknown
        return made

    def _of(self, sources: Iterable[str]) -> "UnknownAnswer":
        numbers = [self._sources.setdefault(one, len(self._sources)) for one in sources]
        return UnknownAnswer(self, self._new_tokens(numbers))

    def _new_tokens(self, numbers: Iterable[int]) -> str:
        """Return a token for each source; two answers differ, as two keys of a mapping must."""
        self._made += 1
        return "".join(f"{_HEAD}{number}s{self._made}e" for number in numbers)

    def holds_token(self, text: str) -> bool:
        """Say whether a text has a token in it."""
        return _HEAD in text

    def places(self, text: str) -> list[int]:
        """Return where the tokens of a text begin, parts of tokens included."""
        return [found.start() for found in _BEGINNING.finditer(text)]

    def _sources_in(self, text: str) -> dict[int, None]:
        """Return the numbers of the sources of the tokens in a text, each once."""
        return dict.fromkeys(map(int, _TOKEN.findall(text)))

    def shape_of(self, text: str) -> str:
        """Return a text with the same token for each answer of the same sources."""
        return _TOKEN.sub(r"{\1}", text) if _HEAD in text else text

    def read(self, text: str) -> Unknown:
        """Return what a text with tokens stands for."""
        sealed = self.sealed.get(text)
        if sealed is not None:
            return sealed
        sources = list(self._sources)
        numbers = self._sources_in(text)
        shape = _TOKEN.sub("*", text)
        return Unknown(tuple(sources[number] for number in numbers), shape=shape)

    def join(self, parts: Iterable[Any]) -> Any:
        """Return texts as one; an unknown one if a token is in it."""
        text = "".join(parts)
        return UnknownAnswer(self, text) if _HEAD in text else text

    def derive(self, *values: Any) -> "UnknownAnswer":
        """Return what somebody makes of values of which some are unknown."""
        seen = _Search(self.path.tainted)
        seen.look(values)
        made = UnknownAnswer(self, self._new_tokens(self._sources_in("".join(seen.texts))))
        made.aliases, made.has_lines = tuple(seen.held.values()), seen.lines
        return made

    def taint(self, container: Any, *values: Any) -> None:
        """Note that nothing is known any more of a mapping or list that a template holds."""
        stands = self.derive(self.lift(container), *values)
        if all(one is not container for one in stands.aliases):
            stands.aliases = (*stands.aliases, container)
        self.path.tainted[id(container)] = container, stands

    def change(self, changed: "UnknownAnswer", *values: Any) -> None:
        """Note that something unknown is changed, and so perhaps what a template holds."""
        for held in changed.aliases:
            if held.__class__ not in CHANGEABLE:
                raise self.refuse()
            for one in mutable_parts(held):
                self.taint(one, changed, *values)
        for one in mutable_parts(values):
            self.taint(one, changed, *values)

    def lift(self, value: Any) -> Any:
        """Return a value that a template takes; an unknown one if nothing is known of it."""
        tainted = self.path.tainted
        if tainted and id(value) in tainted:
            return tainted[id(value)][1]
        return value

    def holds_unknown(self, *values: Any) -> bool:
        """Say whether something unknown is in some values, at any depth."""
        tainted = self.path.tainted
        return any(holds_unknown(value, tainted) for value in values)

    def decide(self, *values: Any, default: bool) -> bool:
        """Return the outcome of a decision on values of which some are unknown."""
        seen = _Search(self.path.tainted)
        seen.look(values)
        sources = self.read("".join(seen.texts)).sources
        outcome = self.path.decide(sources, default=default)
        if outcome is None:
            raise self.refuse()
        return outcome

    def refuse(self) -> UnknownUsedError:
        """Return the error for a use of which nobody can say what it gives."""
        self.path.refused = True
        return UnknownUsedError()


def _raise(self: "UnknownAnswer", *_arguments: Any, **_options: Any) -> NoReturn:
    raise self.answers.refuse()


def _decide(*, default: bool) -> Callable[..., bool]:
    def decided(self: "UnknownAnswer", *others: Any) -> bool:
        return self.answers.decide(self, *others, default=default)

    return decided


def _derive(self: "UnknownAnswer", *others: Any) -> "UnknownAnswer":
    return self.answers.derive(self, *others)


class UnknownAnswer:
    """An answer, a part of one, or a text with one in it."""

    __slots__ = ("aliases", "answers", "has_lines", "is_reading", "text")

    def __init__(self, answers: UnknownAnswers, text: str) -> None:
        self.answers = answers
        self.text = text
        self.aliases: tuple[Any, ...] = ()
        self.has_lines = False
        self.is_reading = False

    def __str__(self) -> str:
        # Lines of the template may be in it, and nobody knows where.
        if self.has_lines:
            raise self.answers.refuse()
        return self.text

    @property
    def is_partly_known(self) -> bool:
        """Whether it is a text of which parts are known."""
        return bool(_TOKEN.sub("", self.text))

    def describe_answer(self) -> tuple[Hashable, ...]:
        """Return what is equal for answers that do the same."""
        return self.shape, self.has_lines, self.is_reading

    @property
    def shape(self) -> str:
        """The text with the same token for each answer of the same sources."""
        return self.answers.shape_of(self.text)

    def part(self) -> "UnknownAnswer":
        """Return a part of it, or what somebody makes of it.

        Another object each time: Python takes an object in a list for equal to itself.
        """
        return self.answers.derive(self)

    def again(self, text: str | None = None) -> "UnknownAnswer":
        """Return it as another object, or as a text."""
        made = UnknownAnswer(self.answers, self.text if text is None else text)
        made.aliases, made.has_lines = self.aliases, self.has_lines
        return made

    def __add__(self, other: Any) -> "UnknownAnswer":
        return self.join_with(self, other)

    def __radd__(self, other: Any) -> "UnknownAnswer":
        return self.join_with(other, self)

    def join_with(self, first: Any, second: Any) -> "UnknownAnswer":
        """Return two values, of which it is one, as ``+`` joins them."""
        if any(one.__class__ not in (str, UnknownAnswer) for one in (first, second)):
            return self.answers.derive(first, second)
        joined: UnknownAnswer = self.answers.join((str(first), str(second)))
        return joined

    def __bool__(self) -> bool:
        return is_sealed(self) or self.answers.decide(self, default=True)

    __ne__ = _decide(default=True)
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _decide(default=False)
    __getitem__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _derive
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _derive
    __neg__ = __pos__ = _derive
    __hash__ = __len__ = __iter__ = __reversed__ = _raise
    __int__ = __float__ = __index__ = __complex__ = __round__ = __call__ = _raise
    __repr__ = __format__ = __bytes__ = __reduce_ex__ = __copy__ = __deepcopy__ = _raise
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __invert__ = _raise
    __enter__ = __exit__ = __html__ = __setitem__ = __delitem__ = __iadd__ = _raise


def is_sealed(value: Any) -> bool:
    """Say whether something is a value that is not decrypted: a text that is not empty."""
    return value.__class__ is UnknownAnswer and value.text in value.answers.sealed


MAX_LEVELS = 50
CHANGEABLE = frozenset((dict, list, set))
"""What a template can change."""
_SCALARS = frozenset((str, int, float, bool, type(None)))
Tainted: TypeAlias = Mapping[int, tuple[Any, Any]]


def members_of(value: Any) -> Iterable[Any] | None:
    """Return the members of a container, keys included; None for what is none."""
    if isinstance(value, View):  # its storage is empty
        value = whole_of(value)
    if isinstance(value, dict):
        return (*value.keys(), *value.values())
    if isinstance(value, Mapping):
        return (*value.keys(), *value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return value
    if isinstance(value, slice):
        return value.start, value.stop, value.step
    if isinstance(value, Namespace):
        return tuple(namespace_of(value).values())
    return None


def holds_unknown(value: Any, tainted: Tainted, level: int = 0) -> bool:
    """Say whether an unknown answer is in a value, at any depth; True for what is too deep."""
    kind = value.__class__
    if kind in _SCALARS:
        return False
    if kind is UnknownAnswer or level > MAX_LEVELS or id(value) in tainted:
        return True
    members = members_of(value)
    return members is not None and any(holds_unknown(one, tainted, level + 1) for one in members)


class _Search:
    """Finds what is unknown in values, and what a result of them may be or hold."""

    def __init__(self, tainted: Tainted) -> None:
        self.texts: list[str] = []
        # By id, each once: a later change copies the list, so it would double in each round.
        self.held: dict[int, Any] = {}
        self.lines = False
        self._tainted = tainted

    def look(self, value: Any, level: int = 0) -> None:
        kind = value.__class__
        if isinstance(value, str):
            self.lines = self.lines or "\n" in value
        if kind in _SCALARS or level > MAX_LEVELS:
            return
        if id(value) in self._tainted:
            value = self._tainted[id(value)][1]
            kind = value.__class__
        if kind is UnknownAnswer:
            self.texts.append(value.text)
            self._hold(*value.aliases)
            self.lines = self.lines or value.has_lines or "\n" in value.text
            return
        members = members_of(value)
        if not isinstance(value, tuple | slice | str):
            self._hold(value)
        for one in members or ():
            self.look(one, level + 1)

    def _hold(self, *values: Any) -> None:
        for value in values:
            self.held.setdefault(id(value), value)


def mutable_parts(value: Any, level: int = 0) -> Iterator[Any]:
    """Yield the mappings and lists in a value that code could change."""
    if value.__class__ in _SCALARS or level > MAX_LEVELS:
        return
    if value.__class__ in CHANGEABLE:
        yield value
    for one in members_of(value) or ():
        yield from mutable_parts(one, level + 1)
