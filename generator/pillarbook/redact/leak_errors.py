"""Secrets that were about to be published or printed, and the error that prevents it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbook.diagnostics import PillarbookError

REMEDY = "if that is not a secret, add its key to `redact: allow` in mkdocs.yml"
MAX_NAMED = 3
"""The most leaks that a message names one by one."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret that was found in output; describes it without its value."""

    where: str
    """The file of the site or the stream, without secrets."""
    key: str
    """The secret's key path, without secrets; empty if it has none."""
    offset: int | None = None
    """The byte at which the secret begins, counted from 0."""

    def __str__(self) -> str:
        """Return a clause for a message."""
        what = f"the secret of `{self.key}`" if self.key else "a secret"
        at = "" if self.offset is None else f" at byte {self.offset}"
        return f"{self.where} contains {what}{at}"


class LeakError(PillarbookError):
    """Output contains a secret, so it is not written.

    ``outcome`` is the beginning of a sentence: ``nothing is published``. There is at least one
    leak, one for each file.
    """

    exit_code = 3

    def __init__(self, outcome: str, leaks: Sequence[Leak]) -> None:
        named = [str(leak) for leak in leaks[:MAX_NAMED]]
        more = len(leaks) - len(named)
        if more:
            named.append("1 more place does" if more == 1 else f"{more:,} more places do")
        said = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else named[0]
        super().__init__(f"{outcome}, because {said}; {REMEDY}")


class UnsearchableError(PillarbookError):
    """Output cannot be searched for secrets, so it is not written."""

    exit_code = 3

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"nothing is published, because {where} cannot be searched: {why}")
