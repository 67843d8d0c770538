"""Who can read what, as far as a run knows: the ways of values, and their ages."""

from collections.abc import Callable, Iterable

from pillarbook.book.access.ages import Place, find_value_ages
from pillarbook.book.access.ways import MinionWays, WayFinder
from pillarbook.compile.pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.roots.history import LineAge


class FleetAccess:
    """Tells of one minion after another.

    Args:
        project: What the compiles have in common.
        clean: Gives a name as it is shown.
    """

    def __init__(self, project: Project, clean: Callable[[str], str]) -> None:
        self._project = project
        self._clean = clean
        self._finder: WayFinder | None = None

    def forget(self) -> None:
        """Begin anew, because names are shown otherwise from now on."""
        self._finder = None

    def ways_of(self, compiled: CompiledPillar, inventory_file: str) -> MinionWays:
        """Return what tells the ways of one minion's values.

        Args:
            compiled: What it gets.
            inventory_file: The file that declares it.
        """
        if self._finder is None:
            self._finder = WayFinder(self._project, self._clean)
        return self._finder.of(compiled, inventory_file)

    def ages(self, places: Iterable[Place]) -> dict[Place, LineAge]:
        """Return when the lines of values last changed; nothing of files in no repository."""
        return find_value_ages(places, self._project)
