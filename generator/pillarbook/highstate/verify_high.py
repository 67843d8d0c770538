"""Salt's checks of the shape of high data, and what Salt ignores in it: misspelt requisites.

Source: Salt ``salt/state.py`` (``_verify_high``).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pillarbook.diagnostics import Diagnostic, Severity, new_diagnostic
from pillarbook.highstate.keywords import REQUISITES, TURNED
from pillarbook.highstate.mutable_high_data import HighList, HighMap, HighNode, text_of, value_of
from pillarbook.highstate.state_faults import (
    SHAPE,
    Fault,
    breaks_off,
    no_container,
    place_of,
    text_key,
)
from pillarbook.highstate.state_faults import new_fault as fault
from pillarbook.model import Leaf, ListNode, MapNode, Node

AS_ARGUMENTS = "write a dash before each argument: `- name: value`"
AS_REQUISITES = "write a dash before each requisite: `- module: ID`"
OWN_ID = "write one of them below an ID of its own"
Shown = Callable[[HighNode], str]
"""Gives a value as an error quotes it."""
KNOWN = REQUISITES | TURNED | {"listen_in"}
ORDERS = ("first", "last")
"""What an ``order`` may be besides a number."""
SIMILAR = 0.8
"""How similar a name must be to that of a requisite, from 0 to 1."""


def verify_high(high: HighMap, shown: Shown) -> Iterator[Fault]:
    """Yield the faults; ``shown`` gives a value as an error quotes it.

    Raises:
        CompileBreaksOff: Data of a shape that Salt's own compile does not survive.
    """
    for name, body in high.items():
        if not isinstance(name, str):
            sls = value_of(body["__sls__"]) if isinstance(body, HighMap) else "?"
            words = (
                f"ID '{name}' in SLS '{sls}' is not formed as a string, but is type"
                f" {type(name).__name__}. It may need to be quoted."
            )
            yield fault(SHAPE, words, body.origins, remedy="put the ID in quotes")
        elif name.startswith("__"):
            continue
        if not isinstance(body, HighMap):
            words = f"The type {name} in {shown(body)} is not formatted as a dictionary"
            message = f"the ID '{name}' is not a mapping of states"
            yield fault(SHAPE, words, body.origins, message)
            continue
        yield from _verify_states(name, body, shown)


def _verify_states(name: Any, body: HighMap, shown: Shown) -> Iterator[Fault]:
    sls = value_of(body["__sls__"])
    for module, run in body.items():
        if text_key(module, run.origins).startswith("__"):
            continue
        if isinstance(run, Leaf) and run.value is None:
            words = (
                f"ID '{name}' in SLS '{sls}' contains a short declaration ({module}) with a"
                " trailing colon. When not passing any arguments to a state, the colon must be"
                " omitted."
            )
            message = f"'{module}' of the ID '{name}' in SLS '{sls}' has a colon, but no arguments"
            remedy = f"write `{module}: []`, or its arguments below it"
            yield fault(SHAPE, words, run.origins, message, remedy)
        elif not isinstance(run, HighList):
            words = f"State '{name}' in SLS '{sls}' is not formed as a list"
            message = (
                f"the arguments of '{module}' of the ID '{name}' in SLS '{sls}' are not a list"
            )
            yield fault(SHAPE, words, run.origins, message, AS_ARGUMENTS)
        else:
            yield from _StateVerifier(name, sls, shown).verify(module, run)


class _StateVerifier:
    """Checks the arguments of one state of an ID."""

    def __init__(self, name: Any, sls: Any, shown: Shown) -> None:
        self._name = name
        self._sls = sls
        self._shown = shown

    def verify(self, module: str, run: HighList) -> Iterator[Fault]:
        """Yield the faults."""
        named = [module.split(".", maxsplit=1)[1]] if "." in module else []
        functions = [*named, *(text for arg in run if (text := text_of(arg)) is not None)]
        unfinished: list[Leaf] = []
        for arg in run:
            text = text_of(arg)
            if text is not None and " " in text.strip():
                yield self._blank(arg)
                unfinished.append(arg)
            elif isinstance(arg, HighMap):
                yield from self._verify_argument(arg)
            elif text is not None and ":" in text:
                unfinished.append(arg)
        if not functions:
            words = f"No function declared in state '{self._name}' in SLS '{self._sls}'"
            yield fault(SHAPE, words, run.origins, remedy="write it as `module.function:`")
        elif len(functions) > 1:
            words = (
                f"Too many functions declared in state '{self._name}' in SLS '{self._sls}'. Please"
                f" choose one of the following: {', '.join(functions)}"
            )
            yield self._many(words, run, unfinished, len(functions))

    def _blank(self, arg: Leaf) -> Fault:
        words = (
            f'The function "{self._shown(arg)}" in state "{self._name}" in SLS "{self._sls}" has'
            " whitespace, a function with whitespace is not supported, perhaps this is an argument"
            ' that is missing a ":"'
        )
        message = f"the state '{self._name}' in SLS '{self._sls}' has an argument without a colon"
        remedy = "write it as `- name: value`"
        return fault(SHAPE, words, arg.origins, message, remedy)

    def _many(self, words: str, run: HighList, unfinished: list[Leaf], count: int) -> Fault:
        """Return the fault of several functions; an unfinished argument may look like one."""
        state = f"the state '{self._name}' in SLS '{self._sls}'"
        if not unfinished or count - len(unfinished) > 1:
            return fault(SHAPE, words, run.origins, f"{state} has more than one function", OWN_ID)
        message = f"{state} has an argument without a space after the colon"
        found = fault(SHAPE, words, unfinished[0].origins, message, "write it as `- name: value`")
        is_told = any(" " in str(one.value).strip() for one in unfinished)
        return replace(found, diagnostic=None) if is_told else found

    def _verify_argument(self, arg: HighMap) -> Iterator[Fault]:
        key = next(iter(arg), None)
        if key is None:
            raise breaks_off("StopIteration", arg.origins)
        value = arg[key]
        if key == "names" and not isinstance(value, HighList):
            words = (
                f"The 'names' argument in state '{self._name}' in SLS '{self._sls}' needs to be"
                " formed as a list"
            )
            message = f"'names' of the state '{self._name}' in SLS '{self._sls}' is not a list"
            yield fault(SHAPE, words, value.origins, message, "write a dash before each name")
        if key not in REQUISITES:
            return
        if not isinstance(value, HighList):
            words = (
                f"The {key} statement in state '{self._name}' in SLS '{self._sls}' needs to be"
                " formed as a list"
            )
            message = f"'{key}' of the state '{self._name}' in SLS '{self._sls}' is not a list"
            yield fault(SHAPE, words, value.origins, message, AS_REQUISITES)
        else:
            for requisite in value:
                yield from self._verify_requisite(requisite)
        if len(arg) != 1:
            words = (
                f"Multiple dictionaries defined in argument of state '{self._name}' in SLS"
                f" '{self._sls}'"
            )
            message = f"the argument '{key}' of the state '{self._name}' in SLS '{self._sls}' has"
            yield fault(SHAPE, words, arg.origins, f"{message} more than one key", AS_ARGUMENTS)

    def _verify_requisite(self, requisite: Node) -> Iterator[Fault]:
        if text_of(requisite) is not None:
            return
        if not isinstance(requisite, MapNode) or len(requisite.items) != 1:
            words = (
                f"Requisite declaration {self._shown(requisite)} in state {self._name} in SLS"
                f" {self._sls} is not formed as a single key dictionary"
            )
            message = f"a requisite of '{self._name}' in SLS '{self._sls}' is not `module: ID`"
            yield fault(SHAPE, words, requisite.origins, message, AS_REQUISITES)
            return
        key, value = next(iter(requisite.items.items()))
        if not isinstance(key, str):
            raise no_container(Leaf(key, requisite.origins))
        if "." in key:
            words = (
                f"Invalid requisite type '{key}' in state '{self._name}', in SLS '{self._sls}'."
                f" Requisite types must not contain dots, did you mean '{key.split('.')[0]}'?"
            )
            message = (
                f"a requisite of '{self._name}' in SLS '{self._sls}' names the function '{key}'"
            )
            remedy = f"write only its module, `{key.split('.')[0]}`"
            yield fault(SHAPE, words, requisite.origins, message, remedy)
        if isinstance(value, MapNode | ListNode):
            words = (
                f'Illegal requisite "{self._shown(value)}" in SLS "{self._sls}", please check your'
                " syntax.\n"
            )
            message = f"a requisite of '{self._name}' in SLS '{self._sls}' must name a single ID"
            yield fault(SHAPE, words, value.origins, message, AS_REQUISITES)


def find_misspelt(high: HighMap) -> Iterator[Diagnostic]:
    """Yield a warning for each such argument."""
    for name, body in high.items():
        for run in body.values() if isinstance(body, HighMap) else ():
            for arg in run if isinstance(run, HighList) else ():
                for key, value in arg.items() if isinstance(arg, HighMap) else ():
                    if key == "order" and (text_of(value) or "last") not in ORDERS:
                        yield _word_order(name, body, value)
                    elif key not in KNOWN and isinstance(key, str) and _names_states(value):
                        yield from _describe(name, body, key, value)


def _names_states(value: HighNode) -> bool:
    """Say whether a value is a list of ``module: ID``."""
    return (
        isinstance(value, HighList)
        and bool(value)
        and all(
            isinstance(one, MapNode)
            and len(one.items) == 1
            and all(text_of(named) is not None for named in one.items.values())
            for one in value
        )
    )


def _word_order(name: object, body: HighMap, value: HighNode) -> Diagnostic:
    message = f"the `order` of the state '{name}' in SLS '{value_of(body['__sls__'])}' is text"
    remedy = "write a number without quotes, `first` or `last`"
    return _warn(f"{message}, so Salt ignores it", value, remedy)


def _describe(name: object, body: HighMap, key: str, value: HighNode) -> Iterator[Diagnostic]:
    from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (few states have such)

    near = find_similar(key, KNOWN, SIMILAR)
    if near is not None:
        sls = value_of(body["__sls__"])
        message = f"unknown requisite '{key}' of the state '{name}' in SLS '{sls}'"
        yield _warn(message, value, f"did you mean `{near}`?")


def _warn(message: str, value: HighNode, remedy: str) -> Diagnostic:
    place = place_of(value.origins)
    return new_diagnostic(SHAPE, message, place, remedy=remedy, severity=Severity.WARNING)
