"""The answer of a call that only a live Salt can answer, as templates see it.

It can be handed on, taken apart, joined with text and printed. Whatever would decide on it (truth,
equality, order, a loop, a test, arithmetic) raises: a template that decides is not rendered so.
What it prints is a token, by which ``unknown_text`` finds it in the document again.
"""

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeAlias

from pillarbook.model.unknown import STAND_IN, Unknown

Describe: TypeAlias = Callable[[str, tuple[Any, ...], Mapping[str, Any]], str]


class UnknownUsedError(Exception):
    """A template decides on an answer that is not known; it is rendered without such answers."""

    def __init__(self) -> None:
        super().__init__("a decision on an answer that is not known")


class UnknownAnswers:
    """The unknown answers of one render."""

    def __init__(self) -> None:
        self.describe: Describe = lambda name, _arguments, _options: name
        """Returns the source of a call, given the function's name and what it is called with."""
        # No text of the tree can hold it, by chance or on purpose. Letters and digits only, so that
        # it is a word to YAML wherever it is.
        self._head = f"{STAND_IN}{secrets.token_hex(8)}n"
        self._pattern = re.compile(rf"{self._head}(\d+)e")
        self._sources: dict[str, int] = {}

    def answer(
        self, function: str, arguments: tuple[Any, ...], options: Mapping[str, Any]
    ) -> "UnknownAnswer":
        """Return the answer of a call."""
        source = self.describe(function, arguments, options)
        number = self._sources.setdefault(source, len(self._sources))
        return UnknownAnswer(self, f"{self._head}{number}e")

    def holds_token(self, text: str) -> bool:
        """Say whether a text has a token in it."""
        return self._head in text

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has, parts of tokens included."""
        return text.count(self._head)

    def read(self, text: str) -> Unknown:
        """Return what a text with tokens stands for."""
        found = dict.fromkeys(int(number) for number in self._pattern.findall(text))
        sources = list(self._sources)
        return Unknown(tuple(sources[number] for number in found))

    def join(self, parts: Iterable[Any]) -> Any:
        """Return texts as one; an unknown one if a token is in it."""
        text = "".join(parts)
        return UnknownAnswer(self, text) if self._head in text else text


def _raise(*_arguments: Any, **_options: Any) -> NoReturn:
    raise UnknownUsedError


class UnknownAnswer:
    """An answer, a part of one, or a text with one in it."""

    __slots__ = ("_pb_answers", "_pb_text")

    def __init__(self, answers: UnknownAnswers, text: str) -> None:
        self._pb_answers = answers
        self._pb_text = text

    def __str__(self) -> str:
        return self._pb_text

    def part(self) -> "UnknownAnswer":
        """Return a part of it, or what somebody makes of it.

        Another object each time: Python takes an object in a list for equal to itself.
        """
        return UnknownAnswer(self._pb_answers, self._pb_text)

    def __add__(self, other: Any) -> "UnknownAnswer":
        return self._pb_join(self, other)

    def __radd__(self, other: Any) -> "UnknownAnswer":
        return self._pb_join(other, self)

    def _pb_join(self, first: Any, second: Any) -> "UnknownAnswer":
        for one in (first, second):
            if one.__class__ not in (str, UnknownAnswer):
                raise UnknownUsedError
        joined: UnknownAnswer = self._pb_answers.join((str(first), str(second)))
        return joined

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _raise
    __hash__ = __len__ = __iter__ = __contains__ = __reversed__ = __getitem__ = _raise
    __int__ = __float__ = __index__ = __complex__ = __round__ = __call__ = _raise
    __repr__ = __format__ = __bytes__ = __reduce_ex__ = __copy__ = __deepcopy__ = _raise
    __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _raise
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _raise
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __neg__ = __pos__ = __invert__ = _raise
    __enter__ = __exit__ = __html__ = __setitem__ = __delitem__ = __iadd__ = _raise


MAX_LEVELS = 50


def holds_unknown(value: Any, level: int = 0) -> bool:
    """Say whether an unknown answer is in a value, at any depth; True for what is too deep."""
    kind = value.__class__
    if kind in (str, int, float, bool, type(None)):
        return False
    if kind is UnknownAnswer or level > MAX_LEVELS:
        return True
    if isinstance(value, Mapping):
        # The storage itself: a view of what is recorded has none, and holds no answers.
        members: Iterable[Any] = dict.values(value) if isinstance(value, dict) else value.values()
        return any(holds_unknown(one, level + 1) for one in members)
    if isinstance(value, list | tuple | set | frozenset):
        return any(holds_unknown(one, level + 1) for one in value)
    return False
