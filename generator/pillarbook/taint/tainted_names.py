"""Names that are computed from secrets: keys, and what messages quote.

A value that is derived from a secret is marked where it is. A name is in many places: it is
a key, an SLS, part of an error. So the text of one that is derived is itself a secret.
"""

import re
from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.compile.scopes import scope_of
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.inventory.minions import Minion
from pillarbook.model import Leaf, MapNode, Node
from pillarbook.patterns.distinctive import is_distinctive
from pillarbook.taint.tree_differences import DifferenceKind, TreeDifferences

if TYPE_CHECKING:
    from pillarbook.compile.render_file import RenderResult

QUOTED = re.compile(r"[^\s'\"`,;(){}\[\]<>|=]+")
"""A word of a message; what it quotes is one or more of them."""
PART = re.compile(r"[^./:@]+")
"""A part of a path, an SLS or an address."""
MAX_KEPT = 50_000
"""Renders whose questions' names are kept before all are let go."""


class TaintedNames:
    """Finds names that are there for the secrets only; what a render asked is processed once."""

    def __init__(self) -> None:
        # By the render: its questions never change once it is made.
        self._asked: dict[RenderResult, frozenset[str]] = {}

    def find(
        self,
        compiled: CompiledPillar,
        trial: CompiledPillar,
        found: TreeDifferences,
        minion: Minion,
        project: Project,
    ) -> tuple[str, ...]:
        """Return names that only secrets lead to, without those that files spell out."""
        if trial.raises is not None and compiled.raises is None:
            return ()
        said, said_there = (set(_texts(one)) for one in (compiled, trial))
        read, read_there = (set(self._read_names(one)) for one in (compiled, trial))
        new = {*_words(said - said_there), *_with_parts(read - read_there)}
        new.update(_keys_at(found, DifferenceKind.ALONE))
        instead = {*_words(said_there - said), *_with_parts(read_there - read)}
        instead.update(_keys_at(found, DifferenceKind.BEYOND))
        if not instead - new:
            return ()  # nothing else is named in its place: something is left out, or fails
        # A common word would be redacted wherever it occurs, which hides a pillar and protects
        # nothing.
        telling = [one for one in sorted(new - instead) if is_distinctive(one)]
        if not telling:
            return ()
        others = {*_words(said_there), *_with_parts(read_there), *_all_keys(trial.tree)}
        spelled = _spelled_out(compiled, minion, project)
        return tuple(
            one
            for one in telling
            if one not in others and not any(one.encode() in content for content in spelled)
        )

    def _read_names(self, compiled: CompiledPillar) -> Iterator[str]:
        """Yield the names of what state SLS asked for."""
        if not isinstance(compiled, CompiledStates):
            return
        if len(self._asked) > MAX_KEPT:
            self._asked.clear()
        for result in compiled.sls.values():
            names = self._asked.get(result)
            if names is None:
                paths = (path for _, path in result.misses)
                asked = (*paths, *result.questions)
                names = self._asked[result] = frozenset(one for q in asked for one in _texts_in(q))
            yield from names


def _words(texts: Iterable[str]) -> Iterator[str]:
    """Yield the words of texts, and the parts of each."""
    for text in texts:
        for word in QUOTED.findall(text):
            yield word
            yield from PART.findall(word)


def _texts(compiled: CompiledPillar) -> Iterator[str]:
    """Yield all that is said of a compile."""
    yield from compiled.errors
    yield compiled.raises or ""
    for one in compiled.diagnostics:
        yield one.message
        yield one.help or ""
        yield from (key for key in one.path or () if isinstance(key, str))
    for verdict in compiled.targets:
        yield from (verdict.target, verdict.saltenv, *verdict.sls)


def _texts_in(question: Iterable[object]) -> Iterator[str]:
    """Yield the texts of a question, those in its path included."""
    for one in question:
        if isinstance(one, str):
            yield one
        elif isinstance(one, tuple):
            yield from _texts_in(one)


def _keys_at(found: TreeDifferences, kind: DifferenceKind) -> Iterator[str]:
    """Yield the keys that lead to the differences of one kind."""
    for one in found:
        if one.kind is kind:
            yield from _with_parts(one.path)


def _all_keys(node: Node) -> Iterator[str]:
    if isinstance(node, Leaf):
        return
    if isinstance(node, MapNode):
        yield from _with_parts(node.items)
    for item in node.items.values() if isinstance(node, MapNode) else node.items:
        yield from _all_keys(item)


def _with_parts(keys: Iterable[Hashable]) -> Iterator[str]:
    for key in keys:
        if isinstance(key, str):
            yield from (key, *PART.findall(key))


def _spelled_out(compiled: CompiledPillar, minion: Minion, project: Project) -> list[bytes]:
    """Return the contents of the files that were rendered, and their names."""
    scope = scope_of(minion, project)
    spelled = []
    for file in {file for result in compiled.renders for file in result.files}:
        spelled.append(file.path.encode())
        for roots in (scope.roots, scope.states):
            known = roots.find(file.path, file.saltenv)
            if known is not None:
                spelled.append(known.content)
    return spelled
