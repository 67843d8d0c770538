"""Recalls an SLS with all its includes for a minion with the same answers.

The result depends on the kind of compile, the SLS, the questions of all its renders, and on what
earlier SLS files of the minion have left for its includes. All of these are in the key or among the
questions. It is kept only if each of its files was recalled for a second minion, so the results of
files that only one minion has are not kept.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.memo import Memo
from pillarbook.compile.reads import Answer, Question
from pillarbook.compile.sls.compile_log import CompileLog
from pillarbook.compile.sls.includes import SlsAnswer, SlsData
from pillarbook.model import Position

STORED = "stored SLS"
"""The view of questions about what earlier SLS files have stored."""
NOT_STORED: Answer = ("not stored",)


@dataclass(frozen=True, slots=True, eq=False)
class WholeSls:
    """The result of an SLS with all its includes."""

    data: SlsData | None
    """Its data; nothing changes it, because the merges of this compile change no base."""
    errors: tuple[str, ...]
    """Salt's errors."""
    log: CompileLog
    """What it added to the log."""
    stored: Mapping[Any, SlsData | None]
    """What it stored for later includes."""


class StoredSls(dict[Any, SlsData | None]):
    """What the SLS files of a minion have stored.

    It keeps the earlier value of each name that is set. With a copy of everything for each SLS,
    the time would grow with the square of their number.
    """

    def __init__(self) -> None:
        super().__init__()
        self._before: dict[Any, Any] = {}

    def __setitem__(self, name: Any, data: SlsData | None) -> None:
        self._before.setdefault(name, self.get(name, NOT_STORED))
        super().__setitem__(name, data)

    def take(self, stored: Mapping[Any, SlsData | None]) -> None:
        """Store what was stored by an SLS that is recalled."""
        for name, data in stored.items():
            self[name] = data

    def restore(self, earlier: Mapping[Any, SlsData | None]) -> None:
        """Store again what was stored at an earlier time, and nothing else."""
        self.clear()
        self.update(earlier)  # notes nothing, as these values were there before

    def begin(self) -> None:
        """Compare with what is stored now, from now on."""
        self._before.clear()

    def has_changed(self, name: Any) -> bool:
        """Say whether something else is stored under a name now."""
        return name in self._before and self.get(name, NOT_STORED) is not self._before[name]

    def changed(self) -> dict[Any, SlsData | None]:
        """Return what has changed."""
        return {name: self[name] for name in self._before if self.has_changed(name)}


class WholeSlsRecall:
    """Recalls and keeps whole SLS files for one minion in one environment.

    ``memo`` has the results by ``kind``, name and place; ``kind`` is what a result depends on
    besides. ``ripe`` are the keys of results whose files were all recalled once. ``count_misses``
    returns how many files were not recalled so far, for any minion.
    """

    def __init__(
        self,
        memo: Memo[WholeSls],
        ripe: set[Any],
        kind: tuple[Any, ...],
        ask: Callable[[Question], Answer],
        stored: StoredSls,
        count_misses: Callable[[], int],
    ) -> None:
        self._memo, self._ripe, self._kind = memo, ripe, kind
        self._ask, self._stored, self._count_misses = ask, stored, count_misses
        # The SLS files of which only this minion has the data: what includes them is not kept.
        self._own: set[str] = set()
        self._questions: dict[Question, Answer] | None = None
        self._is_alone = False

    def find(self, sls: str, place: Position | None) -> WholeSls | None:
        """Return the result for an SLS that the top file names at a place, if it is known."""
        known: WholeSls | None = self._memo.find((*self._kind, sls, place), self._answer)[1]
        return known

    def _answer(self, question: Question) -> Answer:
        view, sls, *_ = question
        return self._about_stored(sls) if view == STORED else self._ask(question)

    def _about_stored(self, sls: Any) -> Answer:
        if sls not in self._stored:
            return NOT_STORED
        found = self._stored[sls]
        return (None if found is None else found.tree,)  # nodes are compared by identity

    def note_file(self, sls: str, questions: Mapping[Question, Answer], *, is_own: bool) -> None:
        """Note the questions of a rendered file; ``is_own`` says that it was not recalled."""
        if is_own:
            self._own.add(sls)
        if self._questions is not None:
            for question, answer in questions.items():
                self._questions.setdefault(question, answer)

    def note_stored(self, sls: str) -> None:
        """Note the question what is stored of an SLS."""
        self._is_alone = self._is_alone or sls in self._own
        # What this SLS itself has stored follows from the other questions.
        if self._questions is not None and not self._stored.has_changed(sls):
            self._questions.setdefault((STORED, sls), self._about_stored(sls))

    def make(
        self,
        sls: str,
        place: Position | None,
        log: CompileLog,
        render: Callable[[CompileLog], SlsAnswer],
    ) -> SlsAnswer:
        """Render an SLS that is not known, and keep the result if all its files were recalled.

        ``render`` renders it, and notes in the given log what there is besides data.
        """
        key = (*self._kind, sls, place)
        before, self._is_alone = self._count_misses(), False
        if key not in self._ripe:
            answer = render(log)
            if self._count_misses() == before and not self._is_alone:
                self._ripe.add(key)
            return answer
        own = CompileLog()
        self._questions = {}
        self._stored.begin()
        try:
            data, errors = render(own)
        finally:
            log.join_sls(own)
            questions, self._questions = self._questions, None
        if self._count_misses() == before and not self._is_alone:
            stored = self._stored.changed()
            self._memo.keep(key, questions, WholeSls(data, tuple(errors), own, stored))
        return data, errors
