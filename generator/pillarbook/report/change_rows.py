"""The changes since a revision as rows, until a page is long enough."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from html import escape

from pillarbook.compare import Change
from pillarbook.compare.atoms import Atom
from pillarbook.model import KeyPath
from pillarbook.report.change_table import ChangeRows, anchor_of
from pillarbook.report.diff_wording import (
    FoldedAtoms,
    describe_causes,
    describe_how_often,
    told_path,
)
from pillarbook.report.rows import write_place
from pillarbook.report.value_html import TokenOf, make_visible

NAMES = ("before", "after")
"""What both sides are called in a row; what they are is said above the table."""
# Protects the browser of who opens the page, and the size of the site: there is one such page for
# each minion that changes.
MAX_BYTES = 1_200_000
"""Length of the rows of a page, in characters."""


class SinceRows:
    """Writes the rows of one page.

    Args:
        token: Gives tokens of secrets.
        prefix: Begins the ids of rows, where the page has other rows for the same keys.
        states: Says in lines what becomes of states because of a change.
    """

    def __init__(
        self,
        token: TokenOf,
        prefix: str = "",
        states: Callable[[Atom | FoldedAtoms], Iterable[str]] = lambda _: (),
    ) -> None:
        self._rows = ChangeRows(token, NAMES)
        self._prefix = prefix
        self._states = states
        self._anchors: Counter[str] = Counter()
        self._length = 0

    def write_told(self, told: Iterable[FoldedAtoms]) -> Iterator[str]:
        """Yield the rows of changes as they are told; one for which there is no room is empty."""
        for one in told:
            often, causes = describe_how_often(one).strip(), describe_causes(one, write_line_place)
            notes = often, causes, *self._states(one)
            yield self._write(one.change, told_path(one), notes)

    def write_exact(
        self, atoms: Iterable[Atom], whom: Callable[[Atom], str] = lambda _: ""
    ) -> Iterator[str]:
        """Yield the rows of changes with all their list positions, in the same way.

        Args:
            atoms: The changes.
            whom: Says whom one affects, as HTML; nothing where that is clear.
        """
        for atom in atoms:
            notes = whom(atom), describe_causes(atom, write_line_place), *self._states(atom)
            yield self._write(atom.change, atom.change.path, notes)

    def write_changes(self, changes: Iterable[Change]) -> Iterator[str]:
        """Yield the rows of one minion's changes, in the same way."""
        yield from (self._write(change, change.path, ()) for change in changes)

    def _write(self, change: Change, path: KeyPath, notes: Iterable[str]) -> str:
        if self._length > MAX_BYTES:
            return ""
        below = "".join(f"<br><small>{note}</small>" for note in notes if note)
        row = self._rows.write(change, path, self._next_anchor(path), notes=below)
        self._length += len(row)
        return row

    def _next_anchor(self, path: KeyPath) -> str:
        anchor = self._prefix + anchor_of(path)
        self._anchors[anchor] += 1
        times = self._anchors[anchor]
        return anchor if times == 1 else f"{anchor}~{times}"


def write_line_place(place: str) -> str:
    """Return ``file:line`` as HTML."""
    file, _, line = place.rpartition(":")
    if file and line.isdecimal():
        return write_place(file, int(line))
    return f"<code>{escape(make_visible(place))}</code>"
