"""The head of a comparison, opened again with some files changed."""

from pillarbook.changes.comparison.affected import AffectedMinions
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.session.session import Session


class Trial:
    """Compiles the head's minions with some files changed.

    Args:
        head: The session of the head.
        session: The head's session with the changed files.
        affected: Finds the minions that the changed files affect.
    """

    def __init__(self, head: Session, session: Session, affected: AffectedMinions) -> None:
        self._head = head
        self.session = session
        """The session with the changed files."""
        self._affected = affected
        # By the real id, because the names that a session lists may be redacted.
        self._minions = {session.fleet.declared(name).id: name for name in session.fleet.minions}

    def compile(self, compiled: CompiledPillar) -> CompiledPillar | None:
        """Return the pillar of a minion: the same object if it is not affected.

        Returns:
            None if there is no such minion with the changed files.
        """
        name = self._minions.get(compiled.minion)
        if name is None:
            return None
        declared = self.session.fleet.declared(name)
        own = self._head.fleet.declared(self._head.fleet.shown_id(compiled.minion))
        if not self._affected.touches(own, declared, compiled):
            return compiled
        return self.session.compiler.compile_as(declared)

    @property
    def minions(self) -> frozenset[str]:
        """The ids of its minions."""
        return frozenset(self._minions)
