"""The stable ids of changes, and where changes are acknowledged by them.

An id is made of the content of a change (what changes, where, on which kind of minions), without
lines, files, list positions and the commit. So it is the same after a rebase and beside other
changes, and another one for another value. In it, a secret is represented by its token, so it is as
stable as the token key (``docs/decisions/0033``).
"""

import json
from base64 import b32encode
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from types import MappingProxyType

from pillarbook.compare.atoms import AckSource
from pillarbook.compare.change import Change, change_to_json
from pillarbook.compare.diff import Diff
from pillarbook.compare.fold import ANY_POSITION, fold_path
from pillarbook.compare.state_changes import StateChange
from pillarbook.model import to_tagged
from pillarbook.model.phrases import clip, count
from pillarbook.redact.redacted_json import to_json
from pillarbook.report.diff_wording import show_path
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.group_names import GroupNames, MinionWords
from pillarbook.report.inline_change import InlineChange
from pillarbook.report.state_groups import StateGroup, anywhere, other_states
from pillarbook.report.state_wording import describe_states
from pillarbook.report.told_changes import ToldGroup, describe_changes
from pillarbook.report.value_html import TokenOf

ACKNOWLEDGED: Mapping[AckSource, str] = MappingProxyType(
    {"itself": "by this change itself", "base": "in the base"}
)
"""Where changes are acknowledged, in words."""
MAX_LINE = 200
"""Characters of a line with an id."""


def select_told(groups: Sequence[ToldGroup], source: AckSource | None) -> tuple[ToldGroup, ...]:
    """Return the changes that are acknowledged there; those that are not, for None."""
    selected = (
        replace(group, told=tuple(one for one in group.told if one.acknowledged == source))
        for group in groups
    )
    return tuple(group for group in selected if group.told)


def put_acknowledged_last(groups: Sequence[ToldGroup]) -> list[ToldGroup]:
    """Return groups in which what nobody expects comes first, and groups without such changes last.

    Changes that only the change itself acknowledges are expected by nobody else.
    """
    ordered = [
        replace(group, told=tuple(sorted(group.told, key=lambda one: one.acknowledged == "base")))
        for group in groups
    ]
    return sorted(ordered, key=lambda group: group.told[0].acknowledged == "base")


def describe_acknowledged(source: AckSource | None) -> str:
    """Return where a change is acknowledged; empty for one that is not."""
    return "" if source is None else f"acknowledged {ACKNOWLEDGED[source]}"


def select_states(groups: Sequence[StateGroup], source: AckSource | None) -> list[StateGroup]:
    """Return the changes of states that are acknowledged there; those that are not, for None."""
    return [group for group in groups if group.states[0].acknowledged == source]


def count_changes(groups: Sequence[ToldGroup], states: Sequence[StateGroup]) -> str:
    """Return how many changes there are: ``3 changes``; empty for none."""
    number = sum(len(group.told) for group in groups)
    parts = [count(number, "change")] if number else []
    parts += [count(len(states), "change of states", "changes of states")] if states else []
    return " and ".join(parts)


def list_ids(
    groups: Sequence[ToldGroup], states: Sequence[StateGroup], words: MinionWords, token: TokenOf
) -> Iterator[str]:
    """Yield a line for each change with an id, as members of a list in YAML."""
    inline = InlineChange(token, str, str)
    for group in groups:
        for one in group.told:
            what = f"{show_path(one)} {inline.write(one.change)}"
            yield from _write(one.change_id, what, words, group.minions)
    for other in states:
        what = describe_states(other.states, str)
        yield from _write(other.states[0].change_id, what, words, other.minions)


def _write(
    change_id: str | None, what: str, words: MinionWords, minions: Sequence[str]
) -> Iterator[str]:
    if change_id is not None:
        told = clip(" ".join(what.split()), MAX_LINE)
        yield f"  - {change_id}  # {told}, on {words.describe(minions, str, str)}"


# Whoever may choose a value could search for one with an acknowledged id: 80 bits are too many.
DIGEST_BYTES = 10
"""Bytes of an id, which base32 writes in 16 characters."""


def name_changes(diff: Diff, words: MinionWords | GroupNames, token: TokenOf) -> Diff:
    """Return a comparison whose changes have ids.

    Changes that a rule ignores and those that follow from a failure get none.
    """
    makes = _Ids(words, token)
    told = (one for group in describe_changes(diff) for one in group.told)
    of_atoms = {atom.id: own for one in told for own in [makes.of_told(one)] for atom in one.atoms}
    of_states = {
        state.id: own
        for group in other_states(diff)
        for own in [makes.of_states(group)]
        for state in group.states
    }
    if not of_atoms and not of_states:
        return diff
    return replace(
        diff,
        atoms=tuple(replace(atom, change_id=of_atoms.get(atom.id)) for atom in diff.atoms),
        states=tuple(replace(one, change_id=of_states.get(one.id)) for one in diff.states),
    )


class _Ids:
    """Makes ids."""

    def __init__(self, words: MinionWords | GroupNames, token: TokenOf) -> None:
        self._words = words
        self._token = token

    def of_told(self, told: FoldedAtoms) -> str:
        return self._make(
            told.minions, {*(self._write(atom.change) for atom in told.atoms), f"{told.times}"}
        )

    def of_states(self, group: StateGroup) -> str:
        return self._make(group.minions, set(map(self._write_state, group.states)))

    def _make(self, minions: tuple[str, ...], contents: Iterable[str]) -> str:
        written = "\0".join([self._words.describe_kind(minions), *sorted(contents)])
        digest = blake2b(written.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES)
        return f"c-{b32encode(digest.digest()).decode().lower()}"

    def _write_state(self, state: StateChange) -> str:
        change = state.change
        parts = [to_json(part, self._token) for part in anywhere(change.state)]
        arguments = sorted(map(self._write, change.arguments))
        return json.dumps([parts, change.kind, arguments])

    def _write(self, change: Change) -> str:
        content = change_to_json(change, self._token)
        path = list(map(_write_key, fold_path(change)))
        return json.dumps([path, *map(content.get, ("kind", "before", "after"))])


def _write_key(key: Hashable) -> object:
    # No key of a pillar is a mapping, so none can stand for a position.
    return {"position": "any"} if key is ANY_POSITION else to_tagged(key)
