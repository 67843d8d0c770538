"""Rewrites the states of an SLS for the ``stateconf`` renderer, in place.

The data has the form of high data: ``{id: {'module.function': [arguments]}}``. As in Salt, data of
another form stays, or is an error.

Source: Salt ``salt/renderers/stateconf.py``.
"""

import re
from collections.abc import Iterator
from typing import Any

KINDS = ("require", "watch", "use", "listen", "onchanges", "onfail")
REQUISITES = tuple(name for kind in KINDS for name in (kind, f"{kind}_in"))
BEFORE = ("require", "watch", "listen", "onchanges", "onfail")
AFTER = tuple(f"{kind}_in" for kind in BEFORE)
NO_STATES = frozenset({"include", "exclude"})
NEVER_FIRST = NO_STATES | {"extend"}
STATE_FUNC = "stateconf.set"
STATE_NAME = "stateconf"
START, GOAL = ".start", ".goal"
REFUSALS = (AttributeError, IndexError, KeyError, StopIteration, TypeError, ValueError)
"""Python's exceptions for data of another form."""


class StateconfError(Exception):
    """Data that the renderer does not accept; the text is Salt's."""


class Rewriter:
    """Rewrites the data of one SLS."""

    def __init__(self, sls: str, saltenv: str) -> None:
        self._sls = sls
        self._saltenv = saltenv

    def prepare(self, data: Any) -> None:
        """Expand short states, and relative names of SLS."""
        for key, states in data.items():
            if isinstance(states, str):
                data[key] = {states: []}
        for key in data:
            if key == "include":
                self._settle_includes(data[key])
            elif key == "exclude":
                for entry in data[key]:
                    if "sls" in entry and entry["sls"].startswith("."):
                        entry["sls"] = self._resolve(entry["sls"], self._sls)

    def _settle_includes(self, includes: Any) -> None:
        for index, entry in enumerate(includes):
            saltenv, name = entry.popitem() if isinstance(entry, dict) else (self._saltenv, entry)
            if name.startswith("."):
                includes[index] = {saltenv: self._resolve(name, self._sls)}

    def order(self, data: Any) -> None:
        """Make each state require the one before it.

        Raises:
            StateconfError: A state has names, or a requisite contradicts the order.
        """
        for key, _, _, arguments in _states(data):
            if key != "extend" and any(_pairs(arguments, ("names",))):
                raise StateconfError(
                    f"'names' declaration(found in state id: {key}) is not supported with"
                    " implicitly ordered states! You should generate the states in a template"
                    " for-loop instead."
                )
        _Order(data).apply()

    def add_start(self, data: Any) -> None:
        """Add a first state that the others run after.

        Raises:
            StateconfError: There are no states, or it exists.
        """
        if not data:
            return
        if START in data:
            raise StateconfError(
                f"Can't generate start state({START})! The same state id already exists!"
            )
        for key, states in data.items():
            if key in NEVER_FIRST or key.startswith("__"):
                continue
            if states.get("__sls__", self._sls) == self._sls:
                first = {_module(next(iter(states))): key}
                data[START] = {STATE_FUNC: [{"require_in": [first]}]}
                return
        raise StateconfError("Can't determine the first state in the sls file!")

    def add_goal(self, data: Any) -> None:
        """Add a state that requires all others.

        Raises:
            StateconfError: It exists.
        """
        if GOAL in data:
            raise StateconfError(
                f"Can't generate goal state({GOAL})! The same state id already exists!"
            )
        required = [
            {_module(name): key}
            for key, states, name, _ in _states(data, NEVER_FIRST)
            if "__sls__" not in states
        ]
        data[GOAL] = {STATE_FUNC: [{"require": required}]}

    def rename(self, data: Any, *, is_extend: bool = False) -> dict[str, str]:
        """Add the SLS's name to ids that begin with a dot; return the old ids by the new ones.

        Raises:
            StateconfError: A state with the new id exists.
        """
        if "extend" in data and not is_extend:
            self.rename(data["extend"], is_extend=True)
        for _, _, _, arguments in _states(data):
            for requisite, name, key in _requisites(arguments, REQUISITES):
                if key.startswith("."):
                    requisite[name] = self._name_id(key)
        moved: dict[str, str] = {}
        for key in [key for key in data if key.startswith(".")]:
            new = self._name_id(key)
            if new in data:
                raise StateconfError(
                    f"Can't rename state id({key}) into {new} because the later already exists!"
                )
            _name_states(data[key], key[1:])
            data[new] = data.pop(key)
            moved[new] = key
        return moved

    def _name_id(self, key: str) -> str:
        if "::" in key:
            return self._resolve(key, self._sls)
        return "::".join(self._resolve(key, f"{self._sls}.").rsplit(".", 1))

    def _resolve(self, relative: str, sls: str) -> str:
        """Return the full name for a name with leading dots, relative to an SLS."""
        match = re.match(r"^(\.+)(.*)$", relative)
        dots, suffix = match.groups() if match else ("", relative)
        parts = sls.split(".")
        if len(dots) > len(parts):
            raise StateconfError("Attempted relative include goes beyond top level package")
        return ".".join([*parts[: -len(dots)], suffix])


class _Order:
    """States in the order of the SLS, each requiring the one before it."""

    def __init__(self, data: Any) -> None:
        self._data = data
        self._before: set[str] = set()
        self._after = {_tag(key, name) for key, states in data.items() for name in states}
        self._extended: dict[tuple[str, tuple[str, ...]], list[tuple[str, str]]] = {}

    def apply(self) -> None:
        previous: tuple[str, str] | None = None
        for key, states, name, arguments in _states(self._data):
            if key == "extend":
                self._note_extended(states)
                continue
            tag = _tag(key, name)
            self._after.remove(tag)
            self._check(tag, arguments, BEFORE, self._after, "after")
            self._check(tag, arguments, AFTER, self._before, "before")
            if previous is not None:
                _require(arguments, dict([previous]))
            self._before.add(tag)
            previous = (_module(name), key)

    def _note_extended(self, states: Any) -> None:
        for key, _, name, arguments in _states(states):
            del name
            for kinds in (BEFORE, AFTER):
                for _, module, other in _requisites(arguments, kinds):
                    known = self._extended.setdefault((_tag(key, module), kinds), [])
                    known.append((module, other))

    def _check(
        self, tag: str, arguments: Any, kinds: tuple[str, ...], wrong: set[str], where: str
    ) -> None:
        found = [(module, key) for _, module, key in _requisites(arguments, kinds)]
        for module, key in [*found, *self._extended.get((tag, kinds), ())]:
            if _tag(key, module) in wrong:
                raise StateconfError(
                    f"State({tag}) can't {'/'.join(kinds)} a state({_tag(key, module)})"
                    f" defined {where} it!"
                )


def _require(arguments: Any, state: dict[str, str]) -> None:
    for _, _, required in _pairs(arguments, ("require",)):
        required.insert(0, state)
        return
    arguments.append({"require": [state]})


def extract_conf(data: Any) -> dict[str, Any]:
    """Return the values that ``stateconf.set`` states set, by their ids."""
    conf: dict[str, Any] = {}
    extended: dict[str, Any] = {}
    for key, states in data.items():
        if key == "extend":
            for other, below in states.items():
                _extract(other, below, extended, {})
        else:
            _extract(key, states, conf, extended)
    return conf


def _extract(
    key: str, states: Any, conf: dict[str, Any], extended: dict[str, dict[str, Any]]
) -> None:
    name = STATE_NAME if STATE_NAME in states else STATE_FUNC
    if name not in states:
        return
    made = conf.setdefault(key, _Bunch())
    for entry in states[name]:
        if isinstance(entry, dict):
            made.update([next(iter(entry.items()))])
    made.update(extended.get(key, {}))


class _Bunch(dict[str, Any]):
    """A mapping whose keys are attributes, too.

    As in Salt, a missing one is a ``KeyError``, which ``default`` and ``is defined`` do not excuse.
    """

    def __getattr__(self, name: str) -> Any:
        return self[name]


def _states(data: Any, without: frozenset[str] = NO_STATES) -> Iterator[tuple[str, Any, str, Any]]:
    for key, states in data.items():
        if key.startswith("__") or key in without:
            continue
        for name, arguments in states.items():
            if not name.startswith("__"):
                yield key, states, name, arguments


def _pairs(arguments: Any, names: tuple[str, ...] | None = None) -> Iterator[tuple[Any, str, Any]]:
    for entry in arguments:
        if isinstance(entry, dict):
            name, value = next(iter(entry.items()))
            if names is None or name in names:
                yield entry, name, value


def _requisites(arguments: Any, names: tuple[str, ...]) -> Iterator[tuple[Any, str, Any]]:
    for _, _, value in _pairs(arguments, names):
        yield from _pairs(value)


def _name_states(states: Any, name: str) -> None:
    """Add a name to states without one."""
    for function, arguments in states.items():
        if _module(function) != STATE_NAME and not any(
            isinstance(entry, dict) and next(iter(entry)) == "name" for entry in arguments
        ):
            arguments.insert(0, {"name": name})


def _module(name: str) -> str:
    return name.split(".", 1)[0]


def _tag(key: str, name: str) -> str:
    return f"{key}:{_module(name)}"
