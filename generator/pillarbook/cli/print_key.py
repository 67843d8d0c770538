"""Prints one key of all minions: the work of ``pillarbook get``."""

import json
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import click

from pillarbook.cli.near_keys import find_below, hint_at_key, say_read_as
from pillarbook.cli.open_declared import PILLARS_ALONE, need_matches, open_asked
from pillarbook.cli.places import show_place
from pillarbook.cli.progress import show_progress
from pillarbook.cli.read_declared import split_declared
from pillarbook.cli.summary import report_faults
from pillarbook.cli.value_text import clean_line, show_overridden, show_value
from pillarbook.model import KeyPath, format_path
from pillarbook.redact import RedactedLeaf, RedactedOrigin, RedactedPillar, values_to_json
from pillarbook.report.group_names import MinionWords
from pillarbook.report.phrases import count
from pillarbook.session import RunOptions, Session

MAX_PLACES = 6
"""Places that set a value, as far as they are shown."""
KeyPlace = tuple[RedactedLeaf, list[str]]
"""A value as one place sets it, with its minions."""


def print_key(base: RunOptions, values: dict[str, Any]) -> int:
    """Print the value of a key on each minion, and return the exit code."""
    declared, asked = split_declared(values)
    if not asked["key"]:
        raise click.UsageError("KEY is empty; `pillarbook explain MINION` lists all keys.")
    with open_asked(base, declared, asked, **PILLARS_ALONE) as session:
        need_matches(asked, session.fleet)
        chosen = session.fleet.asked
        with show_progress("compiling", len(chosen)) as step:
            compiled = list(session.compiler.compile_all(chosen, step))
        asked["timing"].mark("compiling")
        session.freeze_asked_secrets(compiled)
        pillars = [session.shown.redact_with_faults(one) for one in compiled]
        key, found = find_below(asked["key"], pillars)
        lacking = [pillar for pillar in pillars if not found[pillar.minion]]
        _print(session, asked, key, found, pillars)
    say_read_as(asked["key"], key)
    report_faults(lacking)
    if any(found.values()):
        return 0
    who = "no minion that matches" if asked["minions"] or asked["target"] else "no minion"
    hint = hint_at_key(asked["key"], lacking)
    click.echo(clean_line(f"pillarbook: {who} has the key '{asked['key']}'{hint}"), err=True)
    return 1


def _print(
    session: Session,
    asked: Mapping[str, Any],
    key: str,
    found: Mapping[str, Sequence[RedactedLeaf]],
    pillars: Sequence[RedactedPillar],
) -> None:
    """Print the values in the form that is asked for."""
    if asked["form"] == "json":
        _print_json(session, asked["key"], key, found)
    elif asked["flat"]:
        _print_flat(session, found)
    else:
        _print_folded(session, found, list(_find_shorter_lists(key, found, pillars)))


def _print_json(
    session: Session, asked: str, key: str, found: Mapping[str, Sequence[RedactedLeaf]]
) -> None:
    json.dump(
        {
            "schema": "pillarbook.get/1",
            "key": asked,
            "read_as": key,
            "minions": {
                minion: list(values_to_json(leaves, session.shown.token))
                for minion, leaves in found.items()
            },
        },
        sys.stdout,
        ensure_ascii=False,
        indent=1,
    )
    click.echo()


def _print_flat(session: Session, found: Mapping[str, Sequence[RedactedLeaf]]) -> None:
    widest = max((len(minion) for minion in found), default=0)
    for minion, leaves in found.items():
        for leaf in leaves:
            path = format_path(leaf.path)
            value, place = show_value(session.shown, leaf.value), _show(leaf.origins[-1])
            click.echo(clean_line(f"{minion:<{widest}}  {path}: {value}  {place}"))
        if not leaves:
            click.echo(clean_line(f"{minion:<{widest}}  -"))


def _print_folded(
    session: Session,
    found: Mapping[str, Sequence[RedactedLeaf]],
    shorter: Sequence[tuple[str, Sequence[str]]],
) -> None:
    """Print each value once with all minions that have it, and who lacks the key or a member."""
    words = MinionWords((one, session.shown.grains(one)) for one in session.fleet.minions)

    def name(minions: Sequence[str]) -> str:
        return words.describe(minions, str, str)

    for places in _fold(found):
        leaf = places[0][0]
        path, value = format_path(leaf.path), show_value(session.shown, leaf.value)
        who = name([minion for _, minions in places for minion in minions])
        head = f"{path}: {value}  {who}"
        if len(places) == 1:
            click.echo(clean_line(f"{head}  {_set_in(session, leaf)}"))
            continue
        click.echo(clean_line(head))
        for one, minions in places[:MAX_PLACES]:
            click.echo(clean_line(f"    {_set_in(session, one)}  {name(minions)}"))
        if len(places) > MAX_PLACES:
            click.echo(f"    and {count(len(places) - MAX_PLACES, 'more place')}")
    for members, without in shorter:
        click.echo(clean_line(f"{members} not set on {name(without)}"))
    lacking = sum(not leaves for leaves in found.values())
    if lacking and lacking < len(found):
        click.echo(f"not set on {count(lacking, 'minion')}")


def _find_shorter_lists(
    key: str, found: Mapping[str, Sequence[RedactedLeaf]], pillars: Sequence[RedactedPillar]
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield members of lists at or below a key that only some minions have, and who lacks them."""
    lists: dict[KeyPath, dict[int, list[str]]] = {}
    for pillar in pillars:
        lengths = {
            path: length
            for leaf in found[pillar.minion]
            for path, length in _lists_above(leaf, pillar.data)
        }
        for path, length in lengths.items():
            lists.setdefault(path, {}).setdefault(length, []).append(pillar.minion)
    for path, minions in lists.items():
        last = max(minions) - 1
        for length in sorted(minions):
            if length <= last and f"{format_path(path)}:".startswith(f"{key}:"):
                first, end = (format_path((*path, at)) for at in (length, last))
                yield first if length == last else f"{first} to {end}", minions[length]


def _lists_above(leaf: RedactedLeaf, data: Any) -> Iterator[tuple[KeyPath, int]]:
    """Yield the path and length of each list that a leaf is in, or is."""
    for at, key in enumerate(leaf.path):
        if isinstance(data, list):
            yield leaf.path[:at], len(data)
        data = data[key]
    if isinstance(data, list):
        yield leaf.path, 0


def _set_in(session: Session, leaf: RedactedLeaf) -> str:
    """Return the place that sets a value, and what it overrides."""
    *overridden, last = leaf.origins
    # In another environment, the same line may have set the same value.
    others = {_place(one): one for one in reversed(overridden) if _place(one) != _place(last)}
    shown = [f"{show_overridden(session.shown, one)}  {_show(one)}" for one in others.values()]
    return f"{_show(last)}, overrides {', '.join(shown)}" if shown else _show(last)


def _show(origin: RedactedOrigin) -> str:
    return show_place(origin.file if origin.line is None else f"{origin.file}:{origin.line}")


def _fold(found: Mapping[str, Sequence[RedactedLeaf]]) -> Iterator[Sequence[KeyPlace]]:
    """Yield the places that set each value, by path; those of most minions come first."""
    by_path: dict[Hashable, dict[Hashable, dict[Hashable, KeyPlace]]] = {}
    for minion, leaves in found.items():
        for leaf in leaves:
            path = tuple((key.__class__, key) for key in leaf.path)
            places = by_path.setdefault(path, {}).setdefault(_told(leaf.value), {})
            places.setdefault(tuple(map(_place, leaf.origins)), (leaf, []))[1].append(minion)
    for values in by_path.values():
        folded = [sorted(one.values(), key=_size, reverse=True) for one in values.values()]
        yield from sorted(folded, key=lambda places: sum(map(_size, places)), reverse=True)


def _size(place: KeyPlace) -> int:
    return len(place[1])


def _place(origin: RedactedOrigin) -> Hashable:
    return origin.file, origin.line, _told(origin.value), origin.below


def _told(value: Any) -> Hashable:
    """Return what tells a value from others, 1 from True and 1.0 too."""
    return value.__class__, repr(value)
