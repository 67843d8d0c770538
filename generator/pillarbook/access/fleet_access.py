"""Access paths and ages of the values of a fleet."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.redact import Redactor

if TYPE_CHECKING:
    from pillarbook.access.access_paths import AccessPathFinder, MinionAccessPaths
    from pillarbook.access.value_ages import ValueStart
    from pillarbook.model import KeyPath
    from pillarbook.redact.shown_access import AccessPath
    from pillarbook.roots.history import LineAge


@dataclass(eq=False)
class FleetAccess:
    """Lists the access paths of one minion at a time, and keeps those of the last one."""

    _project: Project
    _redactor: Redactor
    _inventory_of: Callable[[str], str]
    authors: bool = False
    """Whether the authors of commits are named."""
    _finder: "AccessPathFinder | None" = None
    _latest: "tuple[str, MinionAccessPaths] | None" = None

    def forget(self, *, names: bool) -> None:
        """Empty the caches.

        With ``names``, names are shown differently from now on.
        """
        self._latest = None
        if names:
            self._finder = None

    def latest(self, minion: str) -> "MinionAccessPaths | None":
        """Return the access paths of a minion, by its own id, if it was the last one asked for."""
        return self._latest[1] if self._latest is not None and self._latest[0] == minion else None

    def ways_of(self, compiled: CompiledPillar) -> "MinionAccessPaths":
        """Return the access paths of one minion's values."""
        from pillarbook.access.access_paths import AccessPathFinder  # noqa: PLC0415 (few commands ask)

        known = self.latest(compiled.minion)
        if known is not None:
            return known
        if self._finder is None:
            self._finder = AccessPathFinder(self._project, self._redactor.names.clean)
        ways = self._finder.of(compiled, self._inventory_of(compiled.minion))
        self._latest = compiled.minion, ways
        return ways

    def secrets_of(
        self, compiled: CompiledPillar
    ) -> "list[tuple[KeyPath, tuple[AccessPath, ...]]]":
        """Return the key paths of a minion's secrets, with their access paths."""
        self._latest = None  # it may have been compiled differently before
        ways = self.ways_of(compiled)
        try:
            secrets = list(self._redactor.find_secrets(compiled))
        except RecursionError:  # too deep for this, which ``redact`` reports
            return []
        return [(leaf.path, ways.find(leaf.origins[-1])) for leaf in secrets if leaf.origins]

    def ages(self, places: "Iterable[ValueStart]") -> "dict[ValueStart, LineAge]":
        """Return when the lines of values last changed, for files in repositories."""
        from pillarbook.access.value_ages import find_value_ages  # noqa: PLC0415 (few commands ask)

        found = find_value_ages(places, self._project, authors=self.authors)
        clean = self._redactor.names.clean
        return {
            place: replace(age, author=clean(age.author)) if age.author else age
            for place, age in found.items()
        }
