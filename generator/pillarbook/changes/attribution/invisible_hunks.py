"""Whether a hunk is of what no reader of a file sees: comments, empty lines, spaces."""

from collections.abc import Iterator

import yaml

from pillarbook.changes.attribution.hunks import ChangedFile, Hunk

LARGEST = 8 * 1024
"""Bytes of a file that is parsed, once for each hunk of it."""
_TEMPLATE = (b"{%", b"{{", b"{#", b"#!")
"""What a file holds that is more than YAML, at least until it is rendered."""
_SEEN = ("anchor", "tag", "implicit", "value", "style", "flow_style", "explicit", "version", "tags")
"""What there is to know of an event but where it stands."""


def describe_invisible(hunk: Hunk, file: ChangedFile) -> str:
    """Return what a hunk is of, where that makes no difference to anyone; empty for all else."""
    if _is_comment(file.base, hunk.base) and _is_comment(file.head, hunk.head):
        return "only comments and empty lines"
    if file.base is None or file.head is None:
        return ""
    without = file.without((hunk,))
    if without is not None and _are_same_yaml(file.head, without):
        return "only comments and spaces"
    return ""


def _is_comment(content: bytes | None, lines: tuple[int, int]) -> bool:
    found = (content or b"").splitlines()[slice(*lines)]
    return all(not line.strip() or line.lstrip().startswith(b"#") for line in found)


def _are_same_yaml(one: bytes, other: bytes) -> bool:
    """Say whether two texts without templates are the same YAML, quotes and all."""
    for content in (one, other):
        if len(content) > LARGEST or any(mark in content for mark in _TEMPLATE):
            return False
    try:
        return list(_events(one)) == list(_events(other))
    except (yaml.YAMLError, ValueError):
        return False


def _events(content: bytes) -> Iterator[tuple[object, ...]]:
    for event in yaml.parse(content.decode(), Loader=yaml.CSafeLoader):
        yield type(event), *(getattr(event, name, None) for name in _SEEN)
