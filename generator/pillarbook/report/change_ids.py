"""The stable id of each change that a reader sees: what changes, where, on which kind of minions.

An id is made of the content of a change, without lines, files, list positions and the commit. So
it is the same after a rebase and beside other changes, and another one for another value. In it, a
secret is represented by its token, so it is as stable as the token key (``docs/decisions/0033``).
"""

import json
from base64 import b32encode
from collections.abc import Hashable, Iterable
from dataclasses import replace
from hashlib import blake2b

from pillarbook.compare.change import Change, change_to_json
from pillarbook.compare.diff import Diff
from pillarbook.compare.fold import ANY_POSITION, fold_path
from pillarbook.compare.state_changes import StateChange
from pillarbook.model import to_tagged
from pillarbook.redact.redacted_json import to_json
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.group_names import GroupNames, MinionWords
from pillarbook.report.state_groups import StateGroup, anywhere, other_states
from pillarbook.report.told_changes import describe_changes
from pillarbook.report.value_html import TokenOf

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
