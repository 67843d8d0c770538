"""One minion's pillar, taken through the redactor together with what goes wrong in it."""

from collections.abc import Mapping
from dataclasses import replace

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.diagnostics import Severity
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath
from pillarbook.redact import RedactedPillar, Redactor
from pillarbook.redact.redactor import NOTHING
from pillarbook.session.failed_compiles import failed_pillar


def take_through(
    redactor: Redactor,
    compiled: CompiledPillar,
    minion: Minion,
    besides: Mapping[int, KeyPath] = NOTHING,
    *,
    notes: bool = False,
) -> tuple[RedactedPillar, CompiledPillar | None]:
    """Return a pillar as others may see it, and what stands for one that nests too deep for that.

    Args:
        redactor: The redactor.
        compiled: The pillar.
        minion: Whose it is.
        besides: Further secrets to look for in it.
        notes: Whether copies of secrets in it are noted.
    """
    try:
        return redactor.redact(compiled, minion.grains, besides, notes=notes), None
    except RecursionError as error:
        failed = failed_pillar(minion, error)
        return redactor.redact(failed), failed


def find_own_secrets(
    redactor: Redactor, compiled: CompiledPillar, minion: Minion
) -> Mapping[int, KeyPath]:
    """Return a minion's own secrets, to be looked for in what it gets elsewhere."""
    try:
        return redactor.secrets_of(compiled, minion.grains)
    except RecursionError:  # too deep to be looked at; so it is when it is taken through
        return NOTHING


def with_faults(
    redacted: RedactedPillar, compiled: CompiledPillar, redactor: Redactor
) -> RedactedPillar:
    """Return a pillar that says what went wrong in it, and where."""
    told = [
        redactor.redact_diagnostic(one, compiled)
        for one in compiled.diagnostics
        if one.severity is Severity.ERROR
    ]
    faults = [f"{one.position}: {one.message}" if one.position else one.message for one in told]
    return replace(redacted, faults=tuple(dict.fromkeys(faults))) if faults else redacted
