"""Keys that somebody may have meant."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import click

from pillarbook.cli.places import show_place
from pillarbook.cli.value_text import clean_line
from pillarbook.model import format_path
from pillarbook.redact import RedactedLeaf, RedactedOrigin, RedactedPillar

MAX_NAMED = 3
PRINTED = MappingProxyType({"null": "None", "true": "True", "false": "False"})
"""Keys as YAML and the pages write them, and as keys of a path are written."""


def find_below(
    key: str, pillars: Sequence[RedactedPillar]
) -> tuple[str, Mapping[str, Sequence[RedactedLeaf]]]:
    """Return the values of a key by minion, and the key with colons if it was found only so."""
    found = {pillar.minion: pillar.leaves_below(key) for pillar in pillars}
    if any(found.values()):
        return key, found
    meant = _find_dotted_key(key, pillars)
    if meant is None:
        return key, found
    return meant, {pillar.minion: pillar.leaves_below(meant) for pillar in pillars}


def say_read_as(asked: str, key: str) -> None:
    """Say how a key with dots was understood."""
    if key != asked:
        click.echo(clean_line(f"pillarbook: '{asked}' is read as '{key}'"), err=True)


def _find_dotted_key(key: str, pillars: Iterable[RedactedPillar]) -> str | None:
    """Return the key that is written with dots for colons, as other tools write keys.

    Returns:
        The key with colons; None if there is none, or if several are meant.
    """
    if "." not in key:
        return None
    wanted = key.replace(":", ".")
    found = {
        text
        for pillar in pillars
        for leaf in pillar.leaves
        if format_path(leaf.path, ".").startswith(wanted)
        for end in range(1, len(leaf.path) + 1)
        if (text := format_path(leaf.path[:end])).replace(":", ".") == wanted
    }
    return found.pop() if len(found) == 1 else None


def hint_at_key(key: str, pillars: Iterable[RedactedPillar]) -> str:
    """Return the keys that a key may have meant, as the end of a sentence; empty without any."""
    depth = key.count(":") + 1
    pillars = tuple(pillars)
    replaced = _find_replaced(key, pillars)
    if replaced:
        return f"; {replaced}"
    paths = {leaf.path for pillar in pillars for leaf in pillar.leaves}
    alike = {format_path(path[:depth]) for path in paths}
    printed = ":".join(PRINTED.get(part, part) for part in key.split(":"))
    near = difflib.get_close_matches(key, sorted(alike), n=MAX_NAMED)
    if printed in alike:
        near = [printed]
    if not near:  # the last key of a path, without those before it
        ends = {path[: at + 1] for path in paths for at, part in enumerate(path) if part == key}
        near = sorted(map(format_path, ends))
    named = " or ".join(f"'{one}'" for one in near[:MAX_NAMED])
    return f"; did you mean {named}?" if named else ""


def _find_replaced(key: str, pillars: Iterable[RedactedPillar]) -> str:
    """Say which line sets a key in a container that a later value replaces; empty if none does."""
    for leaf in (leaf for pillar in pillars for leaf in pillar.leaves):
        for origin in leaf.origins[:-1]:
            # What no member of the new container overrides is listed at its first member.
            for container in (leaf.path, leaf.path[:-1]) if origin.below else ():
                if f"{format_path((*container, *origin.below))}:".startswith(f"{key}:"):
                    by, last = show_place(_line_of(leaf.origins[-1])), format_path(container)
                    return f"{show_place(_line_of(origin))} sets it, and {by} replaces '{last}'"
    return ""


def _line_of(origin: RedactedOrigin) -> str:
    return origin.file if origin.line is None else f"{origin.file}:{origin.line}"
