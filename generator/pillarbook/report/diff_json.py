"""A comparison as JSON, ``pillarbook.diff/1``: everything, exactly, for programs."""

from typing import Any

from pillarbook.compare.atoms import Atom
from pillarbook.compare.diff import Diff
from pillarbook.compare.encode import change_to_json
from pillarbook.compare.secret_pairs import NOT_TOLD, tell_secrets
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import to_tagged
from pillarbook.report.state_json import line_to_json, state_to_json
from pillarbook.report.state_words import states_by_atom
from pillarbook.report.values import Token

SCHEMA = "pillarbook.diff/1"


def diff_to_json(diff: Diff, token: Token) -> dict[str, Any]:
    """Return a comparison, ready for ``json.dumps``.

    A minion's base pillar with its atoms applied is its head pillar, key order included.

    Args:
        diff: The comparison.
        token: Gives tokens of secrets.
    """
    by_atom = states_by_atom(diff)
    return {
        "schema": SCHEMA,
        "base": diff.base,
        "head": diff.head,
        "minions": {
            name: {
                "outcome": fate.word,
                "base": fate.base,
                "head": fate.head,
                "atoms": list(fate.atoms),
                **_states_of(diff, name),
            }
            for name, fate in diff.minions.items()
        },
        "atoms": [
            {**_atom_to_json(atom, token), "states": list(by_atom.get(atom.id, ()))}
            for atom in diff.atoms
        ],
        "states": [state_to_json(one, token) for one in diff.states],
        "diagnostics": [_diagnostic_to_json(side, one) for side, one in diff.diagnostics],
        "notes": [*diff.notes, *diff.bare],
        "ignored": [
            {
                "rule": one.rule,
                "keys": list(one.keys),
                "atoms": one.atoms,
                "minions": one.minions,
            }
            for one in diff.ignored
        ],
        "idle": [{**line_to_json(one.line), "why": one.why} for one in diff.idle],
    }


def _atom_to_json(atom: Atom, token: Token) -> dict[str, Any]:
    change = atom.change
    return {
        "id": atom.id,
        "path": [to_tagged(key) for key in change.path],
        **change_to_json(change, token),
        "equality": "not told" if tell_secrets(change) == NOT_TOLD else None,
        "minions": list(atom.minions),
        "because": [line_to_json(line) for line in atom.because],
        "proven": atom.proven,
        "bound": list(atom.bound),
        "ignored": atom.ignored,
    }


def _states_of(diff: Diff, minion: str) -> dict[str, Any]:
    """Return what became of a minion's states; nothing where the change does not touch them."""
    fate = diff.state_fates.get(minion)
    if fate is None:
        return {"states": [], "states_outcome": None}
    outcome = {"outcome": fate.word, "base": fate.base, "head": fate.head}
    return {"states": list(fate.changes), "states_outcome": outcome}


def _diagnostic_to_json(side: str, one: Diagnostic) -> dict[str, Any]:
    return {
        "side": side,
        "code": one.code,
        "severity": str(one.severity),
        "message": one.message,
        "file": one.position.file if one.position else None,
        "line": one.position.line if one.position else None,
        "minions": list(one.minions),
    }
