"""Prints where each value of a minion is set: the work of ``pillarbook explain``."""

import glob
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from pillarbook.cli.near_keys import find_below, hint_at_key, say_read_as
from pillarbook.cli.open_declared import open_asked
from pillarbook.cli.read_declared import split_declared
from pillarbook.cli.summary import report_faults
from pillarbook.cli.value_text import clean_line, show_overridden, show_place, show_value
from pillarbook.model import format_path
from pillarbook.model.phrases import count
from pillarbook.redact import RedactedLeaf, RedactedOrigin, RedactedPillar, is_reference
from pillarbook.session import RunOptions, Session
from pillarbook.session.fleet import hint_at_minion
from pillarbook.session.pillar_texts import explained

_DOTS = re.compile(r"\.{8,}")
"""What an SLS is called that includes `.`: a dot more for each level."""
_ABSENT = re.compile(
    r"Specified (SLS '.*') in (environment '.*') is not available on the salt master\Z"
)
"""Salt's words for an SLS that does not exist."""


def print_origins(base: RunOptions, values: dict[str, Any]) -> int:
    """Print the targets and values of a minion, and return the exit code."""
    declared, asked = split_declared(values)
    _choose_minion(asked)
    minion = asked["minion"]
    with open_asked(base, declared, asked, minions=(glob.escape(minion),)) as session:
        if minion not in session.fleet.minions:
            hint = hint_at_minion(minion, session.fleet.minions)
            if minion.endswith(".sls"):
                # Only the path says which SLS an init.sls is.
                sls = minion if "/" in minion else minion.removesuffix(".sls")
                hint = f"; for an SLS: pillarbook explain --sls {sls}"
            raise click.ClickException(f"'{minion}' is not in the inventory{hint}")
        session.freeze_asked_secrets([session.compiler.compile(minion)])
        pillar = session.report.pillar(session.fleet.shown_id(minion))
        asked["timing"].mark("compiling")
        key, found = find_below(asked["key"] or "", [pillar])
        leaves = found[pillar.minion]
        say_read_as(asked["key"] or "", key)
        if asked["key"] and not leaves:
            report_faults(pillar.faults)
            hint = hint_at_key(asked["key"], [pillar])
            raise click.ClickException(f"'{minion}' has no key '{asked['key']}'{hint}")
        if asked["form"] == "json":
            told = explained(pillar, leaves, session.shown.token)
            json.dump(told, sys.stdout, ensure_ascii=False, indent=1)
            click.echo()
        else:
            _print_text(session, pillar, leaves, with_targets=not asked["key"])
    return 1 if pillar.raises is not None else 0


def _choose_minion(asked: dict[str, Any]) -> None:
    """Take a new minion as MINION, so that a first argument is KEY; refuse none or several."""
    new, named, key = asked["as_new"], asked["minion"], asked["key"]
    if new is None:
        if named is None:
            raise click.UsageError("Give MINION, or a new one with --as-new ID.")
    elif key is None and named != new:
        asked.update(minion=new, key=named)
    elif named != new:
        raise click.UsageError("Give either MINION or --as-new ID.")


def _print_text(
    session: Session, pillar: RedactedPillar, leaves: Sequence[RedactedLeaf], *, with_targets: bool
) -> None:
    unknown = f", {count(pillar.unknown, 'unknown value')}" if pillar.unknown else ""
    absent = f", {count(pillar.absent, 'SLS file')} missing" if pillar.absent else ""
    _describe(f"{pillar.minion}: {pillar.outcome}{unknown}{absent}")
    reasons = [fault.casefold() for fault in pillar.faults]
    for error in (*pillar.errors, *([pillar.raises] if pillar.raises else [])):
        same = _ABSENT.sub(r"\1 does not exist in \2", error).casefold()
        if error and any(reason.endswith(same) for reason in reasons):
            continue  # which says the same, and where
        first, *quoted = _DOTS.sub("...", error).splitlines() or [""]
        _describe(f"  error: {first}")
        for line in quoted:
            _describe(f"    {line}")
    for fault in pillar.faults:
        _describe(f"  why: {show_place(fault)}")
    if with_targets:
        click.echo("\ntargets")
        for target in pillar.targets:
            mark = "+" if target.matched else " "
            names = ", ".join(target.sls)
            _describe(f"  {mark} {target.target}  ({target.match}, {target.saltenv})  {names}")
            _describe(f"      {show_place(target.place)}")
        click.echo("\nvalues")
    for leaf in leaves:
        _print_leaf(session, leaf)


def _print_leaf(session: Session, leaf: RedactedLeaf) -> None:
    is_marked = isinstance(leaf.value, str) and is_reference(leaf.value)
    mark = "  (reference)" if is_marked else ""
    _describe(f"  {format_path(leaf.path)}: {show_value(session.shown, leaf.value)}{mark}")
    if not leaf.origins:
        return
    last, *others = leaf.origins[::-1]
    _describe(f"      {_place(last)}")
    # An init.sls that includes `.` is included some 200 times over, and overrides itself.
    shown = session.shown
    lines = (f"overrides {show_overridden(shown, one)}  {_place(one)}" for one in others)
    for line, times in Counter(lines).items():
        _describe(f"      {line}{f'  ({times} times)' if times > 1 else ''}")


def _place(origin: RedactedOrigin) -> str:
    """Return the line of an origin, and its environment if it has one."""
    place = show_place(origin.place)
    return f"{place}  [{origin.saltenv}]" if origin.saltenv else place


def _describe(line: str) -> None:
    click.echo(clean_line(line))
