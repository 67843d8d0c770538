"""What has to be seen of a compiled pillar: redactions in their places, and everything else."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.hostile.canaries.garden import Control, Place

TOKEN = re.compile(r"(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])")


def fault_of(place: Place, pillar: Mapping[str, Any]) -> str | None:
    """Return what is wrong at a place in a pillar as ``compile`` prints it; None for nothing."""
    try:
        found = look_up(pillar, place.path)
    except (KeyError, TypeError):
        return "is not there"
    if place.in_key:
        keys = [TOKEN.sub("T", key) for key in found]
        return None if set(keys) <= {"T", "app-T-x"} else f"has the keys {keys}"
    leaves = list(scalars(found))
    visible = [leaf for leaf in leaves if not is_redacted(leaf) and not _is_control(leaf)]
    hidden = [leaf for leaf in leaves if is_redacted(leaf)]
    if visible:
        return f"shows {visible}"
    if not hidden:
        return "puts nothing away"
    reasons = [leaf["redacted"] for leaf in hidden]
    itself = re.compile(f"(as|from) {re.escape(':'.join(place.path))}(:|$)")
    wrong = [one for one in reasons if not re.search(place.reason, one) or itself.search(one)]
    return f"gives {wrong} for a reason" if wrong else None


def is_seen(control: Control, pillar: Mapping[str, Any]) -> bool:
    """Say whether an ordinary value is seen."""
    try:
        return bool(look_up(pillar, control.path) == control.value)
    except (KeyError, TypeError):
        return False


def look_up(data: Any, path: tuple[str, ...]) -> Any:
    """Return what lies at some keys.

    Raises:
        KeyError: There is no such key.
    """
    for key in path:
        data = data[key]
    return data


def is_redacted(data: Any) -> bool:
    """Say whether this stands where a secret stood."""
    return isinstance(data, Mapping) and data.keys() == {"redacted", "token"}


def scalars(data: Any) -> Iterator[Any]:
    """Yield the scalars and redactions in some data."""
    if isinstance(data, Mapping) and not is_redacted(data):
        for item in data.values():
            yield from scalars(item)
    elif isinstance(data, list):
        for item in data:
            yield from scalars(item)
    else:
        yield data


def tokens(data: Any) -> set[str]:
    """Return the tokens in some data."""
    return {leaf["token"] for leaf in scalars(data) if is_redacted(leaf)}


def _is_control(leaf: Any) -> bool:
    return isinstance(leaf, str) and leaf.startswith("ctl")
