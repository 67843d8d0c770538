"""Find the minions that a change affects: those whose compile read something that differs.

If in doubt, a minion counts as affected: then it is compiled on the second side as well, and both
sides are compared.
"""

from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from typing import Any, TypeAlias

from pillarbook.changes.comparison.alike import are_alike, are_declared_alike
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project, Scope, scope_of
from pillarbook.compile.reads import Answer, Question, fingerprint
from pillarbook.compile.render_file import WRITES
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.replay_questions import ReplayedAnswers
from pillarbook.compile.tree_lookups import Look
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.highstate.watchable import own_modules
from pillarbook.inventory.minions import Minion

UNSETTLED = frozenset(("cannot-compile", "internal-error", "limit-exceeded"))
"""Rules of errors that do not depend on recorded reads alone."""
# A trial for each changed line would exceed a limit as often.
UNSETTLED_IN_TRIAL = UNSETTLED - {"limit-exceeded"}
"""Those of which a trial with the same reads may give another result."""


class SharedScope:
    """A scope of the first side, with the scope of the second side that has the same options."""

    def __init__(
        self, first: ReplayedAnswers, second: ReplayedAnswers, unsettled: frozenset[str]
    ) -> None:
        self._sides = (first, second)
        self._unsettled = unsettled
        self.is_alike = is_same_scope(first.scope, second.scope)
        """Whether the options, and the folders of the roots, are the same."""
        # Both sides stay fixed while they are open, so an answer holds for all minions with these
        # scopes (docs/decisions/0018).
        self._results: dict[RenderResult, bool] = {}
        self._looks: dict[Look, bool] = {}
        self.number = first.scope.number
        """The number of the first side's scope."""

    def asked_since(self, count: int) -> tuple[Look, ...]:
        """Return the answered lookups, in order, without the first ``count``."""
        newest = islice(reversed(self._looks), len(self._looks) - count)
        return tuple(newest)[::-1]

    def holds(self, result: RenderResult) -> bool:
        """Say whether a render of the first side is valid for the second side."""
        known = self._results.get(result)
        if known is None:
            known = self._results[result] = self._looks_alike(result)
        return known

    def _looks_alike(self, result: RenderResult) -> bool:
        return is_settled(result, self._unsettled) and self.answers_alike(result.files)

    def answers_alike(self, looks: Iterable[Look]) -> bool:
        """Say whether both sides give the same answers."""
        return all(self._is_same(look) for look in looks)

    def _is_same(self, look: Look) -> bool:
        known = self._looks.get(look)
        if known is None:
            first, second = self._sides
            known = self._looks[look] = first.answer(look) == second.answer(look)
        return known


_Runs: TypeAlias = dict[int, ReplayedAnswers]
"""The answers of a run, by the number of the scope."""


class AffectedMinions:
    """Compares what the compiles of the first side read with the files of the second side.

    The compiles of the first side must have recorded their reads. With ``is_trial``, the second
    side is the first one with other files. ``runs`` are the answers of both sides that are known
    already.
    """

    def __init__(
        self,
        first: Project,
        second: Project,
        *,
        is_trial: bool = False,
        runs: tuple[_Runs, _Runs] | None = None,
    ) -> None:
        self._first = first
        self._second = second
        self._runs: tuple[_Runs, _Runs] = ({}, {}) if runs is None else runs
        self._unsettled = UNSETTLED_IN_TRIAL if is_trial else UNSETTLED
        self.is_comparable = are_alike(first, second, is_trial=is_trial)
        """Whether the sides differ only in files and minions; if not, every minion is affected."""
        # By the numbers of both scopes: minions with the same options and roots get the same
        # answers. Emptied after the comparison.
        self._scopes: dict[tuple[int, int], SharedScope] = {}
        self._by_second: dict[int, SharedScope] = {}

    def of_trial(
        self, trial: Project, *, opens_alike: bool
    ) -> tuple["AffectedMinions", "AffectedMinions"]:
        """Return the same for the second side and a trial, and for the first side and the trial.

        The trial is the first side with other files. ``opens_alike`` says that code of the tree
        opened none of these itself.
        """
        first, second = self._runs
        answers: _Runs = {}
        return (
            AffectedMinions(self._second, trial, runs=(second, answers)),
            AffectedMinions(self._first, trial, is_trial=opens_alike, runs=(first, answers)),
        )

    def touches(self, minion: Minion, other: Minion, compiled: CompiledPillar) -> bool:
        """Say whether a minion may get another pillar on the second side."""
        if compiled.readers.without_recording and minion.position != other.position:
            return True  # values that templates add may come from there
        return self._is_affected(minion, other, compiled, self.share)

    def touches_states(self, minion: Minion, other: Minion, states: CompiledStates) -> bool:
        """Say whether a minion with the same pillar may get other states on the second side."""
        return self._is_affected(minion, other, states, self.share_states)

    def _is_affected(
        self,
        minion: Minion,
        other: Minion,
        compiled: CompiledPillar,
        share: Callable[[Minion, Minion], SharedScope],
    ) -> bool:
        if not self.is_comparable or not are_declared_alike(minion, other):
            return True
        if compiled.outcome == "failed" or _has_any(compiled, self._unsettled):
            return True
        return _reads_otherwise(share(minion, other), compiled)

    def share(self, minion: Minion, other: Minion) -> SharedScope:
        """Return the scopes of a minion, as both sides declare it."""
        return self._share(scope_of(minion, self._first), scope_of(other, self._second))

    def share_states(self, minion: Minion, other: Minion) -> SharedScope:
        """Return the scopes of a minion's states, as both sides declare it."""
        first, second = scope_of(minion, self._first), scope_of(other, self._second)
        return self._share(self._first.scope_of_states(first), self._second.scope_of_states(second))

    def find_earlier(
        self, what: Hashable, answer: Callable[[Question], Answer], scope: Scope
    ) -> Any:
        """Return a render of the first side that is valid for the second side, or None.

        ``what`` is the key of the render without the scope, ``answer`` answers a question for the
        current minion, and ``scope`` is that of the second side.
        """
        shared = self._by_second.get(scope.number)
        if not self.is_comparable or shared is None or not shared.is_alike:
            return None
        assert isinstance(what, tuple)  # noqa: S101 (as render_file makes it)
        known, result = self._first.remembered.renders.find((shared.number, *what), answer)
        return result if known and result is not WRITES and shared.holds(result) else None

    def _share(self, first: Scope, second: Scope) -> SharedScope:
        key = (first.number, second.number)
        if key not in self._scopes:
            sides = self._run_of(0, self._first, first), self.second_run(second)
            shared = self._scopes[key] = SharedScope(*sides, self._unsettled)
            self._by_second.setdefault(second.number, shared)
        return self._scopes[key]

    def second_run(self, scope: Scope) -> ReplayedAnswers:
        """Return the answers of the second side with a scope of it."""
        return self._run_of(1, self._second, scope)

    def _run_of(self, side: int, project: Project, scope: Scope) -> ReplayedAnswers:
        runs = self._runs[side]
        if scope.number not in runs:
            runs[scope.number] = ReplayedAnswers(project, scope)
        return runs[scope.number]


def _reads_otherwise(shared: SharedScope, compiled: CompiledPillar) -> bool:
    if not shared.is_alike:
        return True
    own = (result for result in compiled.renders if result.scope == shared.number)
    return not (all(map(shared.holds, own)) and shared.answers_alike(compiled.looks))


def is_settled(result: RenderResult, unsettled: frozenset[str] = UNSETTLED_IN_TRIAL) -> bool:
    """Say whether a render depends on its recorded reads alone."""
    # A render that stopped, or ran code, may have read more than was recorded.
    return result.begun and not _has_any(result, unsettled)


def is_same_scope(first: Scope, second: Scope) -> bool:
    """Say whether two scopes have the same options, and the same folders as roots."""
    if fingerprint(first.options.values) != fingerprint(second.options.values):
        return False
    if first.kind == "states" and own_modules(first.roots) != own_modules(second.roots):
        return False
    return _folders(first) == _folders(second)


def _folders(scope: Scope) -> list[tuple[str, str]]:
    """Return the folders of the roots with their environments."""
    return [
        (name, tree.full) for roots in (scope.roots, scope.states) for name, tree in roots.trees()
    ]


def _has_any(result: CompiledPillar | RenderResult, rules: frozenset[str]) -> bool:
    return any(diagnostic.code in rules for diagnostic in result.diagnostics)
