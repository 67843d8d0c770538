"""A report that several machines write: each writes a part of it, and one puts them together.

Every machine compiles the whole fleet, because a secret of any minion is redacted on the pages of
all. That takes less time than the pages, of which each machine writes those of its own minions. So
no machine waits for another one (docs/decisions/0036).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from pillarbook.diagnostics import PillarbookError
from pillarbook.session.report_shares import ReportPart, ReportShares, take_shares

if TYPE_CHECKING:
    from pillarbook.session.fleet import Fleet
    from pillarbook.session.session import Session

Write: TypeAlias = Callable[[Sequence[int]], Any]
"""Writes the pages of the minions at some positions in the inventory."""


class ComparedPartError(PillarbookError):
    """A report that is compared with a revision cannot be written in parts."""

    def __init__(self) -> None:
        super().__init__(
            "a report that is compared with a revision cannot be built in parts: take `revisions`"
            " out of the configuration, or build it without --shard and --engine"
        )


class Exchange(Protocol):
    """Replaces the work on a whole report."""

    def run(self, session: "Session", write: Write) -> Sequence[Any]:
        """Do the work; return what ``write`` has returned elsewhere."""


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """One of the parts of a report: ``--shard 3/8``."""

    number: int
    """Its number, from 1."""
    count: int
    """The number of parts."""

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def choose(self, fleet: "Fleet") -> frozenset[str]:
        """Return the minions whose pages are in this part: neighbours by kind."""
        names = fleet.sort_by_kind(fleet.minions)
        first, end = (len(names) * (self.number - 1 + step) // self.count for step in (0, 1))
        return frozenset(names[first:end])


class PartMaker:
    """Writes the pages of one part."""

    def __init__(self, shard: Shard) -> None:
        self.shard = shard
        """Which part it makes."""
        self.made: ReportPart | None = None
        """The part, besides the written pages."""

    def run(self, session: "Session", write: Write) -> Sequence[Any]:
        """Write the pages of this part, and keep the rest of it.

        Raises:
            ComparedPartError: The report is compared with a revision.
        """
        if session.report.since is not None:
            raise ComparedPartError
        minions = self.shard.choose(session.fleet)
        self.made = ReportShares(session, write).make_part(minions)
        return ()


class PartTaker:
    """Takes all parts of a report."""

    def __init__(self, parts: Callable[[], Sequence[ReportPart]]) -> None:
        self._parts = parts

    def run(self, session: "Session", _write: Write) -> Sequence[Any]:
        """Compile nothing; take what was found and written elsewhere.

        Raises:
            ComparedPartError: The report is compared with a revision.
        """
        if session.report.since is not None:
            raise ComparedPartError
        parts = self._parts()
        for part in parts:
            for known in part.known:
                session.shown.redactor.take_over(known)
        session.freeze_secrets()
        return take_shares(session, (share for part in parts for share in part.shares))
