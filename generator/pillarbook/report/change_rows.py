"""Changes as rows: of two environments, or since a revision until a page is long enough."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import jinja2
from markupsafe import Markup

from pillarbook.compare.atoms import Atom
from pillarbook.compare.change import Change
from pillarbook.compare.fold import ListPosition, OwnKey, PathKey
from pillarbook.compare.outcomes import RESULTS
from pillarbook.compare.secret_pairs import describe_secrets
from pillarbook.model import KeyPath
from pillarbook.report.acknowledged_changes import describe_acknowledged
from pillarbook.report.diff_wording import describe_causes, describe_how_often
from pillarbook.report.few_values import show_orders
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.places import write_place
from pillarbook.report.row_ids import RowIds, row_id
from pillarbook.report.templates import find_macro
from pillarbook.report.told_changes import told_path
from pillarbook.report.value_html import TokenOf, is_tall, show_pair, write_code, write_text

MAX_DIFFED = 2000
"""Lines that two texts may have together to be compared line by line."""
# Protects the browser of who opens the page, and the size of the site: there is one such page for
# each minion that changes.
MAX_BYTES = 1_200_000
"""Length of the rows of a page, in characters."""
MAX_MINION_ROWS = 100
"""Changes that a minion's page lists."""


@dataclass(frozen=True, slots=True)
class MinionChange:
    """What has changed for one minion since the base."""

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


class ChangeRows:
    """Writes changes as rows of one page.

    ``names`` are those of both sides if they are environments, None for two revisions; ``prefix``
    begins the ids of rows, if the page has other rows for the same keys.
    """

    def __init__(
        self,
        templates: jinja2.Environment,
        token: TokenOf,
        names: tuple[str, str] | None = None,
        prefix: str = "",
    ) -> None:
        self._write_row = find_macro(templates, "change_row")
        self.token = token
        """Gives tokens of secrets."""
        named = names or ("before", "after")
        self._names = [Markup(write_text(name)) for name in named]  # noqa: S704 (escaped there)
        self._of_revision = names is None
        self._prefix = prefix
        self._ids = RowIds()
        self.length = 0
        """How long the rows are together, in characters."""

    def take_id(self, path: KeyPath) -> str:
        """Return an id for the next row about a path."""
        return self._ids.take(self._prefix + row_id(_name_positions(path)))

    def write(
        self, change: Change, path: KeyPath, notes: Iterable[str] = (), members: str | None = None
    ) -> str:
        """Return one change as a row: path, kind, before, after.

        ``path`` is shown, with or without list positions; ``notes`` are below it, as HTML;
        ``members`` are the affected minions, as HTML, if they have a column.
        """
        row: str = self._write_row(
            change,
            _name_positions(path),
            self.take_id(path),
            self._names,
            [Markup(note) for note in notes if note],  # noqa: S704 (escaped where written)
            describe_secrets(change),
            None if members is None else Markup(members),  # noqa: S704 (as above)
            tuple(map(Markup, show_pair(change.before, change.after, self.token))),
            by_lines=change.kind == "changed" and _are_long(change.before, change.after),
            of_revision=self._of_revision,
        )
        self.length += len(row)
        return row


class SinceRows:
    """Writes the rows of a page about the changes since a revision, until it is long enough."""

    def __init__(
        self, rows: ChangeRows, states: Callable[[Atom | FoldedAtoms], Iterable[str]] = lambda _: ()
    ) -> None:
        self._rows = rows
        self._states = states

    def write_told(self, told: Iterable[FoldedAtoms]) -> Iterator[str]:
        """Yield the rows of folded changes; a row is empty if there is no room for it."""
        for one in told:
            often = describe_how_often(one, write_code).strip()
            causes = describe_causes(one, write_line_place)
            known = describe_acknowledged(one.acknowledged)
            notes = (known, often, self._order_of(one), causes, *self._states(one))
            yield self._write(one.change, told_path(one), notes)

    def _order_of(self, told: FoldedAtoms) -> str:
        """Return what says in which order members of a list were and are, or which side has one."""
        orders = show_orders(told, self._rows.token)
        if orders is not None:
            return f"order of members: {' → '.join(map(write_code, orders))}"
        return "position before the change" if told.in_base else ""

    def write_exact(
        self, atoms: Iterable[Atom], whom: Callable[[Atom], str] = lambda _: ""
    ) -> Iterator[str]:
        """Yield the rows of exact changes; a row is empty if there is no room for it."""
        for atom in atoms:
            known, causes = (
                describe_acknowledged(atom.acknowledged),
                describe_causes(atom, write_line_place),
            )
            notes = known, whom(atom), causes, *self._states(atom)
            yield self._write(atom.change, atom.change.path, notes)

    def write_changes(self, changes: Iterable[Change]) -> Iterator[str]:
        """Yield the rows of one minion's changes; a row is empty if there is no room for it."""
        yield from (self._write(change, change.path, ()) for change in changes)

    def _write(self, change: Change, path: KeyPath, notes: Iterable[str]) -> str:
        if self._rows.length > MAX_BYTES:
            return ""
        return self._rows.write(change, path, notes)


def write_line_place(place: str, *, is_base: bool = False) -> str:
    """Return ``file:line`` as HTML; with ``is_base`` as the base has it."""
    file, _, line = place.rpartition(":")
    if file and line.isdecimal():
        return write_place(file, int(line), is_base=is_base)
    return write_code(place)


def _name_positions(path: KeyPath) -> KeyPath:
    signs = PathKey | OwnKey | ListPosition
    return tuple(str(key) if isinstance(key, signs) else key for key in path)


def _are_long(before: Any, after: Any) -> bool:
    """Say whether both are texts, one of several lines, and not too long to be compared so."""
    if not (isinstance(before, str) and isinstance(after, str)):
        return False
    breaks = before.count("\n") + after.count("\n")
    return (is_tall(before) or is_tall(after)) and breaks <= MAX_DIFFED
