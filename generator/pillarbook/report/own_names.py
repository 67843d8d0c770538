"""States that one declaration gives each minion under a name of its own: ``/etc/web1.conf``."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace

from pillarbook.compare.chunks import StateName, shape_of
from pillarbook.compare.state_changes import StateChange
from pillarbook.model.phrases import common_ends
from pillarbook.report.own_keys import are_few, hide_name

FEWEST_NAMES = 3
"""Names that are told as one."""


def fold_names(states: Sequence[StateChange]) -> list[StateChange]:
    """Return changes of states with ``*`` in names where each minion has a name of its own.

    They are changes of the same kind, in the same arguments, of the same function in the same SLS,
    and no minion has two of them. Names without the name of a minion are those of a few minions.
    """
    alike: dict[Hashable, list[StateChange]] = defaultdict(list)
    for one in states:
        alike[find_nameless_shape(one)].append(one)
    names = {shape: _join_names(some) for shape, some in alike.items()}
    return [
        one if name is None else replace(one, change=replace(one.change, state=name))
        for one in states
        for name in [names[find_nameless_shape(one)]]
    ]


def find_nameless_shape(one: StateChange) -> Hashable:
    """Return what changes have in common if they differ in values, and in names of few minions."""
    state = one.change.state
    hidden = [hide_name(name, one.minions) for name in (state.state_id, state.name)]
    return (shape_of(one.change), *hidden)


def _join_names(some: Sequence[StateChange]) -> StateName | None:
    """Return a name for all of some states; None if they have to keep theirs."""
    names = [one.change.state for one in some]
    parts = [(name.state_id, name.name) for name in names]
    if not all(isinstance(part, str) for both in parts for part in both):
        return None
    minions = [minion for one in some for minion in one.minions]
    having = Counter(both for both, one in zip(parts, some, strict=True) for _ in one.minions)
    is_own = len(minions) == len(set(minions)) and are_few([*having.values()])
    if len(having) < FEWEST_NAMES or not is_own:
        return None
    ids, own = zip(*parts, strict=True)
    return names[0]._replace(env=None, state_id=_join_texts(ids), name=_join_texts(own))


def _join_texts(texts: Sequence[str]) -> str:
    """Return what texts begin and end with, and ``*`` between them."""
    if len(set(texts)) == 1:
        return texts[0]
    return "*".join(common_ends(texts))
