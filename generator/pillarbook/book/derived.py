"""What is derived from secrets: found by compiling a minion twice.

Where a compile showed a secret to a template, a target or an external pillar, it is repeated with
stand-ins in the place of secrets. What then differs is derived from one, whatever was computed,
and is marked as secret. Which secret it is made of, further compiles tell, with only some of the
secrets replaced.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from pillarbook.book.derived_names import DerivedNames
from pillarbook.book.exposure import Exposure
from pillarbook.book.secret_roots import (
    Root,
    Roots,
    attribute,
    find_roots,
    secret_answers,
    shows_decrypted,
)
from pillarbook.book.stand_in_runs import Trials, with_stand_ins
from pillarbook.book.tree_differences import Difference, Found, Kind, Mark, TreeComparer
from pillarbook.book.written_secrets import WrittenSecrets
from pillarbook.compile.pillar import CompiledPillar
from pillarbook.compile.project import Project, Remembered
from pillarbook.diagnostics import Diagnostic
from pillarbook.diagnostics.rules import RULES
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, Leaf, MapNode, Node, Position, leaves
from pillarbook.redact import Rules
from pillarbook.redact.stand_in_texts import Shape
from pillarbook.redact.stand_ins import Choice, SecretStandIns, is_ciphertext

RULE = "secret-branch"
MOST_KEPT = 8
"""Projects with stand-ins that are kept, each with all that it remembers."""
COMPUTED: KeyPath = ("a computed name",)
"""The path of a name of whose secrets none has a path in the pillar."""
OPENED = ("gpg renderer", "nacl renderer")
"""Marks of what a renderer opened; where a template came after it, the whole file has them."""
Marks: TypeAlias = dict[tuple[KeyPath, int | None], str]
"""Words for leaves (None) and for origins that they overrode (which)."""
_Kept: TypeAlias = tuple[int, Shape, frozenset[str]]
"""The project, the shape of the stand-ins, and what templates spell out."""
Compile = Callable[[Minion, Project], CompiledPillar]


class DerivedValues:
    """Marks what is derived from secrets in one compiled pillar after the other.

    Args:
        project: What the compiles have in common.
        rules: What is secret.
        key: What stand-ins are drawn with.
        compile_: Compiles a minion; a failure is its outcome.
    """

    def __init__(self, project: Project, rules: Rules, key: bytes, compile_: Compile) -> None:
        self._rules = rules
        self._key = key
        self._compile = compile_
        self._comparer = TreeComparer()
        self._names = DerivedNames()
        judge = Exposure(rules)
        functions = frozenset(
            name
            for name, declared in project.functions.items()
            if any(True for _ in secret_answers(name, declared, judge))
        )
        self._exposure = Exposure(rules, functions, project.fleet)
        self._written = WrittenSecrets(self._exposure)
        self._kept: dict[_Kept, tuple[Project, SecretStandIns, Project]] = {}

    def mark(
        self, compiled: CompiledPillar, minion: Minion, project: Project, *, briefly: bool = False
    ) -> CompiledPillar:
        """Return a minion's pillar with marks on what is derived from secrets.

        Args:
            compiled: The pillar.
            minion: The minion as it was compiled.
            project: What it was compiled with.
            briefly: Whether no further compiles are to tell which secret it is.
        """
        written = self._written.find(compiled)
        if not written and not self._exposure.is_exposed(compiled, minion):
            return compiled
        self._comparer.trim()
        run = partial(self._run, minion, project, frozenset(written))
        trials = Trials(compiled, self._comparer, run)
        found = trials.find()
        names = self._names.find(compiled, trials.first, found, minion, project)
        opened = self._find_opened(compiled, trials.first, project, frozenset(written))
        found = self._open_of(found, compiled, opened)
        lost = self._find_lost(trials)
        if not (found or lost or names):
            return compiled
        roots = find_roots(compiled, minion, project, self._exposure, trials.first, opened, written)
        if briefly:
            made = dict.fromkeys(found, Roots(roots, certain=False))
        else:
            made = attribute(found, roots, trials.find_with)
        made = _without_opened(made)
        blamed = Roots(tuple(root for root in roots if root.asked) or roots, certain=False)
        marks: Marks = {(one.path, None): blamed.words for one in lost}
        marks.update(_marks(made))
        said = dict.fromkeys([*_tell_branches(made), *_tell_lost(lost, blamed)])
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
        minion: Minion,
        project: Project,
        written: frozenset[str],
        shape: Shape,
        choice: Choice | None,
    ) -> CompiledPillar:
        """Compile a minion with stand-ins; it is done with recorded reads, memo or not."""
        changed, stand_ins = self._prepare(project, shape, choice, written)
        if not project.memo:
            changed = replace(changed, remembered=_afresh(project))
        grains = stand_ins.of_data((), dict(minion.grains))
        return self._compile(replace(minion, grains=grains), changed)

    def _prepare(
        self, project: Project, shape: Shape, choice: Choice | None, written: frozenset[str]
    ) -> tuple[Project, SecretStandIns]:
        """Return a project with stand-ins: for all secrets, the same one for all minions.

        It is another one only for minions whose templates spell out other secrets of theirs.
        """
        kept = self._kept.get((id(project), shape, written))
        if choice is None and kept is not None:
            kept[1].trim()
            return kept[2], kept[1]
        sealed = project.decryptor.sealed
        stand_ins = SecretStandIns(self._rules, self._key, shape, sealed, choice, written=written)
        made = with_stand_ins(project, stand_ins, self._exposure)
        made = replace(made, remembered=_afresh(project))
        if choice is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[id(project), shape, written] = (
                project,
                stand_ins,
                made,
            )  # so its id stays its own
        return made, stand_ins

    def _find_opened(
        self,
        compiled: CompiledPillar,
        trial: CompiledPillar,
        project: Project,
        written: frozenset[str],
    ) -> frozenset[KeyPath]:
        """Return where something stands as it was decrypted: its stand-in is what it had to be."""
        _, stand_ins = self._prepare(project, Shape.LONG, None, written)
        found = set()
        theirs = {path: node for path, node, _ in leaves(trial.tree)}
        for path, node, _ in leaves(compiled.tree):
            if isinstance(node, Leaf) and is_marked(node) and path in theirs:
                other = theirs[path]
                is_itself = is_ciphertext(node.value) or (
                    isinstance(other, Leaf) and other.value == stand_ins.of_value(node.value)
                )
                if is_itself:
                    found.add(path)
        return frozenset(found)

    def _open_of(self, found: Found, compiled: CompiledPillar, opened: frozenset[KeyPath]) -> Found:
        """Return the differences that are not the secrets themselves."""
        whole_files = shows_decrypted(compiled)
        return tuple(one for one in found if self._is_open(one, opened, whole_files=whole_files))

    def _is_open(self, found: Difference, opened: frozenset[KeyPath], *, whole_files: bool) -> bool:
        node = found.node
        if found.kind is Kind.OVERRIDDEN:
            origin = found.origin
            assert origin is not None  # noqa: S101 (it is one of them)
            return self._rules.find_reason((*found.path, *origin.below), origin.value) is None
        if found.kind in (Kind.BEYOND, Kind.ORDER) or not isinstance(node, Leaf):
            return True
        if is_marked(node):
            return whole_files and found.kind is Kind.VALUE and found.path not in opened
        return not self._exposure.is_secret(found.path, node)

    def _find_lost(self, trials: Trials) -> list[Difference]:
        """Return the leaves of files that do not render with stand-ins."""
        if trials.lost is not None and not trials.lost:
            return []
        return [
            Difference(Kind.VALUE, path, node)
            for path, node, _ in leaves(trials.tree)
            if isinstance(node, Leaf)
            and trials.touches(node)
            and not self._exposure.is_secret(path, node)
        ]


def is_marked(node: Node) -> bool:
    """Say whether a node is marked as what a renderer opened."""
    return isinstance(node, Leaf) and (node.secret or "").startswith(OPENED)


def _without_opened(made: Mapping[Difference, Roots]) -> dict[Difference, Roots]:
    """Leave out what is part of a message that nobody knows by name: it is secret by itself."""

    def is_part(found: Difference, roots: Roots) -> bool:
        return is_marked(found.node) and any(root.secret is None for root in roots.roots)

    return {found: roots for found, roots in made.items() if not is_part(found, roots)}


def _marks(made: Mapping[Difference, Roots]) -> Marks:
    """Return the marks of differences: on leaves, and on what they overrode."""
    marks: Marks = {}
    for found, roots in made.items():
        if found.kind is Kind.OVERRIDDEN:
            marks[found.path, found.at] = roots.words
        elif found.kind in (Kind.VALUE, Kind.ALONE) and isinstance(found.node, Leaf):
            marks[found.path, None] = roots.words
    return marks


def _with_paths(names: Iterable[str], roots: Sequence[Root]) -> tuple[tuple[str, KeyPath], ...]:
    """Return names with the path of a secret that they may be computed from."""
    paths = [root.path for asked in (True, False) for root in roots if root.asked is asked]
    path = next((one for one in paths if one), COMPUTED)
    return tuple((name, path) for name in names)


def _tell_branches(made: Mapping[Difference, Roots]) -> Iterable[Diagnostic]:
    """Say of each file which secrets its values are there or not for."""
    places: dict[tuple[str, Roots], int | None] = {}
    for found, roots in made.items():
        is_branch = found.kind not in (Kind.VALUE, Kind.OVERRIDDEN)
        if (is_branch or not isinstance(found.node, Leaf)) and found.origin is not None:
            key = (found.origin.file, roots)
            lines = [places.get(key), found.origin.line]
            places[key] = min((line for line in lines if line is not None), default=None)
    for (file, roots), line in places.items():
        what = "ciphertext" if roots.sealed else "a secret"
        message = f"which values are here depends on {what}: {roots.names}"
        yield _new_diagnostic(message, Position(file, line), roots)


def _tell_lost(lost: Sequence[Difference], blamed: Roots) -> Iterable[Diagnostic]:
    """Say of each file that does not render with stand-ins that all of it is hidden."""
    for file in dict.fromkeys(one.origin.file for one in lost if one.origin is not None):
        message = (
            f"this does not render with another text in the place of {blamed.names}, so all its"
            " values are hidden"
        )
        yield _new_diagnostic(message, Position(file, 1), blamed)


def _new_diagnostic(message: str, position: Position, roots: Roots) -> Diagnostic:
    only = roots.roots[0] if len(roots.roots) == 1 else None
    return Diagnostic(
        code=RULE,
        severity=RULES[RULE].severity,
        message=message,
        position=position,
        path=None if only is None else only.path,
        help="who sees which values there are learns of the secret; let something else decide",
    )


def _afresh(project: Project) -> Remembered:
    """Return what remembers nothing yet but how templates compile, which takes most of the time."""
    return Remembered(environments=project.remembered.environments)
