"""Which targets of the merged top file match a minion.

Source: Salt ``salt/pillar/__init__.py`` (``top_matches``), ``salt/matchers/confirm_top.py``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.compile.matchers import IdKind, MatcherError, Verdict, match_target
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.reads import Answer, Question, Trace
from pillarbook.compile.renderers.render_errors import LimitExceeded
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

    def __init__(self, view: MinionView, trace: Trace | None) -> None:
        self._view = view
        self._trace = trace
        self.minion_id = view.minion.id

    @property
    def grains(self) -> Mapping[str, Any]:
        """The minion's grains."""
        return self._view.view("grains", self._trace)

    @property
    def pillar(self) -> Mapping[str, Any]:
        """The pillar known while targets are matched."""
        return self._view.view("pillar", self._trace)

    @property
    def nodegroups(self) -> Mapping[str, Any]:
        """The master's nodegroups."""
        return self._view.scope.options.values.get("nodegroups") or {}

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether the minion id matches, and record the question."""
        return self._view.id_matches(kind, pattern, self._trace)


def top_matches(top: MergedTop, view: MinionView, pinned: str | None) -> Matches:
    """Return the SLS names that a minion gets, by environment; of the pinned one only.

    Raises:
        CompileBreaksOff: An unknown matcher, a bad regular expression and the like.
    """
    key = ("targets", view.scope.number, top, pinned)
    return view.remembered.derive(key, partial(_Targets, top, pinned)).match(view)


@dataclass(slots=True, eq=False)
class _Row:
    """What one answer to one question says about the targets that ask it first."""

    matched: int
    """Those that match and need no other answer; bit by number, as in all sets of targets here."""
    still_open: tuple[int, ...]
    """Numbers of those that ask on."""


class _Group:
    """The targets that ask the same question first.

    A target such as ``roles:web`` asks for one grain and nothing else, so nothing needs to be
    recorded where that is no mapping: most targets of a large fleet are of this kind.
    """

    minion_id = ""
    pillar: Mapping[str, Any] = MappingProxyType({})
    nodegroups: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, question: Question, targets: Sequence[tuple[int, Target]]) -> None:
        self.question = question
        # By the answer to the one question that all targets of the group ask first
        # (docs/decisions/0007). As many rows as the fleet has answers; gone with the top file.
        self.rows: dict[Answer, _Row] = {}
        """What is known, by the answer."""
        view, what, path = question
        is_grain = (view, what) == ("grains", "get") and isinstance(path, tuple) and len(path) == 1
        name = path[0] if is_grain and isinstance(path, tuple) else None
        self._grain = name if isinstance(name, str) else None
        self._by_grain = tuple(one for one in targets if self._asks_no_more(one[1]))
        """Those that ask for this grain and nothing else."""
        self._others = tuple(one for one in targets if not self._asks_no_more(one[1]))
        self._by_member: dict[str, int] = {}
        self.grains: Mapping[str, Any] = {}
        """The grain alone, while targets are matched with it."""

    def _asks_no_more(self, target: Target) -> bool:
        text, grain = target.expression, self._grain
        return (
            grain is not None
            and target.matcher == "grain"
            and isinstance(text, str)
            and text.startswith(f"{grain}:")
            and text.count(":") == 1
        )

    def ask_by_grain(self, grains: Mapping[str, Any]) -> tuple[int, tuple[tuple[int, Target], ...]]:
        """Return which targets match that ask for the grain alone, and those left to be asked."""
        grain = self._grain
        if grain is None or grain not in grains or isinstance(grains[grain], Mapping):
            return 0, (*self._by_grain, *self._others)
        value = grains[grain]
        if grain == "*" or not isinstance(value, list) or not all(map(_is_text, value)):
            return self._match(value), self._others
        matched = 0
        for member in value:  # a list matches where any of its members does
            known = self._by_member.get(member)
            if known is None:
                known = self._by_member[member] = self._match([member])
            matched |= known
        return matched, self._others

    def _match(self, value: Any) -> int:
        self.grains = {self._grain or "": value}
        return _join_bits(
            number
            for number, target in self._by_grain
            if match_target(target.expression, "grain", self)
        )

    def id_matches(self, _kind: IdKind, _pattern: str) -> bool:
        """Never asked."""
        raise MatcherError("a target asked for more than its grain")


def _is_text(value: Any) -> bool:
    return value.__class__ is str


def _join_bits(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


class _Targets:
    """The targets that are asked, in order; those that ask the same question at once."""

    def __init__(self, top: MergedTop, pinned: str | None) -> None:
        self._asked = [
            (saltenv, target)
            for saltenv, targets in top.environments.items()
            if not pinned or saltenv == pinned
            for target in targets
        ]
        self._all = tuple(target for _, target in self._asked)
        self._groups: list[_Group] | None = None
        self._always = 0
        """Those that ask nothing and match, alike for all minions."""
        self._verdicts = [
            (_verdict(target, saltenv, matched=False), _verdict(target, saltenv, matched=True))
            for saltenv, target in self._asked
        ]
        # By the bits of the targets that matched, which is all that a result holds: minions that
        # match alike get one object, and everything above can compare by identity.
        self._matches: dict[int, Matches] = {}

    def match(self, view: MinionView) -> Matches:
        """Match one minion."""
        groups = None if view.without_recording else self._groups
        if groups is None:
            matched = self._ask_each(view)
            if not view.without_recording:
                self._groups = self._group(matched, view)
        else:
            matched = self._always
            for group in groups:
                answer = view.answer(group.question)
                row = group.rows.get(answer)
                if row is None:
                    row = group.rows[answer] = self._row(group, answer, view)
                matched |= row.matched
                for number in row.still_open:
                    if self._ask_one(number, view):
                        matched |= 1 << number
        found = self._matches.get(matched)
        if found is None:
            found = self._matches[matched] = self._gather(matched)
        return found

    def _ask_each(self, view: MinionView) -> int:
        return _join_bits(
            number for number in range(len(self._asked)) if self._ask_one(number, view)
        )

    def _ask_one(self, number: int, view: MinionView) -> bool:
        target = self._asked[number][1]
        answer = _ask(target, view)
        if isinstance(answer, MatcherError):
            raise CompileBreaksOff(str(answer), _broken_target(answer, target))
        return answer

    def _group(self, matched: int, view: MinionView) -> list[_Group]:
        """Return the targets by what they ask first, once all were asked by one minion."""
        groups: dict[Question, list[tuple[int, Target]]] = {}
        for number, (_, target) in enumerate(self._asked):
            question = view.remembered.matches.first_question((view.scope.number, target))
            if question is not None:
                groups.setdefault(question, []).append((number, target))
            else:
                self._always |= matched & (1 << number)
        return [_Group(question, targets) for question, targets in groups.items()]

    def _row(self, group: _Group, answer: Answer, view: MinionView) -> _Row:
        matched, others = group.ask_by_grain(view.data("grains"))
        still_open = []
        for number, target in others:
            verdict = self._ask_one(number, view)
            key = (view.scope.number, target)
            # This target asks more than the first question, so each minion has to be asked by
            # itself.
            if not view.remembered.matches.settled_by(key, answer)[0]:
                still_open.append(number)
            elif verdict:
                matched |= 1 << number
        return _Row(matched, tuple(still_open))

    def _gather(self, matched: int) -> Matches:
        chosen: dict[Any, dict[str, None]] = {}
        verdicts = []
        for number, (saltenv, target) in enumerate(self._asked):
            is_matched = bool(matched >> number & 1)
            verdicts.append(self._verdicts[number][is_matched])
            if is_matched:
                chosen.setdefault(saltenv, {}).update(dict.fromkeys(target.sls))
        sls = {saltenv: tuple(names) for saltenv, names in chosen.items()}
        return Matches(sls, tuple(verdicts), self._all)


def _ask(target: Target, view: MinionView) -> bool | MatcherError:
    """Say whether a target matches; asked once for all minions that answer alike."""
    key = (view.scope.number, target)
    return view.recall(view.remembered.matches, key, partial(_match, target, view))


def _match(target: Target, view: MinionView, trace: Trace | None) -> bool | MatcherError:
    subject = RecordedSubject(view, trace)
    try:
        if not _may_run_away(target):
            return match_target(target.expression, target.matcher, subject)
        with view.project.watch(target.file):
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
        help="correct the target or its `match` entry; until then nothing is compiled",
    )
