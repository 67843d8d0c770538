"""Which targets of the merged top file match a minion.

Source: Salt ``salt/pillar/__init__.py`` (``top_matches``), ``salt/matchers/confirm_top.py``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.compile.matchers import IdKind, MatcherError, Verdict, match_target
from pillarbook.compile.reads import Answer, Question, Trace
from pillarbook.compile.renderers.errors import LimitExceeded
from pillarbook.compile.sight import Sight
from pillarbook.compile.top.tops import MergedTop, Target
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Position

ENDLESS = re.compile(r"[EPJN].?@")
"""Words of a compound that hold a regular expression or name a nodegroup."""


@dataclass(frozen=True, slots=True)
class TargetVerdict:
    """A target, and whether it matched."""

    target: str
    """The target as the top file has it."""
    match: str
    """The matcher's name."""
    saltenv: str
    """The environment it is written under."""
    file: str
    """The top file."""
    line: int | None
    """Its line there."""
    matched: bool
    """Whether it matches the minion."""
    sls: tuple[str, ...]
    """The SLS names under it."""
    parts: tuple[Verdict, ...] = ()
    """The words of a compound or a nodegroup, where they were asked for (``reasons.py``)."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """What the targeting of a minion came to."""

    sls: Mapping[Any, tuple[str, ...]]
    """SLS names by environment, in the order in which they were first mentioned."""
    verdicts: tuple[TargetVerdict, ...]
    """Each target that was asked."""
    asked: tuple[Target, ...]
    """The targets themselves, in the same order."""


class RecordedSubject:
    """A minion as the matchers ask about it, each question recorded."""

    def __init__(self, sight: Sight, trace: Trace | None) -> None:
        self._sight = sight
        self._trace = trace
        self.minion_id = sight.minion.id

    @property
    def grains(self) -> Mapping[str, Any]:
        """The minion's grains."""
        return self._sight.view("grains", self._trace)

    @property
    def pillar(self) -> Mapping[str, Any]:
        """The pillar known while targets are matched."""
        return self._sight.view("pillar", self._trace)

    @property
    def nodegroups(self) -> Mapping[str, Any]:
        """The master's nodegroups."""
        return self._sight.scope.options.values.get("nodegroups") or {}

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether the minion id matches, and record the question."""
        return self._sight.id_matches(kind, pattern, self._trace)


def top_matches(top: MergedTop, sight: Sight) -> Matches:
    """Return the SLS names that a minion gets, by environment.

    Raises:
        CompileBreaksOff: An unknown matcher, a bad regular expression and the like.
    """
    pillarenv = sight.pillarenv
    derived = sight.remembered.derived
    key = ("targets", sight.scope.number, top, pillarenv)
    if key not in derived:
        derived[key] = _Targets(top, pillarenv)
    targets: _Targets = derived[key]
    return targets.match(sight)


@dataclass(slots=True, eq=False)
class _Row:
    """What one answer to one question says about the targets that ask it first."""

    settled: tuple[tuple[int, bool], ...]
    """Number and verdict of those that need no other answer."""
    still_open: tuple[int, ...]
    """Numbers of those that ask on."""


class _KnownGrain:
    """A minion of which one grain is known, which is no mapping.

    A target such as ``roles:web`` asks for just that, so nothing needs to be recorded: most
    targets of a large fleet are of this kind, and each is asked for each list of roles.
    """

    minion_id = ""
    pillar: Mapping[str, Any] = MappingProxyType({})
    nodegroups: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, name: str, value: Any) -> None:
        self.grains: Mapping[str, Any] = {name: value}
        self._start = f"{name}:"

    @classmethod
    def asked_by(cls, question: Question, sight: Sight) -> "_KnownGrain | None":
        """Return what the answer to a question says, where it is about one grain."""
        view, what, path = question
        grains = sight.data("grains")
        if (view, what) != ("grains", "get") or not isinstance(path, tuple) or len(path) != 1:
            return None
        value = grains.get(path[0])
        is_plain = path[0] in grains and not isinstance(value, Mapping)
        return cls(str(path[0]), value) if is_plain and isinstance(path[0], str) else None

    def decides(self, target: Target) -> bool:
        """Say whether a target asks for this grain and nothing else."""
        text = target.expression
        return (
            target.matcher == "grain"
            and isinstance(text, str)
            and text.startswith(self._start)
            and text.count(":") == 1
        )

    def id_matches(self, _kind: IdKind, _pattern: str) -> bool:
        """Never asked."""
        raise MatcherError("a target asked for more than its grain")


class _Targets:
    """The targets that are asked, in order; those that ask the same question at once."""

    def __init__(self, top: MergedTop, pillarenv: str | None) -> None:
        self._asked = [
            (saltenv, target)
            for saltenv, targets in top.environments.items()
            if not pillarenv or saltenv == pillarenv
            for target in targets
        ]
        self._all = tuple(target for _, target in self._asked)
        self._groups: dict[Question | None, list[int]] | None = None
        self._rows: dict[tuple[Question, Answer], _Row] = {}
        self._verdicts = [
            (_verdict(target, saltenv, matched=False), _verdict(target, saltenv, matched=True))
            for saltenv, target in self._asked
        ]
        self._matches: dict[Any, Matches] = {}

    def match(self, sight: Sight) -> Matches:
        """Match one minion."""
        if sight.plainly or self._groups is None:
            answers = self._ask_each(sight)
            if not sight.plainly:
                self._groups = self._group(sight)
            return self._gather(answers)
        rows = [
            self._row(question, numbers, sight)
            for question, numbers in self._groups.items()
            if question is not None
        ]
        open_numbers = [number for row in rows for number in row.still_open]
        open_answers = tuple(self._ask_one(number, sight) for number in open_numbers)
        key = (tuple(rows), open_answers)
        if key not in self._matches:
            self._matches[key] = self._join(rows, open_numbers, open_answers, sight)
        return self._matches[key]

    def _ask_each(self, sight: Sight) -> list[bool]:
        return [self._ask_one(number, sight) for number in range(len(self._asked))]

    def _ask_one(self, number: int, sight: Sight) -> bool:
        target = self._asked[number][1]
        answer = _ask(target, sight)
        if isinstance(answer, MatcherError):
            raise CompileBreaksOff(str(answer), _broken_target(answer, target))
        return answer

    def _group(self, sight: Sight) -> dict[Question | None, list[int]]:
        groups: dict[Question | None, list[int]] = {}
        for number, (_, target) in enumerate(self._asked):
            question = sight.remembered.matches.first_question((sight.scope.number, target))
            groups.setdefault(question, []).append(number)
        return groups

    def _row(self, question: Question, numbers: list[int], sight: Sight) -> _Row:
        answer = sight.answer(question)
        row = self._rows.get((question, answer))
        if row is None:
            settled, still_open = [], []
            known = _KnownGrain.asked_by(question, sight)
            for number in numbers:
                target = self._asked[number][1]
                if known is not None and known.decides(target):
                    settled.append((number, match_target(target.expression, "grain", known)))
                    continue
                verdict = self._ask_one(number, sight)
                key = (sight.scope.number, target)
                if sight.remembered.matches.settled_by(key, answer)[0]:
                    settled.append((number, verdict))
                else:
                    still_open.append(number)
            row = self._rows[question, answer] = _Row(tuple(settled), tuple(still_open))
        return row

    def _join(
        self,
        rows: list[_Row],
        open_numbers: list[int],
        open_answers: tuple[bool, ...],
        sight: Sight,
    ) -> Matches:
        answers = dict(zip(open_numbers, open_answers, strict=True))
        for row in rows:
            answers.update(row.settled)
        for number in (self._groups or {}).get(None, ()):  # ask nothing: alike for all minions
            answers[number] = self._ask_one(number, sight)
        return self._gather([answers[number] for number in range(len(self._asked))])

    def _gather(self, answers: list[bool]) -> Matches:
        chosen: dict[Any, dict[str, None]] = {}
        for (saltenv, target), matched in zip(self._asked, answers, strict=True):
            if matched:
                chosen.setdefault(saltenv, {}).update(dict.fromkeys(target.sls))
        verdicts = tuple(
            pair[matched] for pair, matched in zip(self._verdicts, answers, strict=True)
        )
        sls = {saltenv: tuple(names) for saltenv, names in chosen.items()}
        return Matches(sls, verdicts, self._all)


def _ask(target: Target, sight: Sight) -> bool | MatcherError:
    """Say whether a target matches; asked once for all minions that answer alike."""
    key = (sight.scope.number, target)
    return sight.recall(sight.remembered.matches, key, partial(_match, target, sight))


def _match(target: Target, sight: Sight, trace: Trace | None) -> bool | MatcherError:
    subject = RecordedSubject(sight, trace)
    try:
        if not _may_run_away(target):
            return match_target(target.expression, target.matcher, subject)
        with sight.project.watch(target.file):
            return match_target(target.expression, target.matcher, subject)
    except MatcherError as error:
        return error
    except LimitExceeded as error:
        return MatcherError(str(error))


def _may_run_away(target: Target) -> bool:
    """Say whether a target may take without end: a regular expression, or nested nodegroups."""
    if target.matcher in ("glob", "grain", "list", "ipcidr"):
        return False
    return target.matcher != "compound" or bool(ENDLESS.search(str(target.expression)))


def _verdict(target: Target, saltenv: Any, *, matched: bool) -> TargetVerdict:
    return TargetVerdict(
        target=str(target.expression),
        match=str(target.matcher),
        saltenv=str(saltenv),
        file=target.file,
        line=target.line,
        matched=matched,
        sls=target.sls,
    )


def _broken_target(error: MatcherError, target: Target) -> Diagnostic:
    return Diagnostic(
        code="broken-target",
        severity=Severity.ERROR,
        message=f"Salt breaks off at the target '{target.expression}': {error}",
        position=Position(target.file, target.line),
        help="correct the target or its `match` entry; until then no pillar is compiled",
    )
