"""A comparison as text for people; atoms that affect the same minions are one group."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import click

from pillarbook.cli.value_text import WIDEST, HasTokens, clean_line, show_place, show_value
from pillarbook.compare.change import Change
from pillarbook.compare.diff import Diff
from pillarbook.compare.secret_pairs import describe_secrets
from pillarbook.compare.state_changes import StateChange
from pillarbook.model.phrases import clip_pair, count, describe_move
from pillarbook.redact import Redacted
from pillarbook.report.acknowledged_changes import (
    ACKNOWLEDGED,
    count_changes,
    select_states,
    select_told,
)
from pillarbook.report.diff_wording import (
    describe_causes,
    describe_how_often,
    describe_idle,
    describe_ignored,
    describe_lines,
    describe_notes,
    describe_places,
    describe_results,
    describe_secret_access,
    head_line,
    show_path,
)
from pillarbook.report.few_values import show_few, show_orders
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.group_names import MinionWords
from pillarbook.report.loss_wording import describe_effects
from pillarbook.report.lost_target_wording import LostTargets, group_lost_targets, list_other_alarms
from pillarbook.report.minion_faults import (
    count_old_failures,
    find_old_failures,
    group_by_faults,
)
from pillarbook.report.result_wording import ACCESS, LOST, NEW_FAULTS, call_result
from pillarbook.report.state_arguments import describe_arguments
from pillarbook.report.state_groups import StateGroup
from pillarbook.report.state_wording import STILL, StateWords, describe_files, describe_states
from pillarbook.report.told_changes import ToldGroup, describe_changes
from pillarbook.report.yaml_block import cut_lines, list_lines, split_sides

MAX_FAULTS = 3
"""Faults shown for a minion."""
MAX_FAILING = 20
"""Groups of minions with one result that are listed."""
ALARMING = ("newly failing", "empty", "gone", "new", "fixed")
COLOURS: Mapping[str, str] = {"added": "green", "removed": "red", "changed": "yellow"}
SIGNS: Mapping[str, str] = {
    "added": "+",
    "removed": "-",
    "changed": "~",
    "moved": "^",
    "reordered": "=",
}


def write_diff(diff: Diff, known: HasTokens, words: MinionWords) -> Iterator[str]:
    """Yield the lines of a comparison; ``click`` keeps or strips the colours."""
    everything = describe_changes(diff)
    groups = select_told(everything, None)
    states = StateWords(diff)
    yield head_line(diff, everything, clean_line)
    results = ", ".join(describe_results(diff, clean_line))
    yield clean_line(f"from {diff.base} to {diff.head}: {results}")
    yield from (clean_line(f"note: {note}") for note in describe_notes(diff))
    if states.head:
        yield states.head
    lost = group_lost_targets(diff, states, MAX_FAULTS)
    for word in (*ALARMING[:2], NEW_FAULTS):
        yield from _write_result(word, diff, words, states)
    yield from _write_lost(lost, diff, words, states)
    yield from _write_state_alarms(lost, diff, words, states)
    for word in ALARMING[2:]:
        yield from _write_result(word, diff, words, states)
    for minions, secrets in describe_secret_access(diff, clean_line).items():
        lead = click.style(call_result(ACCESS, diff, clean_line), fg="red", bold=True)
        yield from ("", f"{lead}: {_name(words, minions)}", f"    {secrets}")
    for group in groups:
        yield ""
        yield click.style(_name(words, group.minions), bold=True)
        yield from _write_group(group, known, states)
    yield from _write_other_states(states, known, words)
    for source, where in ACKNOWLEDGED.items():
        acknowledged = select_told(everything, source), select_states(states.others, source)
        yield from _write_acknowledged(*acknowledged, where, known, words)
    idle = [f"no effect: {line}" for line in describe_idle(diff, show_place, clean_line)]
    yield from ["", *idle] if idle else []
    ignored = describe_ignored(diff, clean_line)
    yield from ["", *ignored] if ignored else []
    yield from _write_old_failures(diff, words, states)


def _name(words: MinionWords, minions: Sequence[str]) -> str:
    """Describe minions in words, with their number if the words do not say it."""
    return words.describe(minions, clean_line, clean_line)


def _write_result(word: str, diff: Diff, words: MinionWords, states: StateWords) -> Iterator[str]:
    by_faults = group_by_faults(diff, word, MAX_FAULTS)
    if not by_faults:
        return
    yield ""
    for faults, names in list(by_faults.items())[:MAX_FAILING]:
        colour = "red" if word in ("newly failing", "empty", NEW_FAULTS) else None
        who = _name(words, names)
        yield f"{click.style(call_result(word, diff, clean_line), fg=colour, bold=True)}: {who}"
        yield from (f"    {show_place(fault)}" for fault in faults)
        follow = describe_effects(diff, states, names, clean_line, show_place)
        yield from (f"    {line}" for line in follow)
    left = len(by_faults) - MAX_FAILING
    if left > 0:
        yield f"{call_result(word, diff, clean_line)}: {count(left, 'more kind')} of fault"


def _write_old_failures(diff: Diff, words: MinionWords, states: StateWords) -> Iterator[str]:
    """Yield who fails as before, last: it is no news."""
    found = find_old_failures(diff, states, MAX_FAULTS)
    if found:
        yield from ("", f"{count_old_failures(diff, found)}:")
    for one in found[:MAX_FAILING]:
        who = f"{'states of ' if one.of_states else ''}{_name(words, one.minions)}"
        yield f"    {who}: {'; '.join(map(show_place, one.faults))}"
    if len(found) > MAX_FAILING:
        yield f"    {count(len(found) - MAX_FAILING, 'more kind')} of fault"


def _write_lost(
    lost: Sequence[LostTargets], diff: Diff, words: MinionWords, states: StateWords
) -> Iterator[str]:
    """Yield the minions that lost a target, and what fails in their states because of it."""
    called = call_result(LOST, diff, clean_line)
    for one in lost[:MAX_FAILING]:
        lead = click.style(called, fg="red", bold=True)
        yield from ("", f"{lead}: {_name(words, one.minions)}")
        yield from (f"    {line}" for line in one.describe(clean_line, show_place))
        for alarm in one.state_alarms:
            reason = states.describe_reason(alarm, clean_line)
            word = call_result(alarm.word, diff, clean_line)
            own = len(alarm.minions) < len(one.minions)
            who = f" on {_name(words, alarm.minions)}" if own else ""
            yield f"    states {word}{who}: {'; '.join(map(show_place, alarm.faults))} ({reason})"
    if len(lost) > MAX_FAILING:
        yield f"{called}: {count(len(lost) - MAX_FAILING, 'more group')} of minions"


def _write_state_alarms(
    lost: Sequence[LostTargets], diff: Diff, words: MinionWords, states: StateWords
) -> Iterator[str]:
    others = list_other_alarms(lost, states, MAX_FAULTS)
    alarms = [alarm for alarm in others if alarm.word != STILL]
    for alarm in alarms[:MAX_FAILING]:
        colour = "red" if alarm.word in ("newly failing", "empty", NEW_FAULTS) else None
        yield ""
        lead = click.style(
            f"states {call_result(alarm.word, diff, clean_line)}", fg=colour, bold=True
        )
        yield f"{lead}: {_name(words, alarm.minions)}"
        yield from (f"    {show_place(fault)}" for fault in alarm.faults)
        reason = states.describe_reason(alarm, clean_line)
        yield from [f"    {reason}"] if reason else []
    left = len(alarms) - MAX_FAILING
    if left > 0:
        yield f"states: {count(left, 'more kind')} of fault"


def _write_other_states(states: StateWords, known: HasTokens, words: MinionWords) -> Iterator[str]:
    """Yield changes in states that no change in the pillar causes."""
    known_minions: tuple[str, ...] = ()
    for group in select_states(states.others, None):
        if group.minions != known_minions:
            yield ""
            yield click.style(_name(words, group.minions), bold=True)
        known_minions = group.minions
        yield f"  {states.describe_states(group.states, clean_line)}"
        yield from (f"      {line}" for line in _describe_arguments(group.states, known))
        files = describe_files(group, clean_line)
        if files:
            yield f"      {files}"


def _write_acknowledged(
    groups: Sequence[ToldGroup],
    states: Sequence[StateGroup],
    where: str,
    known: HasTokens,
    words: MinionWords,
) -> Iterator[str]:
    """Yield the changes that are acknowledged, each on one line."""
    if groups or states:
        yield from ("", f"{count_changes(groups, states)} acknowledged {where}:")
    for group in groups:
        for told in group.told:
            yield f"    {_write_change(told, known)} ({_name(words, group.minions)})"
    for one in states:
        yield f"    {describe_states(one.states, clean_line)} ({_name(words, one.minions)})"


def _write_group(group: ToldGroup, known: HasTokens, states: StateWords) -> Iterator[str]:
    told_states: set[int] = set()
    for told in group.told:
        yield f"  {_write_change(told, known)}{describe_how_often(told, clean_line)}"
        for side in split_sides(told.change) or (told.change,):
            in_full = cut_lines(list_lines(side, known.token))
            yield from (f"      {clean_line(line)}" for line in in_full)
        effect, new = states.describe_once(told, told_states, clean_line)
        lines = (describe_places(told, show_place), describe_causes(told, show_place), effect)
        yield from (f"      {line}" for line in lines if line)
        arguments = _describe_arguments(new, known)
        yield from (f"          {line}" for line in arguments)


def _describe_arguments(states: Sequence[StateChange], known: HasTokens) -> list[str]:
    return describe_arguments(states, clean_line, partial(_describe_change, known=known))


def _describe_change(change: Change, known: HasTokens) -> str:
    """Describe a change of a value that has no sign before it."""
    if change.kind == "reordered":
        return "order of keys changed"
    if change.kind == "moved":
        moved = describe_move(change.moved_from, change.moved_to)
        return f"{_show(change.after, known)} {moved}"
    if change.kind in ("added", "removed"):
        return f"{change.kind}: {_show(_one_side(change), known)}"
    return show_two(change, known)


def _one_side(change: Change) -> object:
    return change.after if change.kind == "added" else change.before


def _write_change(told: FoldedAtoms, known: HasTokens) -> str:
    change = told.change
    path = clean_line(show_path(told))
    sign = click.style(SIGNS[change.kind], fg=COLOURS.get(change.kind, "cyan"))
    lead = f"{sign} {path}"
    orders = show_orders(told, known.token)
    if orders is not None:
        return f"{lead}: order of members changed: {clean_line(' -> '.join(orders))}"
    if change.kind == "reordered":
        return f"{lead}: order of keys changed"
    if change.kind in ("added", "removed"):
        return f"{lead}: {_show(_one_side(change), known)}"
    return f"{lead}: {_describe_change(change, known)}"


def show_two(change: Change, known: HasTokens) -> str:
    """Return both values of a change; two secrets are shown by their tokens."""
    before, after = change.before, change.after
    if isinstance(before, Redacted) and isinstance(after, Redacted):
        tokens = f"{known.token(before.secret_id)} -> {known.token(after.secret_id)}"
        return f"{describe_secrets(change)} ({tokens})"
    lines = describe_lines(before, after, lambda line: f" {clean_line(line)}")
    if not lines and isinstance(before, str) and isinstance(after, str):
        old, new = (clean_line(json.dumps(one, ensure_ascii=False)) for one in (before, after))
        return " -> ".join(clip_pair(old, new, WIDEST))
    return lines or f"{_show(before, known)} -> {_show(after, known)}"


def _show(value: object, known: HasTokens) -> str:
    if isinstance(value, dict | list | tuple):
        return clean_line(show_few(value, known.token))
    return show_value(known, value)
