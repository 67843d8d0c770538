"""What ``explain --format json`` prints: ``pillarbook.explain/1``."""

from collections.abc import Callable, Sequence
from typing import Any

from pillarbook.redact import RedactedLeaf, RedactedPillar, values_to_json

EXPLAIN_SCHEMA = "pillarbook.explain/1"


def explained(
    pillar: RedactedPillar, leaves: Sequence[RedactedLeaf], token: Callable[[int], str]
) -> dict[str, Any]:
    """Return where values of a minion come from, ready for ``json.dumps``."""
    return {
        "schema": EXPLAIN_SCHEMA,
        "minion": pillar.minion,
        "outcome": pillar.outcome,
        "faults": list(pillar.faults),
        "targets": [
            {
                "target": target.target,
                "match": target.match,
                "saltenv": target.saltenv,
                "file": target.file,
                "line": target.line,
                "matched": target.matched,
                "sls": list(target.sls),
            }
            for target in pillar.targets
        ],
        "values": list(values_to_json(leaves, token)),
    }
