"""The pages of what has changed since a revision: one of all, and one for each large group.

The pages name what people can take in; the JSON beside them has everything.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

import jinja2
from markupsafe import Markup

from pillarbook.compare.atoms import Atom
from pillarbook.compare.diff import Diff
from pillarbook.compare.outcomes import RESULTS
from pillarbook.compare.state_changes import StateChange
from pillarbook.report.change_groups import (
    ALARMS,
    MAX_MEMBERS,
    MAX_TOLD,
    Alarm,
    ChangeGroup,
    group_changes,
)
from pillarbook.report.change_rows import SinceRows, write_line_place
from pillarbook.report.diff_json import diff_to_json
from pillarbook.report.diff_wording import (
    FoldedAtoms,
    describe_changes,
    describe_idle,
    describe_notes,
    head_line,
)
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.ignored_wording import describe_ignored
from pillarbook.report.inline_change import InlineChange
from pillarbook.report.minion_wording import MinionWords
from pillarbook.report.source import NotCompared
from pillarbook.report.state_arguments import describe_arguments
from pillarbook.report.state_wording import (
    StateAlarm,
    StateGroup,
    StateWords,
    describe_files,
    describe_states,
)
from pillarbook.report.value_html import TokenOf, make_visible, write_prose

MAX_ALARMS = 100
"""Kinds of failure, of coming and of going that are listed."""
MAX_STATES = 200
"""Groups of minions whose states alone change that are listed."""
MAX_FAULTS = 5
"""Faults of one kind that are listed."""


@dataclass(frozen=True, slots=True)
class AlarmLine:
    """One kind of failure, of coming or of going, in a line of a table."""

    alarm: Alarm
    """What became of the minions."""
    name: Markup
    """The minions, in words."""
    members: Markup
    """All of them, where they are few, or a link to their page."""
    faults: tuple[Markup, ...]
    """What goes wrong, with file and line."""


@dataclass(frozen=True, slots=True)
class StatesShown:
    """What becomes of the states, on the page of all changes."""

    head: str
    """How many of them change on how many minions; empty for none."""
    alarms: tuple[Markup, ...]
    """What goes wrong with them."""
    others: tuple[Markup, ...]
    """What changes by no change of pillar."""
    left: int
    """How much more there is."""


class ChangePages:
    """Writes the pages of one comparison.

    Args:
        diff: The comparison.
        words: Finds words for groups of minions.
        fleet: The minions that have a page.
        token: Gives tokens of secrets.
        templates: The environment of page templates.
    """

    def __init__(
        self,
        diff: Diff,
        words: MinionWords,
        fleet: FleetSummary,
        token: TokenOf,
        templates: jinja2.Environment,
    ) -> None:
        self._diff = diff
        self._words = words
        self._fleet = fleet
        self._token = token
        self._templates = templates
        told = describe_changes(diff)
        self._headline = head_line(diff, told)
        self._groups = group_changes(diff, told)
        self._states = StateWords(diff)

    @property
    def large(self) -> dict[int, str]:
        """The groups that have a page of their own: their titles, plain text, by number."""
        return {
            group.number: self._words.describe(group.minions, str, str)
            for group in self._groups
            if group.page is not None
        }

    def write_all(self) -> str:
        """Return the page of all changes."""
        rows = _GroupRows(self, self._new_rows())
        html = "".join(rows.write(self._groups))
        alarms = [(alarm, group) for group in self._groups for alarm in group.alarms]
        alarms.sort(key=lambda pair: ALARMS.index(pair[0].word))
        return self._templates.get_template(
            "changes.html"
        ).render(
            diff=self._diff,
            headline=self._headline,
            states=self._write_states(),
            words=[(word, count, RESULTS[word]) for word, count in self._diff.results.items()],
            notes=describe_notes(self._diff),
            idle=[
                Markup(line)  # noqa: S704 (escaped where it is written)
                for line in describe_idle(self._diff, write_line_place, _write_prose)
            ],
            ignored=[
                Markup(line)  # noqa: S704 (as there)
                for line in describe_ignored(self._diff, _write_code)
            ],
            alarms=[self._write_alarm(*pair) for pair in alarms[:MAX_ALARMS]],
            alarms_left=max(0, len(alarms) - MAX_ALARMS),
            rows=_join([html]),
            left=rows.left,
        )

    def _new_rows(self) -> SinceRows:
        return SinceRows(self._token, states=self._describe_states)

    def _describe_states(self, told: FoldedAtoms | Atom) -> Iterator[str]:
        """Yield what a change of pillar does to states, line by line."""
        yield self._states.describe(told, _write_code)
        yield from self._describe_arguments(self._states.states_of(told))

    def _describe_arguments(self, states: Iterable[StateChange]) -> list[str]:
        show = InlineChange(self._token, _write_code, _write_prose).write
        return describe_arguments(states, _write_code, show)

    def _write_states(self) -> StatesShown:
        """Return what becomes of the states, but for what stands with a change of pillar."""
        alarms = self._states.alarms(MAX_FAULTS)
        return StatesShown(
            self._states.head,
            tuple(self._write_state_alarm(alarm) for alarm in alarms[:MAX_ALARMS]),
            tuple(map(self._write_state_group, self._states.others[:MAX_STATES])),
            max(0, len(alarms) - MAX_ALARMS) + max(0, len(self._states.others) - MAX_STATES),
        )

    def _write_state_alarm(self, alarm: StateAlarm) -> Markup:
        word = f'<span class="word {alarm.word.replace(" ", "-")}">{alarm.word}</span>'
        faults = "; ".join(map(_write_fault, alarm.faults))
        return _join([word, " ", self.name(alarm.minions), ": " if faults else "", faults])

    def _write_state_group(self, group: StateGroup) -> Markup:
        told = describe_states(group.states, _write_code)
        files = describe_files(group, write_line_place)
        listed = self.list_members(group.minions[:MAX_MEMBERS])
        left = len(group.minions) - MAX_MEMBERS
        more = f" and {left:,} more, in the JSON" if left > 0 else ""
        lines = [
            f"<b>{self.name(group.minions)}</b>",
            told,
            *self._describe_arguments(group.states),
            files,
            f"<small>{listed}{more}</small>",
        ]
        return _join(["<br>".join(filter(None, lines))])

    def write_group(self, number: int) -> str:
        """Return the page of a large group.

        Args:
            number: The group's number.
        """
        group = self._groups[number - 1]
        rows = list(self._new_rows().write_exact(group.atoms, partial(self._whom, group)))
        return self._templates.get_template("change_group.html").render(
            diff=self._diff,
            group=group,
            name=self.name(group.minions),
            alarms=[self._write_alarm(alarm, group, "#minions") for alarm in group.alarms],
            rows=_join(rows),
            left=sum(not row for row in rows),
            members=self.list_members(group.minions[: group.listed]),
            members_left=len(group.minions) - group.listed,
        )

    def write_json(self) -> str:
        """Return all of it, for programs."""
        return json.dumps(diff_to_json(self._diff, self._token)) + "\n"

    def write_told(self, rows: SinceRows, group: ChangeGroup) -> tuple[str, int]:
        """Return the rows of a group on the page of all, and how many changes have none."""
        written = list(rows.write_told(group.told[:MAX_TOLD]))
        left = len(group.told) - len(written) + sum(not row for row in written)
        return "".join(written), left

    def _whom(self, group: ChangeGroup, atom: Atom) -> str:
        """Return whom of a group a change affects; nothing where it is all of them."""
        return "" if len(atom.minions) == len(group.minions) else self.name(atom.minions)

    def name(self, minions: Sequence[str]) -> Markup:
        """Return words for some minions."""
        return Markup(self._words.describe(minions, _write_code, self._link))  # noqa: S704 (as there)

    def list_members(self, minions: Iterable[str]) -> Markup:
        """Return some minions as links to what their pages say of changes."""
        return _join([", ".join(map(self._link, minions))])

    def show_members(self, group: ChangeGroup, name: Markup, place: str | None = None) -> Markup:
        """Return all of a group, or a link to the place of them; nothing where words do.

        Args:
            group: The group.
            name: The words for its minions.
            place: Where all of a large group stand; None for its own page.
        """
        if group.page is not None:
            count = f"{len(group.minions):,} minions"
            return _join([f'<a href="{place or group.page}">all {count}, one by one</a>'])
        links = [self._link(minion) for minion in group.minions[:MAX_MEMBERS]]
        if all(link in name for link in links):
            return Markup()
        left = len(group.minions) - len(links)
        return _join([", ".join(links), f" and {left:,} more, in the JSON" if left else ""])

    def _write_alarm(self, alarm: Alarm, group: ChangeGroup, place: str | None = None) -> AlarmLine:
        name = self.name(group.minions)
        faults = tuple(map(_write_fault, alarm.faults[:MAX_FAULTS]))
        return AlarmLine(alarm, name, self.show_members(group, name, place), faults)

    def _link(self, minion: str) -> str:
        """Return a minion, with a link where it has a page."""
        shown = escape(make_visible(minion))
        known = self._fleet.minions.get(minion)
        if known is None:
            return shown
        place = "" if self._diff.minions[minion].word == "unchanged" else "#changes"
        return f'<a href="../minions/{known.summary.slug}.html{place}">{shown}</a>'


class _GroupRows:
    """Writes the groups of the page of all changes, section by section."""

    def __init__(self, pages: ChangePages, rows: SinceRows) -> None:
        self._pages = pages
        self._rows = rows
        self.left: tuple[int, int] = (0, 0)
        """How many changes of how many groups are not on the page at all."""

    def write(self, groups: Iterable[ChangeGroup]) -> Iterator[str]:
        for group in groups:
            if not group.told:
                continue
            rows, left = self._pages.write_told(self._rows, group)
            if rows:
                head, last = self._write_head(group), _write_left(left, group)
                yield f"<tbody>\n{head}{rows}{last}</tbody>\n"
            else:
                changes, others = self.left
                self.left = changes + len(group.told), others + 1

    def _write_head(self, group: ChangeGroup) -> str:
        anchor = f"group-{group.number}"
        name = self._pages.name(group.minions)
        members = self._pages.show_members(group, name)
        below = f'<span class="members">{members}</span>' if members else ""
        return (
            f'<tr id="{anchor}" class="section" data-counts><th colspan="4" scope="rowgroup">'
            f'<a href="#{anchor}">{group.number}</a> {name}{below}</th></tr>\n'
        )


def _write_left(left: int, group: ChangeGroup) -> str:
    if not left:
        return ""
    words = "1 more change" if left == 1 else f"{left:,} more changes"
    where = f'<a href="{group.page}">their page</a>' if group.page else "the JSON"
    text = f"{words} of these minions: {where}."
    return f'<tr class="more"><td colspan="4"><small>{text}</small></td></tr>\n'


def write_not_compared(why: NotCompared, templates: jinja2.Environment) -> str:
    """Return the page of all changes where there is nothing to compare with."""
    return templates.get_template("changes.html").render(diff=None, why=why)


def _write_code(text: str) -> str:
    return f"<code>{escape(make_visible(text))}</code>"


def _write_fault(fault: str) -> Markup:
    """Return a fault, its file and line as code."""
    place, colon, message = fault.partition(": ")
    if not (colon and place.rpartition(":")[2].isdecimal()):
        return write_prose(fault)
    return Markup(write_line_place(place)) + " " + write_prose(message)  # noqa: S704 (escaped there)


def _write_prose(text: str) -> str:
    return str(write_prose(text))


def _join(parts: Iterable[str]) -> Markup:
    return Markup("".join(parts))  # noqa: S704 (what writes the parts escapes)
