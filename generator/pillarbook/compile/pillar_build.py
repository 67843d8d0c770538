"""The state of one minion's compile, and its result."""

from dataclasses import dataclass, field
from typing import Any, Self

from pillarbook.compile.compiled_pillar import CompiledPillar, SecretReaders
from pillarbook.compile.merge import Merger
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.nested_pillar import NestedPillar
from pillarbook.compile.project import Project, Remembered, Scope, merger_for
from pillarbook.compile.sls.compile_log import CompileLog
from pillarbook.compile.top.matches import TargetVerdict
from pillarbook.compile.top.tops import MergedTop
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.model import MapNode, Position

# Python makes an empty set of 216 bytes each time, which is 1 KB for each pillar of a fleet.
NONE: frozenset[Any] = frozenset()


@dataclass(slots=True)
class PillarBuild:
    """The compile of one minion; no other minion uses it."""

    view: MinionView
    """The minion as its files see it."""
    merger: Merger
    """Merges by the strategy of the minion's options."""
    override: MapNode
    """The command line's pillar, decrypted if ``pillar_enc`` says so."""
    declared: MapNode
    """The command line's pillar as it was declared."""
    log: CompileLog = field(default_factory=CompileLog)
    """Results besides data."""
    targets: tuple[TargetVerdict, ...] = ()
    """The targets of the top file, after they were tested."""
    nested: NestedPillar | None = None
    """The compiles of external pillars that are trees of SLS, if there are external pillars."""
    shown: MapNode | None = None
    """The pillar that SLS files could read, if external pillars come first."""
    top: MergedTop | None = None
    """The top file."""

    @classmethod
    def begin(
        cls,
        minion: Minion,
        project: Project,
        scope: Scope,
        remembered: Remembered,
        override: MapNode,
        *,
        without_recording: bool,
    ) -> Self:
        """Return a compile that has not read anything yet."""
        return cls(
            MinionView(minion, project, scope, remembered, without_recording=without_recording),
            merger_for(scope.rules, remembered, memo=not without_recording),
            override,
            override,
        )

    def option(self, name: str) -> Any:
        """Return a master option; None if it is not set."""
        return self.view.scope.options.values.get(name)

    def position_of(self, option: str) -> Position | None:
        """Return the position of a master option."""
        return self.view.scope.options.positions.get(option)

    def note(self, *found: Diagnostic) -> None:
        """Add diagnostics."""
        self.log.diagnostics.update(dict.fromkeys(found))

    def finish(self, tree: MapNode, errors: tuple[str, ...]) -> CompiledPillar:
        """Return the result of a compile that Salt does not stop."""
        outcome = "ok" if tree.items else "empty"
        if errors or self.log.sealed or self.log.incomplete:
            outcome = "partial"
        return self.result(tree, outcome, errors, None)

    def result(
        self, tree: MapNode, outcome: str, errors: tuple[str, ...], raises: str | None
    ) -> CompiledPillar:
        """Return a result.

        ``raises`` is the exception that ends Salt's own compile.
        """
        log, minion = self.log, self.view.minion
        return CompiledPillar(
            minion=minion.id,
            tree=tree,
            outcome=outcome,
            errors=errors,
            raises=raises,
            targets=(*self.targets, *self.nested.targets) if self.nested else self.targets,
            pillarenv=self.view.pillarenv,
            saltenv=minion.saltenv,
            diagnostics=tuple(log.diagnostics),
            renders=tuple(log.renders),
            includes=frozenset(log.includes) or NONE,
            under=frozenset(log.under) or NONE,
            looks=tuple(log.looks),
            has_unknown=log.has_unknown,
            beside=(*log.beside, *([self.declared] if self.declared.items else [])),
            readers=SecretReaders(
                without_recording=self.view.without_recording,
                top=self.top,
                shown=self.shown,
                external=tuple(dict.fromkeys(log.read)),
                reads=frozenset(log.reads) or NONE,
                functions=frozenset(log.functions) or NONE,
                decrypted=log.decrypted,
                named=tuple(log.named),
                literals=tuple(log.literals),
            ),
        )
