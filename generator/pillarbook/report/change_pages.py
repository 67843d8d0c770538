"""The pages of what has changed since a revision: one of all, and one for each large group.

The pages name what people can take in; the JSON beside them has everything.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import jinja2
from markupsafe import Markup

from pillarbook.compare.atoms import Atom
from pillarbook.compare.diff import Diff
from pillarbook.compare.outcomes import FAILING, RESULTS, show_result
from pillarbook.compare.state_changes import StateChange
from pillarbook.model.phrases import and_more, cut_errors
from pillarbook.report.acknowledged_changes import describe_acknowledged, put_acknowledged_last
from pillarbook.report.change_groups import (
    ALARMS,
    MAX_MEMBERS,
    MAX_TOLD,
    Alarm,
    ChangeGroup,
    group_changes,
)
from pillarbook.report.change_rows import ChangeRows, SinceRows, write_line_place
from pillarbook.report.diff_json import diff_to_json
from pillarbook.report.diff_wording import (
    describe_idle,
    describe_ignored,
    describe_notes,
    describe_secret_access,
    head_line,
)
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.group_names import GroupNames
from pillarbook.report.inline_change import InlineChange
from pillarbook.report.loss_wording import describe_effects
from pillarbook.report.lost_target_wording import LostTargets, group_lost_targets, list_other_alarms
from pillarbook.report.places import write_fault
from pillarbook.report.source import NotCompared
from pillarbook.report.state_arguments import describe_arguments
from pillarbook.report.state_groups import StateGroup
from pillarbook.report.state_wording import (
    STILL,
    StateAlarm,
    StateWords,
    describe_files,
    describe_states,
)
from pillarbook.report.told_changes import describe_changes
from pillarbook.report.value_html import TokenOf, write_code, write_link, write_prose, write_text

MAX_ALARMS = 100
"""Groups of failing, new and removed minions that are listed."""
MAX_STATES = 200
"""Groups of minions whose states alone change that are listed."""
MAX_FAULTS = 5
"""Faults of one group that are listed."""


class ChangePages:
    """Writes the pages of one comparison."""

    def __init__(
        self,
        diff: Diff,
        words: GroupNames,
        links: GroupLinks,
        token: TokenOf,
        templates: jinja2.Environment,
    ) -> None:
        self._diff = diff
        self._words = words
        self._fleet = links.fleet
        self._write_term = partial(links.write_term, "../")
        self._token = token
        self._templates = templates
        told = describe_changes(diff)
        self._headline = head_line(diff, told)
        self._groups = group_changes(diff, put_acknowledged_last(told))
        self._states = StateWords(diff)

    @property
    def large(self) -> dict[int, str]:
        """The groups that have a page of their own: their titles, plain text, by number."""
        return {
            group.number: self._words.describe(group.minions, str, str)
            for group in self._groups
            if group.listed
        }

    def write_all(self) -> str:
        """Return the page of all changes."""
        rows = self._new_rows()
        sections = [self._write_section(group, rows) for group in self._groups if group.told]
        left_out = [one for one in sections if not one["rows"]]
        alarms = [(alarm, group) for group in self._groups for alarm in group.alarms]
        alarms.sort(key=lambda pair: ALARMS.index(pair[0].word))
        lost = group_lost_targets(self._diff, self._states, MAX_FAULTS)
        state_alarms = list_other_alarms(lost, self._states, MAX_FAULTS)
        state_groups = self._states.others
        access = list(describe_secret_access(self._diff, write_code).items())
        return self._templates.get_template("changes.html").render(
            diff=self._diff,
            headline=self._headline,
            states_headline=self._states.head,
            words=[
                (show_result(word), count, RESULTS[word])
                for word, count in self._diff.results.items()
            ],
            notes=describe_notes(self._diff),
            idle=_mark_all(describe_idle(self._diff, write_line_place, write_prose)),
            ignored=_mark_all(describe_ignored(self._diff, write_code)),
            alarms=[self._write_alarm(*pair) for pair in alarms[:MAX_ALARMS]],
            alarms_left=max(0, len(alarms) - MAX_ALARMS),
            lost=[self._write_lost(one) for one in lost[:MAX_ALARMS]],
            lost_left=max(0, len(lost) - MAX_ALARMS),
            access=[(self._name(minions), _join([keys])) for minions, keys in access[:MAX_ALARMS]],
            access_left=max(0, len(access) - MAX_ALARMS),
            sections=[one for one in sections if one["rows"]],
            left=(sum(one["left"] for one in left_out), len(left_out)),
            state_alarms=[self._write_state_alarm(alarm) for alarm in state_alarms[:MAX_ALARMS]],
            state_groups=[self._write_state_group(group) for group in state_groups[:MAX_STATES]],
            states_left=max(0, len(state_alarms) - MAX_ALARMS)
            + max(0, len(state_groups) - MAX_STATES),
        )

    def write_group(self, number: int) -> str:
        """Return the page of a large group."""
        group = self._groups[number - 1]
        rows = list(self._new_rows().write_exact(group.atoms, partial(self._whom, group)))
        return self._templates.get_template("change_group.html").render(
            diff=self._diff,
            group=group,
            name=self._name(group.minions),
            alarms=[self._write_alarm(alarm, group, "#minions") for alarm in group.alarms],
            rows=_join(rows),
            left=sum(not row for row in rows),
            members=self._link_all(group.minions[: group.listed]),
            members_left=len(group.minions) - group.listed,
        )

    def write_json(self) -> str:
        """Return all of it, for programs."""
        return json.dumps(diff_to_json(self._diff, self._token)) + "\n"

    def _new_rows(self) -> SinceRows:
        return SinceRows(ChangeRows(self._templates, self._token), self._describe_states)

    def _write_section(self, group: ChangeGroup, rows: SinceRows) -> dict[str, Any]:
        """Return the changes of one group, on the page of all changes."""
        written = list(rows.write_told(group.told[:MAX_TOLD]))
        name = self._name(group.minions)
        return {
            "group": group,
            "name": name,
            "members": self._show_members(group, name, group.page),
            "rows": _join(written),
            "left": len(group.told) - sum(map(bool, written)),
        }

    def _describe_states(self, told: FoldedAtoms | Atom) -> Iterator[str]:
        """Yield what a change of pillar does to states, line by line."""
        yield self._states.describe(told, write_code)
        yield from self._describe_arguments(self._states.states_of(told))

    def _describe_arguments(self, states: Iterable[StateChange]) -> list[str]:
        show = InlineChange(self._token, write_code, write_prose).write
        return describe_arguments(states, write_code, show)

    def _write_state_group(self, group: StateGroup) -> tuple[Markup, list[Markup], Markup, int]:
        """Return a group's name, its changes in lines, its first minions, and how many more."""
        lines = [
            describe_states(group.states, write_code),
            describe_acknowledged(group.states[0].acknowledged),
            *self._describe_arguments(group.states),
            describe_files(group, write_line_place),
        ]
        return (
            self._name(group.minions),
            _mark_all(filter(None, lines)),
            self._link_all(group.minions[:MAX_MEMBERS]),
            max(0, len(group.minions) - MAX_MEMBERS),
        )

    def _write_alarm(
        self, alarm: Alarm, group: ChangeGroup, page: str | None = None
    ) -> dict[str, Any]:
        """Return a line of a table: failing, new or removed minions, what goes wrong, and why."""
        name = self._name(group.minions)
        # Those of the base, if the head has none.
        write = partial(write_fault, is_base=alarm.outcome not in FAILING)
        faults = tuple(map(write, cut_errors(alarm.faults, MAX_FAULTS)))
        follow = (
            describe_effects(self._diff, self._states, group.minions, write_code, write_line_place)
            if alarm.word != STILL  # what fails as before is no news
            else ()
        )
        return {
            "alarm": alarm,
            "name": name,
            "members": self._show_members(group, name, page or group.page),
            "faults": faults,
            "follow_on": _mark_all(follow),
        }

    def _write_state_alarm(self, alarm: StateAlarm) -> tuple[str, Markup, list[Markup], Markup]:
        """Return the result, the minions, what goes wrong and why."""
        reason = _join([self._states.describe_reason(alarm, write_code)])
        return alarm.word, self._name(alarm.minions), list(map(write_fault, alarm.faults)), reason

    def _write_lost(self, lost: LostTargets) -> tuple[Markup, Markup, list[Any]]:
        """Return the minions, what they lose, and which of their states fail because of it."""
        alarms = [self._write_state_alarm(alarm) for alarm in lost.state_alarms]
        return (
            self._name(lost.minions),
            _join(["; ".join(lost.describe(write_code, partial(write_line_place, is_base=True)))]),
            alarms,
        )

    def _whom(self, group: ChangeGroup, atom: Atom) -> str:
        """Return which minions of a group a change affects; nothing if it is all of them."""
        return "" if len(atom.minions) == len(group.minions) else self._name(atom.minions)

    def _name(self, minions: Sequence[str]) -> Markup:
        """Return words for some minions."""
        return _join([self._words.describe(minions, self._write_term, self._link)])

    def _link_all(self, minions: Iterable[str]) -> Markup:
        """Return some minions as links to what their pages say of changes."""
        return _join([", ".join(map(self._link, minions))])

    def _show_members(self, group: ChangeGroup, name: Markup, page: str) -> Markup:
        """Return all minions of a group, or a link to them; nothing if its name has all."""
        if group.listed:
            return _join([write_link(page, f"all {len(group.minions):,} minions, one by one")])
        links = [self._link(minion) for minion in group.minions[:MAX_MEMBERS]]
        if all(link in name for link in links):
            return Markup()
        return _join([", ".join(links), and_more(len(group.minions) - len(links), ", in the JSON")])

    def _link(self, minion: str) -> str:
        """Return a minion, with a link if it has a page."""
        known = self._fleet.minions.get(minion)
        if known is None:
            return write_text(minion)
        is_same = self._diff.minions[minion].word == "unchanged"
        return known.summary.link("../", "" if is_same else "changes")


def write_not_compared(why: NotCompared, templates: jinja2.Environment) -> str:
    """Return the page of all changes if the base is missing."""
    return templates.get_template("changes.html").render(diff=None, why=why)


def _mark_all(lines: Iterable[str]) -> list[Markup]:
    return [_join([line]) for line in lines]


def _join(parts: Iterable[str]) -> Markup:
    return Markup("".join(parts))  # noqa: S704 (what writes the parts escapes)
