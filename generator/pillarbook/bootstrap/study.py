"""Compiles minions and gathers what they ask for: targets, grains, files, functions.

Nothing is guessed here: what a template asked is what the compile recorded.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from pillarbook.bootstrap.grain_reads import GrainRead, TemplateReads, find_conditions, find_reads
from pillarbook.bootstrap.guess_minions import ANYBODY, NewMinion, TargetRequirement
from pillarbook.bootstrap.target_requirements import ID_GRAIN, LISTS, GrainNeed
from pillarbook.bootstrap.top_text import read_top
from pillarbook.bootstrap.usual_grains import list_candidates
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.project import FileRead, Project, Scope
from pillarbook.compile.reads import MISSING
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.jinja.functions.loader import Functions, has_function
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.undeclared import RULE
from pillarbook.compile.template_functions import make_functions
from pillarbook.compile.top.tops import top_path
from pillarbook.compile.tree_access import NO_ENVIRONMENT, TreeAccess
from pillarbook.compile.tree_lookups import RootsLookup
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.model import Position
from pillarbook.roots.tree_interface import FoundFile
from pillarbook.session.session import Session

MISSING_GRAIN = re.compile(r"reads the grain '([^']+)', which is not declared")
"""The words of a ``missing-grain`` diagnostic."""


INCLUDES = re.compile(r"^include:[ \t]*\n((?:[ \t]*-[ \t].*(?:\n|\Z))+)", re.MULTILINE)
INCLUDED = re.compile(r"[ \t]*-[ \t]+([\w-]+(?:\.[\w-]+)*)[ \t]*")


@dataclass(slots=True)
class Study:
    """What a fleet asks for."""

    requirements: dict[TargetRequirement, None] = field(default_factory=dict)
    """The targets of the top files."""
    declared: dict[str, None] = field(default_factory=dict)
    """The grains that some minion has."""
    absent: dict[str, dict[str, None]] = field(default_factory=dict)
    """Minion to the grains that it was asked for and has not."""
    absent_parts: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    """Minion to the keys below grains that it was asked for, and does not have."""
    failing: dict[str, dict[str, None]] = field(default_factory=dict)
    """Minion to the absent grains without which an SLS does not render."""
    asked_in: dict[str, dict[str, None]] = field(default_factory=dict)
    """An absent grain to the files whose render asked for it."""
    files: dict[str, FoundFile] = field(default_factory=dict)
    """Each file that took part, by how it is shown."""
    absolute: dict[str, None] = field(default_factory=dict)
    """Absolute paths that were looked for and not found."""
    outside: dict[str, None] = field(default_factory=dict)
    """Paths of the master that functions were given, and that are nowhere here."""
    sought: dict[str, dict[str, None]] = field(default_factory=dict)
    """Minion to the files that it looked for in the tree and did not find."""
    uncertain: dict[str, dict[str, None]] = field(default_factory=dict)
    """Minion to the absent grains that SLS which do not render have asked for."""
    parsed: dict[str, TemplateReads] = field(default_factory=dict)
    """Each template that took part, by its file's digest."""
    unanswered: dict[str, Position] = field(default_factory=dict)
    """Functions without an answer, each with where it is called."""
    diagnostics: dict[Diagnostic, dict[str, None]] = field(default_factory=dict)
    """What the compile has to say, with the minions."""
    reads: dict[str, TemplateReads] = field(default_factory=dict)
    """What each file reads by name."""
    candidates: dict[str, list[str | int]] = field(default_factory=dict)
    """Values of grains that files and imported data are there for, as often as they are."""
    broken: dict[str, str] = field(default_factory=dict)
    """Files that take part in a render that fails, with the environment: what they ask for next,
    nobody knows."""
    unseen: dict[str, Position] = field(default_factory=dict)
    """Missing SLS files that a failing file includes."""

    @property
    def asks_functions(self) -> bool:
        """Whether a call without an answer stops a render."""
        return bool(self.unanswered) or any(one.code == RULE for one in self.diagnostics)

    def missing(self) -> dict[str, list[str]]:
        """Return the grains that are missing, with the minions of which an SLS does not render.

        Those without which an SLS does not render come first; of the others, those that no minion
        has: templates cope with the rest.
        """
        found: dict[str, list[str]] = {}
        for minion, grains in self.failing.items():
            for grain in grains:
                found.setdefault(grain, []).append(minion)
        asked = dict.fromkeys(grain for grains in self.absent.values() for grain in grains)
        known = {*found, *self.declared, ID_GRAIN}
        return found | {one: [] for one in asked if one not in known and self.is_grain(one)}

    def is_grain(self, grain: str) -> bool:
        """Say whether somebody asks for a grain; ``config.get`` alone may mean other things."""
        files = self.asked_in.get(grain, ())
        reads = [one for name in files for one in self.reads[name].grains]
        about = [one for one in reads if _is_at(one.grain, grain)]
        return not about or any(one.is_sure for one in about)

    def values_of(self, grain: str) -> tuple[str | int, ...]:
        """Return what a tree knows of a grain, what most places know first."""
        reads = (one for known in self.reads.values() for one in known.grains)
        found = Counter(value for one in reads if one.grain == grain for value in one.values)
        found.update(self.candidates.get(grain, ()))
        return tuple(value for value, _ in found.most_common())

    def fill(self, grain: str, value: str | int) -> object:
        """Return a value of the form in which templates read a grain: plain, a list, or keys.

        A mapping of which no key is known is empty: what loops over it passes it by.
        """
        reads = [one for known in self.reads.values() for one in known.grains]
        below = {one.grain.removeprefix(f"{grain}:") for one in reads if _is_below(one, grain)}
        if below:
            keys = dict.fromkeys(key.partition(":")[0] for key in sorted(below))
            return {key: self.fill(f"{grain}:{key}", value) for key in keys}
        if any(one.is_mapping for one in reads if one.grain == grain):
            return {}
        is_list = any(one.is_list for one in reads if one.grain == grain)
        return [value] if is_list or grain in LISTS else value

    def places_of(self, grain: str) -> list[Position]:
        """Return where the files read an absent grain; the file alone where no line tells."""
        places: dict[Position, None] = {}
        for shown in self.asked_in.get(grain, ()):
            reads = self.reads.get(shown, TemplateReads()).grains
            for one in reads:
                if _is_at(one.grain, grain):
                    places[Position(shown, one.line)] = None
        if not places:
            places = dict.fromkeys(Position(shown) for shown in self.asked_in.get(grain, ()))
        return list(places)

    def failing_places(self, grain: str) -> list[Position]:
        """Return where a render, also of a top file, stops because a grain is missing."""
        places: dict[Position, None] = {}
        for one in self.diagnostics:
            named = MISSING_GRAIN.search(one.message)
            if named is not None and one.position is not None and named[1] == grain:
                places[one.position] = None
        return list(places)


def study(
    session: Session, minions: Iterable[NewMinion], parsed: dict[str, TemplateReads] | None = None
) -> Study:
    """Compile minions and return what they asked for.

    ``parsed`` is what files of earlier studies read, by digest; it is filled.
    """
    found = Study(parsed={} if parsed is None else parsed)
    scope = session.compiler.project.scope_of({}, None)
    for one in minions:
        compiled = session.compiler.compile_as(as_declared(one), briefly=True)
        take(found, compiled, one.grains, scope)
    for requirement in _written_targets(scope):
        found.requirements.setdefault(requirement)
    look_further(found, session)
    return found


def look_further(found: Study, session: Session) -> None:
    """Look into the texts of the files: what values they know, which functions they call.

    A render stops at the first function without an answer; what it would have called next is
    read in its text.
    """
    project = session.compiler.project
    scope = project.scope_of({}, None)
    for grain, value in list_candidates(found.reads.values(), scope.roots):
        found.candidates.setdefault(grain, []).append(value)
    functions = functions_of(as_declared(NewMinion(ANYBODY)), project, scope)
    for shown, saltenv in found.broken.items():
        _take_includes(found, found.files[shown], saltenv, scope)
        for name, line in found.reads[shown].functions:
            if not has_function(functions, name):
                found.unanswered.setdefault(name, Position(shown, line))


def functions_of(minion: Minion, project: Project, scope: Scope) -> Functions:
    """Return the functions that the templates of a minion can call."""
    view = MinionView(minion, project, scope, project.fresh(), without_recording=True)
    return make_functions(view, None, "base", TreeAccess(view, lambda _read, _found: None))


def _take_includes(found: Study, file: FoundFile, saltenv: str, scope: Scope) -> None:
    """Note the missing SLS files that a file includes; it failed before it could report them."""
    text = file.content.decode("utf-8", "replace")
    block = INCLUDES.search(text)
    if block is None:
        return
    line = text.count("\n", 0, block.start()) + 1
    for number, entry in enumerate(block[1].splitlines(), line + 1):
        sls = INCLUDED.fullmatch(entry)
        if sls is not None and scope.roots.find_sls(sls[1], saltenv)[0] is None:
            found.unseen.setdefault(sls[1], Position(file.shown, number))


def as_declared(one: NewMinion) -> Minion:
    """Return a new minion as an inventory would declare it."""
    return Minion(
        id=one.id,
        grains={**one.grains, "id": one.id},
        pillarenv=None,
        saltenv=None,
        pillar=None,
        pillar_enc=None,
        pillar_lines={},
        opts={},
        mine={},
        position=Position("minions.yml"),
    )


def take(found: Study, compiled: CompiledPillar, grains: Mapping[str, Any], scope: Scope) -> None:
    """Add what one minion's compile asked for."""
    found.declared.update(dict.fromkeys(grains))
    for verdict in compiled.targets:
        found.requirements.setdefault(
            TargetRequirement(verdict.target, verdict.match, verdict.file, verdict.line)
        )
    for diagnostic in compiled.diagnostics:
        found.diagnostics.setdefault(diagnostic, {})[compiled.minion] = None
    for render in compiled.renders:
        shown = _take_files(found, render.files, scope)
        absent = [*_absent_paths(render)]
        asked = dict.fromkeys(path[0] for path in absent if len(path) == 1 and path[0])
        parts = found.absent_parts.setdefault(compiled.minion, {})
        parts.update(((path[0], path[1]), None) for path in absent if len(path) == 2)
        if render.message is not None:
            asked.update(_take_broken(found, shown, render.files[0].saltenv))
            uncertain = found.uncertain.setdefault(compiled.minion, {})
            uncertain.update((one, None) for one in asked if one not in grains)
        _take_absent(found, compiled.minion, [one for one in asked if one not in grains], shown)
    tops = [look for look in compiled.looks if isinstance(look, FileRead)]
    if tops:  # of a top file that does not render
        written = _take_broken(found, _take_files(found, tops, scope), tops[0].saltenv)
        uncertain = found.uncertain.setdefault(compiled.minion, {})
        uncertain.update((one, None) for one in written if one not in grains)
    found.sought.setdefault(compiled.minion, {}).update(
        dict.fromkeys(_take_lookups(found, compiled, scope))
    )
    for diagnostic in compiled.diagnostics:
        named = MISSING_GRAIN.search(diagnostic.message)
        if named is not None:
            found.failing.setdefault(compiled.minion, {})[named[1]] = None


def _take_lookups(found: Study, compiled: CompiledPillar, scope: Scope) -> Iterator[str]:
    """Take the absolute paths that a minion looked for, and yield those of files of the tree.

    Only those count that do not exist. The reads of a top file that fails are lookups.
    """
    reads = [read for render in compiled.renders for read in render.files]
    for look in (*reads, *compiled.looks):
        if isinstance(look, FileRead) and look.digest is None:
            if not look.path.startswith("/"):
                yield look.path
            elif look.saltenv == NO_ENVIRONMENT:
                found.outside[look.path] = None
            else:
                found.absolute[look.path] = None
        elif _is_missing_sls(look, scope):
            path = str(look.name).replace(".", "/")
            yield from (f"{path}.sls", f"{path}/init.sls")


def _is_missing_sls(look: object, scope: Scope) -> TypeGuard[RootsLookup]:
    if not isinstance(look, RootsLookup) or look.what != "sls":
        return False
    return scope.roots.find_sls(look.name, look.saltenv)[0] is None


def _take_broken(found: Study, shown: Sequence[str], saltenv: str) -> dict[str, None]:
    """Take the files of a render that fails, and return the grains that they read by name."""
    found.broken.update(dict.fromkeys(shown, saltenv))
    reads = (one for name in shown for one in found.reads[name].grains)
    return {one.grain.partition(":")[0]: None for one in reads if one.is_sure}


def _take_files(found: Study, reads: Iterable[FileRead], scope: Scope) -> list[str]:
    """Take the files of a render, and return how they are shown."""
    shown: list[str] = []
    for read in reads:
        if read.digest is None:
            continue
        file = scope.roots.find(read.path, read.saltenv)
        if file is None:
            continue
        shown.append(file.shown)
        if file.shown not in found.files:
            found.files[file.shown] = file
            if file.digest not in found.parsed:
                text = file.content.decode("utf-8", "replace")
                found.parsed[file.digest] = find_reads(text)
            found.reads[file.shown] = found.parsed[file.digest]
    return shown


def _take_absent(found: Study, minion: str, absent: list[str], shown: list[str]) -> None:
    for grain in absent:
        found.absent.setdefault(minion, {})[grain] = None
        reading = [
            name
            for name in shown
            if any(_is_at(one.grain, grain) for one in found.reads[name].grains)
        ]
        asked = found.asked_in.setdefault(grain, {})
        asked.update(dict.fromkeys(reading or shown[:1]))


def _absent_paths(render: RenderResult) -> Iterator[tuple[str, ...]]:
    """Yield the paths below the grains that a render asked for and did not get."""
    for question, answer in render.questions.items():
        view, what, path = question
        if view != "grains" or not isinstance(path, tuple) or not path:
            continue
        is_absent = (what == "get" and answer == MISSING) or (what == "has" and answer is False)
        if is_absent and all(isinstance(one, str) for one in path):
            yield path


def _is_below(read: GrainRead, grain: str) -> bool:
    return read.grain.startswith(f"{grain}:") and read.is_sure


def _is_at(read: str, grain: str) -> bool:
    return read.partition(":")[0] == grain.partition(":")[0]


def _written_targets(scope: Scope) -> Iterator[TargetRequirement]:
    """Yield the targets that are in the top files, whatever their conditions."""
    state_top = top_path(scope.options.values)
    for saltenv in dict.fromkeys(("base", *scope.roots.environments)):
        found = scope.roots.find(state_top, saltenv)
        if found is None or found.content.startswith(b"#!py"):
            continue
        text = found.content.decode("utf-8", "replace")
        conditions = find_conditions(text)
        for target in read_top(text).targets:
            given = tuple(
                GrainNeed(tuple(one.grain.split(":")), one.value)
                for one in conditions
                if one.first <= target.line <= one.last
            )
            if not target.is_templated and target.sls:
                yield TargetRequirement(
                    target.expression, target.matcher, found.shown, target.line, given
                )


def guard(session: Session) -> Callable[[Callable[[], bool]], bool]:
    """Return what runs a match within the limits of a render; one that breaks them is no match."""

    def run(match: Callable[[], bool]) -> bool:
        try:
            with session.compiler.project.watch("a target of the top file"):
                return match()
        except RenderError:
            return False

    return run
