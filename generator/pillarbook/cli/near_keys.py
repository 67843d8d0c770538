"""Keys that somebody may have meant."""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import click

from pillarbook.cli.value_text import clean_line, show_place
from pillarbook.model import format_path
from pillarbook.redact import RedactedLeaf, RedactedPillar

MAX_NAMED = 3
PRINTED = MappingProxyType({"null": "None", "true": "True", "false": "False"})
"""Keys as YAML and the pages write them, and as keys of a path are written."""
Exchange: TypeAlias = Callable[[Any], Sequence[Any]]
"""Returns what each process gave that looks at a part of the pillars."""


def find_below(
    key: str, pillars: Sequence[RedactedPillar], exchange: Exchange = lambda own: (own,)
) -> tuple[str, Mapping[str, Sequence[RedactedLeaf]]]:
    """Return the values of a key by minion, and the key with colons if it was found only so.

    Other tools write keys with dots for colons. ``exchange`` returns what all processes give, so
    that all read the key in the same way.
    """
    found = {pillar.minion: pillar.leaves_below(key) for pillar in pillars}
    if any(exchange(any(found.values()))):
        return key, found
    meant = set().union(*exchange(_find_dotted_keys(key, pillars)))
    if len(meant) != 1:
        return key, found
    (read_as,) = meant
    return read_as, {pillar.minion: pillar.leaves_below(read_as) for pillar in pillars}


def say_read_as(asked: str, key: str) -> None:
    """Say how a key with dots was understood."""
    if key != asked:
        click.echo(clean_line(f"pillarbook: '{asked}' is read as '{key}'"), err=True)


def _find_dotted_keys(key: str, pillars: Iterable[RedactedPillar]) -> set[str]:
    """Return the keys of some pillars that a key with dots may mean."""
    if "." not in key:
        return set()
    wanted = key.replace(":", ".")
    return {
        text
        for pillar in pillars
        for leaf in pillar.leaves
        if format_path(leaf.path, ".").startswith(wanted)
        for end in range(1, len(leaf.path) + 1)
        if (text := format_path(leaf.path[:end])).replace(":", ".") == wanted
    }


def hint_at_key(
    key: str, pillars: Sequence[RedactedPillar], exchange: Exchange = lambda own: (own,)
) -> str:
    """Return the keys that a key may have meant, as the end of a sentence; empty without any.

    No pillar of any process has the key; ``exchange`` returns what all processes give.
    """
    depth = key.count(":") + 1
    replaced = next(filter(None, exchange(_find_replaced(key, pillars))), "")
    if replaced:
        return f"; {replaced}"
    paths = set().union(*exchange({leaf.path for pillar in pillars for leaf in pillar.leaves}))
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
                    by, last = show_place(leaf.origins[-1].place), format_path(container)
                    return f"{show_place(origin.place)} sets it, and {by} replaces '{last}'"
    return ""
