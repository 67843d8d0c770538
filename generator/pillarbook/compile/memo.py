"""Decision tries: follow the questions that a computation asked before, find its result.

A computation that is a function of (its key, the questions it asks, the answers it gets) need not
be done again for a minion that answers alike. Its trie holds, at each node, the question that is
asked next after the answers so far, and a branch for each answer met.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")
Question = tuple[Hashable, ...]
Answer = Hashable


MAX_UNPROVEN = 5_000
"""Results that were never asked for again, before all of these are let go."""


class Sifted(Generic[Key, Result]):
    """Results of which only those are kept for long that were asked for again.

    Most minions have a few values that no other has, and whatever is made of these is of no use to
    another. What is let go is made once more if it is asked for, so this may never decide a result.
    """

    __slots__ = ("_proven", "_unproven")

    def __init__(self) -> None:
        self._proven: dict[Key, Result] = {}
        self._unproven: dict[Key, Result] = {}

    def get(self, key: Key) -> Result | None:
        """Return the result of a key; None if there is none."""
        found = self._proven.get(key)
        if found is None:
            found = self._unproven.pop(key, None)
            if found is not None:
                self._proven[key] = found
        return found

    def __setitem__(self, key: Key, result: Result) -> None:
        """Keep the result of a key."""
        if len(self._unproven) >= MAX_UNPROVEN:
            self._unproven.clear()
        self._unproven[key] = result


@dataclass(slots=True, eq=False)
class _Choice:
    """A question and where each answer leads."""

    question: Question
    branches: dict[Answer, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Outcome:
    """Where the questions end."""

    result: Any


class Memo(Generic[Result]):
    """Results of one kind of computation, by its key and its recorded questions."""

    def __init__(self) -> None:
        # Never trimmed: a trie has as many ends as a fleet has kinds of minions, and it is let go
        # with the run. The key holds digests of files, so a changed file is another key.
        self._tries: dict[Hashable, _Choice | _Outcome] = {}
        self.hits = 0
        """How often a result was found."""
        self.misses = 0
        """How often it had to be computed."""
        self.misfits = 0
        """How often a result was no function of the answers, and was not kept."""

    def find(self, key: Hashable, answer: Callable[[Question], Answer]) -> tuple[bool, Any]:
        """Return whether a result is known for these answers, and the result.

        Args:
            key: What the computation is besides its questions: a file, its digest, its names.
            answer: Answers a question for the minion at hand.
        """
        node = self._tries.get(key)
        while node.__class__ is _Choice:
            node = node.branches.get(answer(node.question))
        if node is None:
            self.misses += 1
            return False, None
        self.hits += 1
        return True, node.result  # type: ignore[union-attr]

    def questions(
        self, key: Hashable, answer: Callable[[Question], Answer]
    ) -> Iterator[tuple[Question, Answer]]:
        """Yield the questions, with their answers, that lead to the result for these answers."""
        node = self._tries.get(key)
        while isinstance(node, _Choice):
            found = answer(node.question)
            yield node.question, found
            node = node.branches.get(found)

    def keep(self, key: Hashable, trace: Mapping[Question, Answer], result: Result) -> None:
        """Keep a result under the questions that led to it, in the order they were asked.

        It is not kept where a computation ended, or asked something else, after the same answers:
        one that the clock cut short is no function of them.
        """
        branches: dict[Any, Any] = self._tries
        last: Any = key
        for question, answer in trace.items():
            node = branches.setdefault(last, _Choice(question))
            # Other questions after the same answers: something that was not recorded decided (the
            # clock, a limit). To keep it would give one minion's result to another.
            if not isinstance(node, _Choice) or node.question != question:
                self.misfits += 1
                return
            branches, last = node.branches, answer
        if isinstance(branches.setdefault(last, _Outcome(result)), _Choice):
            self.misfits += 1
