"""One minion's pillar, in Salt's own steps.

Source: Salt ``salt/pillar/__init__.py`` (``Pillar.compile_pillar``).
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.below import Below
from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.compile.external import ExternalPillars
from pillarbook.compile.looks import Look
from pillarbook.compile.option_faults import (
    malformed_option,
    pillar_opts_note,
    undecrypted,
    unsendable,
)
from pillarbook.compile.override import decrypt_override, override_of
from pillarbook.compile.pillar_nodes import (
    EMPTY,
    listed_with,
    put_in,
    updated,
    with_key,
)
from pillarbook.compile.project import Project, Remembered, Scope, merger_for
from pillarbook.compile.readers import NOTHING_READ, Readers
from pillarbook.compile.reads import TemplateWrites
from pillarbook.compile.render_file import RenderResult
from pillarbook.compile.renderers.decrypt_pillar import DecryptFailure, decrypt_pillar
from pillarbook.compile.renderers.decryption_renderers import DecryptionRenderers
from pillarbook.compile.renderers.errors import RenderError
from pillarbook.compile.scopes import scope_of
from pillarbook.compile.sight import Sight
from pillarbook.compile.sls.harvest import Harvest
from pillarbook.compile.sls.pstate import SlsRenderer
from pillarbook.compile.stand_in import with_stand_ins
from pillarbook.compile.top.matches import TargetVerdict, top_matches
from pillarbook.compile.top.named import find_named
from pillarbook.compile.top.reasons import with_reasons
from pillarbook.compile.top.tops import MergedTop, get_top
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Origin, Position, grow, plain
from pillarbook.model.long_integers import REFUSED, holds_long_integer


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledPillar:
    """What one minion gets, in the clear; only ``redact`` and ``book`` may hold it."""

    minion: str
    """The minion's id."""
    tree: MapNode
    """The pillar; with Salt's ``_errors`` in it where there are errors."""
    outcome: str
    """``ok``, ``partial``, ``failed`` or ``empty``."""
    errors: tuple[str, ...]
    """Salt's ``_errors``, in Salt's order."""
    raises: str | None
    """Salt's exception where the compile breaks off."""
    targets: tuple[TargetVerdict, ...]
    """Each target of the top file with its verdict."""
    pillarenv: str | None
    """The pinned pillar environment; None where all are merged."""
    saltenv: str | None
    """The minion's saltenv."""
    diagnostics: tuple[Diagnostic, ...]
    """What there is to say, without the minion."""
    renders: tuple[RenderResult, ...]
    """Every file rendered for it, with the reads it depended on."""
    includes: frozenset[tuple[str, str, str]] = frozenset()
    """Each include: environment, the SLS that includes, the SLS included."""
    looks: tuple[Look, ...] = ()
    """What it looked at besides the files that were rendered."""
    beside: tuple[MapNode, ...] = ()
    """What came from elsewhere than its SLS files: external pillars, its own declared pillar."""
    readers: Readers = NOTHING_READ
    """What templates, matchers and external pillars could read, besides what is recorded."""
    secret_names: tuple[tuple[str, KeyPath], ...] = ()
    """Texts in its names that are computed from secrets, with the path of a secret for each."""

    def __repr__(self) -> str:
        """Return what it is, never its values."""
        return f"CompiledPillar({self.minion!r}, {self.outcome})"


def compile_pillar(minion: Minion, project: Project) -> CompiledPillar:
    """Compile one minion.

    With the memo on, a template that changes what it is given sets the minion back to the start,
    and it is compiled plainly.
    """
    if project.memo:
        try:
            return _Compile(minion, project, project.remembered, plainly=False).run()
        except TemplateWrites:
            pass
    return _Compile(minion, project, project.fresh(), plainly=True).run()


class _Compile:
    """The compile of one minion, from its start."""

    def __init__(
        self,
        minion: Minion,
        project: Project,
        remembered: Remembered,
        *,
        plainly: bool,
        scope: Scope | None = None,
    ) -> None:
        scope = scope or scope_of(minion, project)
        self._minion = minion
        self._sight = Sight(minion, project, scope, remembered, plainly=plainly)
        self._options: Mapping[str, Any] = scope.options.values
        self._merger = merger_for(scope.rules, remembered, memo=not plainly)
        self._harvest = Harvest()
        self._declared = self._override = override_of(minion)
        self._targets: tuple[TargetVerdict, ...] = ()
        self._below: Below | None = None
        self._shown: MapNode | None = None
        self._top: MergedTop | None = None

    def run(self) -> CompiledPillar:
        """Compile, and say how it went."""
        try:
            self._override = self._decrypt_override()
            tree, errors = self._compile(self._externals())
        except CompileBreaksOff as broken:
            return self._broken(broken)
        if not errors and self._below is not None and self._below.failed:
            errors = listed_with(tree, ())  # what an external pillar's own compile lists
        outcome = "ok" if tree.items else "empty"
        if errors or self._harvest.sealed or self._harvest.incomplete:
            outcome = "partial"
        return self._result(tree, outcome, tuple(errors), None)

    def _result(
        self, tree: MapNode, outcome: str, errors: tuple[str, ...], raises: str | None
    ) -> CompiledPillar:
        return CompiledPillar(
            minion=self._minion.id,
            tree=tree,
            outcome=outcome,
            errors=errors,
            raises=raises,
            targets=self._all_targets(),
            pillarenv=self._sight.pillarenv,
            saltenv=self._minion.saltenv,
            diagnostics=tuple(self._harvest.diagnostics),
            renders=tuple(self._harvest.renders),
            includes=frozenset(self._harvest.includes),
            looks=tuple(self._harvest.looks),
            beside=(*self._harvest.beside, *([self._declared] if self._declared.items else [])),
            readers=Readers(
                plainly=self._sight.plainly,
                top=self._top,
                shown=self._shown,
                external=tuple(dict.fromkeys(self._harvest.read)),
                reads=frozenset(self._harvest.reads),
                functions=frozenset(self._harvest.functions),
                decrypted=self._harvest.decrypted,
            ),
        )

    def _all_targets(self) -> tuple[TargetVerdict, ...]:
        below = self._below.targets if self._below else ()
        return (*self._targets, *below) if below else self._targets

    def _broken(self, broken: CompileBreaksOff) -> CompiledPillar:
        diagnostic = broken.told("the compile", self._minion.position)
        self._harvest.diagnostics[diagnostic] = None
        return self._result(EMPTY, "failed", (), broken.words)

    def _compile_below(
        self, minion: Minion, scope: Scope, harvest: Harvest
    ) -> tuple[MapNode, list[str], tuple[TargetVerdict, ...]]:
        project, sight = self._sight.project, self._sight
        plainly = sight.plainly
        compile_ = _Compile(minion, project, sight.remembered, plainly=plainly, scope=scope)
        compile_._harvest, compile_._override = harvest, self._override
        compiled, errors = compile_._compile(compile_._no_externals)
        return compiled, errors, compile_._targets

    def _compile(
        self, render: Callable[[MergedTop], tuple[MapNode, list[str]]]
    ) -> tuple[MapNode, list[str]]:
        top, tops = get_top(self._sight)
        self._top = top
        self._harvest.diagnostics.update(dict.fromkeys(tops.diagnostics))
        self._harvest.renders.extend(result for _, result in tops.results)
        self._harvest.looks.update(dict.fromkeys(tops.looks))
        compiled, errors = render(top)
        errors.extend(top.errors)
        if self._options.get("pillar_opts"):
            compiled = with_key(compiled, "master", self._master_options())
            self._harvest.diagnostics[pillar_opts_note(self._options_place("pillar_opts"))] = None
        if errors:
            compiled = with_key(compiled, "_errors", self._error_list(errors))
        if self._override.items:
            compiled = self._merger.merge(compiled, self._override)
        compiled, failed = self._decrypt(compiled)
        if failed:
            words = failed if self._sight.project.reveals else [one.clean for one in failed]
            errors.extend(words)
            place = self._options_place("decrypt_pillar")
            found = [undecrypted(failure, place) for failure in failed]
            self._harvest.diagnostics.update(dict.fromkeys(found))
            compiled = with_key(compiled, "_errors", self._error_list(listed_with(compiled, words)))
        return compiled, errors

    def _decrypt(self, compiled: MapNode) -> tuple[MapNode, list[DecryptFailure]]:
        try:
            return decrypt_pillar(compiled, self._options, self._renderers())
        except RenderError as error:
            message = f"Salt breaks off at the option `decrypt_pillar`: {error}"
            place = self._options_place("decrypt_pillar")
            raise CompileBreaksOff(
                f"AttributeError: {error}", malformed_option(message, place, "decrypt_pillar")
            ) from error

    def _decrypt_override(self) -> MapNode:
        reveals = self._sight.project.reveals
        return decrypt_override(self._minion, self._options, self._renderers(), reveals=reveals)

    def _renderers(self) -> DecryptionRenderers:
        project = self._sight.project
        return DecryptionRenderers(
            project.renderers, self._options, project.decryptor, project.limits
        )

    def _options_place(self, option: str) -> Position | None:
        return self._sight.scope.options.positions.get(option)

    def _externals(self) -> Callable[[MergedTop], tuple[MapNode, list[str]]]:
        first = bool(self._options.get("ext_pillar_first"))
        return self._externals_first if first else self._externals_last

    def _no_externals(self, top: MergedTop) -> tuple[MapNode, list[str]]:
        rendered, errors = self._render(top)
        return updated(self._put_by_templates(errors), rendered), errors

    def _externals_last(self, top: MergedTop) -> tuple[MapNode, list[str]]:
        rendered, errors = self._render(top)
        seen = updated(self._put_by_templates(errors), rendered)
        external = self._run_externals(seen, errors, seen)
        return updated(seen, external), errors

    def _externals_first(self, top: MergedTop) -> tuple[MapNode, list[str]]:
        errors: list[str] = []
        external = self._run_externals(self._override, errors, EMPTY)
        external = self._shown = with_stand_ins(external, self._sight.project.stand_ins)
        self._sight.show_pillar(plain(external))
        rendered, errors = self._render(top, errors)
        seen = updated(external, self._put_by_templates(errors, known=external))
        return updated(seen, self._merger.merge(seen, rendered)), errors

    def _run_externals(self, pillar: MapNode, errors: list[str], visible: MapNode) -> MapNode:
        if not isinstance(self._options.get("ext_pillar"), list):
            if "ext_pillar" in self._options:
                errors.append('The "ext_pillar" option is malformed')
                self._say_malformed("ext_pillar")
            return pillar
        if self._override.items:
            pillar = self._merger.merge(pillar, self._override)
        if not self._options["ext_pillar"]:
            return pillar
        self._below = Below(self._sight, self._harvest, self._compile_below)
        externals = ExternalPillars(self._sight, self._merger, self._harvest, self._below)
        merged, complaints = externals.merge_over(pillar, visible)
        errors.extend(complaints)
        return merged

    def _say_malformed(self, option: str) -> None:
        message = f"the option `{option}` is malformed"
        fault = malformed_option(message, self._options_place(option), option)
        self._harvest.diagnostics[fault] = None

    def _render(self, top: MergedTop, errors: list[str] | None = None) -> tuple[MapNode, list[str]]:
        """Render and merge the SLS files of all environments that matched."""
        matches = top_matches(top, self._sight, self._sight.pillarenv)
        explains = self._sight.project.explains
        self._targets = with_reasons(matches, self._sight) if explains else matches.verdicts
        errors = [] if errors is None else errors
        pillar = self._override
        harvest = self._harvest
        for named in find_named(matches, top, self._sight):
            errors.extend(named.errors)
            harvest.diagnostics.update(dict.fromkeys(named.diagnostics))
            harvest.looks[named.look] = None
            renderer = SlsRenderer(self._sight, named.saltenv, top.ignored, self._merger, harvest)
            for sls, place in named.files:
                state, complaints = renderer.render(sls, place)
                errors.extend(complaints)
                if state is not None and isinstance(state.tree, MapNode):
                    pillar = self._merger.merge(pillar, state.tree)
        return pillar, errors

    def _put_by_templates(self, errors: list[str], known: MapNode = EMPTY) -> MapNode:
        """Return what templates put into ``pillar`` itself; only a plain compile lets them.

        What cannot be sent is left out, and is an error.
        """
        if not self._sight.plainly:
            return EMPTY
        items = {}
        for key, value in self._sight.pillar_shown.items():
            if key in known.items and plain(known.items[key]) == value:
                continue
            place = self._find_write(key)
            if holds_long_integer({key: value}):
                errors.append(REFUSED)
                self._harvest.diagnostics[unsendable(place)] = None
                continue
            items[key] = grow(value, functools.partial(put_in, place))
        return MapNode(items, (), kind="plain")

    def _find_write(self, key: Any) -> Position:
        """Return the likeliest place where a template put a key into ``pillar``."""
        found = self._harvest.into_pillar.get(key)
        if found is None or holds_long_integer(key):
            return self._minion.position
        lines = found.content.decode("utf-8", "replace").splitlines()
        likely = [
            (str(key) not in line, at) for at, line in enumerate(lines, 1) if "pillar" in line
        ]
        return Position(found.shown, min(likely)[1] if likely else 1)

    def _master_file(self) -> str:
        options = self._sight.scope.options
        return options.shown(options.file)

    def _master_options(self) -> MapNode:
        options = self._sight.scope.options
        minion = self._minion

        def locate(path: tuple[Any, ...], value: Any) -> Origin:
            own = minion.position if path and path[0] in minion.opts else None
            place = own or (path and options.place_of(*path)) or Position(self._master_file())
            return Origin(place.file, place.line or 1, None, None, value)

        declared = options.declared
        tree = grow(declared, locate)
        assert isinstance(tree, MapNode)  # noqa: S101 (grown from a dict)
        return tree

    def _error_list(self, errors: list[str]) -> ListNode:
        place = self._minion.position
        return ListNode(
            tuple(
                Leaf(error, (Origin(place.file, place.line, None, None, error),))
                for error in errors
            ),
            (Origin(place.file, place.line, None, None, []),),
        )
