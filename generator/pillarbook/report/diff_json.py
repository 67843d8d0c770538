"""A comparison as JSON, ``pillarbook.diff/1``: everything, exactly, for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from pillarbook.compare.atoms import Atom, Cited
from pillarbook.compare.change import Change, change_to_json
from pillarbook.compare.diff import Diff
from pillarbook.compare.secret_pairs import NOT_TOLD, describe_secrets
from pillarbook.compare.state_changes import StateChange
from pillarbook.compare.unknown_values import MaybeChanged
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import to_tagged
from pillarbook.redact.redacted_json import to_json
from pillarbook.redact.redacted_pillar import RedactedTarget
from pillarbook.report.state_wording import states_by_atom
from pillarbook.report.value_html import TokenOf

SCHEMA = "pillarbook.diff/1"


def diff_to_json(diff: Diff, token: TokenOf) -> dict[str, Any]:
    """Return a comparison, ready for ``json.dumps``.

    A minion's base pillar with its atoms applied is its head pillar, key order included.
    """
    by_atom = states_by_atom(diff)
    return {
        "schema": SCHEMA,
        "base": diff.base,
        "head": diff.head,
        "minions": {
            name: {
                "outcome": result.word,
                "base": result.base,
                "head": result.head,
                "changed": name in diff.changed,
                "atoms": list(result.atoms),
                "new_faults": list(result.new_faults),
                "lost_targets": [_target_to_json(one) for one in result.lost],
                **_states_of(diff, name),
            }
            for name, result in diff.minions.items()
        },
        "atoms": [
            {**_atom_to_json(atom, token), "states": list(by_atom.get(atom.id, ()))}
            for atom in diff.atoms
        ],
        "states": [_state_to_json(one, token) for one in diff.states],
        "diagnostics": list(_diagnostics_to_json(diff.diagnostics)),
        "notes": [*diff.notes, *diff.bare, *diff.not_compared],
        "unknown": diff.unknown,
        "may_have_changed": [_maybe_to_json(one) for one in diff.maybe_changed],
        "ignored": [
            {"rule": one.rule, "keys": list(one.keys), "atoms": one.atoms, "minions": one.minions}
            for one in diff.ignored
        ],
        "idle": [{**_line_to_json(one.line), "why": one.why} for one in diff.idle],
    }


def _maybe_to_json(maybe: MaybeChanged) -> dict[str, Any]:
    return {
        "path": [to_tagged(key) for key in maybe.path],
        "before": to_tagged(maybe.before),
        "after": to_tagged(maybe.after),
        "minions": list(maybe.minions),
    }


def _atom_to_json(atom: Atom, token: TokenOf) -> dict[str, Any]:
    change = atom.change
    return {
        "id": atom.id,
        "path": [to_tagged(key) for key in change.path],
        **change_to_json(change, token),
        "equality": "not told" if describe_secrets(change) == NOT_TOLD else None,
        "minions": list(atom.minions),
        "because": [_line_to_json(line) for line in atom.because],
        "proven": atom.proven,
        "bound": list(atom.bound),
        "ignored": atom.ignored,
        "change_id": atom.change_id,
        "acknowledged": atom.acknowledged,
        **({} if atom.consequence_of is None else {"consequence_of": atom.consequence_of}),
    }


def _state_to_json(one: StateChange, token: TokenOf) -> dict[str, Any]:
    """Return a change of a state, with the minions that it affects."""
    change, cause = one.change, one.cause
    parts = zip(("env", "sls", "state_id", "state", "fun", "name"), change.state, strict=True)
    return {
        "id": one.id,
        **{key: to_json(part, token) for key, part in parts},
        "kind": change.kind,
        "overtakes": change.overtakes,
        "arguments": [_argument_to_json(argument, token) for argument in change.arguments],
        "minions": list(one.minions),
        "atoms": list(cause.atoms),
        "files": list(cause.files),
        "because": list(map(_line_to_json, cause.lines)),
        "proven": cause.proven,
        "change_id": one.change_id,
        "acknowledged": one.acknowledged,
    }


def _line_to_json(line: Cited) -> dict[str, Any]:
    """Return a line of a change."""
    return {"file": line.file, "line": line.line, "side": line.side}


def _argument_to_json(argument: Change, token: TokenOf) -> dict[str, Any]:
    path = [to_tagged(key) for key in argument.path]
    return {"path": path, **change_to_json(argument, token)}


def _target_to_json(one: RedactedTarget) -> dict[str, Any]:
    """Return a target of the base, and the SLS files that it gave."""
    return {
        "target": one.target,
        "match": one.match,
        "saltenv": one.saltenv,
        "file": one.file,
        "line": one.line,
        "sls": list(one.sls),
    }


def _states_of(diff: Diff, minion: str) -> dict[str, Any]:
    """Return the result of a minion's states; nothing if the change does not affect them."""
    result = diff.state_results.get(minion)
    if result is None:
        return {"states": [], "states_outcome": None}
    new = [one for one in result.new_faults if one not in diff.follow_on]
    outcome = {
        "outcome": result.word,
        "base": result.base,
        "head": result.head,
        "new_faults": new,
    }
    return {"states": list(result.changes), "states_outcome": outcome}


def _diagnostics_to_json(
    diagnostics: Sequence[tuple[str, Diagnostic]],
) -> Iterator[dict[str, Any]]:
    causes = {(side, one.caused_by) for side, one in diagnostics if one.caused_by is not None}
    places = {told: number for number, told in enumerate(diagnostics) if causes and told in causes}
    for side, one in diagnostics:
        cause = None if one.caused_by is None else places.get((side, one.caused_by))
        yield {
            "side": side,
            "code": one.code,
            "severity": str(one.severity),
            "message": one.message,
            "file": one.position.file if one.position else None,
            "line": one.position.line if one.position else None,
            "minions": list(one.minions),
            **({} if cause is None else {"caused_by": cause}),
        }
