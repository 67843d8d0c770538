"""Which targets of the merged top file match a minion, and why, and the SLS files of these.

Source: Salt ``salt/pillar/__init__.py`` (``top_matches``, ``render_pillar``),
``salt/matchers/confirm_top.py``.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pillarbook.compile.broken import (
    CompileBreaksOff,
    suggest_environment,
    word_missing_environment,
)
from pillarbook.compile.matchers import (
    IdKind,
    MatcherError,
    Verdict,
    explain_matcher,
    explain_target,
    match_target,
)
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.reads import Trace
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.top.target_index import TargetIndex, members_of
from pillarbook.compile.top.target_terms import Formula, read_formula
from pillarbook.compile.top.tops import MergedTop, Target
from pillarbook.compile.tree_lookups import Look, RootsLookup
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import Position

ENDLESS = re.compile(r"[EPJN].?@")
"""Words of a compound target with a regular expression or a nodegroup."""
OF_WORDS = ("compound", "nodegroup")
"""Matchers whose targets are made of words."""


@dataclass(frozen=True, slots=True)
class TargetVerdict:
    """A target, and whether it matched."""

    target: str
    """The target as the top file has it."""
    match: str
    """The matcher's name."""
    saltenv: str
    """The environment in the top file."""
    file: str
    """The top file."""
    line: int | None
    """Its line there."""
    matched: bool
    """Whether it matches the minion."""
    sls: tuple[str, ...]
    """The SLS names under it."""
    parts: tuple[Verdict, ...] = ()
    """The words of a compound target or a nodegroup, if needed (``match_reasons.py``)."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The result of targeting for a minion."""

    sls: Mapping[Any, tuple[str, ...]]
    """SLS names by environment, in the order in which they first occur."""
    verdicts: tuple[TargetVerdict, ...]
    """Each target that was tested."""
    asked: tuple[Target, ...]
    """The targets themselves, in the same order."""


class RecordedSubject:
    """A minion for matchers; each question is recorded."""

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
        return nodegroups_of(self._view)

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether the minion id matches, and record the question."""
        return self._view.id_matches(kind, pattern, self._trace)


def nodegroups_of(view: MinionView) -> Mapping[Any, Any]:
    """Return the master's nodegroups."""
    return view.scope.options.values.get("nodegroups") or {}


def top_matches(top: MergedTop, view: MinionView, pinned: str | None) -> Matches:
    """Return the SLS names for a minion, by environment; only for the pinned one, if any.

    Raises:
        CompileBreaksOff: An unknown matcher, an invalid regular expression and the like.
    """
    key = ("targets", view.scope.number, top, pinned)
    return view.remembered.derive(key, partial(_Targets, top, pinned)).match(view)


class _Targets:
    """The targets that are tested, in order."""

    def __init__(self, top: MergedTop, pinned: str | None) -> None:
        self._asked = [
            (saltenv, target)
            for saltenv, targets in top.environments.items()
            if not pinned or saltenv == pinned
            for target in targets
        ]
        self._all = tuple(target for _, target in self._asked)
        self._index: TargetIndex | None = None
        self._unmatched, self._matched = (
            [_verdict(target, saltenv, matched=matched) for saltenv, target in self._asked]
            for matched in (False, True)
        )
        # By the bits of the targets that matched, which determine the result: minions with the same
        # matches get one object, so that later steps can compare by identity.
        self._matches: dict[int, Matches] = {}

    def match(self, view: MinionView) -> Matches:
        """Match one minion."""
        if view.without_recording:
            matched = self._ask_each(range(len(self._all)), view)
        else:
            index = self._index
            if index is None:
                index = self._index = TargetIndex([_read(one, view) for one in self._all])
            matched = index.match(view.minion.id, view.data("grains"))
            matched |= self._ask_each(index.others, view)
        found = self._matches.get(matched)
        if found is None:
            found = self._matches[matched] = self._gather(matched)
        return found

    def _ask_each(self, numbers: Iterable[int], view: MinionView) -> int:
        matched = 0
        for number in numbers:
            if self._ask_one(number, view):
                matched |= 1 << number
        return matched

    def _ask_one(self, number: int, view: MinionView) -> bool:
        target = self._asked[number][1]
        answer = _ask(target, view)
        if isinstance(answer, MatcherError):
            raise CompileBreaksOff(str(answer), _broken_target(answer, target))
        return answer

    def _gather(self, matched: int) -> Matches:
        chosen: dict[Any, dict[str, None]] = {}
        verdicts = [*self._unmatched]
        for number in members_of(matched):
            saltenv, target = self._asked[number]
            verdicts[number] = self._matched[number]
            chosen.setdefault(saltenv, {}).update(dict.fromkeys(target.sls))
        sls = {saltenv: tuple(names) for saltenv, names in chosen.items()}
        return Matches(sls, tuple(verdicts), self._all)


def _ask(target: Target, view: MinionView) -> bool | MatcherError:
    """Say whether a target matches; tested once for all minions with the same answers."""
    key = (view.scope.number, target)
    return view.recall(view.remembered.matches, key, partial(_match, target, view))


def _match(target: Target, view: MinionView, trace: Trace | None) -> bool | MatcherError:
    subject = RecordedSubject(view, trace)
    try:
        with view.project.watch(target.file) if _may_run_away(target) else nullcontext():
            return match_target(target.expression, target.matcher, subject)
    except MatcherError as error:
        return error
    except LimitExceeded as error:
        return MatcherError(str(error))


def _read(target: Target, view: MinionView) -> Formula | None:
    """Return the terms of a target; None if it must be tested by itself."""
    try:
        with view.project.watch(target.file) if _may_run_away(target) else nullcontext():
            return read_formula(target, nodegroups_of(view))
    except LimitExceeded:
        return None


def _may_run_away(target: Target) -> bool:
    """Say whether a target may take extremely long: regular expressions, nested nodegroups."""
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
    unknown = explain_matcher(target.matcher)
    why, remedy = unknown or (error, "correct the target or its `match` entry")
    return new_diagnostic(
        "broken-target",
        f"Salt stops at the target '{target.expression}': {why}",
        Position(target.file, target.line),
        remedy=f"{remedy}; until then no pillar is compiled",
    )


def with_reasons(matches: Matches, view: MinionView) -> tuple[TargetVerdict, ...]:
    """Return the verdicts on a minion, with the verdicts of words.

    A target of one word needs no verdict of its word.
    """
    found = tuple(
        _explain(verdict, target, view) if target.matcher in OF_WORDS else verdict
        for verdict, target in zip(matches.verdicts, matches.asked, strict=True)
    )
    if view.without_recording:
        return found
    # Minions of one kind have the same verdicts, and keep one object for all of them. The result
    # holds on to those that the key names.
    key = ("verdicts", matches, *(id(verdict) for verdict in found if verdict.parts))
    return view.remembered.derive(key, lambda: found)


def _explain(verdict: TargetVerdict, target: Target, view: MinionView) -> TargetVerdict:
    parts = _find_parts(target, view)
    if len(parts) < 2 and not any(part.parts for part in parts):
        return verdict
    if view.without_recording:
        return replace(verdict, parts=parts)
    # One object for all minions with the same verdicts, because pages are cached by identity.
    key = ("reasons", verdict, parts)
    return view.remembered.derive(key, partial(replace, verdict, parts=parts))


def _find_parts(target: Target, view: MinionView) -> tuple[Verdict, ...]:
    key = (view.scope.number, target)
    ask = partial(_ask_parts, target, view)
    return view.recall(view.remembered.reasons, key, ask)


def _ask_parts(target: Target, view: MinionView, trace: Trace | None) -> tuple[Verdict, ...]:
    """Return the verdict with its words; a target that takes too long has no verdicts of words."""
    subject = RecordedSubject(view, trace)
    try:
        with view.project.watch(target.file):
            return explain_target(target.expression, target.matcher, subject).parts
    except (MatcherError, LimitExceeded):
        return ()


@dataclass(frozen=True, slots=True, eq=False)
class NamedSls:
    """The SLS files of one environment; one object for all minions with the same matches."""

    saltenv: Any
    """The environment."""
    files: tuple[tuple[str, Position | None], ...]
    """SLS names, each with the position that names it."""
    look: Look
    """The lookup."""
    errors: tuple[str, ...] = ()
    """Salt's errors."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Diagnostics."""


def find_named(matches: Matches, top: MergedTop, view: MinionView) -> tuple[NamedSls, ...]:
    """Return the SLS files that a minion gets, by environment, in order."""

    def expand() -> tuple[NamedSls, ...]:
        first = view.scope.options.values.get("env_order") or []
        envs = dict.fromkeys([*(env for env in first if env in matches.sls), *matches.sls])
        return tuple(_expand(env, matches.sls[env], top, view) for env in envs)

    return view.remembered.derive(("named", view.scope.number, matches, top), expand)


def _expand(saltenv: Any, names: tuple[str, ...], top: MergedTop, view: MinionView) -> NamedSls:
    roots = view.scope.roots
    errors: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    if roots.available(saltenv) is None:
        errors = (word_missing_environment(saltenv),) * len(names)
        unknown = new_diagnostic(
            "unknown-environment",
            f"the top file names the environment '{saltenv}', which has no roots",
            top.first_place(saltenv),
            remedy=suggest_environment(saltenv, roots.environments, "pillar_roots"),
        )
        diagnostics = (unknown,)
    # The position at which the top file first names each SLS.
    places = view.remembered.derive(("places", saltenv, top), partial(top.places, saltenv))
    files = tuple(
        (sls, places.get(name))
        for name in names
        for sls in roots.matching(name, saltenv) or (name,)
    )
    return NamedSls(saltenv, files, RootsLookup("matching", names, saltenv), errors, diagnostics)
