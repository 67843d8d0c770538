"""One minion's states, in Salt's own steps.

Source: Salt ``salt/state.py`` (``BaseHighState.compile_low_chunks``, ``State``).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.compile.compiled_pillar import CompiledPillar, SecretReaders
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.pillar_additions import EMPTY
from pillarbook.compile.placeholder_views import with_placeholders
from pillarbook.compile.project import Project, Remembered, scope_of
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.sls.compile_log import CompileLog
from pillarbook.compile.unknown_pillar import UnknownPillar
from pillarbook.compile.watched_data import TemplateWrites
from pillarbook.diagnostics import Diagnostic
from pillarbook.highstate.compiled_states import (
    CHUNKS,
    ERRORS,
    UNKNOWN_ERROR,
    UNKNOWN_STATE,
    CompiledStates,
)
from pillarbook.highstate.extend import apply_exclude, reconcile_extend
from pillarbook.highstate.high_data import HighDataBuilder
from pillarbook.highstate.low_data import LowRules, compile_high_data
from pillarbook.highstate.mutable_high_data import HighMap, closed
from pillarbook.highstate.render_states import NamedState, StateRenderer
from pillarbook.highstate.requisite_in import requisite_in
from pillarbook.highstate.state_faults import Fault, fault_at
from pillarbook.highstate.state_matches import match_states, pillar_asked
from pillarbook.highstate.state_tops import StateTop, get_state_top
from pillarbook.highstate.unknown_states import (
    DECRYPT,
    REMEDY,
    hide_orders,
    hide_sealed,
    show_sealed,
)
from pillarbook.highstate.verify_high import find_misspelt, verify_high
from pillarbook.highstate.watchable import own_modules, watchable_modules
from pillarbook.inventory.minions import Minion
from pillarbook.model import Leaf, ListNode, MapNode, Origin, Position, plain
from pillarbook.model.unknown import UnprovenUnknown
from pillarbook.roots.tree_interface import sls_of_path

if TYPE_CHECKING:
    from pillarbook.compile.reads import Answer, Question
    from pillarbook.compile.render_result import RenderResult
    from pillarbook.compile.top.matches import TargetVerdict


@dataclass(frozen=True, slots=True, eq=False)
class Lowstate:
    """Lowstate with its faults; one object for all minions whose files render alike."""

    tree: MapNode
    """The chunks and the errors, as two lists."""
    has_chunks: bool
    faults: tuple[Fault, ...]
    notes: tuple[Diagnostic, ...] = ()
    """Those of states that are left out, because they are not known, and other warnings."""


def compile_states(minion: Minion, project: Project, pillar: CompiledPillar) -> CompiledStates:
    """Compile the states of one minion; nothing is executed.

    With the memo on, if a template changes its input data, the minion's states are compiled again
    from the start, without recording; but unknown values need records. Without the memo, these are
    for one minion.
    """
    if project.memo or project.with_unknowns:
        kept = project.remembered if project.memo else project.fresh()
        try:
            return _StateCompile(minion, project, kept, pillar, without_recording=False).run()
        except TemplateWrites:
            pass
    return _StateCompile(minion, project, project.fresh(), pillar, without_recording=True).run()


class _StateCompile:
    """The compile of one minion's states, from its start."""

    def __init__(
        self,
        minion: Minion,
        project: Project,
        remembered: Remembered,
        pillar: CompiledPillar,
        *,
        without_recording: bool,
    ) -> None:
        self._minion = minion
        self._pillar = pillar
        scope = project.scope_of_states(scope_of(minion, project))
        self._view = MinionView(
            minion, project, scope, remembered, without_recording=without_recording
        )
        self._view.with_unknowns = project.with_unknowns and not without_recording
        tree = pillar.tree
        if project.with_unknowns and project.decryptor.sealed:
            tree = hide_sealed(tree, remembered)
        self._has_sealed = tree is not pillar.tree
        self._shown = with_placeholders(tree, project.placeholders)
        self._view.show_pillar(plain(self._shown))
        if pillar.has_unknown or self._has_sealed:
            self._view.unknown_pillar = UnknownPillar(tree, remembered)
        self._log = CompileLog()
        self._top: StateTop | None = None
        self._targets: tuple[TargetVerdict, ...] = ()
        self._sls: dict[tuple[str, str], RenderResult] = {}
        self._asked: dict[Question, Answer] = {}

    def run(self) -> CompiledStates:
        """Compile, and return states or errors."""
        if self._pillar.raises is not None:
            return self._result(EMPTY, "failed", (), self._pillar.raises)
        if self._view.without_recording and self._view.unknown_pillar is not None:
            return self._unknown(UnprovenUnknown())
        try:
            found = self._compile()
        except CompileBreaksOff as broken:
            return self._broken(broken)
        except UnprovenUnknown as unproven:
            return self._unknown(unproven)
        diagnostics = [one.diagnostic for one in found.faults if one.diagnostic is not None]
        self._log.diagnostics.update(dict.fromkeys((*diagnostics, *found.notes)))
        errors = tuple(one.words for one in found.faults)
        outcome = "partial" if errors else ("ok" if found.has_chunks else "empty")
        tree = show_sealed(found.tree) if self._has_sealed else found.tree
        return self._result(tree, outcome, errors, None)

    def _compile(self) -> Lowstate:
        top, files = get_state_top(self._view)
        self._top = top
        log = self._log
        log.renders.extend(files.results)
        log.diagnostics.update(dict.fromkeys((*files.diagnostics, *top.top.faults)))
        log.looks.update(dict.fromkeys(files.looks))
        matches = match_states(top, self._view)
        self._targets = matches.verdicts
        self._asked = pillar_asked(top, self._view)
        unknown = self._view.unknown_pillar
        if unknown is not None and unknown.is_read(self._asked, "top"):
            raise UnprovenUnknown("top")
        first = len(log.renders)
        named = tuple(StateRenderer(self._view, matches, log).render_highstate())
        renders = tuple(log.renders[first:])
        for result in renders:
            read = result.files[0]
            self._sls[read.saltenv, sls_of_path(read.path)] = result
        rules = self._rules()
        # Everything after the renders is a function of these, all of them compared by identity or
        # by value. Minions with the same renders share one lowstate for the run.
        key = ("lowstate", self._view.scope.number, top, matches, renders, rules)
        return self._view.remembered.derive(key, partial(self._watched, top, named, rules))

    def _rules(self) -> LowRules:
        options, grains = self._view.scope.options.values, self._view.data("grains")
        # By scope, which decides the roots that hold `_states`.
        key = ("state modules", self._view.scope.number)
        own = self._view.remembered.derive(key, partial(own_modules, self._view.scope.roots))
        disabled = options.get("disabled_requisites") or []
        stopped = grains.get("state_runs_disabled") or []
        return LowRules(
            watchable_modules(grains, own),
            tuple(map(str, disabled if isinstance(disabled, list) else [disabled])),
            tuple(map(str, stopped if isinstance(stopped, list) else [])),
        )

    def _watched(self, top: StateTop, named: tuple[NamedState, ...], rules: LowRules) -> Lowstate:
        """Return the lowstate of rendered files, within the limits of a render."""
        position = self._minion.position
        try:
            with self._view.project.watch(f"the states of {self._minion.id}"):
                return self._derive(top, named, rules)
        except LimitExceeded as error:
            error.place = (position.file, position.line)  # where the minion is declared
            raise

    def _derive(self, top: StateTop, named: tuple[NamedState, ...], rules: LowRules) -> Lowstate:
        """Return what rendered files come to."""
        options, project = self._view.scope.options.values, self._view.project
        auto_order = bool(options.get("state_auto_order", True))
        builder = HighDataBuilder(auto_order=auto_order, reveals=project.reveals)
        for one in named:
            builder.take(one)
        high = builder.high
        # Each step changes what the next one sees, and Salt reports faults in this order.
        certain = [*top.faults, *builder.faults]
        faults = [*certain, *reconcile_extend(high)]
        shapes = list(verify_high(high, builder.shown))
        certain += shapes
        faults += shapes
        misspelt = tuple(find_misspelt(high))
        faults.extend(requisite_in(high, rules.disabled_requisites))
        apply_exclude(high)
        chunks: list[HighMap] = []
        # Salt runs nothing of a highstate with faults, so there are no chunks to show.
        if not faults:
            chunks, faults = compile_high_data(high, rules)
        if faults and builder.unsure:
            if not certain:  # an unsure state may be what a requisite or `extend` names
                sls, first = builder.unsure[0]
                raise first.unproven(sls)
            chunks, faults = [], certain
        if builder.exact_below is not None:
            hide_orders(chunks, builder.exact_below, [one for _, one in builder.unsure])
        notes = (*misspelt, *(one.describe(sls) for sls, one in builder.unsure))
        return Lowstate(self._tree_of(chunks, faults), bool(chunks), tuple(faults), notes)

    def _tree_of(self, chunks: Sequence[HighMap], faults: Sequence[Fault]) -> MapNode:
        """Return chunks and errors as a tree; a chunk that is listed twice is one node."""
        options = self._view.scope.options
        origin = Origin(options.shown(options.file), None, None, None, [])
        made = {id(chunk): closed(chunk) for chunk in chunks}
        errors = tuple(Leaf(one.words, (one.origin,)) for one in faults)
        lists = {
            CHUNKS: ListNode(tuple(made[id(chunk)] for chunk in chunks), (origin,)),
            ERRORS: ListNode(errors, (origin,)),
        }
        return MapNode(lists, (origin,), kind="plain")

    def _unknown(self, unproven: UnprovenUnknown) -> CompiledStates:
        """Return a result without states, of which nothing is known."""
        what = f"'{unproven.sls}' depends" if unproven.sls else "they depend"
        value = ", ".join(unproven.sources) or "an unknown value"
        message = f"the states are left out, because {what} on {value}"
        # One place for all minions: one answer helps them all.
        place = unproven.place or self._place_of(unproven.sls) or self._minion.position
        asks = self._pillar.has_unknown or any(
            not source.startswith("pillar ") for source in unproven.sources
        )
        remedy = REMEDY if asks or not self._has_sealed else DECRYPT
        fault = fault_at(UNKNOWN_STATE, UNKNOWN_ERROR, message, place, remedy)
        assert fault.diagnostic is not None  # noqa: S101 (made with one)
        self._log.diagnostics[fault.diagnostic] = None
        return self._result(self._tree_of((), (fault,)), "partial", (UNKNOWN_ERROR,), None)

    def _place_of(self, sls: str) -> Position | None:
        roots = self._view.scope.roots
        found = (roots.find_sls(sls, saltenv)[0] for saltenv in roots.environments)
        return next((Position(one.shown) for one in found if one is not None), None)

    def _broken(self, broken: CompileBreaksOff) -> CompiledStates:
        diagnostic = broken.diagnose("the compile of states", self._minion.position)
        self._log.diagnostics[diagnostic] = None
        return self._result(EMPTY, "failed", (), broken.words)

    def _result(
        self, tree: MapNode, outcome: str, errors: tuple[str, ...], raises: str | None
    ) -> CompiledStates:
        log = self._log
        return CompiledStates(
            minion=self._minion.id,
            tree=tree,
            outcome=outcome,
            errors=errors,
            raises=raises,
            targets=self._targets,
            pillarenv=self._pillar.pillarenv,
            saltenv=self._minion.saltenv,
            diagnostics=tuple(replace(one, of_states=True) for one in log.diagnostics),
            renders=tuple(log.renders),
            includes=frozenset(log.includes),
            looks=tuple(log.looks),
            readers=SecretReaders(
                without_recording=self._view.without_recording,
                top=None if self._top is None else self._top.top,
                shown=self._shown,
            ),
            sls=self._sls,
            asked=self._asked,
        )
