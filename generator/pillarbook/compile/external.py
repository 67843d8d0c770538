"""Runs external pillars in order, each with the result of those before.

Source: Salt ``salt/pillar/__init__.py`` (``ext_pillar``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.compile.ext_pillar_failures import Failure, explain_failure
from pillarbook.compile.ext_pillars import (
    Compiler,
    ExtPillarContext,
    QuietFailure,
    Registered,
    answer_lines,
)
from pillarbook.compile.matchers import MatcherError, match_target
from pillarbook.compile.merge import MergeError, Merger
from pillarbook.compile.merge.replace import yield_origins
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.placeholder_views import NotedDict, NoteRead, with_placeholders
from pillarbook.compile.project import path_reader
from pillarbook.compile.reads import Trace, fingerprint
from pillarbook.compile.remarks import READS_CLOCK, describe_time, word_opened
from pillarbook.compile.render_file import WRITES, render_text
from pillarbook.compile.renderers.jinja.functions.loader import names_asked_for
from pillarbook.compile.renderers.unknown_text import holds_unknown_leaf
from pillarbook.compile.renderers.yaml import is_falsy
from pillarbook.compile.sls.compile_log import CompileLog
from pillarbook.compile.template_functions import make_functions
from pillarbook.compile.top.matches import RecordedSubject
from pillarbook.compile.tree_access import TreeAccess
from pillarbook.compile.tree_lookups import Look, PathLookup
from pillarbook.compile.watched_data import TemplateWrites
from pillarbook.compile.writes import find_changed_pillar, note_writes
from pillarbook.diagnostics import new_diagnostic
from pillarbook.model import MapNode, Node, Position, plain
from pillarbook.model.unknown import UnprovenUnknown
from pillarbook.roots.tree_interface import FoundFile

NO_FILE = "no-minion-file"
"""The only rule for an external pillar without data that is not a failure."""
KEEPS_BOTH = ("aggregate", "list")
"""Merge strategies that keep both the old and the new value."""
MALFORMED = 'The "ext_pillar" option is malformed'
SIMILAR = 0.66
"""How similar a name must be to that of an external pillar: ``gti`` to ``git``."""
OPTION = "ext_pillar"


@dataclass(slots=True)
class ExtPillarResult:
    """The result of one call; cached with its recorded reads, and then never changed."""

    node: Node | None = None
    """The data of the external pillar."""
    failure: Failure | None = None
    """The failure, if it failed."""
    log: CompileLog = field(default_factory=CompileLog)
    """Other diagnostics; they say whether the pillar is incomplete."""
    changed: MapNode | None = None
    """The given pillar, if its templates changed it in place."""


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of an external pillar."""

    registered: Registered
    name: str
    config: Any
    pillar: MapNode
    """The pillar that it gets."""


class ExternalPillars:
    """The external pillars in one minion's options."""

    def __init__(
        self, view: MinionView, merger: Merger, log: CompileLog, compiler: Compiler
    ) -> None:
        self._view = view
        self._merger = merger
        self._log = log
        self._compiler = compiler
        self._errors: list[str] = []
        self._position = Position("", None)
        self.visible = MapNode({}, (), kind="plain")
        """``__pillar__`` in Salt's modules; templates may have changed it in place."""
        self._may_read_pillar = False

    def merge_over(self, pillar: MapNode, visible: MapNode) -> tuple[MapNode, list[str]]:
        """Run the external pillars, and merge their data over a pillar.

        ``visible`` is ``__pillar__`` in Salt's modules for the whole run. The pillar is empty if an
        entry is malformed; beside it are Salt's errors.

        Raises:
            TemplateWrites: A template changed its input, and the compile records reads.
            CompileBreaksOff: The data of one is not a mapping.
        """
        self.visible = with_placeholders(visible, self._view.project.placeholders)
        options = self._view.scope.options
        # In the order of the option: each external pillar sees the data of those before.
        for index, entry in enumerate(options.values[OPTION]):
            self._position = options.place_of(OPTION, index) or Position(
                options.shown(options.file), 1
            )
            if not isinstance(entry, dict) or not entry:
                message = "an entry of `ext_pillar` is not a mapping"
                self._describe("malformed-option", message, remedy="write `- NAME: SETTINGS`")
                # Salt returns from inside its loop here, and so loses the data compiled before.
                return MapNode({}, (), kind="plain"), [*self._errors, MALFORMED]
            if next(iter(entry)) in (options.values.get("exclude_ext_pillar") or []):
                continue
            pillar = self._run_entry(entry, pillar)
        return pillar, self._errors

    def _run_entry(self, entry: dict[Any, Any], pillar: MapNode) -> MapNode:
        """Merge the data of the last external pillar in an entry, and note failures."""
        pillar = with_placeholders(pillar, self._view.project.placeholders)
        external, of = None, None
        for name, config in entry.items():
            registered = self._view.project.ext_pillars.find(name)
            if registered is None:
                self._describe_unavailable(str(name))
                continue
            given = self._run(_Call(registered, str(name), config, pillar))
            pillar = self._take_change(pillar, given)
            if given.failure is None or given.failure.words is None:
                external, of = given.node, registered
            self._note(str(name), given)
        # If an entry has several names, Salt merges the data of the last one that did not fail.
        if external is None or of is None or is_falsy(external):
            return pillar
        if of.changes_pillar and isinstance(external, MapNode):
            return external
        base, own = pillar, external
        # The data contains the given pillar; otherwise each value would override itself.
        if of.joins_pillar and isinstance(external, MapNode):
            base, own = _part(pillar, external, self._view.scope.rules.strategy)
        if isinstance(own, MapNode) and not of.is_compile:
            self._log.beside.append(own)
        return self._merge(base, external)

    def _take_change(self, pillar: MapNode, given: ExtPillarResult) -> MapNode:
        """Return the pillar, or what templates made of it in place."""
        if given.changed is None:
            return pillar
        if pillar is self.visible:
            self.visible = given.changed
        return given.changed

    def _note(self, name: str, given: ExtPillarResult) -> None:
        """Note the failure and the diagnostics of a call."""
        failure = given.failure
        self._log.looks.update(given.log.looks)
        if failure is not None:
            self._describe_failure(name, failure)
            if failure.words is not None:
                self._errors.append(f"Failed to load ext_pillar {name}: {failure.words}")
        self._log.join(given.log)

    def _merge(self, pillar: MapNode, external: Node) -> MapNode:
        try:
            merged = self._merger.merge(pillar, external)
        except MergeError as error:
            raise CompileBreaksOff(str(error)) from error
        if not isinstance(merged, MapNode):
            raise CompileBreaksOff("an external pillar returns something that is not a mapping")
        return merged

    def _run(self, one: _Call) -> ExtPillarResult:
        """Return the data of an external pillar, or its failure."""
        view, registered, pillar = self._view, one.registered, one.pillar
        self._may_read_pillar = registered.may_read_pillar(one.config)
        if self._may_read_pillar:
            self._log.read += [pillar, self.visible]
            if view.with_unknowns and any(map(holds_unknown_leaf, (pillar, self.visible))):
                raise UnprovenUnknown  # nobody knows what it makes of that
        if view.without_recording:
            find_writes = note_writes(view, f"the external pillar '{one.name}'")
            called = self._call(one, None)
            written = (replace(write, position=self._position) for write in find_writes([]))
            self._log.diagnostics.update(dict.fromkeys(written))
            return called
        if registered.is_compile:
            return self._call(one, None)
        key = (
            *(view.scope.number, self._position, one.name, fingerprint(one.config)),
            *(pillar, self.visible, view.minion.id),
        )

        def call(trace: Trace | None) -> Any:
            try:
                return self._call(one, trace)
            except TemplateWrites:
                return WRITES

        result = view.recall(view.remembered.externals, key, call)
        if result is WRITES:
            raise TemplateWrites
        given: ExtPillarResult = result
        return given

    def _call(self, one: _Call, trace: Trace | None) -> ExtPillarResult:
        """Return the result; a compile with placeholders uses the earlier data of a command."""
        if not one.registered.runs_command:
            return self._give(one, trace)
        project, minion = self._view.project, self._view.minion.id
        key = (self._view.scope.number, self._position, one.name, fingerprint(one.config), minion)
        if project.placeholders is None or key not in project.printed:
            project.printed[key] = self._give(one, trace)
        given: ExtPillarResult = project.printed[key]
        return given

    def _give(self, one: _Call, trace: Trace | None) -> ExtPillarResult:
        given = ExtPillarResult()
        trees = TreeAccess(self._view, lambda read, _found: given.log.looks.update({read: None}))
        context = self._make_context(one, trace, given, trees)
        opened: dict[str, None] = {}
        try:
            if one.registered.is_compile:
                given.node = one.registered.run(context, one.config)
            else:
                project = self._view.project
                with project.watch(f"ext_pillar {one.name}"), project.opening(opened):
                    given.node = one.registered.run(context, one.config)
        except QuietFailure as error:
            given.failure = Failure(None, str(error), error.place, error.rule)
        # The module may be code of the tree, and its words may contain a secret. So only the class
        # is shown, unless everything is revealed.
        except Exception as error:  # noqa: BLE001 (Salt makes any exception an entry)
            reveals = self._view.project.reveals
            sees_pillar = bool(one.pillar.items or self.visible.items)
            may_hold = sees_pillar or trees.secret is not None
            may_hold = may_hold or getattr(error, "quotes_secret", False)
            given.failure = explain_failure(error, hides=may_hold and not reveals)
        what = f"the external pillar '{one.name}'"
        opens = word_opened(what, self._position, opened, self._view.project)
        log = given.log
        log.diagnostics.update(dict.fromkeys(opens))
        log.functions.update(names_asked_for(context.salt))
        log.decrypted = trees.secret is not None
        if trees.named is not None:
            log.named.update(dict.fromkeys(trees.named.found()))
            log.literals.update(dict.fromkeys(trees.named.templates))
        return given

    def _make_context(
        self, one: _Call, trace: Trace | None, given: ExtPillarResult, trees: TreeAccess
    ) -> ExtPillarContext:
        name, pillar = one.name, one.pillar
        view, project = self._view, self._view.project
        options, position = view.scope.options, self._position
        seen = self._view_of_functions(given.log.reads.add)

        def describe(
            code: str, message: str, *, remedy: str | None = None, lacks: bool = True
        ) -> None:
            diagnostic = new_diagnostic(code, message, position, remedy=remedy)
            given.log.diagnostics[diagnostic] = None
            given.log.incomplete = given.log.incomplete or lacks

        def remark(rule: str) -> None:
            if rule == READS_CLOCK:
                told = f"the external pillar '{name}' reads the clock{describe_time(project.clock)}"
                describe(rule, told, lacks=False)

        def note_pillar(data: Mapping[Any, Any], files: Sequence[FoundFile]) -> None:
            found = find_changed_pillar(pillar, data, name, files, project.limits)
            if found is not None:
                given.changed, diagnostic = found
                given.log.diagnostics[diagnostic] = None

        def note(look: Look) -> None:
            given.log.looks[look] = None

        return ExtPillarContext(
            name=name,
            minion_id=view.minion.id,
            pillar=pillar,
            visible=self.visible,
            grains=view.view("grains", trace),
            opts=view.view("master_opts", trace),
            salt=make_functions(seen, trace, "base", trees, remark),
            options=options.values,
            position=position,
            folder=project.folder,
            resolve=project.resolve,
            map_url=options.map_url,
            may_read=options.may_read,
            may_enter=options.reach.reaches,
            read_bytes=path_reader(options),
            may_read_git=options.may_read_git,
            shown=project.shown,
            limits=project.limits,
            decryptor=project.decryptor,
            watch=project.watch,
            files=options.reach.files,
            note_file=lambda path, *, deep=False: note(PathLookup(path, deep)),
            describe=describe,
            compiler=self._compiler,
            render=partial(render_text, view=seen, trace=trace, notes=(note, remark)),
            matches=partial(_matches, RecordedSubject(view, trace)),
            place_of=options.place_of,
            parsed=None if view.without_recording else view.remembered.parsed,
            placeholders=project.placeholders,
            named=trees.named,
            note_read=given.log.reads.add,
            note_pillar=note_pillar,
        )

    def _view_of_functions(self, note_read: NoteRead) -> MinionView:
        """Return the view of functions, whose ``__pillar__`` is the pillar of the SLS files.

        The visible pillar is part of the key under which a result is kept, so what functions read
        of it is not recorded. Only external pillars whose reads of the pillar are noted get them.
        """
        view, visible = self._view, self.visible
        if not (self._may_read_pillar and visible.items):
            return view
        pillar = plain(visible)
        is_noted = view.project.placeholders is not None
        return view.with_pillar_of_functions(NotedDict(pillar, note_read) if is_noted else pillar)

    def _describe_failure(self, name: str, failure: Failure) -> None:
        has_none = failure.code == NO_FILE
        self._log.incomplete = self._log.incomplete or not has_none
        what = "gives nothing" if has_none else "fails"
        message = f"the external pillar '{name}' {failure.told or f'{what}: {failure.clean}'}"
        place = failure.place
        position = Position(*place) if place is not None and place[1] is not None else None
        self._describe(failure.code, message, position, failure.help)

    def _describe(
        self, code: str, message: str, position: Position | None = None, remedy: str | None = None
    ) -> None:
        place = position or self._position
        self._log.diagnostics[new_diagnostic(code, message, place, remedy=remedy)] = None

    def _describe_unavailable(self, name: str) -> None:
        from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (rare)

        near = find_similar(name, self._view.project.ext_pillars.known, SIMILAR)
        remedy = f"did you mean `{near}`? If not, " * (near is not None) + answer_lines(name)
        self._describe(
            "unavailable-ext-pillar", f"the external pillar '{name}' is not run", remedy=remedy
        )


def _matches(subject: RecordedSubject, target: Any) -> bool:
    try:
        return match_target(target, "compound", subject)
    except MatcherError:
        return False


def _part(pillar: MapNode, external: MapNode, strategy: str) -> tuple[MapNode, MapNode]:
    """Separate a pillar from the data that was merged into it."""
    own = {key: node for key, node in external.items.items() if pillar.items.get(key) is not node}
    base = yield_origins(pillar, external) if strategy not in KEEPS_BOTH else pillar
    return base, MapNode(own, external.origins, external.overrode, external.kind)
