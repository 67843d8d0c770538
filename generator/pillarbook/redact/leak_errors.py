"""Secrets that were about to get out, and the error that stops it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbook.diagnostics import PillarbookError

REMEDY = "if that is not a secret, add its key to `redact: allow` in mkdocs.yml"
MAX_NAMED = 3
"""Leaks that a sentence names one by one."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret where none may be; says so without the secret."""

    where: str
    """What holds it, without secrets: a file of the site, a stream."""
    key: str
    """The secret's key path, without secrets; empty where it has none."""
    offset: int | None = None
    """The byte at which it begins, counted from 0."""

    def __str__(self) -> str:
        """Return it as a clause."""
        what = f"the secret of `{self.key}`" if self.key else "a secret"
        at = "" if self.offset is None else f" at byte {self.offset}"
        return f"{self.where} contains {what}{at}"


class LeakError(PillarbookError):
    """Something that was about to get out holds a secret.

    Args:
        outcome: The result, as the beginning of a sentence: ``nothing is published``.
        leaks: What was found, one for each file; not empty.
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
    """Something that was about to get out cannot be searched."""

    exit_code = 3

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"nothing is published, because {where} cannot be searched: {why}")
