"""The redacted data of a fleet: pillars, tokens, diagnostics."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.remarks import READS_CLOCK
from pillarbook.diagnostics import Diagnostic, Severity, new_diagnostic
from pillarbook.model import KeyPath
from pillarbook.redact import RedactedPillar, Redactor
from pillarbook.redact.redactor import NOTHING, redact_diagnostics
from pillarbook.redact.secret_store import TEMPLATE
from pillarbook.session.failed_compiles import failed_pillar
from pillarbook.session.fleet import Fleet
from pillarbook.session.fleet_compiler import FleetCompiler
from pillarbook.session.pillar_texts import PillarTexts

CODE = "secret-in-name"


class WrittenPillar(NamedTuple):
    """A minion's pillar as JSON."""

    text: str
    """``"ID": PILLAR``."""
    broke_off: bool
    """Whether Salt stops the compile."""


class ShownFleet:
    """Redacts the results of a fleet's compiles."""

    def __init__(self, fleet: Fleet, compiler: FleetCompiler, redactor: Redactor) -> None:
        self._fleet = fleet
        self._compiler = compiler
        self.redactor = redactor
        """The redactor, which another session over the same fleet may share."""
        self.store = redactor.store
        """The clear values of secrets."""
        self.texts = PillarTexts(redactor.store.token)
        """Writes redacted pillars as JSON and YAML."""

    def token(self, place: int) -> str:
        """Return the token of a secret."""
        return self.store.token(place)

    def clean_name(self, name: str) -> str:
        """Return a name, such as a path, without known secrets."""
        return self.redactor.names.clean(name)

    def grains(self, minion: str) -> Mapping[str, Any]:
        """Return a minion's redacted grains as plain data."""
        return self.redactor.redact_grains(self._fleet.declared(minion).grains)

    def redact(
        self,
        compiled: CompiledPillar,
        besides: Mapping[int, KeyPath] = NOTHING,
        *,
        notes: bool = True,
    ) -> RedactedPillar:
        """Redact a compiled pillar, in which the secrets ``besides`` are also looked for.

        With ``notes``, copies of secrets, and a pillar that is too deep for the search, become
        diagnostics.
        """
        minion = self._fleet.declared_by_id(compiled.minion)
        try:
            return self.redactor.redact(compiled, minion.grains, besides, notes=notes)
        except RecursionError as error:
            failed = failed_pillar(minion, error)
            if notes:
                self._compiler.note(failed)
            return self.redactor.redact(failed)

    def redact_with_faults(
        self,
        compiled: CompiledPillar,
        besides: Mapping[int, KeyPath] = NOTHING,
        *,
        notes: bool = False,
    ) -> RedactedPillar:
        """Redact a compiled pillar; the result lists its errors, each with file and line."""
        redacted = self.redact(compiled, besides, notes=notes)
        errors = [one for one in compiled.diagnostics if one.severity is Severity.ERROR]
        faults = [
            f"{one.position}: {one.message}" if one.position else one.message
            for one in redact_diagnostics(self.redactor, errors, compiled)
        ]
        return replace(redacted, faults=tuple(dict.fromkeys(faults))) if faults else redacted

    def write_json(self, compiled: CompiledPillar) -> WrittenPillar:
        """Redact a compiled pillar and write it as ``compile`` prints it.

        Secrets must be frozen before.
        """
        minion = self._fleet.declared_by_id(compiled.minion)
        name = json.dumps(self.clean_name(compiled.minion))
        try:
            text = self.redactor.write_json(compiled, minion.grains)
        except RecursionError as error:
            compiled = failed_pillar(minion, error)
            text = self.redactor.write_json(compiled)
        return WrittenPillar(f"{name}: {text}", compiled.raises is not None)

    def secrets_of(self, compiled: CompiledPillar) -> Mapping[int, KeyPath]:
        """Return a minion's own secrets, to look for them in its other pillars."""
        try:
            grains = self._fleet.declared_by_id(compiled.minion).grains
            return self.redactor.secrets_of(compiled, grains)
        except RecursionError:  # too deep, which ``redact`` reports
            return NOTHING

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics so far, worst first."""
        return self._compiler.findings.all(describe_found(self.redactor))

    def diagnostics_besides(self) -> Iterator[Diagnostic]:
        """Yield the diagnostics without minion: about files and names."""
        yield from self._compiler.findings.later()
        yield from describe_found(self.redactor)

    def heard_of(self, rule: str) -> tuple[Diagnostic, ...]:
        """Return the diagnostics of one rule, even if the configuration ignores it."""
        return self._compiler.findings.heard_of(rule)

    @property
    def reads_clock(self) -> bool:
        """Whether a value depends on the time, even if that rule is ignored."""
        return bool(self.heard_of(READS_CLOCK))

    def diagnostics_of(self, minion: str) -> Sequence[Diagnostic]:
        """Return the diagnostics of a minion, worst first, after it was compiled."""
        return self._compiler.findings.of(self._fleet.declared(minion).id)

    def diagnostics_in(self, compiled: CompiledPillar) -> Iterator[Diagnostic]:
        """Return the diagnostics of a pillar that was compiled to be compared."""
        return self._compiler.findings.judge(compiled, self._fleet.shown_id(compiled.minion))


def describe_found(redactor: Redactor) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each copy of a secret, and for each name with a secret."""
    yield from redactor.copies.found()
    names, store = redactor.names, redactor.store
    for name in names.found():
        what_it_holds = "a secret; a token"
        if store.may_name(name.secret_id):
            root = names.clean_path(store.path_of(name.secret_id))
            what_it_holds = f"the secret of '{root}'; its token"
        what = name.what if name.position else f"{name.what} '{name.shown}'"
        made = new_diagnostic(
            CODE,
            f"{what} contains {what_it_holds} is shown instead",
            name.position,
            remedy="do not put a secret in a name: names are not encrypted; if it is not a"
            " secret, add its key to `redact: allow` in mkdocs.yml",
        )
        # On public trees, words in the data of a template were no secrets.
        is_of_template = store.path_of(name.secret_id)[:1] == (TEMPLATE,)
        yield replace(made, severity=Severity.NOTE) if is_of_template else made
