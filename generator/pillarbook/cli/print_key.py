"""Prints one key of all minions: the work of ``pillarbook get``."""

import json
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import click

from pillarbook.cli.near_keys import find_below, hint_at_key, say_read_as
from pillarbook.cli.open_declared import PILLARS_ALONE, need_matches, open_asked
from pillarbook.cli.read_declared import split_declared
from pillarbook.cli.summary import report_faults, show_progress
from pillarbook.cli.value_text import clean_line, show_overridden, show_place, show_value
from pillarbook.model import KeyPath, format_path
from pillarbook.model.phrases import count
from pillarbook.redact import RedactedLeaf, RedactedOrigin, values_to_json
from pillarbook.report.group_names import MinionWords
from pillarbook.report.key_patterns import typed_path
from pillarbook.session import RunOptions, Session
from pillarbook.session.shared_minions import Share, freeze_shared_secrets, share_minions

MAX_PLACES = 6
"""Places that set a value, as far as they are shown."""
KeyPlace = tuple[RedactedLeaf, list[str]]
"""A value as one place sets it, with its minions."""


class MinionKey(NamedTuple):
    """What one minion has of a key."""

    minion: str
    """Its shown id."""
    leaves: Sequence[RedactedLeaf]
    """The values at and below the key."""
    lengths: Mapping[KeyPath, int]
    """The lengths of the lists that the values are in."""
    faults: Sequence[str]
    """Why it may lack the key."""


class FoundKey(NamedTuple):
    """What one process found."""

    key: str
    """The key as it was understood."""
    minions: Mapping[str, MinionKey]
    """By the own ids of the minions."""
    hint: str
    """What may have been meant, if no minion of any process has the key."""


def print_key(base: RunOptions, values: dict[str, Any]) -> int:
    """Print the value of a key on each minion, and return the exit code."""
    declared, asked = split_declared(values)
    if not asked["key"]:
        raise click.UsageError("KEY is empty; `pillarbook explain MINION` lists all keys.")
    with open_asked(base, declared, asked, **PILLARS_ALONE) as session:
        need_matches(asked, session.fleet)
        chosen = session.fleet.asked
        ids = [session.fleet.declared(one).id for one in chosen]
        # See `freeze_shared_secrets`.
        jobs = asked["jobs"] if session.shows_all(chosen) else 1
        with show_progress("compiling", len(chosen)) as step:
            shares = share_minions(session, chosen, jobs, step, partial(_find, session, asked))
        by_id = {minion: one for share in shares for minion, one in share.minions.items()}
        found = [by_id[minion] for minion in ids]
        _print(session, asked, shares[0].key, found)
    say_read_as(asked["key"], shares[0].key)
    report_faults(fault for one in found for fault in one.faults)
    if any(one.leaves for one in found):
        return 0
    who = "no minion that matches" if asked["minions"] or asked["target"] else "no minion"
    told = f"pillarbook: {who} has the key '{asked['key']}'{shares[0].hint}"
    click.echo(clean_line(told), err=True)
    return 1


def _find(session: Session, asked: Mapping[str, Any], share: Share) -> FoundKey:
    """Compile a share of the minions, and look for the key in their pillars."""
    compiled = list(session.compiler.compile_all(share.minions, share.step))
    asked["timing"].mark("compiling")
    freeze_shared_secrets(session, compiled, share)
    pillars = [session.shown.redact_with_faults(one) for one in compiled]
    key, found = find_below(asked["key"], pillars, share.exchange)
    minions = {}
    for one, pillar in zip(compiled, pillars, strict=True):
        leaves = found[pillar.minion]
        lengths = dict(chain.from_iterable(_lists_above(leaf, pillar.data) for leaf in leaves))
        minions[one.minion] = MinionKey(
            pillar.minion, leaves, lengths, () if leaves else pillar.faults
        )
    is_found = any(share.exchange(any(found.values())))
    hint = "" if is_found else hint_at_key(asked["key"], pillars, share.exchange)
    return FoundKey(key, minions, hint)


def _print(
    session: Session, asked: Mapping[str, Any], key: str, found: Sequence[MinionKey]
) -> None:
    """Print the values in the form that is asked for."""
    if asked["form"] == "json":
        _print_json(session, asked["key"], key, found)
    elif asked["flat"]:
        _print_flat(session, found)
    else:
        _print_folded(session, found, list(_find_shorter_lists(key, found)))


def _print_json(session: Session, asked: str, key: str, found: Sequence[MinionKey]) -> None:
    json.dump(
        {
            "schema": "pillarbook.get/1",
            "key": asked,
            "read_as": key,
            "minions": {
                one.minion: list(values_to_json(one.leaves, session.shown.token)) for one in found
            },
        },
        sys.stdout,
        ensure_ascii=False,
        indent=1,
    )
    click.echo()


def _print_flat(session: Session, found: Sequence[MinionKey]) -> None:
    widest = max((len(one.minion) for one in found), default=0)
    for minion, leaves, *_ in found:
        for leaf in leaves:
            path = format_path(leaf.path)
            value, place = show_value(session.shown, leaf.value), _show(leaf.origins[-1])
            click.echo(clean_line(f"{minion:<{widest}}  {path}: {value}  {place}"))
        if not leaves:
            click.echo(clean_line(f"{minion:<{widest}}  -"))


def _print_folded(
    session: Session,
    found: Sequence[MinionKey],
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
    lacking = sum(not one.leaves for one in found)
    if lacking and lacking < len(found):
        click.echo(f"not set on {count(lacking, 'minion')}")


def _find_shorter_lists(
    key: str, found: Sequence[MinionKey]
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield members of lists at or below a key that only some minions have, and who lacks them."""
    lists: dict[KeyPath, dict[int, list[str]]] = {}
    for one in found:
        for path, length in one.lengths.items():
            lists.setdefault(path, {}).setdefault(length, []).append(one.minion)
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
    return show_place(origin.place)


def _fold(found: Sequence[MinionKey]) -> Iterator[Sequence[KeyPlace]]:
    """Yield the places that set each value, by path; those of most minions come first."""
    by_path: dict[Hashable, dict[Hashable, dict[Hashable, KeyPlace]]] = {}
    for minion, leaves, *_ in found:
        for leaf in leaves:
            path = typed_path(leaf.path)
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
