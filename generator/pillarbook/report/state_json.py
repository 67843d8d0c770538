"""Changes of states as JSON."""

from typing import Any

from pillarbook.compare.atoms import Cited
from pillarbook.compare.change import Change
from pillarbook.compare.change_json import change_to_json
from pillarbook.compare.state_changes import StateChange
from pillarbook.model import to_tagged
from pillarbook.redact.redacted_json import to_json
from pillarbook.report.value_html import TokenOf


def state_to_json(one: StateChange, token: TokenOf) -> dict[str, Any]:
    """Return a change of a state, with the minions that it affects.

    Args:
        one: The change.
        token: Gives tokens of secrets.
    """
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
        "because": list(map(line_to_json, cause.lines)),
        "proven": cause.proven,
    }


def line_to_json(line: Cited) -> dict[str, Any]:
    """Return a line of a change."""
    return {"file": line.file, "line": line.line, "side": line.side}


def _argument_to_json(argument: Change, token: TokenOf) -> dict[str, Any]:
    path = [to_tagged(key) for key in argument.path]
    return {"path": path, **change_to_json(argument, token)}
