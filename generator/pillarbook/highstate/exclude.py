"""What ``exclude`` takes out of the high data.

Source: Salt ``salt/state.py`` (``_apply_exclude``).
"""

import fnmatch
from typing import Any

from pillarbook.highstate.high_data import EXCLUDE
from pillarbook.highstate.mutable_high_data import HighMap, text_of, value_of
from pillarbook.highstate.state_faults import breaks_off, lacks, type_name
from pillarbook.model import ListNode, MapNode, Node


def apply_exclude(high: HighMap) -> None:
    """Take out what is excluded: IDs, and all that an SLS itself declares.

    Raises:
        CompileBreaksOff: Data of a shape that Salt's own compile does not survive.
    """
    if EXCLUDE not in high:
        return
    entries = [_read_entry(entry) for entry in high.pop(EXCLUDE)]
    sls = [value for key, value in entries if key == "sls"]
    ids = [value for key, value in entries if key == "id"]
    if sls:
        ids.extend(name for name, body in high.items() if _is_of(name, body, sls))
    for name in ids:
        high.pop(name, None)


def _read_entry(entry: Node) -> tuple[Any, Any]:
    """Return whether an entry means an SLS or an ID, and which; a bare word means an SLS."""
    if text_of(entry) is not None:
        return "sls", value_of(entry)
    if not isinstance(entry, MapNode) or len(entry.items) != 1:
        return None, None
    key, value = next(iter(entry.items.items()))
    if isinstance(value, MapNode | ListNode) and key in ("sls", "id"):
        raise breaks_off(f"TypeError: unhashable type: '{type_name(value)}'", entry.origins)
    return key, value_of(value)


def _is_of(name: Any, body: Any, sls: list[Any]) -> bool:
    """Say whether an ID is declared by one of some SLS files, or globs."""
    if not isinstance(name, str):
        raise breaks_off(
            f"AttributeError: '{type(name).__name__}' object has no attribute 'startswith'",
            body.origins,
        )
    if name.startswith("__"):
        return False
    if not isinstance(body, HighMap):
        raise lacks(body, "get")
    own = str(value_of(body["__sls__"])) if "__sls__" in body else ""
    return bool(own) and any(isinstance(one, str) and fnmatch.fnmatch(own, one) for one in sls)
