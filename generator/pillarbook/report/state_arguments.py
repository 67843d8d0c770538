"""What differs in the arguments of states, in words."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace

from pillarbook.compare.change import Change
from pillarbook.compare.chunks import StateName
from pillarbook.compare.fold import fold_path
from pillarbook.compare.state_changes import StateChange
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.model import KeyPath, format_path
from pillarbook.model.phrases import and_more, clip
from pillarbook.report.diff_wording import describe_variants
from pillarbook.report.replaced_lists import pair_members
from pillarbook.report.state_groups import anywhere
from pillarbook.report.state_wording import function_of, show_part
from pillarbook.report.usual_values import Look, find_shape, names_of, split_by_look

MAX_STATES = 5
"""States whose arguments are listed."""
MAX_ARGUMENTS = 3
"""Arguments of a state that are listed."""
MAX_ODD = 3
"""Other changes that are told beside what most minions get."""
MAX_NAME = 80
"""Characters of the name of a state, and of the path of an argument."""
CALLED = {"__env__": "environment", "__sls__": "SLS", "__id__": "ID", "fun": "function"}
"""What people call the keys of a chunk."""


def describe_arguments(
    states: Iterable[StateChange], write: Callable[[str], str], show: Callable[[Change], str]
) -> list[str]:
    """Return a line for each changed state: ``service.running nginx: enable true -> false``."""
    found: dict[StateName, list[StateChange]] = {}
    for one in states:
        if one.change.kind == "changed":
            found.setdefault(anywhere(one.change.state), []).append(one)
    ids = Counter(show_part(state.state_id) for state in found)
    lines = []
    for state, changes in list(found.items())[:MAX_STATES]:
        called = write(clip(_call(state, is_one=ids[show_part(state.state_id)] == 1), MAX_NAME))
        usual, others, is_similar = _split_usual(changes)
        variants = dict.fromkeys(_describe(one.change.arguments, write, show) for one in usual)
        number = len(variants)
        often = f" ({describe_variants(number, similar=is_similar)})" if number > 1 else ""
        lines.append(f"{called}: {next(iter(variants))}{often}")
        odd: dict[str, list[str]] = {}
        for one in others:
            odd.setdefault(_describe(one.change.arguments, write, show), []).extend(one.minions)
        for told, minions in odd.items():
            lines.append(f"{called} on {write(clip(', '.join(minions), MAX_NAME))}: {told}")
    left = len(found) - MAX_STATES
    return [*lines, f"and {left:,} more"] if left > 0 else lines


def _split_usual(
    changes: Sequence[StateChange],
) -> tuple[Sequence[StateChange], Sequence[StateChange], bool]:
    """Return what most minions get and the few others, and whether the former are alike."""
    prints = Fingerprints()

    def shape_of(one: StateChange, look: Look) -> Hashable:
        own = [*names_of(one.minions), one.change.state.state_id, one.change.state.name]
        return tuple(
            (tuple(map(canonical, fold_path(each))), find_shape(each, own, prints, look))
            for each in one.change.arguments
        )

    sizes = [len(one.minions) for one in changes]
    usual, others, is_similar = split_by_look(changes, shape_of, sizes)
    if usual and len(others) <= MAX_ODD:
        return usual, others, is_similar
    return changes, [], False


def _call(state: StateName, *, is_one: bool) -> str:
    """Return the function of a state and its ID, with its name if others have the same ID."""
    name, own = show_part(state.state_id), show_part(state.name)
    return f"{function_of(state)} {name if is_one or name == own else f'{name}: {own}'}"


def _describe(
    arguments: Sequence[Change], write: Callable[[str], str], show: Callable[[Change], str]
) -> str:
    found = _pair_members(arguments)
    told = [
        f"{write(clip(format_path(_name(fold_path(one))), MAX_NAME))} {show(one)}"
        for one in found[:MAX_ARGUMENTS]
    ]
    return ", ".join(told) + and_more(len(found) - MAX_ARGUMENTS)


def _pair_members(arguments: Sequence[Change]) -> list[Change]:
    """Return changes in which a list member that another one replaces is one changed value."""
    members: dict[Hashable, dict[str, list[Change]]] = {}
    found: list[Change] = []
    for one in arguments:
        value = one.after if one.kind == "added" else one.before
        is_member = len(one.path) - 1 in one.positions and not isinstance(value, dict | list)
        if is_member and one.kind in ("added", "removed"):
            own = tuple(map(canonical, one.path[:-1]))
            members.setdefault(own, {}).setdefault(one.kind, []).append(one)
        else:
            found.append(one)
    for by_kind in members.values():
        removed, added = by_kind.get("removed", []), by_kind.get("added", [])
        pairs, rest = pair_members(
            removed, added, lambda one: one.after if one.kind == "added" else one.before
        )
        found += (replace(new, kind="changed", before=old.before) for old, new in pairs)
        found += rest
    return found


def _name(path: KeyPath) -> KeyPath:
    """Return the path of an argument as people call it; of the state's own keys it is empty."""
    return (CALLED.get(str(path[0]), path[0]), *path[1:]) if path else ("arguments",)
