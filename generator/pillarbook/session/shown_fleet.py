"""What others may see of a fleet: redacted pillars, tokens, diagnostics without secrets."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.template_clock import READS_CLOCK
from pillarbook.diagnostics import Diagnostic
from pillarbook.redact import RedactedPillar, Redactor, SecretStore
from pillarbook.session.fleet import Fleet
from pillarbook.session.fleet_compiler import FleetCompiler
from pillarbook.session.pillar_texts import PillarTexts
from pillarbook.session.redact_minion import take_through, with_faults
from pillarbook.session.shown_names import describe_found


class ShownFleet:
    """Redacts what the compiles of a fleet give."""

    def __init__(self, fleet: Fleet, compiler: FleetCompiler, redactor: Redactor) -> None:
        self._fleet = fleet
        self._compiler = compiler
        self.redactor = redactor
        """Redacts; another session over the same fleet may share it."""
        self.texts = PillarTexts(redactor.store.token)
        """Writes redacted pillars as JSON and YAML."""

    @property
    def store(self) -> SecretStore:
        """The clear values of secrets."""
        return self.redactor.store

    def token(self, place: int) -> str:
        """Return the token of a secret."""
        return self.store.token(place)

    def clean_name(self, name: str) -> str:
        """Return a name, such as a path, without the secrets that are known."""
        return self.redactor.names.clean(name)

    def grains(self, minion: str) -> Mapping[str, Any]:
        """Return a minion's grains, redacted, as plain data."""
        return self.redactor.redact_grains(self._fleet.declared(minion).grains)

    def redact(self, compiled: CompiledPillar, *, notes: bool = True) -> RedactedPillar:
        """Redact a compiled pillar.

        With ``notes``, a pillar that nests too deep for this is added to the diagnostics.
        """
        minion = self._fleet.declared_by_id(compiled.minion)
        redacted, failed = take_through(self.redactor, compiled, minion, notes=notes)
        if failed is not None and notes:
            self._compiler.note(failed)
        return redacted

    def redact_with_faults(self, compiled: CompiledPillar) -> RedactedPillar:
        """Redact a compiled pillar; the result says what went wrong in it, and in which line."""
        return self.add_faults(self.redact(compiled, notes=False), compiled)

    def add_faults(self, redacted: RedactedPillar, compiled: CompiledPillar) -> RedactedPillar:
        """Return a redacted pillar that says what went wrong in it, and in which line."""
        return with_faults(redacted, compiled, self.redactor)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics so far, worst first."""
        return self._compiler.findings.all(describe_found(self.redactor))

    def heard_of(self, rule: str) -> tuple[Diagnostic, ...]:
        """Return what one rule found so far, whether or not the configuration ignores it."""
        return self._compiler.findings.heard_of(rule)

    @property
    def reads_clock(self) -> bool:
        """Whether something so far is made of the time, whether or not that is said."""
        return bool(self.heard_of(READS_CLOCK))

    def diagnostics_of(self, minion: str) -> Sequence[Diagnostic]:
        """Return the diagnostics that concern a minion, worst first, once it was compiled."""
        return self._compiler.findings.of(self._fleet.declared(minion).id)

    def diagnostics_in(self, compiled: CompiledPillar) -> Iterator[Diagnostic]:
        """Return the diagnostics of a pillar that was compiled to be compared."""
        return self._compiler.findings.judge(compiled, self._fleet.shown_id(compiled.minion))
