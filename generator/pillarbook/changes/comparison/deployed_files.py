"""The changed files that states deploy: their content is not compared, which is said.

A state names such a file, or a folder above it, by its address: ``source: salt://web/web.conf``.
"""

from collections.abc import Callable, Iterator, Mapping

from pillarbook.model import MapNode
from pillarbook.model.phrases import count, list_some
from pillarbook.model.tree import all_leaves

MAX_NAMED = 5
"""Files that a note names before it counts the others."""
SALT = "salt://"
"""Begins the address of a file below the roots."""


class DeployedFiles:
    """Notes for each minion which changed files its states deploy.

    ``clean`` returns a file's name as it is shown, once all secrets are known.
    """

    def __init__(self, clean: Callable[[str], str]) -> None:
        self._clean = clean
        # By the states, which minions of one scope share, so that each is searched once.
        self._known: dict[MapNode, tuple[str, ...]] = {}
        self._of: dict[str, tuple[str, ...]] = {}

    def find(self, states: MapNode, changed: Mapping[str, str]) -> tuple[str, ...]:
        """Return the changed files that arguments of states name.

        ``changed`` has the names of files below the roots, and their paths.
        """
        if not changed:
            return ()
        known = self._known.get(states)
        if known is None:
            sources = _sources_in(states)
            known = self._known[states] = tuple(
                path for name, path in changed.items() if _is_named(name, sources)
            )
        return known

    def note(self, minion: str, files: tuple[str, ...]) -> None:
        """Note the files that the states of a minion deploy."""
        if files:
            self._of[minion] = files

    def of(self, minion: str) -> tuple[str, ...]:
        """Return the files that the states of a minion deploy."""
        return self._of.get(minion, ())

    def has(self, shown: str) -> bool:
        """Say whether states of any minion deploy a file, by its name as it is shown."""
        return shown in self._shown()

    def describe(self) -> Iterator[str]:
        """Yield the sentence that these files are not compared."""
        if self._of:
            named = list_some(sorted(self._shown()), MAX_NAMED, str)
            yield (
                "states deploy changed files whose content is not compared, on"
                f" {count(len(self._of), 'minion')}: {named}"
            )

    def _shown(self) -> set[str]:
        return {self._clean(file) for files in set(self._of.values()) for file in files}


def _sources_in(states: MapNode) -> frozenset[str]:
    """Return the addresses below the roots that arguments name, without a query."""
    return frozenset(
        leaf.value.removeprefix(SALT).partition("?")[0].strip("/")
        for leaf in all_leaves(states)
        if isinstance(leaf.value, str) and leaf.value.startswith(SALT)
    )


def _is_named(name: str, sources: frozenset[str]) -> bool:
    """Say whether a file, or a folder above it (as ``file.recurse`` names it), is a source."""
    parts = name.split("/")
    return any("/".join(parts[:end]) in sources for end in range(1, len(parts) + 1))
