"""What has changed for one minion since a revision, as its page says it."""

from dataclasses import dataclass

from markupsafe import Markup

from pillarbook.compare import Change
from pillarbook.compare.outcomes import RESULTS
from pillarbook.report.change_rows import SinceRows
from pillarbook.report.value_html import TokenOf

MAX_ROWS = 100
"""Changes that a minion's page lists."""
MAX_KEPT = 2_000
"""Minions' changes whose rows are kept."""


@dataclass(frozen=True, slots=True)
class MinionChange:
    """What became of one minion since the base."""

    word: str
    """One of ``RESULTS``."""
    base: str
    """What the base is called."""
    was: str
    """Its outcome there, or ``absent``."""
    changes: tuple[Change, ...]
    """What changed, in the order to apply, without what is ignored; one object for minions that
    differ alike."""

    @property
    def meaning(self) -> str:
        """What the word means."""
        return RESULTS[self.word]


class MinionChangeRows:
    """Writes the changes of minions for their pages; those that minions share once."""

    def __init__(self, token: TokenOf) -> None:
        self._token = token
        # By the id of the changes: minions that change alike share the whole tuple.
        self._kept: dict[int, tuple[tuple[Change, ...], Markup, int]] = {}

    def write(self, changes: tuple[Change, ...]) -> tuple[Markup, int]:
        """Return the rows of a minion's changes, and how many changes have none."""
        kept = self._kept.get(id(changes))
        if kept is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            rows = "".join(SinceRows(self._token, "was-").write_changes(changes[:MAX_ROWS]))
            html = Markup(rows)  # noqa: S704 (escaped where written)
            # The changes are kept, so that their id stays their own.
            kept = self._kept[id(changes)] = (changes, html, max(0, len(changes) - MAX_ROWS))
        return kept[1], kept[2]
