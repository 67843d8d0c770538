"""The changes of a comparison as blocks of Markdown, each written as a whole or left out."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType

from pillarbook.compare.atoms import Cited
from pillarbook.compare.change import Change
from pillarbook.compare.diff import Diff
from pillarbook.compare.fold import fold_path
from pillarbook.compare.strict import canonical
from pillarbook.model import format_path
from pillarbook.model.phrases import and_more, clip, clip_middle, count, list_some
from pillarbook.report.diff_block import MAX_PATH, list_changed_lines
from pillarbook.report.diff_wording import (
    changes_secret,
    describe_causes,
    describe_how_often,
    describe_places,
    show_path,
    show_places,
    write_line,
)
from pillarbook.report.folded_atoms import FoldedAtoms, unite_causes
from pillarbook.report.group_names import MinionWords
from pillarbook.report.inline_change import InlineChange
from pillarbook.report.markdown_text import (
    END_FOLD,
    begin_fold,
    write_block,
    write_code,
    write_words,
)
from pillarbook.report.result_wording import lead_to_base
from pillarbook.report.state_arguments import describe_arguments
from pillarbook.report.state_groups import StateGroup, anywhere
from pillarbook.report.state_wording import (
    StateWords,
    describe_files,
)
from pillarbook.report.told_changes import ToldGroup, describe_changes
from pillarbook.report.value_html import TokenOf

FEW = 3
"""Minions that words name one by one."""
# A comment on a pull request has to fit into 65,536 characters.
MAX_LISTED = 40
"""Minions up to which all of a group are listed, to be unfolded."""
MAX_CHANGES = 25
"""Changes of a block; a longer one could not be cut where the comment is full."""
VERBS: Mapping[str, str] = MappingProxyType({"+": "added", "-": "removed"})
"""What a sign says of folded lines."""
MAX_MEMBERS = 100
"""Changes of one mapping or list that are all shown without unfolding."""
MAX_ARGUMENT = 80
"""Characters of a state's changed argument; of a longer one only the name is shown."""
SHORTEST_PART = 200
"""Characters of a line that are shown of it, if there is no room for all of it."""
MAX_CAUSES = 2
"""Lines that are named behind one change of a block as its cause."""
MAX_ORDERS = 5
"""Mappings in another order that are named."""


@dataclass(frozen=True, slots=True)
class Block:
    """Text that is written as a whole, or left out."""

    text: str
    count: int = 1
    """How many changes it tells."""
    folded: Sequence[str] = ()
    """Lines of a difference that follow it, folded, as far as there is room."""
    verb: str = ""
    """What is said of these lines."""


class ChangeBlocks:
    """Writes changes."""

    def __init__(self, token: TokenOf, words: MinionWords, states: StateWords) -> None:
        self._inline = InlineChange(token, write_code, write_words)
        self._words = words
        self._states = states
        self._told_states: set[frozenset[Hashable]] = set()

    def write_groups(self, groups: Sequence[ToldGroup]) -> Iterator[Block]:
        """Yield the changes of each group of minions, those with changed secrets first."""
        for group in sorted(groups, key=lambda one: not any(map(changes_secret, one.told))):
            changed = "Different" if group.told[0].environment else "Changed"
            heading = f"\n#### {changed}: {self._name(group.minions)}\n{self._list(group.minions)}"
            yield from self.write_group(group, heading)

    def write_group(self, group: ToldGroup, heading: str) -> Iterator[Block]:
        """Yield the changes of some minions, those because of lines of the same files together."""
        by_cause: dict[Hashable, list[FoldedAtoms]] = {}
        for one in group.told:
            files = tuple(dict.fromkeys(line.file for line in one.because))
            by_cause.setdefault((files, one.proven), []).append(one)
        for found in by_cause.values():
            for shown, folded in _share_blocks(found):
                yield self._write_changes(shown, heading, folded)
                heading = ""

    def write_states(self, groups: Sequence[StateGroup]) -> Iterator[str]:
        """Yield a section for the minions of changes that no change of pillar has a part in."""
        for (minions, only_moves), own in groupby(
            groups, lambda one: (one.minions, one.only_moves)
        ):
            what = "States in another order" if only_moves else "States changed"
            told = "\n".join(map(self._write_states_of, own))
            yield f"\n#### {what}: {self._name(minions)}\n{told}{self._list(minions)}"

    def _write_states_of(self, group: StateGroup) -> str:
        lines = [
            self._states.describe_states(group.states, write_code),
            *describe_arguments(group.states, write_code, self._inline.write),
            describe_files(group, write_code),
        ]
        return "  \n".join(filter(None, lines)) + "\n"

    def write_orders(self, told: Sequence[FoldedAtoms]) -> list[Block]:
        """Return one line for all mappings in another order; nothing for none."""
        if not told:
            return []
        names = list_some(tuple(dict.fromkeys(map(show_path, told))), MAX_ORDERS, write_code)
        minions = len({minion for one in told for minion in one.minions})
        many = "mappings in another order"
        number = count(len(told), "mapping in another order", many)
        causes = describe_causes(_unite(told), write_code)
        line = f"{number} on {count(minions, 'minion')}: {names}"
        return [Block(f"\n{', '.join(filter(None, (line, causes)))}\n", len(told))]

    def _name(self, minions: Sequence[str]) -> str:
        return self._words.describe(minions, write_code, write_code)

    def _list(self, minions: Sequence[str]) -> str:
        """Return the ids of some minions, folded; nothing if their name has each of them."""
        if not FEW < len(minions) <= MAX_LISTED:
            return ""
        ids = " ".join(map(write_code, minions))
        return f"\n{begin_fold(f'{len(minions)} minions')}\n\n{ids}\n{END_FOLD}\n"

    def _write_changes(
        self, shown: Sequence[FoldedAtoms], heading: str, more: Sequence[FoldedAtoms] = ()
    ) -> Block:
        told = [*shown, *more]
        united = _unite(told)
        causes = frozenset(united.because)
        files = {line.file for line in causes}
        places = {describe_places(one, write_code) for one in told}
        is_one_place = len(places) == 1
        lines = [
            list_changed_lines(one, self._inline.token).ended(
                _tell_apart(one, causes, files),
                {} if is_one_place else show_places(one),
                lead_to_base(one.environment),
            )
            for one in told
        ]
        effect, arguments = self._describe_effect(told)
        above = [
            " · ".join(filter(None, (describe_causes(united, write_code), effect))),
            places.pop() if is_one_place else "",
            *arguments,
        ]
        opened, closed = lines[: len(shown)], lines[len(shown) :]
        left = [f"! ...{and_more(len(more), f' in {_show_container(more[0])}')}"] if more else []
        block = write_block([*(line for one in opened for line in one.shown), *left])
        # The short ones first, so that they are not cut because of a long one.
        by_length = sorted(opened, key=lambda one: sum(map(len, one.folded)))
        folded = [line for one in by_length for line in one.folded]
        folded += (line for one in closed for line in (one.folded or one.shown))
        text = "  \n".join(filter(None, above))
        lead = f"{heading}\n{text}\n" if text else heading
        verbs = [verb for sign, verb in VERBS.items() if any(line[0] == sign for line in folded)]
        return Block(f"{lead}\n{block}\n", len(told), folded, " and ".join(verbs))

    def _describe_effect(self, told: Sequence[FoldedAtoms]) -> tuple[str, list[str]]:
        """Return the effect of changes on states, and what changes in their arguments.

        If an earlier block has told the same states, one phrase refers to it.
        """
        found = {state.id: state for one in told for state in self._states.states_of(one)}
        states = list(found.values())
        key = frozenset((anywhere(one.change.state), one.change.kind) for one in states)
        if key in self._told_states:
            same = "the same state as above" if len(key) == 1 else "the same states as above"
            return f"{self._states.changes}{same}", []
        if states:
            self._told_states.add(key)
        arguments = describe_arguments(states, write_code, self._show_argument)
        return self._states.describe_effect(states, write_code), arguments

    def _show_argument(self, change: Change) -> str:
        """Return a change of an argument; if it is long, a reference to that of the pillar."""
        shown = self._inline.write(change)
        return shown if len(shown) <= MAX_ARGUMENT else "changed, as below"


def _share_blocks(
    told: Sequence[FoldedAtoms],
) -> Iterator[tuple[Sequence[FoldedAtoms], Sequence[FoldedAtoms]]]:
    """Yield the changes of each block: those that are shown, and those that are folded.

    Of very many new keys of one mapping, or changes like these, most are folded: otherwise, they
    would leave no room for other changes.
    """
    by_container: dict[Hashable, list[FoldedAtoms]] = {}
    for one in told:
        place = () if changes_secret(one) else (one.change.kind, *_container(one))
        by_container.setdefault(place, []).append(one)
    many = [some for place, some in by_container.items() if place != () and len(some) > MAX_MEMBERS]
    apart = {id(one) for some in many for one in some}
    kept = [one for one in told if id(one) not in apart]
    for at in range(0, len(kept), MAX_CHANGES):
        yield kept[at : at + MAX_CHANGES], ()
    for some in many:
        yield some[:MAX_CHANGES], some[MAX_CHANGES:]


def _container(told: FoldedAtoms) -> Sequence[Hashable]:
    """Return the path of the mapping or list that a change is in, without positions."""
    return tuple(map(canonical, fold_path(told.change)[:-1]))


def _show_container(told: FoldedAtoms) -> str:
    return clip(format_path(fold_path(told.change)[:-1]), MAX_PATH) or "the top level"


def take_orders(
    groups: Sequence[ToldGroup], states: StateWords
) -> tuple[list[ToldGroup], list[FoldedAtoms]]:
    """Return changes without those of the order of keys on which no state depends; and these."""
    ordered = [
        one
        for group in groups
        for one in group.told
        if one.change.kind == "reordered" and not states.states_of(one)
    ]
    known = set(map(id, ordered))
    rest = (
        replace(group, told=tuple(one for one in group.told if id(one) not in known))
        for group in groups
    )
    return [group for group in rest if group.told], ordered


def list_lost(diff: Diff, minions: Sequence[str], token: TokenOf, words: MinionWords) -> list[str]:
    """Return what only follows from the failures of some minions, as lines of a difference.

    What not all of them lose follows a line that names those that do.
    """
    ids = dict.fromkeys(one for name in minions for one in diff.minions[name].atoms)
    atoms = [diff.atoms[one - 1] for one in ids]
    follow = [atom for atom in atoms if atom.consequence_of is not None]
    groups = describe_changes(diff, follow)
    lines: list[str] = []
    for group in groups:
        told = [one for one in group.told if one.change.kind != "reordered"]
        if told and len(groups) > 1:
            lines.append(f"! {words.describe(group.minions, str, str)}:")
        for one in told:
            found = list_changed_lines(one, token)
            often = describe_how_often(one, str) if found.folded else ""
            lines += [f"! {clip(show_path(one), MAX_PATH)}{often}:"] if often else []
            lines += found.folded or found.shown
    return lines


def fold_lines(lines: Sequence[str], verb: str, room: int) -> str:
    """Return lines of a difference, folded: as many as there is room for; nothing for none.

    ``verb`` is what is said of them, ``room`` the bytes that the result may have.
    """
    number = count(sum(line[0] in VERBS for line in lines), "line")
    lead = f"\n{begin_fold(f'{number} {verb}')}\n\n"
    frame = len(f"{lead}{write_block([])}\n\n{END_FOLD}\n".encode())
    shown = _cut_to(lines, room - frame)
    told = f"{lead}{write_block(shown)}\n{END_FOLD}\n" if shown else ""
    return told if len(told.encode()) <= room else ""  # a fence may be longer than usual


def _cut_to(lines: Sequence[str], room: int) -> Sequence[str]:
    """Return the first lines that have so many bytes together, and how many are left out."""
    if sum(len(line.encode()) + 1 for line in lines) <= room:
        return lines
    left = len(lines)
    room -= len(f"! ... {count(left, 'more line')}")
    shown = []
    for line in lines:
        size = len(line.encode()) + 1
        if size > room:
            most = room // 4 - 1  # a character has up to four bytes
            shown += [clip_middle(line, most)] if most >= SHORTEST_PART else []
            break
        shown.append(line)
        room -= size
    left -= len(shown)
    return [*shown, f"! ... {count(left, 'more line')}"] if left and shown else shown


def _tell_apart(one: FoldedAtoms, causes: Collection[Cited], files: Collection[str]) -> str:
    """Return which lines are the cause of one change of a block, as a comment of YAML.

    It is empty if all changes of the block have this cause. ``causes`` are those of all of
    them, in ``files``.
    """
    heads = [replace(line, side="head") for line in one.because]  # as `unite_causes` names them
    named = {
        head if head in causes else line for line, head in zip(one.because, heads, strict=True)
    }
    if not named or named == causes:
        return ""
    is_one_file = len(files) == 1
    shown = list_some(
        one.because,
        MAX_CAUSES,
        lambda line: (
            f"line {line.line}{' (before)' if line.side == 'base' else ''}"
            if is_one_file
            else write_line(line, str)
        ),
    )
    return f"  # {shown}"


def _unite(told: Sequence[FoldedAtoms]) -> FoldedAtoms:
    """Return the first change with the causes of all, in the order of their files and lines."""
    proven = all(one.proven for one in told)
    lines = sorted(unite_causes(told), key=lambda line: (line.file, line.line, line.side))
    return replace(told[0], because=tuple(lines), proven=proven)
