"""Decision tries: follow the questions that an earlier computation asked, to find its result.

A computation that is a function of its key, its questions and their answers need not be done again
for a minion with the same answers. Each node of its trie has the question that was asked next after
the answers so far, and a branch for each known answer.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")
Question = tuple[Hashable, ...]
Answer = Hashable


MAX_UNPROVEN = 5_000
"""The most results that were never used again; then all of these are dropped."""


class RepeatCache(Generic[Key, Result]):
    """A cache that keeps a result for long only if it is used again.

    Most minions have some values that no other minion has, and their results are useless for
    others. A dropped result is computed again when needed, so the cache never changes a result.
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
    """A question, and the node for each answer."""

    question: Question
    branches: dict[Answer, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Outcome:
    """The result at the end of the questions."""

    result: Any


class Memo(Generic[Result]):
    """Results of one kind of computation, by key and recorded questions."""

    def __init__(self) -> None:
        # Never emptied before the end of the run: a trie has as many leaves as a fleet has kinds of
        # minions. The key contains digests of files, so a changed file has another key.
        self._tries: dict[Hashable, _Choice | _Outcome] = {}
        self.hits = 0
        """How often a result was found."""
        self.misses = 0
        """How often it had to be computed."""
        self.misfits = 0
        """How often a result did not depend on the answers alone, and was not kept."""

    def find(self, key: Hashable, answer: Callable[[Question], Answer]) -> tuple[bool, Any]:
        """Return whether a result is known for these answers, and the result.

        ``key`` has the inputs besides the questions: a file, its digest, its names.
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
        """Yield the questions with their answers that lead to the result for these answers."""
        node = self._tries.get(key)
        while isinstance(node, _Choice):
            found = answer(node.question)
            yield node.question, found
            node = node.branches.get(found)

    def keep(self, key: Hashable, trace: Mapping[Question, Answer], result: Result) -> bool:
        """Keep a result under the questions that led to it, in the order of asking.

        It is not kept if an earlier computation with the same answers ended here, or asked another
        question. Then the result depends on something else, such as a time limit.

        Returns:
            Whether it was kept.
        """
        branches: dict[Any, Any] = self._tries
        last: Any = key
        for question, answer in trace.items():
            node = branches.setdefault(last, _Choice(question))
            # Other questions after the same answers: the result depends on something that was not
            # recorded (the clock, a limit). Other minions would get a wrong result.
            if not isinstance(node, _Choice) or node.question != question:
                self.misfits += 1
                return False
            branches, last = node.branches, answer
        own = _Outcome(result)
        end = branches.setdefault(last, own)
        self.misfits += isinstance(end, _Choice)
        return end is own
