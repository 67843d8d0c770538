"""Names the calls that have no answer: the function, and the arguments that the file writes.

What a call is given may be a secret, so an argument that is no literal of the file is ``...``. So
is a literal that a name calls a secret, if it is so common that no search for secrets finds it.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from jinja2 import Environment

from pillarbook.compile.renderers.error_words import is_word_of
from pillarbook.compile.renderers.jinja.functions.unanswered import read_calls
from pillarbook.compile.renderers.undeclared import (
    ANY,
    MAX_CHARACTERS,
    WrittenCall,
    choose,
    is_asked_for,
)
from pillarbook.model.unknown import COMPUTED_FUNCTION

HIDDEN = "..."
"""Stands for what the file does not write."""


class CallSources:
    """Describes the calls of some templates.

    ``texts`` returns the text of each template that has taken part so far. ``calls`` are those by
    text, kept with the environment. ``hides`` says whether a literal is a common word that is a
    secret here.
    """

    def __init__(
        self,
        environment: Environment,
        texts: Callable[[], Iterable[str]],
        calls: dict[str, list[WrittenCall]],
        hides: Callable[[Any], bool],
    ) -> None:
        self._environment = environment
        self._texts = texts
        self._calls = calls
        self._hides = hides

    def describe(self, name: str, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> str:
        """Return a call in words: ``vault.read_secret secret/x ...``.

        The name of the function may be a secret as well, if no file writes its call.
        """
        computed = list(self._find(""))
        calls = [*self._find(name), *choose(computed, name)]
        if not (calls or self._is_written(name)) or any(
            name not in one.choices and _may_be(one, arguments, options) for one in computed
        ):
            return COMPUTED_FUNCTION
        written = next(
            (one for one in calls if _is_written_so(one, arguments, options)),
            WrittenCall(name, (ANY,) * len(arguments), dict.fromkeys(options, ANY)),
        )
        parts = [name, *(_show(one) for one in written.args)]
        parts += [f"{key}={_show(value)}" for key, value in written.kwargs.items()]
        text = " ".join(parts)
        return text if len(text) <= MAX_CHARACTERS else f"{name} {HIDDEN}"

    def _find(self, name: str) -> Iterable[WrittenCall]:
        """Yield the calls of a function, without the common words that are secrets."""
        for text in self._texts():
            if text not in self._calls:
                self._calls[text] = read_calls(self._environment, text)
            for one in self._calls[text]:
                if one.name == name:
                    args, kwargs = tuple(map(self._hide, one.args)), self._hide(one.kwargs)
                    yield replace(one, args=args, kwargs=kwargs)

    def _is_written(self, name: str) -> bool:
        """Say whether a file names a filter, or a function without a call of it."""
        is_asked = is_asked_for if "." in name else is_word_of
        return not self._hides(name) and any(is_asked(text, name) for text in self._texts())

    def _hide(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._hide(item) for key, item in value.items()}
        if isinstance(value, list):
            return list(map(self._hide, value))
        if self._hides(value):
            return ANY
        if isinstance(value, str) and ANY in value:
            return ANY.join("" if self._hides(part) else part for part in value.split(ANY))
        return value


def _may_be(call: WrittenCall, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> bool:
    """Say whether a call of a computed function may be the one with these arguments."""
    kwargs = call.kwargs.items()
    return all(map(_fits, call.args, arguments)) and all(
        key in options and _fits(value, options[key]) for key, value in kwargs
    )


def _is_written_so(
    call: WrittenCall, arguments: tuple[Any, ...], options: Mapping[str, Any]
) -> bool:
    """Say whether a call in a file may be the one with these arguments."""
    return (
        len(call.args) == len(arguments)
        and call.kwargs.keys() == options.keys()
        and all(map(_fits, call.args, arguments))
        and all(_fits(value, options[key]) for key, value in call.kwargs.items())
    )


def _fits(written: Any, given: Any) -> bool:
    if isinstance(written, str) and ANY in written:
        return True
    if isinstance(written, Mapping) and isinstance(given, Mapping):
        return written.keys() == given.keys() and all(
            _fits(item, given[key]) for key, item in written.items()
        )
    if isinstance(written, list) and isinstance(given, list | tuple):
        return len(written) == len(given) and all(map(_fits, written, given))
    return type(written) is type(given) and bool(written == given)


def _show(value: Any) -> str:
    if isinstance(value, str):
        return value.replace(ANY, HIDDEN) or "''"
    return json.dumps(value, default=lambda _: HIDDEN).replace(f'"{ANY}"', HIDDEN)
