"""Findings of rules in parts of pillars that minions may share, and their diagnostics."""

from dataclasses import dataclass
from typing import TypeAlias

from pillarbook.diagnostics import Diagnostic
from pillarbook.model import Origin, SecretOrigin

Between: TypeAlias = tuple[str, str, str]
"""An environment and two SLS names in it."""


@dataclass(frozen=True, slots=True, eq=False)
class PartFinding:
    """A diagnostic without minions; one object for all minions that have the part."""

    diagnostic: Diagnostic
    """The finding."""
    between: Between | None = None
    """The SLS files of the finding, the later one last; the finding is ignored if the later SLS is
    meant to override the earlier one."""


class Findings:
    """Makes one finding for equal diagnostics, so that findings compare by identity."""

    def __init__(self) -> None:
        self._made: dict[tuple[Diagnostic, Between | None], PartFinding] = {}

    def new(self, diagnostic: Diagnostic, between: Between | None = None) -> PartFinding:
        """Return the finding of a diagnostic."""
        made = self._made.get((diagnostic, between))
        if made is None:
            made = self._made[diagnostic, between] = PartFinding(diagnostic, between)
        return made


def is_other_value(before: Origin, after: Origin) -> bool:
    """Say whether a value replaces another.

    Decrypted values are compared by ciphertext: a finding that is missing if the values are
    equal would confirm a guess of whoever adds that guess, in plain text or encrypted.
    """
    opened = [one for one in (before, after) if isinstance(one, SecretOrigin)]
    if opened:
        digests = {one.ciphertext for one in opened}
        return len(opened) == 1 or len(digests) > 1 or None in digests
    return type(before.value) is not type(after.value) or bool(before.value != after.value)


def join_words(words: list[str]) -> str:
    """Return words as in a sentence: ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def giver_of(origin: Origin) -> str:
    """Return the words for the source of a value."""
    if origin.sls and origin.saltenv is not None:
        return f"SLS '{origin.sls}'"
    if origin.sls:
        return f"the external pillar '{origin.sls.removeprefix('ext_pillar:')}'"
    return "the declared pillar"
