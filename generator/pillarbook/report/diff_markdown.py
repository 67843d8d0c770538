"""A comparison as Markdown: for a comment under a pull request, or the summary of a job.

What matters most comes first, and what is left out to keep it short is counted.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from pillarbook.compare.atoms import AckSource
from pillarbook.compare.diff import Diff
from pillarbook.report.acknowledged_changes import (
    ACKNOWLEDGED,
    count_changes,
    list_ids,
    select_states,
    select_told,
)
from pillarbook.report.diff_block import list_changed_lines
from pillarbook.report.diff_wording import (
    describe_causes,
    describe_idle,
    describe_ignored,
    describe_keys,
    describe_lost,
    describe_notes,
    describe_places,
    head_line,
)
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.group_names import MinionWords
from pillarbook.report.inline_change import InlineChange
from pillarbook.report.lost_target_wording import group_lost_targets, list_other_alarms
from pillarbook.report.markdown_text import write_block, write_code, write_words
from pillarbook.report.minion_faults import (
    STILL,
    count_old_failures,
    find_old_failures,
    group_by_faults,
)
from pillarbook.report.phrases import clip, count, list_some
from pillarbook.report.state_arguments import describe_arguments
from pillarbook.report.state_wording import (
    StateGroup,
    StateWords,
    describe_files,
    describe_states,
)
from pillarbook.report.told_changes import ToldGroup, describe_changes
from pillarbook.report.value_html import TokenOf

MAX_NOTE = 500
"""Characters of a note, and of a fault."""
FEW = 3
"""Minions that words name one by one."""
# A comment on a pull request has to fit into 65,536 characters.
MAX_LISTED = 40
"""Minions up to which all of a group are listed, to be unfolded."""
CLOSING = 160
"""Bytes of a line that says what is left out."""
MAX_CHANGES = 25
"""Changes of a block; a longer one could not be cut where the comment is full."""
MAX_PLACES = 3
"""Places of values that are named above a block."""
MAX_FAULTS = 2
"""Faults of a minion that are listed."""
_WORST = {"newly failing": "Newly failing", "empty": "Newly empty"}
_OTHERS = {"gone": "Removed", "new": "New", "fixed": "Fixed"}
_HEADINGS = {**_WORST, **_OTHERS}
IDS = "Change ids"
"""Above the list of ids; ``ci/posting/new_changes.py`` finds it by these words."""
COMMENT = 60_000
"""Bytes of a comment; GitHub takes 65,536 characters."""


@dataclass(frozen=True, slots=True)
class MarkdownOptions:
    """How a comparison is written."""

    limit: int = COMMENT
    """Bytes of UTF-8 that the text may have."""
    report: str | None = None
    """The address of the full report."""


def write_markdown(
    diff: Diff,
    token: TokenOf,
    words: MinionWords,
    options: MarkdownOptions | None = None,
) -> str:
    """Return a comparison as Markdown."""
    return _Writer(diff, token, words, options or MarkdownOptions()).write()


@dataclass(frozen=True, slots=True)
class _Block:
    """Text that is written as a whole, or left out."""

    text: str
    """The text."""
    count: int = 1
    """How many changes it tells."""
    detail: str = ""
    """What follows it if there is room."""


class _Writer:
    def __init__(
        self,
        diff: Diff,
        token: TokenOf,
        words: MinionWords,
        options: MarkdownOptions,
    ) -> None:
        self._diff = diff
        self._token = token
        self._inline = InlineChange(token, write_code, write_words)
        self._words = words
        self._options = options
        self._states = StateWords(diff)
        self._lost = group_lost_targets(diff, self._states, MAX_FAULTS)
        self._written: list[str] = []
        self._left = options.limit

    def write(self) -> str:
        everything = describe_changes(self._diff)
        groups = select_told(everything, None)
        others = list(self._state_blocks(select_states(self._states.others, None)))
        ignored = [f"\n{line}\n" for line in describe_ignored(self._diff, write_code)]
        reserve = min(len("".join(ignored).encode()), self._left // 8)
        self._put(f"### {head_line(self._diff, everything)}\n{self._counts()}\n")
        if self._states.head:
            self._put(f"\n{self._states.head}\n")
        for note in describe_notes(self._diff):
            self._put(f"\n> {write_words(clip(note, MAX_NOTE))}\n")
        idle = [f"\n{line}\n" for line in describe_idle(self._diff, write_code, write_words)]
        self._left -= reserve + (5 + bool(self._lost) + bool(ignored) + bool(others)) * (
            CLOSING + len(self._link("").encode())
        )  # each part may have to say what it leaves out
        losers = {one.minions for one in self._lost}
        lost, kept = (
            [one for one in groups if (one.minions in losers) is is_lost]
            for is_lost in (True, False)
        )
        self._put_all(list(self._alarms(_WORST)), "failing minions", self._left // 2)
        self._put_all(
            self._in_full(list(self._lost_blocks(lost)), self._left // 2),
            "minions that lost a target",
            self._left // 2,
        )
        news = [*self._state_alarms(), *self._alarms(_OTHERS)]
        self._put_all(news, "failing, new or removed minions", self._left // 2)
        room = self._left - min(len("".join(others).encode()), self._left // 4)
        self._put_all(self._in_full(list(self._blocks(kept)), room), "changes", room)
        self._put_all(others, "changes of states", self._left)
        for source, where in ACKNOWLEDGED.items():
            self._put_acknowledged(everything, source, where)
        self._put_all(idle, "lines without effect", self._left)
        self._put_all(self._old_failures(), "minions that fail as before", self._left)
        self._put_all(ignored, "rules that ignore changes", self._left + reserve)
        self._put_ids(everything)
        return "".join(self._written)

    def _put_acknowledged(
        self, everything: Sequence[ToldGroup], source: AckSource, where: str
    ) -> None:
        """Write the changes that are acknowledged there, folded."""
        groups = select_told(everything, source)
        states = select_states(self._states.others, source)
        blocks = [*self._blocks(groups), *map(_Block, self._state_blocks(states))]
        if blocks:
            summary = f"{count_changes(groups, states)} acknowledged {where}"
            self._put(f"\n<details><summary>{summary}</summary>\n")
            self._put_all(blocks, "acknowledged changes", self._left)
            self._put("\n</details>\n")

    def _put_ids(self, everything: Sequence[ToldGroup]) -> None:
        """Write the ids of all changes, folded, in the form of the file that acknowledges them."""
        lines = list(list_ids(everything, self._states.others, self._words, self._token))
        room = self._left - CLOSING
        sizes = accumulate(len(line.encode()) + 1 for line in lines)
        shown = [line for line, size in zip(lines, sizes, strict=True) if size <= room]
        if shown:
            left = len(lines) - len(shown)
            more = [f"! {left:,} more ids left out"] if left else []
            block = write_block([*shown, *more])
            self._put(f"\n<details><summary>{IDS}</summary>\n\n{block}\n</details>\n")

    def _put_all(self, blocks: Sequence["_Block | str"], what: str, room: int) -> None:
        """Write as many blocks as there is room for, and how many are left out."""
        found = [_Block(one) if isinstance(one, str) else one for one in blocks]
        for number, block in enumerate(found):
            size = len(block.text.encode())
            if size > room:
                count_left = sum(one.count for one in found[number:])
                left = f"{count_left:,} more {what} left out to keep this short"
                self._written.append(f"\n**{left}**{self._link(', see the ')}\n")
                return
            room -= size
            self._put(block.text)

    def _put(self, text: str) -> None:
        self._written.append(text)
        self._left -= len(text.encode())

    def _name(self, minions: Sequence[str]) -> str:
        return self._words.describe(minions, write_code, write_code)

    def _list(self, minions: Sequence[str]) -> str:
        """Return the ids of some minions, folded; nothing if their name has each of them."""
        if not FEW < len(minions) <= MAX_LISTED:
            return ""
        ids = " ".join(map(write_code, minions))
        return f"\n<details><summary>{len(minions)} minions</summary>\n\n{ids}\n</details>\n"

    def _link(self, lead: str) -> str:
        report = self._options.report
        return f"{lead}[full report]({report})" if report else ""

    def _counts(self) -> str:
        results = [f"{count:,} {word}" for word, count in self._diff.results.items()]
        results.append(f"base {write_words(self._diff.base)}")
        return " · ".join(results) + self._link(" · ")

    def _alarms(self, headings: Mapping[str, str]) -> Iterator[str]:
        """Yield the minions with some results: those with the same faults together."""
        for word, heading in headings.items():
            for faults, minions in group_by_faults(self._diff, word, MAX_FAULTS).items():
                yield self._write_alarm(heading, minions, faults)

    def _lost_blocks(self, groups: Sequence[ToldGroup]) -> Iterator["_Block"]:
        """Yield the minions that lost a target, with the changes of just these minions."""
        changes = {group.minions: group for group in groups}
        for one in self._lost:
            lines = [one.describe(write_code, write_code)]
            for alarm in one.state_alarms:
                faults = "; ".join(map(_write_fault, alarm.faults))
                reason = self._states.describe_reason(alarm, write_code)
                lines.append(f"states {alarm.word}: {faults} ({reason})")
            text = "  \n".join(lines)
            heading = f"\n#### Lost everything from a target: {self._name(one.minions)}\n{text}\n"
            if one.minions in changes:
                yield from self._write_group(changes[one.minions], heading)
            else:
                yield _Block(heading)

    def _state_alarms(self) -> Iterator[str]:
        """Yield the failures of states that are not because of a lost target."""
        for alarm in list_other_alarms(self._lost, self._states, MAX_FAULTS):
            if alarm.word != STILL:
                reason = self._states.describe_reason(alarm, write_code)
                heading = f"States {_HEADINGS[alarm.word].lower()}"
                yield self._write_alarm(heading, alarm.minions, alarm.faults, reason)

    def _write_alarm(
        self, heading: str, minions: Sequence[str], faults: Sequence[str], reason: str = ""
    ) -> str:
        lines = (
            "; ".join(map(_write_fault, faults)),
            describe_keys(self._diff, minions, write_code),
            describe_lost(self._diff, minions, write_code),
            self._states.describe_follow_on(minions),
            reason,
        )
        text = "  \n".join(filter(None, lines))
        return f"\n#### {heading}: {self._name(minions)}\n{text}\n"

    def _old_failures(self) -> list[str]:
        """Return who fails as before, folded: it is no news."""
        found = find_old_failures(self._diff, self._states, MAX_FAULTS)
        if not found:
            return []
        lines = "".join(
            f"\n{'states of ' if one.of_states else ''}{self._name(one.minions)}: "
            f"{'; '.join(map(_write_fault, one.faults))}\n"
            for one in found
        )
        told = f"<details><summary>{count_old_failures(found)}</summary>"
        return [f"\n{told}\n{lines}\n</details>\n"]

    def _in_full(self, blocks: Sequence["_Block"], room: int) -> list["_Block"]:
        """Return blocks with what they add or remove in full, as far as all of them fit."""
        room -= sum(len(block.text.encode()) for block in blocks)
        written = []
        for block in blocks:
            size = len(block.detail.encode())
            detail = block.detail if size <= room else ""
            written.append(replace(block, text=block.text + detail))
            room -= len(detail.encode())
        return written

    def _blocks(self, groups: Sequence[ToldGroup]) -> Iterator["_Block"]:
        """Yield the changes of each group of minions, those with the same cause together."""
        for group in groups:
            heading = f"\n#### Changed: {self._name(group.minions)}\n{self._list(group.minions)}"
            yield from self._write_group(group, heading)

    def _write_group(self, group: ToldGroup, heading: str) -> Iterator["_Block"]:
        by_cause: dict[Hashable, list[FoldedAtoms]] = {}
        for one in group.told:
            by_cause.setdefault((one.because, one.proven), []).append(one)
        for found in by_cause.values():
            for part in _cut(found, MAX_CHANGES):
                yield self._write_changes(part, heading)
                heading = ""

    def _write_changes(self, told: Sequence[FoldedAtoms], heading: str) -> "_Block":
        """Return changes of the same minions with the same cause."""
        lines = [list_changed_lines(one, self._inline.token) for one in told]
        states = list(
            {state.id: state for one in told for state in self._states.states_of(one)}.values()
        )
        places = dict.fromkeys(filter(None, (describe_places(one, write_code) for one in told)))
        causes = (describe_causes(told[0], write_code), describe_states(states, write_code))
        above = [
            " · ".join(filter(None, causes)),
            list_some(tuple(places), MAX_PLACES, str),
            *describe_arguments(states, write_code, self._inline.write),
        ]
        block = write_block([line for one in lines for line in one.shown])
        detail = _fold_lines([line for one in lines for line in one.folded])
        text = "  \n".join(filter(None, above))
        lead = f"{heading}\n{text}\n" if text else heading
        return _Block(f"{lead}\n{block}\n", len(told), detail)

    def _state_blocks(self, groups: Sequence[StateGroup]) -> Iterator[str]:
        """Yield a paragraph for changes of states that no change of pillar has a part in."""
        for group in groups:
            lines = [
                describe_states(group.states, write_code),
                *describe_arguments(group.states, write_code, self._inline.write),
                describe_files(group, write_code),
            ]
            told = "  \n".join(filter(None, lines))
            listed = self._list(group.minions)
            yield f"\n#### States changed: {self._name(group.minions)}\n{told}\n{listed}"


def _cut(told: Sequence[FoldedAtoms], most: int) -> Iterator[Sequence[FoldedAtoms]]:
    """Yield changes in parts of at most so many."""
    yield from (told[at : at + most] for at in range(0, len(told), most))


def _fold_lines(lines: Sequence[str]) -> str:
    """Return lines of a difference, folded; nothing for none."""
    if not lines:
        return ""
    block = write_block(lines)
    return f"\n<details><summary>{count(len(lines), 'line')}</summary>\n\n{block}\n</details>\n"


def _write_fault(fault: str) -> str:
    """Return a fault, its file and line as code."""
    place, colon, message = clip(fault, MAX_NOTE).partition(": ")
    return f"{write_code(place)} {write_words(message)}" if colon else write_words(place)
