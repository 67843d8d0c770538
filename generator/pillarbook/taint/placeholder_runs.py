"""Compiles one minion again with placeholders, and returns the differences.

If a template fails with a placeholder (because it parses the secret as a date, for example), the
compile is repeated with placeholders that resemble the secrets more. If a file fails both times,
all its values count as derived.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.compile.renderers.nacl import Nacl
from pillarbook.inventory.declared_functions import DeclaredAnswers, DeclaredCall, DeclaredFunction
from pillarbook.model import MapNode, Node
from pillarbook.redact.placeholder_texts import Shape
from pillarbook.redact.placeholders import (
    Choice,
    PlaceholderDecryptor,
    SecretPlaceholders,
    placeholder_box,
)
from pillarbook.roots.tree_interface import sls_of_path
from pillarbook.taint.secret_answers import asked_path, has_secret, is_store
from pillarbook.taint.taint_readers import TaintReaders
from pillarbook.taint.tree_differences import (
    DifferenceKind,
    TreeComparer,
    TreeDifference,
    TreeDifferences,
    overridden_by,
    place_of,
)

ERRORS = "_errors"
EXTERNAL = re.compile(r"the external pillar '([^']*)'")
PREFIX = "ext_pillar:"
Run = Callable[[Shape, Choice | None], CompiledPillar]
"""Compiles the minion with placeholders of a shape, for all secrets or for some."""


@dataclass(frozen=True, slots=True)
class PillarSource:
    """A file of the roots or an external pillar, as origins name it."""

    saltenv: str | None
    """The environment; None for an external pillar."""
    sls: str
    """The SLS name."""


# The first shape differs as much as possible; the second keeps length and character classes, for
# values that are parsed (docs/decisions/0015).
class PlaceholderTrials:
    """The compiles of one minion with placeholders."""

    def __init__(self, compiled: CompiledPillar, comparer: TreeComparer, run: Run) -> None:
        self._compiled = compiled
        self._comparer = comparer
        self._run = run
        self._shapes: tuple[Shape, ...] = (Shape.LONG,)
        self.tree = without_errors(compiled)
        """The original tree, without Salt's errors."""
        self.first = run(Shape.LONG, None)
        """The first compile."""
        self.lost: frozenset[PillarSource] | None = frozenset()
        """Sources that fail with placeholders; None if the whole compile fails."""

    def find(self) -> TreeDifferences:
        """Return the differences if all secrets are replaced; sets ``lost``."""
        failed = self._failures(self.first)
        if not failed and self.first.raises is None:
            return self._usable(self.first)
        again = self._run(Shape.ALIKE, None)
        self._shapes = (Shape.LONG, Shape.ALIKE)
        self.lost = self._lost_in(failed, again)
        return _joined([self._usable(self.first), self._usable(again)])

    def find_with(self, choice: Choice) -> TreeDifferences:
        """Return the differences if only some secrets are replaced."""
        return _joined([self._usable(self._run(shape, choice)) for shape in self._shapes])

    def touches(self, node: Node) -> bool:
        """Say whether a node has, or overrode, a value of a source that fails with placeholders."""
        return self.lost is None or _touches(node, self.lost)

    def _lost_in(
        self, failed: frozenset[PillarSource], again: CompiledPillar
    ) -> frozenset[PillarSource] | None:
        if self.first.raises is not None:
            return None if again.raises is not None else self._spread(self._failures(again))
        both = failed if again.raises is not None else failed & self._failures(again)
        return self._spread(both)

    def _usable(self, trial: CompiledPillar) -> TreeDifferences:
        """Return the differences that are not caused by a failure."""
        if trial.raises is not None:
            return ()
        found = self._comparer.compare(self.tree, without_errors(trial))
        failed = self._spread(self._failures(trial))
        if not failed:
            return found
        return tuple(
            one
            for one in found
            if one.kind is DifferenceKind.VALUE and not _touches(one.node, failed)
        )

    def _failures(self, trial: CompiledPillar) -> frozenset[PillarSource]:
        """Return the sources that fail with placeholders and did not fail without them."""
        return frozenset(_failed_in(trial)) - frozenset(_failed_in(self._compiled))

    def _spread(self, failed: frozenset[PillarSource]) -> frozenset[PillarSource]:
        """Return the failed sources and all that they include."""
        known = set(failed)
        edges = [
            (PillarSource(env, one), PillarSource(env, two))
            for env, one, two in self._compiled.includes
        ]
        while more := {below for above, below in edges if above in known} - known:
            known |= more
        return frozenset(known)


def _failed_in(compiled: CompiledPillar) -> Iterable[PillarSource]:
    for result in compiled.renders:
        if result.message is not None:
            read = result.files[0]
            yield PillarSource(read.saltenv, sls_of_path(read.path))
    for one in compiled.diagnostics:
        external = EXTERNAL.match(one.message)
        if external is not None:
            yield PillarSource(None, PREFIX + external.group(1))


def _touches(node: Node, parts: frozenset[PillarSource]) -> bool:
    named = ((origin.saltenv, origin.sls or "") for origin in (*node.origins, *overridden_by(node)))
    return any(
        PillarSource(env, sls) in parts or PillarSource(None, sls) in parts for env, sls in named
    )


def _joined(several: Iterable[TreeDifferences]) -> TreeDifferences:
    """Return all differences, each place once."""
    joined: dict[object, TreeDifference] = {}
    for found in several:
        for one in found:
            joined.setdefault(place_of(one), one)
    return tuple(joined.values())


def without_errors(compiled: CompiledPillar) -> MapNode:
    """Return a pillar without Salt's list of errors, which differs with any failure."""
    tree = compiled.tree
    if not compiled.errors or ERRORS not in tree.items:
        return tree
    return replace(tree, items={key: one for key, one in tree.items.items() if key != ERRORS})


def with_placeholders(
    project: Project, placeholders: SecretPlaceholders, taint_readers: TaintReaders
) -> Project:
    """Return a project for compiles with placeholders, which replace secrets in every input."""
    renderers = dict(project.renderers)
    nacl = renderers.get("nacl")
    if isinstance(nacl, Nacl) and nacl.open_box is not None:
        renderers["nacl"] = Nacl(placeholder_box(nacl.open_box, placeholders))
    functions = {
        name: _replaced_answers(name, declared, placeholders, taint_readers)
        for name, declared in project.functions.items()
    }
    return replace(
        project,
        renderers=renderers,
        functions=functions,
        fleet=[replace(one, mine=placeholders.of_data((), dict(one.mine))) for one in project.fleet]
        if taint_readers.is_mine_secret
        else project.fleet,
        decryptor=PlaceholderDecryptor(project.decryptor, placeholders),
        placeholders=placeholders,
        earlier=None,
        explains=False,
        memo=True,
    )


def _replaced_answers(
    name: str,
    declared: DeclaredFunction,
    placeholders: SecretPlaceholders,
    taint_readers: TaintReaders,
) -> DeclaredFunction:
    if not has_secret(name, declared, taint_readers):
        return declared

    def change(answers: DeclaredAnswers) -> DeclaredAnswers:
        def answer(data: object, call: DeclaredCall | None = None) -> object:
            path = asked_path(name, call, placeholders.rules)
            return placeholders.of_data(path, data, all_secret=is_store(name))

        calls = tuple(replace(call, answer=answer(call.answer, call)) for call in answers.calls)
        return DeclaredAnswers(calls, tuple(map(answer, answers.answers)))

    by_id = declared.by_id and tuple((glob, change(given)) for glob, given in declared.by_id)
    return DeclaredFunction(by_id, change(declared.for_all))
