"""All schemas by name. A schema has its own definitions, so that one file is enough."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pillarbook.schemas import comparisons, declarations, outputs, site_files
from pillarbook.schemas.pieces import DEFINITIONS, Schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# No address: the project has none of its own, and each site may publish the files.
_ID = "urn:pillarbook:schema:"
_REFERENCE = "#/$defs/"


@dataclass(frozen=True, slots=True)
class SchemaEntry:
    """One schema."""

    version: int
    """The number at the end of the documents' ``schema``; 1 if they have no such field."""
    title: str
    """What it describes."""
    describe: Callable[[], Schema]
    """Gives the schema without its head."""


SCHEMAS: Mapping[str, SchemaEntry] = {
    "acks": SchemaEntry(
        1, "Acknowledged changes: .pillarbook-acks.yml", declarations.describe_acknowledgements
    ),
    "answers": SchemaEntry(1, "Output of answers list --format json", outputs.describe_answers),
    "check": SchemaEntry(1, "Output of check --format json", outputs.describe_check),
    "compile": SchemaEntry(
        1, "Output of compile; a line of --format jsonl", outputs.describe_compile
    ),
    "diff": SchemaEntry(1, "Output of diff --format json", comparisons.describe_diff),
    "environments": SchemaEntry(
        1, "environments/A--B.json of the site", comparisons.describe_environments
    ),
    "explain": SchemaEntry(1, "Output of explain MINION --format json", outputs.describe_explain),
    "get": SchemaEntry(1, "Output of get --format json", outputs.describe_get),
    "history": SchemaEntry(1, "A file of build --history DIR", site_files.describe_history),
    "inventory": SchemaEntry(1, "The inventory: minions.yml", declarations.describe_inventory),
    "lowstate": SchemaEntry(
        1, "Output of compile --lowstate; a line of --format jsonl", outputs.describe_lowstate
    ),
    "minion": SchemaEntry(1, "minions/ID.json of the site", site_files.describe_minion),
    "mkdocs": SchemaEntry(
        1, "The pillarbook section of mkdocs.yml", declarations.describe_configuration
    ),
    "report": SchemaEntry(1, "report.json of the site", site_files.describe_report),
    "result": SchemaEntry(2, "Output of compile --format result", comparisons.describe_result),
    "secrets": SchemaEntry(2, "secrets.json of the site", site_files.describe_secrets),
    "sls": SchemaEntry(1, "Output of explain --sls --format json", outputs.describe_sls),
    "timing": SchemaEntry(1, "Output of --timing=json", outputs.describe_timing),
    "verify": SchemaEntry(1, "Output of verify --format json", comparisons.describe_verify),
}
"""Every schema by its name."""


def build_schema(name: str) -> dict[str, Any]:
    """Return a schema of ``SCHEMAS``."""
    entry = SCHEMAS[name]
    described = entry.describe()
    used: dict[str, Schema] = {}
    _collect(described, used)
    return {
        "$schema": DIALECT,
        "$id": f"{_ID}{name}-{entry.version}",
        "title": entry.title,
        **described,
        **({"$defs": dict(sorted(used.items()))} if used else {}),
    }


# A server writes them at each build.
@cache
def write_schema(name: str) -> str:
    """Return a schema of ``SCHEMAS`` as JSON."""
    return json.dumps(build_schema(name), indent=1) + "\n"


def list_files(*, has_history: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the files of the schemas, address and text: ``schemas/NAME-VERSION.json``.

    ``has_history`` says whether somebody keeps what each build changed; else nobody has its form.
    """
    for name, entry in SCHEMAS.items():
        if name != "history" or has_history:
            yield f"schemas/{name}-{entry.version}.json", write_schema(name)


def _collect(part: Any, used: dict[str, Schema]) -> None:
    """Add the definitions that a part of a schema uses."""
    if isinstance(part, Mapping):
        target = part.get("$ref")
        name = target.removeprefix(_REFERENCE) if isinstance(target, str) else ""
        if name in DEFINITIONS and name not in used:
            used[name] = DEFINITIONS[name]
            _collect(DEFINITIONS[name], used)
    if isinstance(part, Mapping | list | tuple):
        for below in part.values() if isinstance(part, Mapping) else part:
            _collect(below, used)
