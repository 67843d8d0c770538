"""Compiles one minion with another clock, without a declared function, or without keys.

Each trial shows what a difference depends on:

- A value that changes with the time is not compared, because a live master has another time.
- A value that changes without a declared answer of a function may be wrong because of it.
- Salt loses the whole SLS with a message that its master cannot decrypt, and a compile without keys
  keeps it. So the minion is compiled like on a master without a key for these messages.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project, Remembered
from pillarbook.compile.remarks import READS_CLOCK
from pillarbook.compile.renderers.ciphertext import is_ciphertext
from pillarbook.compile.renderers.gpg_decryptor import DecryptError, SealedDecryptor
from pillarbook.inventory.declared_clock import Clock
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, ListNode, MapNode, Node
from pillarbook.verify.dump_causes import DumpCause
from pillarbook.verify.dump_differences import (
    ERRORS,
    Comparison,
    DumpDifference,
    GivenPillar,
    canonical,
)
from pillarbook.verify.printed_values import printed, printed_key

TIMED = "made of the time"
_NEAR = dt.timedelta(days=1501, hours=13, minutes=17, seconds=19)
"""Changes year, month, day, weekday, hour, minute and second; forth or back also morning and
afternoon."""
_FAR = dt.timedelta(days=40 * 365)
"""For templates that compare the time with a distant date."""
MAX_FUNCTIONS = 20
"""The most declared functions that are tried; each costs a compile of every differing minion."""
CompileWith = Callable[[Minion, Project], CompiledPillar]
"""Compiles a minion in a project."""


@dataclass(slots=True)
class TimedParts:
    """The parts of one minion's pillar that depend on the time."""

    paths: set[KeyPath] = field(default_factory=set)
    """Their paths, with keys as they are printed."""
    keyed: set[KeyPath] = field(default_factory=set)
    """Mappings and lists whose members depend on the time."""

    def leave_out(self, comparison: Comparison) -> Comparison:
        """Return a comparison without these parts, which are counted as not compared."""
        kept = [one for one in comparison.differences if not self._has(one)]
        left_out = comparison.weight - sum(one.weight for one in kept)
        if not left_out:
            return comparison
        found = replace(comparison, differences=kept, not_compared=comparison.not_compared.copy())
        found.not_compared[TIMED] += left_out
        return found

    def _has(self, one: DumpDifference) -> bool:
        path = tuple(key if isinstance(key, int) else printed_key(key) for key in one.path)
        if one.kind == "only in the dump" and path[:-1] in self.keyed:
            return True
        return any(path[:end] in self.paths for end in range(1, len(path) + 1))


class ClockTrials:
    """Finds the parts of a pillar that depend on the time."""

    def __init__(self, project: Project, compile_with: CompileWith) -> None:
        self._compile_with = compile_with
        self._others = [
            replace(project, clock=clock, remembered=Remembered())
            for clock in ([] if project.clock is None else _other_times(project.clock))
        ]

    def find(self, minion: Minion, compiled: CompiledPillar) -> TimedParts:
        """Return the parts of a minion's compiled pillar that depend on the time."""
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


class FunctionTrials:
    """Compiles minions without one of the declared answers at a time."""

    def __init__(self, project: Project, compile_with: CompileWith) -> None:
        self._compile_with = compile_with
        declared = project.functions
        self._without = {
            name: replace(
                project,
                functions={one: answer for one, answer in declared.items() if one != name},
                remembered=Remembered(),
            )
            for name in list(declared)[:MAX_FUNCTIONS]
        }

    def causes(self, minion: Minion, comparison: Comparison) -> Iterator[DumpCause]:
        """Yield the functions whose declared answers change the differing values."""
        for name, project in self._without.items():
            tree = self._compile_with(minion, project).tree
            if any(_is_otherwise(one, tree) for one in comparison.differences):
                words = f"what differs depends on the declared answer of the function '{name}'"
                yield DumpCause("function", "likely", words)


def _is_otherwise(difference: DumpDifference, tree: MapNode) -> bool:
    """Say whether a tree has another value, or none, at the path of a difference."""
    if difference.ours is None:
        return False
    node: Node | None = tree
    for key in difference.path:
        if isinstance(node, MapNode):
            names = {printed_key(one): item for one, item in node.items.items()}
            node = names.get(printed_key(key))
        elif isinstance(node, ListNode) and isinstance(key, int) and key < len(node.items):
            node = node.items[key]
        else:
            return True
    return node is None or canonical(printed(node)) != canonical(printed(difference.ours))


class UnopenedMessages:
    """Returns projects whose master has no key for some messages."""

    def __init__(self, project: Project) -> None:
        self._project = project
        # By the messages, which many minions share; for the whole run.
        self._without: dict[frozenset[str], Project] = {}

    def find_project(self, comparison: Comparison, given: GivenPillar) -> Project | None:
        """Return the project for another compile of a minion; None if it cannot change anything."""
        # Without errors in the dump, Salt lost no SLS.
        if not self._project.decryptor.sealed or ERRORS not in given.data:
            return None
        data = (printed(one.ours) for one in comparison.differences if one.ours is not None)
        texts = frozenset(text for part in data for text in _ciphertexts(part))
        if not texts:
            return None
        if texts not in self._without:
            self._without[texts] = replace(
                self._project, decryptor=_Locked(texts), remembered=Remembered()
            )
        return self._without[texts]


class _Locked(SealedDecryptor):
    """Keeps messages encrypted, and fails on those without a key."""

    def __init__(self, locked: Iterable[str]) -> None:
        self._locked = frozenset(text.strip() for text in locked)

    def decrypt_text(self, text: str | bytes) -> tuple[str | bytes, bool]:
        """Return the text unchanged, and whether it contains a message."""
        value, held = super().decrypt_text(text)
        if held and isinstance(value, str) and value.strip() in self._locked:
            words = "a message cannot be opened"
            raise DecryptError(words, words)
        return value, held


def _ciphertexts(data: Any) -> Iterator[str]:
    if isinstance(data, dict | list):
        for item in data.values() if isinstance(data, dict) else data:
            yield from _ciphertexts(item)
    elif isinstance(data, str) and is_ciphertext(data):
        yield data
