"""Parts of a pillar that are made of the time, which a live master has another one of.

A minion that reads the clock is compiled at other times as well: what is then another value, or
not there, is not compared.
"""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project, Remembered
from pillarbook.compile.remarks import READS_CLOCK
from pillarbook.inventory.declared_clock import Clock
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, ListNode, MapNode, Node
from pillarbook.verify.dump_differences import Comparison, DumpDifference
from pillarbook.verify.printed_values import printed, printed_key

TIMED = "made of the time"
_NEAR = dt.timedelta(days=1501, hours=13, minutes=17, seconds=19)
"""Moves year, month, day, weekday, hour, minute and second; back, it moves noon where this does
not."""
_FAR = dt.timedelta(days=40 * 365)
"""For what compares the time with a day far away."""
CompileWith = Callable[[Minion, Project], CompiledPillar]


@dataclass(slots=True)
class TimedParts:
    """The parts of one minion's pillar that are made of the time."""

    paths: set[KeyPath] = field(default_factory=set)
    """Where they are, keys as they are printed."""
    keyed: set[KeyPath] = field(default_factory=set)
    """Mappings and lists that have members at one time and not at another."""

    def leave_out(self, comparison: Comparison) -> Comparison:
        """Return a comparison without what is made of the time; that is counted."""
        kept = [one for one in comparison.differences if not self._has(one)]
        left_out = comparison.weight - sum(one.weight for one in kept)
        if not left_out:
            return comparison
        found = Comparison(kept, comparison.not_compared.copy(), comparison.sealed)
        found.not_compared[TIMED] += left_out
        return found

    def _has(self, one: DumpDifference) -> bool:
        path = _printed(one.path)
        if one.kind == "only in the dump" and path[:-1] in self.keyed:
            return True
        return any(path[:end] in self.paths for end in range(1, len(path) + 1))


class ClockTrials:
    """Finds what is made of the time.

    Args:
        project: What compiles have in common.
        compile_with: Compiles a minion in a project.
    """

    def __init__(self, project: Project, compile_with: CompileWith) -> None:
        self._compile_with = compile_with
        self._others = [
            replace(project, clock=clock, remembered=Remembered())
            for clock in ([] if project.clock is None else _other_times(project.clock))
        ]

    def find(self, minion: Minion, compiled: CompiledPillar) -> TimedParts:
        """Return the parts of a minion's pillar that are made of the time.

        Args:
            minion: The minion.
            compiled: What it gets.
        """
        found = TimedParts()
        if any(one.code == READS_CLOCK for one in compiled.diagnostics):
            for project in self._others:
                _note(compiled.tree, self._compile_with(minion, project).tree, (), found)
        return found


def _other_times(clock: Clock) -> Iterator[Clock]:
    for far in (_NEAR, -_NEAR, _NEAR + _FAR, -_NEAR - _FAR):
        try:
            yield replace(clock, time=clock.time + far)
        except OverflowError:  # before the first year, or after the last
            continue


def _note(one: Node, other: Node, path: KeyPath, found: TimedParts) -> None:
    """Note where two parts differ."""
    if one is other:
        return
    if isinstance(one, MapNode) and isinstance(other, MapNode):
        ours, theirs = _members(one), _members(other)
        for key in {**ours, **theirs}:
            _note_member(ours.get(key), theirs.get(key), (*path, key), found)
    elif isinstance(one, ListNode) and isinstance(other, ListNode):
        for at in range(max(len(one.items), len(other.items))):
            _note_member(_member(one, at), _member(other, at), (*path, at), found)
    elif type(one) is not type(other) or printed(one) != printed(other):
        found.paths.add(path)


def _note_member(one: Node | None, other: Node | None, path: KeyPath, found: TimedParts) -> None:
    if one is not None and other is not None:
        _note(one, other, path, found)
    else:
        found.paths.add(path)
        found.keyed.add(path[:-1])


def _members(node: MapNode) -> dict[str, Node]:
    return {printed_key(key): item for key, item in node.items.items()}


def _member(node: ListNode, at: int) -> Node | None:
    return node.items[at] if at < len(node.items) else None


def _printed(path: KeyPath) -> KeyPath:
    """Return a path with its keys as the dump has them."""
    return tuple(key if isinstance(key, int) else printed_key(key) for key in path)
