"""Lowstate: the single calls of states, in the order of execution.

Source: Salt ``salt/state.py`` (``State.compile_high_data``, ``order_chunks``,
``_reconcile_watch_req``), ``salt/utils/requisite.py`` (``DependencyGraph.add_requisites``).
"""

import fnmatch
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pillarbook.highstate.dependency_graph import DependencyGraph
from pillarbook.highstate.keywords import FOLLOWED, WEIGHTS
from pillarbook.highstate.mutable_high_data import (
    HighList,
    HighMap,
    HighNode,
    copied,
    leaf_at,
    opened,
    over,
    text_of,
    value_of,
)
from pillarbook.highstate.state_faults import (
    CYCLE,
    MISSING,
    SHAPE,
    Fault,
    breaks_off,
    lacks,
    looks_for,
    members,
    not_iterable,
    pairs_of,
    type_name,
)
from pillarbook.highstate.state_faults import new_fault as fault
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin


@dataclass(frozen=True, slots=True)
class LowRules:
    """The input of lowstate besides high data."""

    watchable: Collection[str]
    """The state modules with an action of their own on a change of a watched state."""
    disabled_requisites: tuple[str, ...] = ()
    disabled_states: tuple[str, ...] = ()
    """Globs of the functions that are disabled on the minion."""


def compile_high_data(high: HighMap, rules: LowRules) -> tuple[list[HighMap], list[Fault]]:
    """Return the chunks of high data in the order of execution, and the faults.

    Raises:
        CompileBreaksOff: Data of a shape that Salt's own compile does not survive.
    """
    graph = DependencyGraph()
    chunks = []
    for chunk in _chunks_of(high):
        function = f"{value_of(chunk['state'])}.{value_of(chunk['fun'])}"
        if not any(fnmatch.fnmatch(function, glob) for glob in rules.disabled_states):
            graph.add_chunk(chunk)
            chunks.append(chunk)
    faults: list[Fault] = []
    cap = 1
    for chunk in chunks:
        _watch_or_require(chunk, rules.watchable)
        wrong = _add_requisites(chunk, graph, rules.disabled_requisites)
        order = value_of(chunk["order"]) if "order" in chunk else None
        if wrong is not None:
            faults.append(wrong)
        # As in Salt, the cap is above every given order: states without one, and `last`, come
        # after.
        elif isinstance(order, int) and order > max(cap - 1, 0):
            cap = order + 100
    ordered = graph.in_order(cap)
    if ordered is None:
        faults.append(_word_cycle(graph))
    return ordered or [], faults


def _chunks_of(high: HighMap) -> Iterator[HighMap]:
    """Yield the single calls, in order of declaration."""
    for name, body in high.items():
        if name.startswith("__"):
            continue
        for module, run in body.items():
            if not module.startswith("__"):
                yield from _chunks_of_state(name, body, module, run)


def _chunks_of_state(name: str, body: HighMap, module: str, run: HighList) -> Iterator[HighMap]:
    chunk = _new_chunk(name, body, module, run.origins)
    functions: list[Leaf] = []
    names: dict[Any, HighNode] = {}
    for arg in run:
        if isinstance(arg, Leaf) and isinstance(arg.value, str):
            functions.append(arg)
        elif isinstance(arg, HighMap):
            _take_argument(chunk, arg, names, name)
    # A second function of one state is a fault that was reported before; Salt takes the first.
    for function in functions[:1]:
        for nth, entry in enumerate(names.values(), 1):
            yield _named_chunk(chunk, entry, nth, function)
        if not names:
            single = _copy(chunk)
            single["fun"] = function
            yield single


def _new_chunk(name: str, body: HighMap, module: str, origins: tuple[Origin, ...]) -> HighMap:
    own = leaf_at(name, body.origins)
    marks = {
        key: body[key] for key in ("__sls__", "__env__", "__sls_included_from__") if key in body
    }
    return HighMap(
        {"state": leaf_at(module, origins), "name": own, **marks, "__id__": own}, origins
    )


def _take_argument(chunk: HighMap, arg: HighMap, names: dict[Any, HighNode], own: str) -> None:
    for key, value in arg.items():
        if key == "names":
            if not isinstance(value, HighList | ListNode):
                raise breaks_off(f"TypeError: a '{type_name(value)}' of names", value.origins)
            for entry in members(value):
                names.setdefault(_identity(entry), entry)
        elif key == "name" and text_of(value) is None:
            chunk[key] = leaf_at(own, value.origins)
        elif key != "state":  # Salt sets it itself
            chunk[key] = over(chunk.get(key), value)


def _identity(entry: HighNode) -> Any:
    """Return the identity of an entry in a list of names."""
    if isinstance(entry, Leaf):
        return entry.value
    if isinstance(entry, MapNode):
        return ("map", *((key, _identity(item)) for key, item in entry.items.items()))
    if isinstance(entry, ListNode):
        return ("list", *map(_identity, entry.items))
    return id(entry)


def _named_chunk(chunk: HighMap, entry: HighNode, nth: int, function: Leaf) -> HighMap:
    """Return the chunk of one of several names, with its own arguments."""
    made = _copy(chunk)
    if isinstance(entry, MapNode):
        name, arguments = next(iter(entry.items.items()), (None, None))
        if arguments is None:
            raise breaks_off("StopIteration", entry.origins)
        made["name"] = leaf_at(name, arguments.origins)
        if not isinstance(arguments, ListNode):
            raise breaks_off(f"TypeError: a '{type_name(arguments)}' of arguments", entry.origins)
        for one in arguments.items:
            if not isinstance(one, MapNode):
                raise breaks_off("ValueError: an argument that is not a mapping", one.origins)
            for key, value in one.items.items():
                made[key] = over(made.get(key), opened(value, {}, 1))
    else:
        made["name"] = entry
    made["name_order"] = leaf_at(nth, function.origins)
    made["fun"] = function
    return made


def _copy(chunk: HighMap) -> HighMap:
    made = copied(chunk, {})
    assert isinstance(made, HighMap)  # noqa: S101 (so was the chunk)
    return made


def _watch_or_require(chunk: HighMap, watchable: Collection[str]) -> None:
    """Turn ``watch`` into ``require`` for a state without an action of its own on a change."""
    if value_of(chunk["state"]) in watchable:
        return
    for watch, require in (("watch", "require"), ("watch_any", "require_any")):
        if watch in chunk:
            watched = chunk.pop(watch)
            chunk.setdefault(require, HighList((), watched.origins)).extend(members(watched))


def _add_requisites(
    chunk: HighMap, graph: DependencyGraph, disabled: Sequence[str]
) -> Fault | None:
    """Add the dependencies of a state; return the fault of its first bad requisite.

    Source: Salt ``salt/utils/requisite.py`` (``DependencyGraph.add_requisites``).
    """
    for requisite in FOLLOWED if any(key in chunk for key in WEIGHTS) else ():
        named = chunk.get(requisite)
        if named is None or requisite in disabled:
            continue
        for reference in _references(named):
            key, value = _read_reference(reference)
            if isinstance(value, Leaf) and value.value is None:
                continue
            name = text_of(value)
            if name is None:
                return _word_no_text(chunk, requisite, key, reference)
            if not graph.add_dependency(chunk, requisite, key, name):
                wanted = f"{requisite}: ({key}: {name})"
                return _word_missing(chunk, wanted, reference, _find_meant(key, name, graph))
    return None


def _references(named: HighNode) -> Sequence[Node]:
    if isinstance(named, HighList | ListNode):
        return members(named)
    if isinstance(named, HighMap | MapNode):
        return [Leaf(key, named.origins) for key, _ in pairs_of(named)]
    if not named.value:
        return ()
    if isinstance(named.value, str):
        return [Leaf(letter, named.origins) for letter in named.value]
    raise not_iterable(named)


def _read_reference(reference: Node) -> tuple[str, Node]:
    """Return the module, without a function, and the ID or name in a requisite."""
    if text_of(reference) is not None:
        return "id", reference
    if not isinstance(reference, MapNode):
        raise lacks(reference, "items")
    key, value = next(iter(reference.items.items()), (None, None))
    if value is None or not isinstance(key, str):
        raise breaks_off("StopIteration", reference.origins)
    return key.split(".", maxsplit=1)[0], value


def _word_no_text(chunk: HighMap, requisite: str, key: str, reference: Node) -> Fault:
    words = (
        f"Requisite [{requisite}: {key}] in state [{value_of(chunk['name'])}] in SLS"
        f" [{value_of(chunk['__sls__'])}] must have a string as the value"
    )
    return fault(SHAPE, words, reference.origins)


def _find_meant(key: str, name: str, graph: DependencyGraph) -> str:
    """Return what to write in place of a reference to a state that does not exist."""
    if key == "id" and name == "sls":
        return "write `- sls: NAME`, with the name of an SLS"
    if key == "id" and ":" in name:
        return "write `- module: ID`, with a space after the colon"
    modules = graph.modules_of(name)
    if len(modules) == 1:
        return f"the ID has a state of the module `{modules.pop()}`: write that before the colon"
    return "include the SLS that declares it, or correct the reference"


def _word_missing(chunk: HighMap, named: str, reference: Node, remedy: str) -> Fault:
    words = (
        f"Referenced state does not exist for requisite [{named}] in state"
        f" [{value_of(chunk['name'])}] in SLS [{value_of(chunk['__sls__'])}]"
    )
    message = f"requisite not found: [{named}] of the state '{value_of(chunk['__id__'])}'"
    found = fault(MISSING, words, reference.origins, message, remedy)
    return looks_for(found, "id", str(text_of(_read_reference(reference)[1])))


def _word_cycle(graph: DependencyGraph) -> Fault:
    ring = graph.find_cycle()
    edges = []
    for before, after, requisite in ring:
        first, second = graph.vertices[before].chunk, graph.vertices[after].chunk
        is_prereq = requisite == "require" and requisite not in second
        word = "prereq" if is_prereq else requisite
        edges.append(f"({_word_chunk(second)}, '{word}', {_word_chunk(first)})")
    ids = [str(value_of(graph.vertices[before].chunk["__id__"])) for before, _, _ in ring]
    message = f"states wait for each other in a cycle: {', '.join(dict.fromkeys(ids))}"
    origins = graph.vertices[ring[0][0]].chunk.origins
    words = f"Recursive requisites were found: {', '.join(edges)}"
    return fault(CYCLE, words, origins, message, "remove one of the requisites")


def _word_chunk(chunk: HighMap) -> str:
    words = {"SLS": value_of(chunk["__sls__"]), "ID": value_of(chunk["__id__"])}
    if value_of(chunk["__id__"]) != value_of(chunk["name"]):
        words["NAME"] = value_of(chunk["name"])
    return str(words)
