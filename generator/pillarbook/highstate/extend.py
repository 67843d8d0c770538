"""What ``extend`` and the ``_in`` requisites add to states of other SLS files.

Source: Salt ``salt/state.py`` (``State.reconcile_extend``, ``find_name``).
"""

from collections.abc import Iterator
from typing import Any

from pillarbook.highstate.high_data import EXCLUDE, EXTEND
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
    members,
    type_name,
)
from pillarbook.highstate.state_faults import new_fault as fault
from pillarbook.model import Leaf, ListNode, MapNode


def reconcile_extend(high: HighMap, *, strict: bool = False) -> list[Fault]:
    """Put what extends states into them, and return what is wrong.

    Args:
        high: The high data; changed.
        strict: Whether an ID counts only where it has a state of the module.

    Raises:
        CompileBreaksOff: Data of a shape that Salt's own compile does not survive.
    """
    faults: list[Fault] = []
    for chunk in high.pop(EXTEND, ()):
        for name, body in chunk.items():
            if not isinstance(body, HighMap):
                raise lacks(body, "get")
            found = _find_extended(name, body, high, strict=strict)
            if found is None:
                faults.append(_missing(name, body))
            # Salt extends before it excludes, so an excluded SLS is asked for here.
            elif _sls_of(body) not in _excluded_sls(high):
                _extend(high[found], body)
    return faults


def find_name(
    name: Any, module: str, high: HighMap, *, strict: bool = False
) -> list[tuple[Any, str]]:
    """Return the IDs, each with the module, that a reference to a state means.

    Args:
        name: An ID or a name; the name of an SLS where the module is ``sls``.
        module: The state module.
        high: The high data.
        strict: Whether an ID counts only where it has a state of the module.

    Raises:
        CompileBreaksOff: Data of a shape that Salt's own compile does not survive.
    """
    if isinstance(name, HighMap | HighList | MapNode | ListNode):
        raise breaks_off(f"TypeError: unhashable type: '{type_name(name)}'", name.origins)
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
    """Say whether a state has something under a key, whatever shape it has.

    Raises:
        CompileBreaksOff: It has a shape that Salt cannot look into.
    """
    if isinstance(body, HighMap):
        return module in body
    if isinstance(body, HighList):
        return any(value_of(item) == module for item in body)
    text = text_of(body)
    if text is None:
        words = f"TypeError: argument of type '{type_name(body)}' is not iterable"
        raise breaks_off(words, body.origins)
    return module in text


def module_of(body: HighMap) -> str:
    """Return the first key of a state that is no mark of Salt's.

    Raises:
        CompileBreaksOff: There is none.
    """
    for key in body:
        if not isinstance(key, str):
            raise breaks_off(
                f"AttributeError: '{type(key).__name__}' object has no attribute 'startswith'",
                body.origins,
            )
        if not key.startswith("__"):
            return key
    raise breaks_off("StopIteration", body.origins)


def _find_extended(name: Any, body: HighMap, high: HighMap, *, strict: bool) -> Any:
    """Return the ID that is extended; None where there is none, or there are several."""
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
    message = f"SLS '{sls}' extends the ID '{name}', or has a requisite in it, which is nowhere"
    remedy = "include the SLS that declares it, or correct the ID"
    return fault(MISSING, words, body.origins, message, remedy)


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
    """Put the states of one ID into another one's."""
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
    """Let one argument take the place of those like it; say whether there was one."""
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
    """Join the argument of a requisite with the one that is there, or replace any other."""
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
        raise breaks_off(f"TypeError: '{type_name(more)}' object is not iterable", more.origins)
