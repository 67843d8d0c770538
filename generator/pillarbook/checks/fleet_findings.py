"""The diagnostics of a run, by minion and for the fleet, without secrets."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from pillarbook.checks.follow_on import name_causes
from pillarbook.checks.severities import GivenDiagnostics, SeverityRules
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import KeyPath
from pillarbook.redact import Redactor
from pillarbook.redact.redactor import redact_diagnostics
from pillarbook.redact.shown_access import AccessPath

if TYPE_CHECKING:
    from pillarbook.checks.fleet_rules import FleetRules, GivenRules

Secrets = Iterable[tuple[KeyPath, tuple[AccessPath, ...]]]
"""The key paths of a minion's secrets, with their access paths."""


GivenFindings: TypeAlias = tuple[GivenDiagnostics, "GivenRules | None"]
"""The diagnostics of the minions of one process, and the findings of rules about them."""


@dataclass(eq=False)
class FleetFindings:
    """Gathers diagnostics of a run.

    ``rules`` check each compiled pillar; None if nobody needs their findings. ``later`` returns
    diagnostics that are known only after files were read. ``mentions`` says whether a file, named
    as in positions, contains a word. ``places`` are the positions of minions in the inventory, by
    their own ids.
    """

    _redactor: Redactor
    _ledger: SeverityRules
    _rules: "FleetRules | None"
    later: Callable[[], Iterable[Diagnostic]]
    """Returns the diagnostics that are known only after files were read."""
    _mentions: Callable[[str, str], bool]
    _places: Mapping[str, int]
    # By minion, for the run: a minion that is compiled again adds nothing. Ignored diagnostics
    # change no outcome (docs/decisions/0011).
    _of: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    _with_more: set[str] = field(default_factory=set)

    def add(self, found: Iterable[Diagnostic]) -> None:
        """Add diagnostics of the tree itself."""
        for diagnostic in found:
            self._ledger.add(diagnostic)

    def knows(self, minion: str) -> bool:
        """Say whether the diagnostics of a minion, by its own id, were added before."""
        return minion in self._of

    def note(self, compiled: CompiledPillar, find_secrets: Callable[[], Secrets]) -> None:
        """Add the diagnostics of a minion's pillar.

        ``find_secrets`` returns its secrets; it is called only if a rule needs them.
        """
        self.take_over(compiled.minion, self.word(compiled))
        if self._rules is not None:
            self._rules.take(compiled)
            self._rules.take_secrets(compiled.minion, find_secrets())

    def note_more(self, compiled: CompiledPillar) -> None:
        """Add the diagnostics of a minion's other data, such as states, once."""
        if compiled.minion in self._with_more:
            return
        self._with_more.add(compiled.minion)
        if self._rules is not None:
            self._rules.states.take(compiled)
        before = self._of.get(compiled.minion, ())
        self.take_over(compiled.minion, self.word(compiled))
        self._of[compiled.minion] = (*before, *self._of[compiled.minion])

    def word(self, compiled: CompiledPillar) -> tuple[Diagnostic, ...]:
        """Return the diagnostics of a minion's pillar, for ``take_over``."""
        return tuple(
            replace(one, minions=(compiled.minion,))
            for one in redact_diagnostics(self._redactor, compiled.diagnostics, compiled)
        )

    def take_over(self, minion: str, found: Iterable[Diagnostic]) -> None:
        """Add the diagnostics of a minion, by its own id, from ``word``."""
        judged = map(self._ledger.add, found)
        self._of[minion] = tuple(one for one in judged if one is not None)

    def give(self) -> GivenFindings:
        """Return everything that was added, for another process."""
        return self._ledger.give(), None if self._rules is None else self._rules.give()

    def take(self, given: GivenFindings) -> None:
        """Add the diagnostics of other minions from another process."""
        diagnostics, rules = given
        self._ledger.take(diagnostics)
        if self._rules is not None and rules is not None:
            self._rules.merge(rules)

    @property
    def has_rules(self) -> bool:
        """Whether rules check each pillar."""
        return self._rules is not None

    def judge(self, compiled: CompiledPillar, shown: str) -> Iterator[Diagnostic]:
        """Yield the diagnostics of a pillar that was compiled only to be compared.

        Nothing of the pillar is recorded.
        """
        for one in redact_diagnostics(self._redactor, compiled.diagnostics, compiled):
            judged = self._ledger.judge(replace(one, minions=(shown,)))
            if judged is not None:
                yield judged

    def all(self, besides: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Return all diagnostics so far, worst first."""
        self.add(self.later())
        if self._rules is not None:
            self.add(self._rules.of_minions())
            self.add(self._rules.of_tree(self._ledger.ignores))
        self.add(besides)
        told = tuple(map(self._redactor.redact_diagnostic, map(self._sort, self._ledger.finish())))
        return _worst_first(self.name_causes(told))

    def _sort(self, one: Diagnostic) -> Diagnostic:
        """Return a diagnostic with its minions in inventory order, for any order of adding them."""
        last = len(self._places)
        minions = sorted(one.minions, key=lambda minion: self._places.get(minion, last))
        return replace(one, minions=tuple(minions))

    def name_causes(self, diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Return the diagnostics; each that follows from another one names it."""
        return name_causes([replace(one, caused_by=None) for one in diagnostics], self._mentions)

    def of(self, minion: str) -> Sequence[Diagnostic]:
        """Return the diagnostics of a compiled minion, by its own id, worst first."""
        found = [*self._of.get(minion, ()), *self._of_rules(minion)]
        return _worst_first(self.name_causes(_worst_first(found)))

    def _of_rules(self, minion: str) -> Iterator[Diagnostic]:
        judged = map(self._ledger.judge, self._rules.of(minion)) if self._rules else ()
        yield from (self._redactor.redact_diagnostic(one) for one in judged if one is not None)

    def heard_of(self, rule: str) -> tuple[Diagnostic, ...]:
        """Return the findings of one rule, without secrets, also those that are ignored."""
        found = [*self._ledger.finish(), *self._ledger.ignored]
        return tuple(self._redactor.redact_diagnostic(one) for one in found if one.code == rule)

    def count_ignored(self, rules: Collection[str]) -> int:
        """Return the number of diagnostics of some rules that the configuration ignores.

        It is complete after a call of ``all``.
        """
        return sum(one.code in rules for one in self._ledger.ignored)


def _worst_first(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda one: -one.severity))
