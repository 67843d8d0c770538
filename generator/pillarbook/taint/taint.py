"""Marks values that are derived from secrets, by a second compile.

If a template, a target or an external pillar read a secret, the minion is compiled again with
placeholders for all secrets. A value that then differs is derived from a secret, however it was
computed, and is marked as secret. More compiles, each with only some secrets replaced, find out
which secret it is derived from.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project, Remembered
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, Leaf, MapNode, Node, Position, SecretOrigin, leaves
from pillarbook.model.limited_cache import LimitedCache, RecentCache
from pillarbook.redact import Rules
from pillarbook.redact.placeholder_texts import Shape
from pillarbook.redact.placeholders import Choice, Secret, SecretPlaceholders, identify
from pillarbook.taint.gather_sources import TaintSource
from pillarbook.taint.opened_secrets import find_opened, is_marked
from pillarbook.taint.placeholder_copies import PlaceholderCopies, TextSearches
from pillarbook.taint.placeholder_runs import PlaceholderTrials, with_placeholders
from pillarbook.taint.secret_answers import has_secret
from pillarbook.taint.taint_readers import TaintReaders
from pillarbook.taint.taint_sources import (
    TaintSources,
    attribute,
    find_roots,
    shows_decrypted,
    trees_read,
)
from pillarbook.taint.tainted_names import TaintedNames
from pillarbook.taint.tree_differences import (
    DifferenceKind,
    Mark,
    TreeComparer,
    TreeDifference,
    TreeDifferences,
)
from pillarbook.taint.written_secrets import WrittenSecrets

# Protects memory. A part that is no longer cached is searched again.
MAX_PARTS = 100_000
"""The most parts whose secrets are cached; then the cache is emptied."""

RULE = "secret-branch"
# Each has a memo for a whole fleet.
MAX_KEPT = 8
"""The projects with placeholders that are kept, and as many that were not asked for lately."""
COMPUTED: KeyPath = ("a computed name",)
"""The path of a derived name if none of its secrets has a path in the pillar."""
Marks: TypeAlias = dict[tuple[KeyPath, int | None], str]
"""Reasons by leaf path, for the leaf (None) or for one of its overridden origins (the index)."""
_Kept: TypeAlias = tuple[int, Shape, Choice | None, frozenset[str]]
"""The project, the shape of the placeholders, which secrets they replace, and the secrets that
templates contain."""
Compile = Callable[[Minion, Project], CompiledPillar]


class TaintMarker:
    """Marks the values in compiled pillars that are derived from secrets."""

    def __init__(self, project: Project, rules: Rules, key: bytes, compile_: Compile) -> None:
        self._rules = rules
        self._key = key
        self._compile = compile_
        self._comparer = TreeComparer()
        self._names = TaintedNames()
        judge = TaintReaders(rules)
        functions = frozenset(
            name
            for name, declared in project.functions.items()
            if has_secret(name, declared, judge)
        )
        self._taint_readers = TaintReaders(rules, functions, project.fleet, project.options.values)
        self._real = SecretsRead(self._taint_readers)
        self._written = WrittenSecrets(rules)
        self._searches = TextSearches()
        # By project, shape of the placeholders and literals in templates: the second compiles of
        # two minions differ in nothing else (docs/decisions/0015). The project is kept with the
        # result, so that no other object gets its id.
        self._kept = RecentCache[_Kept, tuple[Project, SecretPlaceholders, Project]](MAX_KEPT)

    def mark(
        self, compiled: CompiledPillar, minion: Minion, project: Project, *, briefly: bool = False
    ) -> CompiledPillar:
        """Return a minion's pillar in which derived values are marked as secret.

        ``briefly`` leaves out the compiles that find out which secret it is.
        """
        written = self._written.find(compiled)
        if not written and not self._taint_readers.is_exposed(compiled, minion):
            return compiled
        # Not during a minion, because its comparisons use earlier results of the comparer.
        self._comparer.trim()
        run = partial(self._run, compiled, minion, project, frozenset(written))
        trials = PlaceholderTrials(compiled, self._comparer, run)
        found = trials.find()
        names = self._names.find(compiled, trials.first, found, minion, project)
        _, placeholders = self._prepare(project, Shape.LONG, None, frozenset(written))
        opened = find_opened(compiled.tree, trials.first.tree, placeholders)
        # A file that gpg decrypts as a whole is redacted as a whole (docs/decisions/0015).
        found, named = self._open_of(found, compiled, opened), self._named_of(found)
        lost = self._find_lost(trials)
        if not (found or named or lost or names):
            return compiled
        roots = find_roots(
            compiled,
            minion,
            project,
            self._taint_readers,
            trials.first,
            placeholders,
            opened,
            written,
            named,
        )
        named = () if TaintSources(roots, certain=False).is_text else named
        if briefly:
            made = dict.fromkeys(found, TaintSources(roots, certain=False))
        else:
            copies = PlaceholderCopies(trials.first.tree, placeholders, self._searches)
            made = attribute((*found, *named), roots, trials.find_with, copies)
        if all(root.secret is not None for root in roots):
            made = _without_text(made, named)
        made = _without_opened(made)
        blamed = TaintSources(tuple(root for root in roots if root.asked) or roots, certain=False)
        if blamed.is_text:
            lost = [one for one in lost if not self._is_secret(one)]
        marks: Marks = {(one.path, None): blamed.words for one in lost}
        marks.update(_marks(made))
        said = dict.fromkeys([*_describe_branches(made), *_describe_lost(lost, blamed)])
        return replace(
            compiled,
            tree=self._marked(compiled.tree, marks),
            diagnostics=tuple(dict.fromkeys([*compiled.diagnostics, *said])),
            secret_names=_with_paths(names, roots),
        )

    def _marked(self, tree: MapNode, marks: Marks) -> MapNode:
        in_order: tuple[Mark, ...] = tuple((*place, words) for place, words in marks.items())
        made = self._comparer.mark(tree, in_order)
        assert isinstance(made, MapNode)  # noqa: S101 (so was the pillar)
        return made

    def _run(
        self,
        compiled: CompiledPillar,
        minion: Minion,
        project: Project,
        written: frozenset[str],
        shape: Shape,
        choice: Choice | None,
    ) -> CompiledPillar:
        """Compile a minion with placeholders; this always uses recorded reads."""
        changed, placeholders = self._prepare(project, shape, choice, written)
        if not project.memo:
            changed = replace(changed, remembered=_afresh(project))
        placeholders.real.update(self._real.find(compiled))
        grains = placeholders.of_data((), dict(minion.grains))
        return self._compile(replace(minion, grains=grains), changed)

    def _prepare(
        self, project: Project, shape: Shape, choice: Choice | None, written: frozenset[str]
    ) -> tuple[Project, SecretPlaceholders]:
        """Return a project with placeholders for all secrets, the same for all minions if possible.

        Only minions whose templates contain other literal secrets get another project.
        """
        kept_as = (id(project), shape, choice, written)
        kept = self._kept.get(kept_as)
        if kept is not None:
            kept[1].trim()
            return kept[2], kept[1]
        sealed = project.decryptor.sealed
        placeholders = SecretPlaceholders(
            self._rules, self._key, shape, sealed, choice, written=written
        )
        made = with_placeholders(project, placeholders, self._taint_readers)
        made = replace(made, remembered=_afresh(project))
        self._kept[kept_as] = project, placeholders, made
        return made, placeholders

    def _open_of(
        self, found: TreeDifferences, compiled: CompiledPillar, opened: Collection[KeyPath]
    ) -> TreeDifferences:
        """Return the differences that are not the secrets themselves."""
        whole_files = shows_decrypted(compiled)
        return tuple(one for one in found if self._is_open(one, opened, whole_files=whole_files))

    def _is_open(
        self, found: TreeDifference, opened: Collection[KeyPath], *, whole_files: bool
    ) -> bool:
        if found.kind in (DifferenceKind.BEYOND, DifferenceKind.ORDER):
            return True
        if found.kind is not DifferenceKind.OVERRIDDEN and is_marked(found.node):
            return whole_files and found.kind is DifferenceKind.VALUE and found.path not in opened
        return not self._is_secret(found)

    def _named_of(self, found: TreeDifferences) -> TreeDifferences:
        """Return derived values that are also secret by their key or form.

        They are redacted in any case, but as plain text of the tree. Their tokens would tell who
        guesses a secret whether the guess is right (docs/decisions/0022).
        """
        return tuple(
            one
            for one in found
            if one.kind in (DifferenceKind.VALUE, DifferenceKind.OVERRIDDEN)
            and not (one.is_itself or is_marked(one.node) or isinstance(one.origin, SecretOrigin))
            and self._is_secret(one)
        )

    def _is_secret(self, found: TreeDifference) -> bool:
        """Say whether the rules call the value of a difference secret."""
        if found.kind is DifferenceKind.OVERRIDDEN:
            origin = found.origin
            assert origin is not None  # noqa: S101 (it is one of them)
            return self._rules.find_reason((*found.path, *origin.below), origin.value) is not None
        return isinstance(found.node, Leaf) and self._taint_readers.is_secret(
            found.path, found.node
        )

    def _find_lost(self, trials: PlaceholderTrials) -> list[TreeDifference]:
        """Return the leaves of files that do not render with placeholders."""
        if trials.lost is not None and not trials.lost:
            return []
        return [
            TreeDifference(DifferenceKind.VALUE, path, node)
            for path, node, _ in leaves(trials.tree)
            if isinstance(node, Leaf) and trials.touches(node) and not is_marked(node)
        ]


def _without_opened(
    made: Mapping[TreeDifference, TaintSources],
) -> dict[TreeDifference, TaintSources]:
    """Leave out parts of messages that have no name, because they are secret themselves."""

    def is_part(found: TreeDifference, roots: TaintSources) -> bool:
        return is_marked(found.node) and any(root.secret is None for root in roots.roots)

    return {found: roots for found, roots in made.items() if not is_part(found, roots)}


def _without_text(
    made: Mapping[TreeDifference, TaintSources], named: TreeDifferences
) -> dict[TreeDifference, TaintSources]:
    """Leave out values that are secret by their key and made of plain text of the tree.

    A secret without a name may have the same text as plain text of the tree.
    """
    of_text = {one for one in named if one in made and made[one].is_text}
    return {found: roots for found, roots in made.items() if found not in of_text}


def _marks(made: Mapping[TreeDifference, TaintSources]) -> Marks:
    """Return the marks for differences: on leaves, and on overridden origins."""
    marks: Marks = {}
    for found, roots in made.items():
        if found.kind is DifferenceKind.OVERRIDDEN:
            marks[found.path, found.at] = roots.words
        elif found.kind in (DifferenceKind.VALUE, DifferenceKind.ALONE) and isinstance(
            found.node, Leaf
        ):
            marks[found.path, None] = roots.words
    return marks


def _with_paths(
    names: Iterable[str], roots: Sequence[TaintSource]
) -> tuple[tuple[str, KeyPath], ...]:
    """Return names, each with the path of a secret that it may be computed from."""
    paths = [root.path for asked in (True, False) for root in roots if root.asked is asked]
    path = next((one for one in paths if one), COMPUTED)
    return tuple((name, path) for name in names)


def _describe_branches(made: Mapping[TreeDifference, TaintSources]) -> Iterable[Diagnostic]:
    """Describe, for each file, the secrets that decide whether its values exist."""
    places: dict[tuple[str, TaintSources], int | None] = {}
    for found, roots in made.items():
        is_branch = found.kind not in (DifferenceKind.VALUE, DifferenceKind.OVERRIDDEN)
        if (is_branch or not isinstance(found.node, Leaf)) and found.origin is not None:
            key = (found.origin.file, roots)
            lines = [places.get(key), found.origin.line]
            places[key] = min((line for line in lines if line is not None), default=None)
    for (file, roots), line in places.items():
        what = "ciphertext" if roots.sealed else "a secret"
        message = f"{what} decides which values exist here: {roots.names}"
        yield _new_diagnostic(message, Position(file, line), roots)


def _describe_lost(lost: Sequence[TreeDifference], blamed: TaintSources) -> Iterable[Diagnostic]:
    """Describe, for each file that fails with placeholders, why all of it is redacted."""
    for file in dict.fromkeys(one.origin.file for one in lost if one.origin is not None):
        message = (
            f"this file does not render with another text instead of {blamed.names}, so all its"
            " values are redacted"
        )
        yield _new_diagnostic(message, Position(file, 1), blamed)


def _new_diagnostic(message: str, position: Position, roots: TaintSources) -> Diagnostic:
    only = roots.roots[0] if len(roots.roots) == 1 else None
    return new_diagnostic(
        RULE,
        message,
        position,
        path=None if only is None else only.path,
        remedy="the values that exist reveal something about the secret; do not use it in a"
        " condition or a key",
    )


def _afresh(project: Project) -> Remembered:
    """Return an empty memo that keeps only the compiled templates, which are slow to make."""
    return Remembered(environments=project.remembered.environments)


class SecretsRead:
    """Finds the secrets that readers could read; parts that minions share are searched once."""

    def __init__(self, taint_readers: TaintReaders) -> None:
        self._taint_readers = taint_readers
        self._known = LimitedCache[tuple[Hashable, Node], frozenset[Secret]](MAX_PARTS)

    def find(self, compiled: CompiledPillar) -> Iterator[Secret]:
        """Yield the identity of each secret that the readers of one compile could read."""
        for tree in trees_read(compiled):
            for key, node in tree.items.items() if isinstance(tree, MapNode) else ():
                known = self._known.get((key, node))
                if known is None:
                    below = self._taint_readers.secrets_below(node, (key,))
                    known = frozenset(identify(leaf.value) for _, leaf in below)
                    self._known[key, node] = known
                yield from known
