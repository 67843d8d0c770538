"""Everything about a pair of environments, for programs; the page beside it leaves things out."""

import json
from typing import Any, Final

from pillarbook.compare.change import change_to_json
from pillarbook.compare.fold import ANY_POSITION, FoldedChange
from pillarbook.model import KeyPath, to_tagged
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.source import EnvironmentSide
from pillarbook.report.value_html import TokenOf

SCHEMA = "pillarbook.environments/1"
ANY: Final = {"$any": "position"}


def write_pair_json(fleet: FleetSummary, number: int, token: TokenOf) -> str:
    """Return the first environment against another as JSON.

    Shape: ``{"schema", "base", "head", "minions": {ID: {"outcome", "base", "head"}}, "changes":
    [{"path", "kind", "before", "after", "before_origin", "after_origin", "group"}], "groups":
    [[ID]]}``. A change affects the minions of its group, an index into ``groups``; in a path
    ``{"$any": "position"}`` stands for any position in a list.
    """
    pair = fleet.pair(number)
    groups: dict[tuple[str, ...], int] = {}
    changes = [
        {
            **_change_to_json(change, token),
            "group": groups.setdefault(change.minions, len(groups)),
        }
        for change in pair.changes
    ]
    written = {
        "schema": SCHEMA,
        "base": _side_to_json(pair.base),
        "head": _side_to_json(pair.head),
        "minions": {
            name: {
                "outcome": minion.words[number],
                "base": minion.outcomes[0],
                "head": minion.outcomes[number],
            }
            for name, minion in fleet.minions.items()
        },
        "changes": changes,
        "groups": list(groups),
    }
    return json.dumps(written) + "\n"


def _side_to_json(side: EnvironmentSide) -> dict[str, Any]:
    return {"name": side.name, "is_pillarenv": side.is_pillarenv, "has_top": side.has_top}


def _change_to_json(folded: FoldedChange, token: TokenOf) -> dict[str, Any]:
    return {"path": _path_to_json(folded.path), **change_to_json(folded.change, token)}


def _path_to_json(path: KeyPath) -> list[Any]:
    return [ANY if key is ANY_POSITION else to_tagged(key) for key in path]
