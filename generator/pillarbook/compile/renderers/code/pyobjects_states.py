"""Objects with which ``pyobjects`` code makes states: ``File.managed('/etc/motd', ...)``.

Source: Salt ``salt/utils/pyobjects.py``.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

KINDS = ("listen", "onchanges", "onfail", "require", "watch", "use")
REQUISITES = (*KINDS, *(f"{kind}_in" for kind in KINDS))


class DuplicateState(Exception):  # noqa: N818 (Salt's name)
    """Two states of one kind with the same id."""


class Registry:
    """The states that the code of one file has made, in order."""

    def __init__(self, path: str) -> None:
        self.enabled = True
        """Whether states are kept; not while other files are imported."""
        self.lines: dict[Any, int] = {}
        """The line that made each id."""
        self._path = path
        self._states: dict[Any, dict[str, Any]] = OrderedDict()
        self._extends: dict[Any, dict[str, Any]] = OrderedDict()
        self._includes: list[Any] = []
        self._required: list[RequiredState] = []

    def include(self, *names: Any) -> None:
        """Include SLS."""
        if self.enabled:
            self._includes += names
            self._note_line("include")

    def add(self, state: "State", *, extends: bool) -> None:
        """Keep a state.

        Raises:
            DuplicateState: There is one of this kind and id.
        """
        if not self.enabled:
            return
        known = self._extends if extends else self._states
        if state.name in known.get(state.id_, {}):
            raise DuplicateState(f"A state with id ''{state.id_}'', type ''{state.name}'' exists")
        for requisite in self._required:
            state.options.setdefault(requisite.kind, []).append(requisite())
        known.setdefault(state.id_, OrderedDict())[state.name] = state.arguments()
        self._note_line("extend" if extends else state.id_)

    def _note_line(self, key: Any) -> None:
        frame = sys._getframe(1)  # noqa: SLF001 (who calls is what is asked)
        while frame.f_code.co_filename != self._path:
            if frame.f_back is None:
                return
            frame = frame.f_back
        self.lines.setdefault(key, frame.f_lineno)

    def begin(self, requisite: "RequiredState") -> None:
        """Add a requisite to all states that follow."""
        if self.enabled:
            self._required.append(requisite)

    def end(self) -> None:
        """End the last such requisite."""
        if self.enabled:
            self._required.pop()

    def data(self) -> dict[Any, Any]:
        """Return the states as data."""
        made: dict[Any, Any] = OrderedDict(self._states)
        if self._includes:
            made["include"] = self._includes
        if self._extends:
            made["extend"] = OrderedDict(self._extends)
        return made


class Extended:
    """An id of another SLS whose state is extended."""

    def __init__(self, name: Any) -> None:
        self.name = name


class RequiredState:
    """A state that others require."""

    def __init__(self, registry: Registry, kind: str, module: str, id_: Any) -> None:
        self._registry = registry
        self.kind = kind
        self.module = module
        self.id_ = id_

    def __call__(self) -> dict[str, Any]:
        """Return it as data."""
        return {self.module: self.id_}

    def __enter__(self) -> None:
        self._registry.begin(self)

    def __exit__(self, *_: object) -> None:
        self._registry.end()


class State:
    """One state."""

    def __init__(self, registry: Registry, id_: Any, name: str, options: dict[str, Any]) -> None:
        for kind in REQUISITES:
            if kind in options and not hasattr(options[kind], "__iter__"):
                options[kind] = [options[kind]]
        self.options = options
        self.name = name
        self.id_ = id_.name if isinstance(id_, Extended) else id_
        registry.add(self, extends=isinstance(id_, Extended))
        self._requisite = RequiredState(registry, "require", name.split(".", 1)[0], self.id_)

    def arguments(self) -> list[dict[str, Any]]:
        """Return its arguments as data, sorted by name."""
        for kind in REQUISITES:
            if kind in self.options:
                self.options[kind] = [
                    entry() if isinstance(entry, RequiredState) else entry
                    for entry in self.options[kind]
                ]
        return [{name: self.options[name]} for name in sorted(self.options)]

    def __call__(self) -> dict[str, Any]:
        """Return it as data."""
        return {self.name: self.arguments()}

    def __enter__(self) -> None:
        self._requisite.__enter__()

    def __exit__(self, *_: object) -> None:
        self._requisite.__exit__()


class StateFactory:
    """Makes the states of one module."""

    def __init__(self, registry: Registry, module: str) -> None:
        self._registry = registry
        self._module = module

    def __getattr__(self, function: str) -> Callable[..., State]:
        if function.startswith("__"):
            raise AttributeError(function)

        def make(id_: Any, **options: Any) -> State:
            return State(self._registry, id_, f"{self._module}.{function}", options)

        return make

    def __call__(self, id_: Any, requisite: str = "require") -> RequiredState:
        """Return a requisite."""
        return RequiredState(self._registry, requisite, self._module, id_)


class SaltObject:
    """The functions as attributes: ``salt.grains.get('os')``."""

    def __init__(self, functions: Any, module: str = "") -> None:
        self._functions = functions
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if not self._module:
            return SaltObject(self._functions, name)
        try:
            return self._functions[f"{self._module}.{name}"]
        except KeyError as error:
            raise AttributeError(name) from error


def make_map(functions: Any) -> type:
    """Return the class ``Map``, whose subclasses take attributes by the minion's grains."""

    class Map:
        priority: Any = None

        def __init_subclass__(cls) -> None:
            found = [_read_filter(name, one) for name, one in list(vars(cls).items())]
            filters = [one for one in found if one is not None]
            if cls.priority is not None and hasattr(cls.priority, "__iter__"):
                first = [one for grain in cls.priority for one in filters if one[0] == grain]
                filters = first + [one for one in filters if one not in first]
            chosen: dict[str, Any] = {}
            grains = (
                functions["grains.item"](*{grain for grain, _, _ in filters}) if filters else {}
            )
            for grain, match, attributes in filters:
                if grain in grains and grains[grain] == match:
                    chosen.update(attributes)
            if hasattr(cls, "merge"):
                chosen.update(functions["pillar.get"](cls.merge) or {})
            for name, value in chosen.items():
                setattr(cls, name, value)

    return Map


def _read_filter(name: str, one: Any) -> tuple[str, Any, dict[str, Any]] | None:
    """Return grain, match and attributes of a class in a map; None for other attributes."""
    if name.startswith("_") or not isinstance(one, type):
        return None
    attributes = {key: value for key, value in vars(one).items() if not key.startswith("_")}
    return getattr(one, "__grain__", "os_family"), getattr(one, "__match__", name), attributes
