"""Prepares findings for output: redacts secrets, and combines equal findings."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.model import KeyPath, to_tagged
from pillarbook.redact import RedactedOrigin, RedactedPillar, to_json
from pillarbook.session.session import Session
from pillarbook.verify.conceal import Concealer, Hidden, dig
from pillarbook.verify.dump_causes import OF_THE_TREE, DumpCause, cause_of
from pillarbook.verify.dump_differences import ERRORS, Comparison, DumpDifference
from pillarbook.verify.inventory_changes import ABSENT, OTHER, InventoryChange
from pillarbook.verify.verification import DifferingMinion, ShownCause, ShownChange, ShownDifference


@dataclass(frozen=True, slots=True, eq=False)
class DumpFinding:
    """A minion that differs, with clear values."""

    pillar: RedactedPillar
    """Its pillar here."""
    comparison: Comparison
    """The differences from the dump."""
    hidden: Hidden
    causes: tuple[DumpCause, ...]
    """The possible reasons."""

    def __repr__(self) -> str:
        """Return the minion's id, never a value."""
        return f"Finding({self.pillar.minion!r})"


class Showing:
    """Removes secrets from findings."""

    def __init__(self, session: Session, concealer: Concealer) -> None:
        self._session = session
        self._concealer = concealer
        self._differences: dict[str, ShownDifference] = {}
        # By the cause before secrets are removed: many minions differ in the same way.
        self._causes: dict[Any, ShownCause] = {}

    def show(self, findings: Mapping[str, DumpFinding]) -> dict[str, DifferingMinion]:
        """Return all findings without secrets, which are all known by now."""
        self._concealer.learn((one.comparison, one.hidden) for one in findings.values())
        # Names may hold a secret of any minion, or of the dump.
        self._session.freeze_fleet_secrets()
        of_the_tree = tuple(
            cause_of(one, "possible")
            for one in self._session.shown.diagnostics
            if one.code in OF_THE_TREE and not one.minions and "file_roots" not in (one.path or ())
        )
        return {minion: self._show(one, of_the_tree) for minion, one in findings.items()}

    def _show(self, finding: DumpFinding, of_the_tree: tuple[DumpCause, ...]) -> DifferingMinion:
        causes = finding.causes
        if not any(cause.certainty == "proven" for cause in causes):
            causes += of_the_tree
        places = _origins_by_path(finding.pillar)
        differences: tuple[ShownDifference, ...] = ()
        if finding.pillar.raises is None:
            differences = tuple(
                self._show_difference(one, finding, places)
                for one in finding.comparison.differences
            )
        return DifferingMinion(
            outcome=finding.pillar.outcome,
            raises=self._cleaned(finding.pillar.raises),
            differences=differences,
            causes=tuple(dict.fromkeys(self._show_cause(cause) for cause in causes)),
        )

    def _show_difference(
        self, one: DumpDifference, finding: DumpFinding, places: Mapping[KeyPath, RedactedOrigin]
    ) -> ShownDifference:
        here = dump = None
        if one.ours is not None:
            data = dig(finding.pillar.data, one.path)
            here = self._concealer.conceal_copies(data, finding.hidden)
        if one.path == (ERRORS,) and one.kind == "only in the dump":
            dump = "Salt's words for what failed"
        elif one.kind != "only here":
            is_new = one.kind == "only in the dump"
            dump = self._concealer.conceal(one.path, one.theirs, finding.hidden, is_new=is_new)
        origin = places.get(one.path) if one.ours is not None else None
        made = ShownDifference(
            path=self._concealer.clean_path(one.path),
            kind=one.kind,
            here=here,
            dump=dump,
            file=self._cleaned(origin.file) if origin else None,
            line=origin.line if origin else None,
        )
        return self._differences.setdefault(self._text_of(made), made)

    def _text_of(self, one: ShownDifference) -> str:
        token = self._session.shown.token
        path = [to_tagged(key) for key in one.path]
        sides = [to_json(one.here, token), to_json(one.dump, token)]
        return json.dumps([path, one.kind, *sides, one.file, one.line])

    def _show_cause(self, cause: DumpCause) -> ShownCause:
        known = self._causes.get(cause.key)
        if known is None:
            known = self._causes[cause.key] = ShownCause(
                cause.code,
                cause.certainty,
                self._concealer.clean(cause.words),
                tuple(map(self._show_change, cause.changes)),
                self._cleaned(cause.at),
            )
        return known

    def _cleaned(self, text: str | None) -> str | None:
        return None if text is None else self._concealer.clean(text)

    def _show_change(self, change: InventoryChange) -> ShownChange:
        return ShownChange(
            change.what,
            self._concealer.clean_path(change.path),
            self._show_declared(change, change.value),
            self._show_declared(change, change.declared),
        )

    def _show_declared(self, change: InventoryChange, value: Any) -> Any:
        if value in (ABSENT, OTHER) or change.what in ("pillarenv", "saltenv"):
            return value
        if change.what == "pillar":
            return None  # its content is not shown
        return self._concealer.conceal(change.path, value)


def _origins_by_path(pillar: RedactedPillar) -> dict[KeyPath, RedactedOrigin]:
    """Return the origin of each value by path; of a mapping or list, that of its first leaf."""
    found: dict[KeyPath, RedactedOrigin] = {}
    for leaf in pillar.leaves:
        if leaf.origins:
            for end in range(1, len(leaf.path) + 1):
                found.setdefault(leaf.path[:end], leaf.origins[-1])
    return found
