"""A comparison as text for people: atoms that befall the same minions stand together."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import click

from pillarbook.cli.values import HasTokens, clean_line, show_value
from pillarbook.compare import Change
from pillarbook.compare.diff import Diff
from pillarbook.compare.secret_pairs import tell_secrets
from pillarbook.compare.state_changes import StateChange
from pillarbook.redact import Redacted
from pillarbook.report.diff_words import (
    Told,
    ToldGroup,
    head_line,
    show_path,
    tell_causes,
    tell_changes,
    tell_how_often,
    tell_idle,
    tell_lines,
    tell_notes,
    tell_places,
)
from pillarbook.report.few_values import show_few
from pillarbook.report.ignored_words import tell_ignored
from pillarbook.report.minion_words import MinionWords
from pillarbook.report.state_arguments import tell_arguments
from pillarbook.report.state_words import StateWords, say_states, tell_files

MOST_FAULTS = 3
"""Faults that are told of a minion."""
MOST_FAILING = 20
"""Minions of one fate that are named one by one."""
ALARMING = ("newly failing", "empty", "still failing", "gone", "new", "fixed")
COLOURS: Mapping[str, str] = {"added": "green", "removed": "red", "changed": "yellow"}
SIGNS: Mapping[str, str] = {
    "added": "+",
    "removed": "-",
    "changed": "~",
    "moved": "^",
    "reordered": "=",
}


def write_diff(diff: Diff, known: HasTokens, words: MinionWords) -> Iterator[str]:
    """Yield the lines of a comparison; colours are for ``click`` to keep or to strip."""
    groups = tell_changes(diff)
    states = StateWords(diff)
    yield head_line(diff, groups)
    yield clean_line(f"from {diff.base} to {diff.head}: {count_fates(diff)}")
    yield from (clean_line(f"note: {note}") for note in tell_notes(diff))
    if states.head:
        yield states.head
    for word in () if diff.bare else ALARMING:
        yield from _write_fate(word, diff, words)
    yield from _write_state_alarms(states, words)
    for group in groups:
        yield ""
        yield click.style(_name(words, group.minions), bold=True)
        yield from _write_group(group, known, states)
    yield from _write_other_states(states, known, words)
    idle = tell_idle(diff, clean_line, clean_line)
    yield from ["", *idle] if idle else []
    ignored = tell_ignored(diff, clean_line)
    yield from ["", *ignored] if ignored else []


def count_fates(diff: Diff) -> str:
    """Return how many minions each word is true of."""
    return ", ".join(f"{count:,} {word}" for word, count in diff.fates.items())


def _name(words: MinionWords, minions: Sequence[str]) -> str:
    """Return some minions in words, with their number where the words do not tell it."""
    return words.tell(minions, clean_line, clean_line)


def _write_fate(word: str, diff: Diff, words: MinionWords) -> Iterator[str]:
    found = {name: fate for name, fate in diff.minions.items() if fate.word == word}
    if not found:
        return
    yield ""
    by_faults: dict[tuple[str, ...], list[str]] = {}
    for name, fate in found.items():
        by_faults.setdefault(fate.faults[:MOST_FAULTS], []).append(name)
    for faults, names in list(by_faults.items())[:MOST_FAILING]:
        colour = "red" if word in ("newly failing", "empty") else None
        who = _name(words, names)
        yield f"{click.style(word, fg=colour, bold=True)}: {who}"
        yield from (f"    {clean_line(fault)}" for fault in faults)
    left = len(by_faults) - MOST_FAILING
    if left > 0:
        yield f"{word}: {left:,} more kinds of fault"


def _write_state_alarms(states: StateWords, words: MinionWords) -> Iterator[str]:
    for alarm in states.alarms(MOST_FAULTS)[:MOST_FAILING]:
        colour = "red" if alarm.word in ("newly failing", "empty") else None
        yield ""
        lead = click.style(f"states {alarm.word}", fg=colour, bold=True)
        yield f"{lead}: {_name(words, alarm.minions)}"
        yield from (f"    {clean_line(fault)}" for fault in alarm.faults)
    left = len(states.alarms(MOST_FAULTS)) - MOST_FAILING
    if left > 0:
        yield f"states: {left:,} more kinds of fault"


def _write_other_states(states: StateWords, known: HasTokens, words: MinionWords) -> Iterator[str]:
    """Yield what changes in states by no change of pillar."""
    for group in states.others:
        yield ""
        yield click.style(_name(words, group.minions), bold=True)
        yield f"  {say_states(group.states, clean_line)}"
        yield from (f"      {line}" for line in _tell_arguments(group.states, known))
        files = tell_files(group, clean_line)
        if files:
            yield f"      {files}"


def _write_group(group: ToldGroup, known: HasTokens, states: StateWords) -> Iterator[str]:
    for told in group.told:
        yield f"  {_write_change(told, known)}{tell_how_often(told)}"
        lines = (
            tell_places(told, clean_line),
            tell_causes(told, clean_line),
            states.tell(told, clean_line),
        )
        yield from (f"      {line}" for line in lines if line)
        arguments = _tell_arguments(states.states_of(told), known)
        yield from (f"          {line}" for line in arguments)


def _tell_arguments(states: Sequence[StateChange], known: HasTokens) -> list[str]:
    return tell_arguments(states, clean_line, partial(_tell_change, known=known))


def _tell_change(change: Change, known: HasTokens) -> str:
    """Return what became of a value, where no sign before it says so."""
    if change.kind == "reordered":
        return "keys in another order"
    if change.kind == "moved":
        what = _show(change.after, known)
        return f"{what} moved from {change.moved_from} to {change.moved_to}"
    if change.kind in ("added", "removed"):
        return f"{change.kind}: {_show(_one_side(change), known)}"
    return show_two(change, known)


def _one_side(change: Change) -> object:
    return change.after if change.kind == "added" else change.before


def _write_change(told: Told, known: HasTokens) -> str:
    change = told.change
    path = clean_line(show_path(told))
    sign = click.style(SIGNS[change.kind], fg=COLOURS.get(change.kind, "cyan"))
    lead = f"{sign} {path}"
    if change.kind == "reordered":
        return f"{lead}: the keys stand in another order"
    if change.kind in ("added", "removed"):
        return f"{lead}: {_show(_one_side(change), known)}"
    return f"{lead}: {_tell_change(change, known)}"


def show_two(change: Change, known: HasTokens) -> str:
    """Return both values of a change; of two secrets only that they are two."""
    before, after = change.before, change.after
    if isinstance(before, Redacted) and isinstance(after, Redacted):
        tokens = f"{known.token(before.place)} -> {known.token(after.place)}"
        return f"{tell_secrets(change)} ({tokens})"
    lines = tell_lines(before, after, lambda line: f" {clean_line(line)}")
    return lines or f"{_show(before, known)} -> {_show(after, known)}"


def _show(value: object, known: HasTokens) -> str:
    if isinstance(value, dict | list | tuple):
        return clean_line(show_few(value, known.token))
    return show_value(known, value)
