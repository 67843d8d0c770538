"""Redacted pillar as JSON: tagged, a secret as ``{"redacted": reason, "token": token}``."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, cast

from pillarbook.model import from_tagged, to_tagged
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf, RedactedOrigin

TAGS = frozenset(("$bytes", "$date", "$datetime", "$float", "$map", "$raises", "$set", "$unknown"))
"""A mapping with one of these as its only key is read as another type."""
PLAIN_KEYS = frozenset((int, float, bool, type(None)))
"""The types of keys that YAML writes as plain scalars; a date would be read as text by Salt."""
_TOKEN = re.compile(r"[0-9a-f]{16}")
GetToken = Callable[[int], str]
"""Returns the token of a secret id: ``SecretStore.token``."""


def to_json(data: Any, token: GetToken, *, in_yaml: bool = False) -> Any:
    """Return redacted data in the form that ``json.dumps`` takes.

    If ``in_yaml``, a mapping stays a mapping if its keys are numbers, true, false or null, or begin
    with ``$``, as in JSON Schema and OpenAPI, and cannot be mistaken for a tag.
    """
    if data.__class__ is str:  # the most frequent type; checks of abstract classes are slow
        return data
    if isinstance(data, Redacted):
        return {"redacted": data.reason, "token": token(data.secret_id)}
    if isinstance(data, dict):
        members = [(key, to_json(item, token, in_yaml=in_yaml)) for key, item in data.items()]
        if stays_mapping(data, in_yaml=in_yaml):
            return {_plain_key(key): item for key, item in members}
        return {"$map": [[to_tagged(key), item] for key, item in members]}
    if isinstance(data, list):
        return [to_json(item, token, in_yaml=in_yaml) for item in data]
    return data if in_yaml and isinstance(data, float) else to_tagged(data)


def from_json(data: Any, secret_id_of: Callable[[str], int]) -> Any:
    """Return the redacted data that ``to_json`` wrote.

    A mapping of a pillar that looks exactly like a redacted secret is read as one.
    """
    if isinstance(data, list):
        return [from_json(item, secret_id_of) for item in data]
    if not isinstance(data, dict):
        return data
    if data.keys() == {"redacted", "token"} and _TOKEN.fullmatch(str(data["token"])):
        return Redacted(str(data["redacted"]), secret_id_of(data["token"]))
    if data.keys() == {"$map"}:
        return {read_key(key): from_json(item, secret_id_of) for key, item in data["$map"]}
    if not TAGS.isdisjoint(data):
        return from_tagged(data)
    return {key: from_json(item, secret_id_of) for key, item in data.items()}


def read_key(told: Any) -> Hashable:
    """Return a key that ``to_tagged`` wrote; a list is read as a tuple, as no key is a list."""
    return cast("Hashable", from_tagged({"$set": [told]}).pop())


def stays_mapping(data: Mapping[Any, Any], *, in_yaml: bool = False) -> bool:
    """Say whether a mapping is read back as a mapping; its keys alone decide this."""
    for key in data:  # no generator, because this runs for each mapping of a fleet
        if isinstance(key, str):
            if key[:1] == "$" and not in_yaml:
                return False
        elif not in_yaml or key.__class__ not in PLAIN_KEYS:
            return False
    return not in_yaml or len(data) != 1 or TAGS.isdisjoint(data)


def _plain_key(key: Any) -> Any:
    return str.__str__(key) if isinstance(key, str) else key


def values_to_json(leaves: Iterable[RedactedLeaf], token: GetToken) -> Iterator[dict[str, Any]]:
    """Yield ``{"path", "value", "origins"}`` for each leaf: the ``values`` of ``explain``."""
    for leaf in leaves:
        yield {
            "path": [to_tagged(key) for key in leaf.path],
            "value": to_json(leaf.value, token),
            "origins": [
                {**origin_to_json(origin), "value": to_json(origin.value, token)}
                for origin in leaf.origins
            ],
        }


def origin_to_json(origin: RedactedOrigin) -> dict[str, Any]:
    """Return an origin without its value."""
    return {
        "file": origin.file,
        "line": origin.line,
        "sls": origin.sls,
        "saltenv": origin.saltenv,
    }
