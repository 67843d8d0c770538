"""``_in`` requisites, which are written into another state, and arguments that ``use`` copies.

Source: Salt ``salt/state.py`` (``State.requisite_in``, ``find_sls_ids``, ``state_args``).
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pillarbook.highstate.extend import find_name, holds, reconcile_extend
from pillarbook.highstate.high_data import EXTEND
from pillarbook.highstate.keywords import NEVER_USED, TURNED
from pillarbook.highstate.mutable_high_data import (
    HighList,
    HighMap,
    HighNode,
    leaf_at,
    text_of,
    value_of,
)
from pillarbook.highstate.state_faults import (
    SHAPE,
    Fault,
    breaks_off,
    no_container,
    not_iterable,
    type_name,
    unhashable,
)
from pillarbook.highstate.state_faults import new_fault as fault
from pillarbook.model import Leaf, ListNode, MapNode, Node

NAMES = frozenset(("name", "names"))


def requisite_in(high: HighMap, disabled: Collection[str]) -> list[Fault]:
    """Write ``_in`` requisites that are not disabled into the states they name; return the faults.

    Raises:
        CompileBreaksOff: Data of a shape that Salt's own compile does not survive.
    """
    turner = _RequisiteTurner(high)
    for name, body in high.items():
        if not isinstance(body, HighMap):
            continue
        for module, run in body.items():
            if module.startswith("__"):
                continue
            for arg in _arguments(run, module, name):
                key = next(iter(arg), None) if isinstance(arg, HighMap) else None
                if key in TURNED and key not in disabled:
                    turner.turn(_Source(name, body, module), key, arg[key])
    extends = (HighMap({name: body}, body.origins) for name, body in turner.extend.items())
    high[EXTEND] = HighList(extends, ())
    # `_in` requisites write an `extend`, so Salt extends a second time.
    return [*turner.faults, *reconcile_extend(high, strict=True)]


def _arguments(run: HighNode, module: str, name: Any) -> HighList:
    if isinstance(run, HighList):
        return run
    if text_of(run) is None and not isinstance(run, HighMap):
        is_empty = value_of(run) is None
        fault = "has a colon, but no arguments" if is_empty else "has no list of arguments"
        raise breaks_off(
            f"TypeError: '{type_name(run)}' object is not iterable",
            run.origins,
            f"write `{module}: []`, or its arguments below it",
            f"'{module}' of the ID '{name}' {fault}, and Salt stops",
        )
    return HighList((), run.origins)


@dataclass(frozen=True, slots=True)
class _Source:
    """The state that has a requisite."""

    name: Any
    body: HighMap
    module: str

    @property
    def sls(self) -> Any:
        return value_of(self.body["__sls__"])


class _RequisiteTurner:
    """Turns each ``_in`` requisite into an extension of the state that it names."""

    def __init__(self, high: HighMap) -> None:
        self._high = high
        self.extend: dict[Any, HighMap] = {}
        self.faults: list[Fault] = []

    def turn(self, source: _Source, key: str, items: HighNode) -> None:
        """Add one requisite: ``require_in`` of a state, and the states that it names."""
        requisite = key.split("_", maxsplit=1)[0]
        if isinstance(items, HighMap | MapNode):
            for module, name in (items if isinstance(items, HighMap) else items.items).items():
                target = value_of(name)
                reference = f"{target} in SLS '{source.sls}'"
                module_name = self._without_dots(requisite, module, reference, name)
                self._add(source, requisite, (target, module_name), name)
        elif isinstance(items, HighList):
            self._turn_list(source, key, items)

    def _turn_list(self, source: _Source, key: str, items: HighList) -> None:
        requisite = key.split("_", maxsplit=1)[0]
        named_states: list[tuple[Any, str]] = []  # not reset for each entry, as in Salt
        for item in items:
            named = self._read_entry(item)
            if named is None:
                continue
            module, name = named
            if module == "sls":
                named_states = self._find_sls(name)
            else:
                named_states.append((name, module))
            self._without_dots(requisite, module, f"{name}, in SLS '{source.sls}'", item)
            for named_state in list(named_states):
                if key == "use_in":
                    self._use(named_state, source, is_target=True)
                elif key == "use":
                    self._use(named_state, source, is_target=False)
                else:
                    self._add(source, requisite, named_state, item)

    def _read_entry(self, item: HighNode) -> tuple[str, Any] | None:
        """Return the module and the ID or name that an entry means; None for none."""
        if isinstance(item, MapNode):
            return next(((key, value_of(value)) for key, value in item.items.items()), None)
        if not isinstance(item, Leaf):
            raise unhashable(item)
        name = item.value
        if name in self._high:
            modules = _modules_of(self._high[name], item)
            if not modules:
                raise breaks_off("IndexError: list index out of range", item.origins)
            return modules[0], name
        # Salt looks through all states, also after it has found one.
        found = [
            (module, one)
            for one, body in self._high.items()
            for module in _modules_of(body, item)
            if any(_is_named(arg, name) for arg in _args_of(body, module, one))
        ]
        return found[0] if found else None

    def _find_sls(self, sls: Any) -> list[tuple[Any, str]]:
        return [
            (name, module)
            for name, body in self._high.items()
            if isinstance(body, HighMap) and value_of(body["__sls__"]) == sls
            for module in body
            if not module.startswith("__")
        ]

    def _without_dots(self, requisite: str, module: Any, reference: str, item: Node) -> str:
        """Return a module's name without a function; with one it is a fault."""
        if not isinstance(module, str):
            raise no_container(Leaf(module, item.origins))
        bare = module.split(".")[0]
        if bare != module:
            words = (
                f"Invalid requisite in {requisite}: {module} for {reference}. Requisites must not"
                f" contain dots, did you mean '{bare}'?"
            )
            self.faults.append(fault(SHAPE, words, item.origins))
        return bare

    def _add(
        self, source: _Source, requisite: str, named_state: tuple[Any, str], item: Node
    ) -> None:
        """Extend a state by a requisite on the source."""
        run = self._run_of(named_state, item)
        body = self.extend[named_state[0]]
        body["__env__"], body["__sls__"] = source.body["__env__"], source.body["__sls__"]
        entry = MapNode(
            {source.module: leaf_at(source.name, item.origins)}, item.origins, kind="plain"
        )
        found = False
        for arg in run:
            if next(iter(arg)) == requisite:
                arg[requisite].append(entry)
                found = True
        if not found:
            made = HighList([entry], item.origins)
            run.append(HighMap({requisite: made}, item.origins))

    def _run_of(self, named_state: tuple[Any, str], item: HighNode) -> HighList:
        """Return the arguments so far by which a state is extended."""
        name, module = named_state
        if isinstance(name, HighMap | HighList | MapNode | ListNode):
            raise unhashable(name)
        body = self.extend.setdefault(name, HighMap({}, item.origins))
        run: HighList = body.setdefault(module, HighList((), item.origins))
        return run

    def _use(self, named_state: tuple[Any, str], source: _Source, *, is_target: bool) -> None:
        """Copy the arguments that a state lacks: to the named state, or from it to the source."""
        name, module = named_state
        own = (source.name, source.module)
        for found in find_name(name, module, self._high, strict=True):
            taker, giver = (found, own) if is_target else (own, found)
            lacking = NEVER_USED | NAMES | self._keys_of(taker)
            run = self._run_of(taker, source.body)
            for arg in _args_of(self._high[giver[0]], giver[1], giver[0]):
                if isinstance(arg, HighMap) and len(arg) == 1 and next(iter(arg)) not in lacking:
                    run.append(arg)

    def _keys_of(self, state: tuple[Any, str]) -> frozenset[Any]:
        """Return the arguments that a state has."""
        name, module = state
        body = self._high.get(name)
        run = () if body is None or not holds(body, module) else _args_of(body, module, name)
        args = (arg for arg in run if isinstance(arg, HighMap) and len(arg) == 1)
        return frozenset(next(iter(arg)) for arg in args)


def _modules_of(body: HighNode, item: Leaf) -> list[str]:
    """Return the modules of an ID, for a requisite that names a state without its module."""
    keys: list[Any]
    if isinstance(body, HighList):
        keys = [value_of(one) for one in body]
    elif isinstance(body, HighMap):
        keys = list(body)
    else:
        text = text_of(body)
        if text is None:
            raise not_iterable(body)
        keys = list(text)
    for key in keys:
        if not isinstance(key, str):
            is_node = isinstance(key, HighMap | HighList | MapNode | ListNode)
            name = type_name(key if is_node else Leaf(key, ()))
            raise breaks_off(
                f"AttributeError: '{name}' object has no attribute 'startswith'",
                item.origins,
                f"write the module before the name: `MODULE: {item.value}`",
                "a requisite names a state without its module, and there is an `exclude`, or"
                " another ID that is not a mapping: Salt stops",
            )
    return [key for key in keys if not key.startswith("__")]


def _args_of(body: HighNode, module: str, name: Any) -> HighList:
    """Return the arguments of a state."""
    if not isinstance(body, HighMap):
        raise breaks_off("TypeError: an ID that is not a mapping", body.origins)
    return _arguments(body[module], module, name)


def _is_named(arg: HighNode, name: Any) -> bool:
    return isinstance(arg, HighMap) and "name" in arg and bool(value_of(arg["name"]) == name)
