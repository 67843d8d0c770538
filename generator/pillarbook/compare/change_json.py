"""Changes as JSON."""

from typing import Any

from pillarbook.compare.change import Change
from pillarbook.model import to_tagged
from pillarbook.redact.redacted_json import GetToken, to_json
from pillarbook.redact.redacted_pillar import RedactedOrigin


def change_to_json(change: Change, token: GetToken) -> dict[str, Any]:
    """Return a change without its path: ``kind``, both sides and where they were given."""
    written: dict[str, Any] = {"kind": change.kind}
    if change.kind == "reordered":
        return written | {
            "before": [to_tagged(key) for key in change.before],
            "after": [to_tagged(key) for key in change.after],
        }
    if change.kind == "moved":
        written |= {"from": change.moved_from, "to": change.moved_to}
    if change.kind != "added":
        written["before"] = to_json(change.before, token)
        written["before_origin"] = origin_to_json(change.before_origin)
    if change.kind != "removed":
        written["after"] = to_json(change.after, token)
        written["after_origin"] = origin_to_json(change.after_origin)
    if change.behind is not None:
        written["behind"] = [to_tagged(key) for key in change.behind]
    return written


def origin_to_json(origin: RedactedOrigin | None) -> dict[str, Any] | None:
    """Return where a value was given, without the value."""
    if origin is None:
        return None
    return {
        "file": origin.file,
        "line": origin.line,
        "sls": origin.sls,
        "saltenv": origin.saltenv,
    }
