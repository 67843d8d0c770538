"""Renders that a run of a comparison takes from others: from the head, and from earlier trials.

Most renders of a trial are those of the head, as only a few files differ. The others are mostly
those of another trial with the same files: hunks are taken back alone, then with others.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from pillarbook.changes.comparison.affected import AffectedMinions, is_same_scope, is_settled
from pillarbook.changes.comparison.alike import are_alike
from pillarbook.compile.memo import Memo
from pillarbook.compile.project import Scope
from pillarbook.compile.reads import Answer, Question
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.replay_questions import ReplayedAnswers

FILES = "files"
"""The view of questions about files: the lookup is the name, and the answer stands for the file."""
# Protects the time of a trial, which is compared with one run of each kind. Only a commit that
# changes the master's options in many places has more.
MAX_KINDS = 64
"""The most kinds of runs; runs of other kinds share nothing."""
Key: TypeAlias = tuple[Any, ...]


class TrialRenders:
    """The renders of all trials, by kind of run, key, answers and the files that they read."""

    def __init__(self) -> None:
        # Kept to the end of the comparison; the limits of trials limit their number.
        self._renders: Memo[Any] = Memo()
        self._kinds: list[ReplayedAnswers] = []

    def find(
        self, number: int, what: Key, answer: Callable[[Question], Answer], run: ReplayedAnswers
    ) -> Any:
        """Return a render that is valid for a run of a kind, or None."""

        def ask(question: Question) -> Answer:
            look: Any = question[1]
            return run.answer(look) if question[0] == FILES else answer(question)

        return self._renders.find((number, *what), ask)[1]

    def keep(self, number: int, what: Key, result: RenderResult, run: ReplayedAnswers) -> None:
        """Keep a render of a run of a kind."""
        if is_settled(result):
            files: dict[Question, Answer] = {(FILES, one): run.answer(one) for one in result.files}
            self._renders.keep((number, *what), {**result.questions, **files}, result)

    def kind_of(self, run: ReplayedAnswers) -> int | None:
        """Return the number of a kind of runs, which differ only in files; None for too many."""
        for number, one in enumerate(self._kinds):
            alike = are_alike(one.project, run.project, is_trial=True)
            if alike and is_same_scope(one.scope, run.scope):
                return number
        if len(self._kinds) >= MAX_KINDS:
            return None
        self._kinds.append(run)
        return len(self._kinds) - 1


class EarlierRenders:
    """The renders of other runs for one run, once it is open.

    ``trials`` are those of trials, if it is a trial.
    """

    def __init__(self, trials: TrialRenders | None = None) -> None:
        self.affected: AffectedMinions | None = None
        """Compares the run with the head; None as long as it is not open."""
        self.restored: AffectedMinions | None = None
        """Compares a trial with the base; None if the run is no trial."""
        self._trials = trials
        # By the number of the scope, because the kind is found by comparing options.
        self._kinds: dict[int, int | None] = {}

    def find(self, what: Key, answer: Callable[[Question], Answer], scope: Scope) -> Any:
        """Return a render of another run that is valid for this one, or None."""
        if self.affected is None:
            return None
        found = self.affected.find_earlier(what, answer, scope)
        if found is None and self.restored is not None:
            # A file whose only hunk is taken back is that of the base.
            found = self.restored.find_earlier(what, answer, scope)
        kind = self._kind_of(scope) if found is None else None
        if self._trials is None or kind is None:
            return found
        return self._trials.find(kind, what, answer, self.affected.second_run(scope))

    def keep(self, what: Key, result: RenderResult, scope: Scope) -> None:
        """Keep a render of this run for later trials."""
        kind = self._kind_of(scope)
        if self._trials is not None and self.affected is not None and kind is not None:
            self._trials.keep(kind, what, result, self.affected.second_run(scope))

    def _kind_of(self, scope: Scope) -> int | None:
        if self._trials is None or self.affected is None:
            return None
        if scope.number not in self._kinds:
            self._kinds[scope.number] = self._trials.kind_of(self.affected.second_run(scope))
        return self._kinds[scope.number]
