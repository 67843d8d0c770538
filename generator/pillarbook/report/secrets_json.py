"""All secrets and all who read them, for programs; the page beside it leaves things out."""

import json
from typing import Any

from pillarbook.model import to_tagged
from pillarbook.redact.shown_access import Forged
from pillarbook.report.secret_access import FleetSecrets, SecretWay, Source
from pillarbook.report.secret_table import Ages
from pillarbook.report.value_html import TokenOf
from pillarbook.roots.history import LineAge

SCHEMA = "pillarbook.secrets/2"


def write_secrets_json(found: FleetSecrets, ages: Ages, token: TokenOf) -> str:
    """Return who reads what as JSON.

    Shape: ``{"schema", "secrets": [{"path", "token", "minions", "sources": [{"file", "line",
    "sls", "saltenv", "reason", "minions", "changed"}], "ways": [{"kind", "name", "targets",
    "match", "saltenv", "file", "line", "sls", "forgeable", "reads", "minions"}], "readers"}],
    "readers": [{"minions": [ID], "secrets"}]}``. The minions of an entry of ``readers`` read the
    same secrets; ``readers`` of a secret and ``secrets`` of such an entry are indexes, ``minions``
    elsewhere are counts.
    """
    readers_of: dict[int, list[int]] = {}
    for number, readers in enumerate(found.readers):
        for secret in readers.secrets:
            readers_of.setdefault(secret, []).append(number)
    written = {
        "schema": SCHEMA,
        "secrets": [
            {
                "path": [to_tagged(key) for key in secret.path],
                "token": token(secret.secret_id),
                "minions": secret.minions,
                "sources": [_write_source(*one, ages) for one in secret.sources],
                "ways": [_write_way(way) for way in secret.ways],
                "readers": readers_of[secret.number],
            }
            for secret in found.secrets
        ],
        "readers": [
            {"minions": list(readers.minions), "secrets": list(readers.secrets)}
            for readers in found.readers
        ],
    }
    return json.dumps(written, separators=(",", ":")) + "\n"


def _write_source(source: Source, minions: int, ages: Ages) -> dict[str, Any]:
    age = None if source.line is None else ages.get((source.file, source.line))
    return {
        "file": source.file,
        "line": source.line,
        "sls": source.sls,
        "saltenv": source.saltenv,
        "reason": source.reason,
        "minions": minions,
        "changed": None if age is None else _write_age(age),
    }


def _write_age(age: LineAge) -> dict[str, Any]:
    return {
        "status": age.status,
        "commit": age.commit,
        "date": age.date,
        "at_least": age.at_least,
    }


def _write_way(way: SecretWay) -> dict[str, Any]:
    route = way.route
    place = route.position
    return {
        "kind": route.kind,
        "name": route.name,
        "targets": list(way.targets),
        "match": route.match,
        "saltenv": route.saltenv,
        "file": None if place is None else place.file,
        "line": None if place is None else place.line,
        "sls": list(route.sls),
        "forgeable": _write_forged(route.forged),
        "reads": [{"file": one.file, "grains": list(one.grains)} for one in way.reads],
        "minions": way.minions,
    }


def _write_forged(forged: Forged | None) -> dict[str, Any] | None:
    return None if forged is None else {"grains": list(forged.grains), "only": forged.only}
