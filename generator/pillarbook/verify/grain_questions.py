"""Finds the grains that a minion's pillar depends on, and the values they are compared with."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.matchers import MatcherError, match_target
from pillarbook.compile.matchers.declared_subject import KnownSubject
from pillarbook.compile.project import FileRead, Project
from pillarbook.compile.reads import Question, Trace, View
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.top.matches import TargetVerdict
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, all_origins
from pillarbook.model.long_integers import read_integer
from pillarbook.verify.dump_differences import Comparison

MAX_LITERALS = 40
"""The most literals of one file that are used."""
_BLOCK = re.compile(r"\{[%{].*?[%}]\}", re.DOTALL)
_LITERAL = re.compile(r"'([^'\\\n]{1,80})'|\"([^\"\\\n]{1,80})\"|(?<![\w.])(\d{1,9})(?![\w.])")
_ID: KeyPath = ("id",)


@dataclass(slots=True)
class GrainQuestions:
    """Grains by their paths, the likeliest first, each with the values it is compared with."""

    grains: dict[KeyPath, list[Any]] = field(default_factory=dict)
    """Texts and numbers in the templates and targets that read the grain."""
    near: list[KeyPath] = field(default_factory=list)
    """The grains that the files of differing values read."""

    def add(self, paths: Iterable[KeyPath], literals: Iterable[Any] = ()) -> None:
        """Add grains that one file or target reads."""
        literals = list(literals)
        for path in paths:
            known = self.grains.setdefault(path, [])
            known.extend(one for one in literals if one not in known)


class Asker:
    """Finds the grains that templates read, as the compile recorded them."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._literals: dict[FileRead, tuple[Any, ...]] = {}

    def find(
        self, minion: Minion, compiled: CompiledPillar, comparison: Comparison
    ) -> GrainQuestions:
        """Return the grains that a minion's pillar depends on.

        A compile without records (a template changed its input data) names none; all grains of the
        minion follow at the end in any case.
        """
        asked = GrainQuestions()
        near, far = _by_nearness(compiled, comparison)
        for render in near:
            asked.add(_grains_of(render.questions), self._literals_of(minion, render))
        asked.near = list(asked.grains)
        for target in compiled.targets:
            self._add_target(asked, minion, target)
        for render in far:
            asked.add(_grains_of(render.questions), self._literals_of(minion, render))
        asked.add((key,) for key in minion.grains)
        asked.grains.pop(_ID, None)
        asked.near = [path for path in asked.near if path != _ID]
        return asked

    def _add_target(self, asked: GrainQuestions, minion: Minion, target: TargetVerdict) -> None:
        trace = Trace()
        groups = self._project.options.values.get("nodegroups") or {}
        subject = KnownSubject(minion.id, View("grains", minion.grains, trace), groups)
        try:
            with self._project.watch(target.file):
                match_target(target.target, target.match, subject)
        except (MatcherError, LimitExceeded):
            return
        for path in _grains_of(trace.answers):
            asked.add([path], _values_in_target(target.target, path))

    def _literals_of(self, minion: Minion, render: RenderResult) -> Iterator[Any]:
        environment = minion.pillarenv or minion.saltenv or "base"
        roots = self._project.scope_of(minion.opts, environment).roots
        for read in render.files:
            if read not in self._literals:
                found = roots.find(read.path, read.saltenv)
                text = found.content.decode("utf-8", "replace") if found else ""
                self._literals[read] = tuple(_literals_in(text))
            yield from self._literals[read]


def _by_nearness(
    compiled: CompiledPillar, comparison: Comparison
) -> tuple[list[RenderResult], list[RenderResult]]:
    """Return the renders of files that set differing values, and the others."""
    origins = {
        origin.file
        for one in comparison.differences
        if one.ours is not None
        for origin in all_origins(one.ours)
    }
    near: list[RenderResult] = []
    far: list[RenderResult] = []
    for render in compiled.renders:
        sets_it = any(
            origin == read.path or origin.endswith(f"/{read.path}")
            for read in render.files
            for origin in origins
        )
        (near if sets_it else far).append(render)
    return near, far


def _grains_of(questions: Iterable[Question]) -> Iterator[KeyPath]:
    """Yield the paths of the grains in some questions."""
    for view, what, path in questions:
        if not isinstance(path, tuple) or what not in ("get", "has", "keys", "whole"):
            continue
        if view in ("opts", "master_opts") and path[:1] == ("grains",):
            path = path[1:]  # noqa: PLW2901 (the same path within the grains)
        elif view != "grains":
            continue
        if path:
            yield path


def _literals_in(text: str) -> list[Any]:
    """Return the texts and numbers in the Jinja of a file, each once."""
    found: dict[Any, None] = {}
    for block in _BLOCK.finditer(text):
        for one in _LITERAL.finditer(block.group()):
            single, double, number = one.groups()
            found[int(number) if number else single or double] = None
    return list(found)[:MAX_LITERALS]


def _values_in_target(target: str, path: KeyPath) -> Iterator[Any]:
    """Yield the values that a target compares a grain with."""
    name = re.escape(":".join(map(str, path)))
    for found in re.finditer(rf"(?:\A|[@\s(]){name}:([^\s()]+)", target):
        value = found.group(1).strip("*^$")
        if value:
            yield value
            number = read_integer(value)
            if number is not None:
                yield number
