"""The head of a comparison, opened again with some files changed."""

from pillarbook.changes.comparison.affected import AffectedMinions
from pillarbook.changes.comparison.known_marks import KnownMarks, PillarOfRoots, UnlikeMarksError
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import scope_of
from pillarbook.inventory.minions import Minion
from pillarbook.session.session import Session


class Trial:
    """Compiles the head's minions with some files changed.

    ``affected`` finds the minions that get other pillars than in the base, and in the head.
    """

    def __init__(
        self,
        sides: tuple[Session, Session],
        session: Session,
        affected: tuple[AffectedMinions, AffectedMinions],
        marks: KnownMarks,
    ) -> None:
        self._base, self._head = sides
        self._marks = marks
        self.session = session
        """The session with the changed files."""
        self._since_base, self._affected = affected
        # By the real id, because the names that a session lists may be redacted.
        self._minions = {session.fleet.declared(name).id: name for name in session.fleet.minions}

    def touches(self, compiled: CompiledPillar) -> bool:
        """Say whether a minion may get another pillar than in the head, or none."""
        name = self._minions.get(compiled.minion)
        if name is None:
            return True
        own = self._head.fleet.declared(self._head.fleet.shown_id(compiled.minion))
        return self._affected.touches(own, self.session.fleet.declared(name), compiled)

    def compile(
        self, compiled: CompiledPillar, base: CompiledPillar | None
    ) -> CompiledPillar | None:
        """Return the pillar of a minion, to compare it with its pillars in head and base.

        It is one of these two objects if it is the same, and None if there is no such minion with
        the changed files.
        """
        name = self._minions.get(compiled.minion)
        if name is None:
            return None
        if not self.touches(compiled):
            return compiled
        declared = self.session.fleet.declared(name)
        if base is not None and not self._differs_from_base(base, declared):
            return base
        compiler = self.session.compiler
        found = compiler.minion_compiler.compile_without_recording(declared, compiler.project)
        sides = [_with_roots(compiled, self._head)]
        if base is not None:
            sides.append(_with_roots(base, self._base))
        try:
            return self._marks.take_over(_with_roots(found, self.session), sides)
        except (UnlikeMarksError, RecursionError):  # a pillar may be too deep
            return compiler.compile_as(declared)

    def _differs_from_base(self, base: CompiledPillar, declared: Minion) -> bool:
        """Say whether a minion may get another pillar than in the base."""
        own = self._base.fleet.declared_by_id(base.minion)
        return self._since_base.touches(own, declared, base)

    @property
    def minions(self) -> frozenset[str]:
        """The ids of its minions."""
        return frozenset(self._minions)


def _with_roots(compiled: CompiledPillar, session: Session) -> PillarOfRoots:
    declared = session.fleet.declared_by_id(compiled.minion)
    return PillarOfRoots(compiled, scope_of(declared, session.compiler.project).roots)
