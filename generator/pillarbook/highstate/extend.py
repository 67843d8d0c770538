"""``extend`` and ``exclude``: changes of one SLS to states of others.

Source: Salt ``salt/state.py`` (``State.reconcile_extend``, ``find_name``, ``_apply_exclude``).
"""

import fnmatch
from collections.abc import Iterator
from typing import Any

from pillarbook.highstate.high_data import BELOW_ID, EXCLUDE, EXTEND
from pillarbook.highstate.keywords import REQUISITES
from pillarbook.highstate.mutable_high_data import (
    HighList,
    HighMap,
    HighNode,
    over,
    text_of,
    value_of,
)
from pillarbook.highstate.state_faults import (
    MISSING,
    Fault,
    breaks_off,
    lacks,
    looks_for,
    members,
    no_container,
    not_iterable,
    text_key,
    type_name,
    unhashable,
)
from pillarbook.highstate.state_faults import new_fault as fault
from pillarbook.model import Leaf, ListNode, MapNode, Node


def reconcile_extend(high: HighMap, *, strict: bool = False) -> list[Fault]:
    """Merge the extensions of states into the high data, and return the faults.

    If ``strict``, an ID matches only if it has a state of the module.

    Raises:
        CompileBreaksOff: Data of a shape that Salt's own compile does not survive.
    """
    faults: list[Fault] = []
    for chunk in high.pop(EXTEND, ()):
        for name, body in chunk.items():
            if not isinstance(body, HighMap):
                words = f"AttributeError: '{type_name(body)}' object has no attribute 'get'"
                what = f"the ID '{name}' below `extend` is not a mapping, and Salt stops"
                raise breaks_off(words, body.origins, BELOW_ID, what)
            found = _find_extended(name, body, high, strict=strict)
            if found is None:
                faults.append(_missing(name, body))
            # Salt extends before it excludes, so it looks for excluded SLS files here.
            elif _sls_of(body) not in _excluded_sls(high):
                _extend(high[found], body)
    return faults


def find_name(
    name: Any, module: str, high: HighMap, *, strict: bool = False
) -> list[tuple[Any, str]]:
    """Return the IDs that a reference to a state means, each with the module.

    The name is an ID or a state's name; the name of an SLS if the module is ``sls``. If ``strict``,
    an ID matches only if it has a state of the module.

    Raises:
        CompileBreaksOff: Data of a shape that Salt's own compile does not survive.
    """
    if isinstance(name, HighMap | HighList | MapNode | ListNode):
        raise unhashable(name)
    if name in high and (not strict or holds(high[name], module)):
        return [(name, module)]
    if module == "sls":
        return [(one, next(iter(body))) for one, body in high.items() if _sls_of(body) == name]
    return [(one, module) for one, body in high.items() for _ in _named(body, module, name)]


def _named(body: HighNode, module: str, name: Any) -> Iterator[None]:
    """Yield once for each argument of a state that has the value."""
    if not holds(body, module) or not isinstance(body, HighMap):
        return
    run = body[module]
    for arg in run if isinstance(run, HighList) else ():
        if isinstance(arg, HighMap) and len(arg) == 1:
            value = next(iter(arg.values()))
            if isinstance(value, Leaf) and value.value == name:
                yield


def holds(body: HighNode, module: str) -> bool:
    """Say whether a state of any shape has a key.

    Raises:
        CompileBreaksOff: It has a shape in which Salt cannot look for keys.
    """
    if isinstance(body, HighMap):
        return module in body
    if isinstance(body, HighList):
        return any(value_of(item) == module for item in body)
    text = text_of(body)
    if text is None:
        raise no_container(body)
    return module in text


def module_of(body: HighMap) -> str:
    """Return the first key of a state that is not one of Salt's own.

    Raises:
        CompileBreaksOff: There is none.
    """
    for key in body:
        text = text_key(key, body.origins)
        if not text.startswith("__"):
            return text
    raise breaks_off("StopIteration", body.origins)


def _find_extended(name: Any, body: HighMap, high: HighMap, *, strict: bool) -> Any:
    """Return the ID that is extended; None if there is none, or several."""
    module = module_of(body)
    if name in high and holds(high[name], module):
        return name
    found = find_name(name, module, high, strict=strict)
    return found[0][0] if len(found) == 1 else None


def _missing(name: Any, body: HighMap) -> Fault:
    saltenv = value_of(body["__env__"]) if "__env__" in body else "base"
    sls = value_of(body["__sls__"]) if "__sls__" in body else "base"
    words = (
        f"Cannot extend ID '{name}' in '{saltenv}:{sls}'. It is not part of the high state.\n"
        "This is likely due to a missing include statement or an incorrectly typed ID.\n"
        f"Ensure that a state with an ID of '{name}' is available\nin environment '{saltenv}' and"
        f" to SLS '{sls}'"
    )
    message = (
        f"SLS '{sls}' extends the ID '{name}', or has a requisite in it, but it does not exist"
    )
    remedy = "include the SLS that declares it, or correct the ID"
    return looks_for(fault(MISSING, words, body.origins, message, remedy), "id", str(name))


def _sls_of(body: HighNode) -> Any:
    return value_of(body["__sls__"]) if isinstance(body, HighMap) and "__sls__" in body else None


def _excluded_sls(high: HighMap) -> list[Any]:
    found: list[Any] = []
    for exclude in high.get(EXCLUDE, ()):
        if isinstance(exclude, MapNode):
            if "sls" in exclude.items:
                found.append(value_of(exclude.items["sls"]))
        elif text_of(exclude) is not None:
            found.append(text_of(exclude))
        else:
            raise lacks(exclude, "get")
    return found


def _extend(target: HighNode, body: HighMap) -> None:
    """Merge the states of one ID into those of another one."""
    if not isinstance(target, HighMap):
        raise lacks(target, "items")
    for module, run in body.items():
        if module.startswith("__"):
            continue
        if module not in target:
            target[module] = run
            continue
        known = target[module]
        if not isinstance(run, HighList) or not isinstance(known, HighList):
            raise breaks_off(f"TypeError: a state that is a '{type_name(run)}'", run.origins)
        for arg in list(run):
            if not _replace(known, arg):
                known.append(arg)


def _replace(known: HighList, arg: HighNode) -> bool:
    """Replace the arguments of the same name by one; say whether there were any."""
    is_there = False
    for at, old in enumerate(known):
        if text_of(arg) is not None and text_of(old) is not None:
            known[at] = over(old, arg)
            is_there = True
        elif isinstance(arg, HighMap) and isinstance(old, HighMap):
            first, other = next(iter(arg), None), next(iter(old), None)
            if first is None or other is None:
                raise breaks_off("StopIteration", (arg if first is None else old).origins)
            if first == other:
                _replace_argument(known, at, arg)
                is_there = True
            if first == "name" and other == "names":
                known[at] = arg
    return is_there


def _replace_argument(known: HighList, at: int, arg: HighMap) -> None:
    """Append to the argument of a requisite, or replace any other argument."""
    old = known[at]
    key = next(iter(arg))
    if key not in REQUISITES:
        known[at] = HighMap({**arg, key: over(old[key], arg[key])}, arg.origins)
        return
    value = old[key]
    if not isinstance(value, HighList):
        raise lacks(value, "extend")
    more = arg[key]
    if isinstance(more, HighList | ListNode):
        value.extend(members(more))
    elif isinstance(more, HighMap):
        value.extend(Leaf(one, more.origins) for one in more)
    else:
        raise not_iterable(more)


def apply_exclude(high: HighMap) -> None:
    """Remove excluded IDs, and all that an excluded SLS itself declares.

    Raises:
        CompileBreaksOff: Data of a shape that Salt's own compile does not survive.
    """
    if EXCLUDE not in high:
        return
    entries = [_read_entry(entry) for entry in high.pop(EXCLUDE)]
    sls = [value for key, value in entries if key == "sls"]
    ids = [value for key, value in entries if key == "id"]
    if sls:
        ids.extend(name for name, body in high.items() if _is_of(name, body, sls))
    for name in ids:
        high.pop(name, None)


def _read_entry(entry: Node) -> tuple[Any, Any]:
    """Return ``sls`` or ``id``, and the name that an entry excludes; plain text names an SLS."""
    if text_of(entry) is not None:
        return "sls", value_of(entry)
    if not isinstance(entry, MapNode) or len(entry.items) != 1:
        return None, None
    key, value = next(iter(entry.items.items()))
    if isinstance(value, MapNode | ListNode) and key in ("sls", "id"):
        raise breaks_off(f"TypeError: unhashable type: '{type_name(value)}'", entry.origins)
    return key, value_of(value)


def _is_of(name: Any, body: Any, sls: list[Any]) -> bool:
    """Say whether one of some SLS files, or globs, declares an ID."""
    if text_key(name, body.origins).startswith("__"):
        return False
    if not isinstance(body, HighMap):
        raise lacks(body, "get")
    own = str(value_of(body["__sls__"])) if "__sls__" in body else ""
    return bool(own) and any(isinstance(one, str) and fnmatch.fnmatch(own, one) for one in sls)
