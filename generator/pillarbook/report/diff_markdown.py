"""A comparison as Markdown: for a comment under a pull request, or the summary of a job.

What matters most comes first, and what is left out to keep it short is counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from pillarbook.compare.atoms import AckSource
from pillarbook.compare.diff import Diff
from pillarbook.model.phrases import clip, count
from pillarbook.report.acknowledged_changes import (
    ACKNOWLEDGED,
    count_changes,
    list_ids,
    select_states,
    select_told,
)
from pillarbook.report.diff_wording import (
    describe_idle,
    describe_ignored,
    describe_notes,
    describe_results,
    describe_secret_access,
    head_line,
)
from pillarbook.report.group_names import MinionWords
from pillarbook.report.loss_wording import describe_effects
from pillarbook.report.lost_target_wording import group_lost_targets, list_other_alarms
from pillarbook.report.markdown_blocks import (
    Block,
    ChangeBlocks,
    fold_lines,
    list_lost,
    take_orders,
)
from pillarbook.report.markdown_text import (
    END_FOLD,
    begin_fold,
    write_block,
    write_code,
    write_words,
)
from pillarbook.report.minion_faults import (
    count_old_failures,
    find_old_failures,
    group_by_faults,
)
from pillarbook.report.result_wording import ACCESS, LOST, NEW_FAULTS, call_result
from pillarbook.report.state_wording import STILL, StateWords
from pillarbook.report.told_changes import ToldGroup, describe_changes
from pillarbook.report.value_html import TokenOf, make_visible

MAX_NOTE = 500
"""Characters of a note, and of a fault."""
CLOSING = 160
"""Bytes of a line that says what is left out."""
MAX_FAULTS = 2
"""Faults of a minion that are listed."""
_WORST = {
    "newly failing": "Newly failing",
    "empty": "Newly empty",
    NEW_FAULTS: "Still failing, with new errors",
}
_OTHERS = {"gone": "Removed", "new": "New", "fixed": "Fixed"}
_HEADINGS = {
    **_WORST,
    **_OTHERS,
    LOST: "Lost everything from a target",
    ACCESS: "New access to a secret",
}
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
    diff: Diff, token: TokenOf, words: MinionWords, options: MarkdownOptions | None = None
) -> str:
    """Return a comparison as Markdown."""
    return _Writer(diff, token, words, options or MarkdownOptions()).write()


class _Writer:
    def __init__(
        self, diff: Diff, token: TokenOf, words: MinionWords, options: MarkdownOptions
    ) -> None:
        self._diff = diff
        self._token = token
        self._words = words
        self._options = options
        self._states = StateWords(diff)
        self._groups = ChangeBlocks(token, words, self._states)
        self._lost = group_lost_targets(diff, self._states, MAX_FAULTS)
        self._written: list[str] = []
        self._folds: list[tuple[int, Block]] = []
        """The blocks that have folded lines, and where these are to be written."""
        self._left = options.limit

    def write(self) -> str:
        everything = describe_changes(self._diff)
        groups, ordered = take_orders(select_told(everything, None), self._states)
        others = list(self._groups.write_states(select_states(self._states.others, None)))
        ignored = [f"\n{line}\n" for line in describe_ignored(self._diff, write_code)]
        reserve = min(len("".join(ignored).encode()), self._left // 8)
        self._put(f"### {head_line(self._diff, everything, write_code)}\n{self._counts()}\n")
        if self._states.head:
            self._put(f"\n{self._states.head}\n")
        notes = [write_words(clip(note, MAX_NOTE)) for note in describe_notes(self._diff)]
        if notes:
            self._put("\n> " + "  \n> ".join(notes) + "\n")
        idle = [
            f"\nno effect: {line}\n" for line in describe_idle(self._diff, write_code, write_words)
        ]
        self._left -= reserve + (5 + bool(self._lost) + bool(ignored) + bool(others)) * (
            CLOSING + len(self._link("").encode())
        )  # each part may have to say what it leaves out
        losers = {one.minions for one in self._lost}
        lost, kept = (
            [one for one in groups if (one.minions in losers) is is_lost]
            for is_lost in (True, False)
        )
        self._put_all(list(self._alarms(_WORST)), "failing minions", self._left // 2)
        losses = list(self._lost_blocks(lost))
        self._put_all(losses, "minions that lost a target", self._left // 2)
        news: list[Block | str] = [
            *self._state_alarms(),
            *self._alarms(_OTHERS),
            *self._secret_access(),
        ]
        self._put_all(news, "failing, new or removed minions", self._left // 2)
        room = self._left - min(len("".join(others).encode()), self._left // 4)
        self._put_all(list(self._groups.write_groups(kept)), "changes", room)
        self._put_all(self._groups.write_orders(ordered), "changes of order", self._left)
        self._put_all(others, "changes of states", self._left)
        for source, where in ACKNOWLEDGED.items():
            self._put_acknowledged(everything, source, where)
        self._put_all(idle, "lines without effect", self._left)
        self._put_all(
            self._old_failures(),
            f"minions that fail {'in both' if self._diff.environment else 'as before'}",
            self._left,
        )
        self._put_all(ignored, "rules that ignore changes", self._left + reserve)
        self._put_ids(everything)
        self._unfold()
        return "".join(self._written)

    def _put_acknowledged(
        self, everything: Sequence[ToldGroup], source: AckSource, where: str
    ) -> None:
        """Write the changes that are acknowledged there, folded."""
        groups = select_told(everything, source)
        states = select_states(self._states.others, source)
        blocks = [
            *(replace(block, folded=()) for block in self._groups.write_groups(groups)),
            *map(Block, self._groups.write_states(states)),
        ]
        if blocks:
            summary = f"{count_changes(groups, states)} acknowledged {where}"
            self._put(f"\n{begin_fold(summary)}\n")
            self._put_all(blocks, "acknowledged changes", self._left)
            self._put(f"\n{END_FOLD}\n")

    def _put_ids(self, everything: Sequence[ToldGroup]) -> None:
        """Write the ids of all changes, folded, in the form of the file that acknowledges them."""
        ids = list_ids(everything, self._states.others, self._words, self._token)
        lines = list(map(make_visible, ids))
        wanted = sum(len(line.encode()) + 1 for _, block in self._folds for line in block.folded)
        room = max(self._left - wanted, self._left // 2) - CLOSING
        sizes = accumulate(len(line.encode()) + 1 for line in lines)
        shown = [line for line, size in zip(lines, sizes, strict=True) if size <= room]
        if shown:
            left = len(lines) - len(shown)
            more = [f"! {count(left, 'more id')} left out"] if left else []
            block = write_block([*shown, *more])
            self._put(f"\n{begin_fold(IDS)}\n\n{block}\n{END_FOLD}\n")

    def _put_all(self, blocks: Sequence[Block | str], what: str, room: int) -> None:
        """Write as many blocks as there is room for, and how many are left out."""
        found = [Block(one) if isinstance(one, str) else one for one in blocks]
        for number, block in enumerate(found):
            size = len(block.text.encode())
            if size > room:
                count_left = sum(one.count for one in found[number:])
                left = f"{count_left:,} more {what} left out to keep this short"
                self._written.append(f"\n**{left}**{self._link(', see the ')}\n")
                return
            room -= size
            self._put(block.text)
            if block.folded:
                self._folds.append((len(self._written), block))
                self._written.append("")

    def _put(self, text: str) -> None:
        self._written.append(text)
        self._left -= len(text.encode())

    def _name(self, minions: Sequence[str]) -> str:
        return self._words.describe(minions, write_code, write_code)

    def _call(self, word: str) -> str:
        """Return a result as a heading."""
        if not self._diff.environment:
            return _HEADINGS[word]
        called = call_result(word, self._diff, write_code)
        return called[0].upper() + called[1:]

    def _link(self, lead: str) -> str:
        report = self._options.report
        return f"{lead}[full report]({report})" if report else ""

    def _counts(self) -> str:
        base = self._diff.base
        results = [
            *describe_results(self._diff, write_code),
            f"compared with {write_code(base)}"
            if self._diff.environment
            else f"base {write_words(base)}",
        ]
        return " · ".join(results) + self._link(" · ")

    def _alarms(self, headings: Mapping[str, str]) -> Iterator[Block]:
        """Yield the minions with some results: those with the same faults together."""
        for word in headings:
            for faults, minions in group_by_faults(self._diff, word, MAX_FAULTS).items():
                yield self._write_alarm(self._call(word), minions, faults)

    def _lost_blocks(self, groups: Sequence[ToldGroup]) -> Iterator[Block]:
        """Yield the minions that lost a target, with the changes of just these minions."""
        changes = {group.minions: group for group in groups}
        for one in self._lost:
            lines = one.describe(write_code, write_code)
            for alarm in one.state_alarms:
                faults = "; ".join(map(_write_fault, alarm.faults))
                reason = self._states.describe_reason(alarm, write_code)
                word = call_result(alarm.word, self._diff, write_code)
                own = len(alarm.minions) < len(one.minions)
                who = f" on {self._name(alarm.minions)}" if own else ""
                lines.append(f"states {word}{who}: {faults} ({reason})")
            text = "  \n".join(lines)
            heading = f"\n#### {self._call(LOST)}: {self._name(one.minions)}\n{text}\n"
            if one.minions in changes:
                yield from self._groups.write_group(changes[one.minions], heading)
            else:
                yield Block(heading)

    def _state_alarms(self) -> Iterator[Block]:
        """Yield the failures of states that are not because of a lost target."""
        for alarm in list_other_alarms(self._lost, self._states, MAX_FAULTS):
            if alarm.word != STILL:
                reason = self._states.describe_reason(alarm, write_code)
                called = self._call(alarm.word)
                heading = f"States {called[0].lower()}{called[1:]}"
                yield self._write_alarm(heading, alarm.minions, alarm.faults, reason, loses=False)

    def _secret_access(self) -> Iterator[str]:
        """Yield who can read a secret only in the head."""
        for minions, paths in describe_secret_access(self._diff, write_code).items():
            yield f"\n#### {self._call(ACCESS)}: {self._name(minions)}\n{paths}\n"

    def _write_alarm(
        self,
        heading: str,
        minions: Sequence[str],
        faults: Sequence[str],
        reason: str = "",
        *,
        loses: bool = True,
    ) -> Block:
        follow = [self._states.describe_follow_on(minions)]
        if loses:
            follow = describe_effects(self._diff, self._states, minions, write_code, write_code)
        lines = ("; ".join(map(_write_fault, faults)), *follow, reason)
        text = "  \n".join(filter(None, lines))
        lost = list_lost(self._diff, minions, self._token, self._words) if loses else ()
        told = f"\n#### {heading}: {self._name(minions)}\n{text}\n"
        return Block(told, folded=lost, verb="lost")

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
        told = begin_fold(count_old_failures(self._diff, found))
        return [f"\n{told}\n{lines}\n{END_FOLD}\n"]

    def _unfold(self) -> None:
        """Write folded lines where they belong; short ones in full, long ones share the room."""
        left = self._options.limit - len("".join(self._written).encode())
        folds = [(fold_lines(one.folded, one.verb, left), at, one) for at, one in self._folds]
        folds.sort(key=lambda fold: len(fold[0].encode()))
        for number, (_, at, block) in enumerate(folds):
            share = left // (len(folds) - number)
            self._written[at] = fold_lines(block.folded, block.verb, share)
            left -= len(self._written[at].encode())


def _write_fault(fault: str) -> str:
    """Return a fault, its file and line as code."""
    place, colon, message = clip(fault, MAX_NOTE).partition(": ")
    return f"{write_code(place)} {write_words(message)}" if colon else write_words(place)
