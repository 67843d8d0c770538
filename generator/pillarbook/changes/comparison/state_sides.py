"""The states of a fleet on two sides; states that the change does not affect are not compiled.

A tree without a top file for states has no states, so nothing is compiled.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pillarbook.changes.comparison.affected import AffectedMinions
from pillarbook.changes.comparison.alike import are_declared_alike, is_same_data
from pillarbook.changes.comparison.side_files import read_allowed
from pillarbook.compare.outcomes import FAILING
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Scope, scope_of
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.inventory.minions import Minion
from pillarbook.model import MapNode
from pillarbook.model.limited_cache import recall
from pillarbook.model.phrases import count, list_some
from pillarbook.model.tree import all_leaves
from pillarbook.roots.commit_files import CommitFiles
from pillarbook.roots.file_access import Files
from pillarbook.session.minion_compiler import MinionCompiler
from pillarbook.session.session import Session
from pillarbook.supervise.render_limits import Watch

LARGEST = 16 * 1024 * 1024
"""Bytes; a larger file of states is not compared."""


@dataclass(frozen=True, slots=True)
class StatePair:
    """The states of a minion on both sides."""

    base: CompiledStates | None
    """Its states in the base; None for a new minion."""
    head: CompiledStates
    before: CompiledPillar | None
    """The pillar for its states in the base."""
    after: CompiledPillar
    """The pillar for its states in the head."""
    by_pillar_alone: bool
    """Whether the states differ only because of the pillar."""


class StatesOf:
    """Compiles the states of a session's minions, without noting diagnostics."""

    def __init__(self, session: Session) -> None:
        project, watch = session.compiler.project, session.compiler.project.watch
        assert isinstance(watch, Watch)  # noqa: S101 (as every session is opened)
        marking = session.compiler.minion_compiler
        clear = MinionCompiler(project, None, session.shown.store, watch, marking.state_switch)
        self.has_any = marking.has_states
        """Says whether there is a top file of states for a minion."""
        self.compile = marking.compile_states
        """Returns the states of a minion, with derived values marked for the redactor."""
        self.compile_unmarked = clear.compile_states
        """Compiles the states of a minion for a trial; the result must not be shown."""


class StateSides:
    """The states of both sides."""

    def __init__(
        self, base: Session, head: Session, affected: AffectedMinions, files: tuple[Files, Files]
    ) -> None:
        self._sessions = base, head
        self.base, self.head = StatesOf(base), StatesOf(head)
        """The states of each side."""
        self._affected = affected
        self.share = affected.share_states
        """Returns the options and roots of a minion's states on both sides."""
        self._files = files
        # By the two scopes, which decide the roots. The files stay the same while the sides are
        # open.
        self._differing: dict[tuple[int, int], bool] = {}
        # By path, since the roots of several scopes have the same files.
        self._differing_files: dict[Path, bool] = {}
        # The changed files that are no SLS, by the two scopes: names below the roots, and as shown.
        self._changed_sources: dict[tuple[int, int], dict[str, str]] = {}
        self.deployed = DeployedFiles(head.shown.clean_name)
        """The changed files that states deploy."""

    def files_differ(self, declared: Minion, other: Minion) -> bool:
        """Say whether any file below a minion's roots for states differs between the sides."""
        scopes, key = self._scopes_of(declared, other)
        if key not in self._differing:
            paths = {path for scope in scopes for path, _ in _files_of(scope)}
            self._differing[key] = any(map(self.differs, paths))
        return self._differing[key]

    def _scopes_of(
        self, declared: Minion, other: Minion
    ) -> tuple[tuple[Scope, Scope], tuple[int, int]]:
        """Return a minion's scopes on both sides, and their numbers."""
        base, head = (session.compiler.project for session in self._sessions)
        first, second = scope_of(other, base), scope_of(declared, head)
        return (first, second), (first.number, second.number)

    def differs(self, path: Path) -> bool:
        """Say whether a file differs on the other side, or is missing there."""
        return recall(self._differing_files, path, lambda: not self._is_same(path))

    def _is_same(self, path: Path) -> bool:
        base, head = self._files
        if isinstance(base, CommitFiles) and isinstance(head, CommitFiles):
            known = base.id_of(path)
            if known is not None and known == head.id_of(path):
                return True
        sides = zip(self._sessions, self._files, strict=True)
        before, after = (
            read_allowed(session.compiler.project.options, files, path, LARGEST)
            for session, files in sides
        )
        return before == after

    def touches(self, minion: str, pillar: CompiledPillar) -> bool:
        """Say whether files of a minion's states differ."""
        declared, other = self.declared(minion)
        if not self.has_any(minion) or other is None:
            return False
        if not self.files_differ(declared, other) or _lacks_data(pillar):
            return False
        states = self.head.compile_unmarked(declared, pillar)
        changed = self._changed_sources_of(declared, other)
        self.deployed.note(minion, self.deployed.find(states.tree, changed))
        # Nobody knows which files unknown states depend on.
        return states.are_unknown or self._affected.touches_states(declared, other, states)

    def _changed_sources_of(self, declared: Minion, other: Minion) -> Mapping[str, str]:
        """Return the changed files below a minion's roots that are no SLS, with their paths."""
        scopes, key = self._scopes_of(declared, other)
        if key not in self._changed_sources:
            shown = self._sessions[1].compiler.project.shown
            self._changed_sources[key] = {
                name: shown(path)
                for scope in scopes
                for path, name in _files_of(scope)
                if not name.endswith(".sls") and self.differs(path)
            }
        return self._changed_sources[key]

    def declared(self, minion: str) -> tuple[Minion, Minion | None]:
        """Return a minion as head and base declare it; None if the base lacks it."""
        base, head = self._sessions
        other = base.fleet.declared(minion) if base.fleet.has(minion) else None
        return head.fleet.declared(minion), other

    def has_any(self, minion: str) -> bool:
        """Say whether there are states for a minion on either side."""
        declared, other = self.declared(minion)
        return self.head.has_any(declared) or (other is not None and self.base.has_any(other))

    def compile(
        self, minion: str, before: CompiledPillar | None, after: CompiledPillar, *, affected: bool
    ) -> StatePair | None:
        """Return the states of a minion of the head if they may differ; else None.

        ``before`` is None for a new minion; ``affected`` says whether files of its states differ.
        """
        if not self.has_any(minion):
            return None
        if any(one is not None and _lacks_data(one) for one in (before, after)):
            return None  # the failure is reported, and there are no states
        declared, other = self.declared(minion)
        if before is None or other is None:
            return StatePair(None, self.head.compile(declared, after), None, after, False)
        alone = self._differ_by_pillar_alone(declared, other) and not affected
        if alone and _are_same(before, after):
            return None
        head = self.head.compile(declared, after)
        return StatePair(self.base.compile(other, before), head, before, after, alone)

    def _differ_by_pillar_alone(self, declared: Minion, other: Minion) -> bool:
        if not self._affected.is_comparable or not are_declared_alike(declared, other):
            return False
        return self.share(declared, other).is_alike


def _lacks_data(pillar: CompiledPillar) -> bool:
    return pillar.raises is not None or pillar.outcome == "failed"


def _are_same(before: CompiledPillar, after: CompiledPillar) -> bool:
    if before is after:
        return True
    if before.outcome in FAILING or after.outcome in FAILING:
        return False
    return is_same_data(before.tree, after.tree)


def _files_of(scope: Scope) -> Iterator[tuple[Path, str]]:
    trees = {tree.full: tree for _, tree in scope.states.trees()}
    for full, tree in trees.items():
        yield from ((Path(full, name), str(name)) for name in tree.names())


MAX_NAMED = 5
"""Files that a note names before it counts the others."""
SALT = "salt://"
"""Begins the address of a file below the roots."""


class DeployedFiles:
    """Notes for each minion which changed files its states deploy: their content is not compared.

    A state names such a file, or a folder above it, by its address: ``source: salt://web/web.conf``.

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
