"""One minion's pillar, taken through the door together with what goes wrong in it."""

from collections.abc import Mapping
from dataclasses import replace

from pillarbook.book.failed import failed_pillar
from pillarbook.compile.pillar import CompiledPillar
from pillarbook.diagnostics import Severity
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath
from pillarbook.redact import Door, RedactedPillar
from pillarbook.redact.door import NOTHING


def take_through(
    door: Door,
    compiled: CompiledPillar,
    minion: Minion,
    besides: Mapping[int, KeyPath] = NOTHING,
    *,
    notes: bool = False,
) -> tuple[RedactedPillar, CompiledPillar | None]:
    """Return a pillar as others may see it, and what stands for one that nests too deep for that.

    Args:
        door: The door.
        compiled: The pillar.
        minion: Whose it is.
        besides: Further secrets to look for in it.
        notes: Whether copies of secrets in it are noted.
    """
    try:
        return door.redact(compiled, minion.grains, besides, notes=notes), None
    except RecursionError as error:
        failed = failed_pillar(minion, error)
        return door.redact(failed), failed


def find_own_secrets(door: Door, compiled: CompiledPillar, minion: Minion) -> Mapping[int, KeyPath]:
    """Return a minion's own secrets, to be looked for in what it gets elsewhere."""
    try:
        return door.secrets_of(compiled, minion.grains)
    except RecursionError:  # too deep to be looked at; so it is when it is taken through
        return NOTHING


def with_faults(redacted: RedactedPillar, compiled: CompiledPillar, door: Door) -> RedactedPillar:
    """Return a pillar that says what went wrong in it, and where.

    Args:
        redacted: The pillar.
        compiled: The same before it went through the door.
        door: Takes secrets out of what is said.
    """
    told = [
        door.redact_diagnostic(one, compiled)
        for one in compiled.diagnostics
        if one.severity is Severity.ERROR
    ]
    faults = [f"{one.position}: {one.message}" if one.position else one.message for one in told]
    return replace(redacted, faults=tuple(dict.fromkeys(faults))) if faults else redacted
