"""Names that are computed from secrets: keys, and words in messages.

A derived value is marked in its leaf. But a name occurs in many places: as a key, as an SLS, in an
error text. So the text of a derived name becomes a secret itself.
"""

import re
from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project, scope_of
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.inventory.minions import Minion
from pillarbook.model import Leaf, MapNode, Node
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.patterns.distinctive import is_distinctive
from pillarbook.taint.tree_differences import DifferenceKind, TreeDifferences

if TYPE_CHECKING:
    from pillarbook.compile.render_result import RenderResult

QUOTED = re.compile(r"[^\s'\"`,;(){}\[\]<>|=]+")
"""A word of a message; a quoted name has one or more words."""
PART = re.compile(r"[^./:@]+")
"""A part of a path, an SLS name or an address."""
MAX_KEPT = 50_000
"""The most renders whose names are cached; then the cache is emptied."""


class TaintedNames:
    """Finds names that exist only because of secrets; a render is processed once."""

    def __init__(self) -> None:
        # By the render: its questions never change.
        self._asked: dict[RenderResult, frozenset[str]] = LimitedCache(MAX_KEPT)

    def find(
        self,
        compiled: CompiledPillar,
        trial: CompiledPillar,
        found: TreeDifferences,
        minion: Minion,
        project: Project,
    ) -> tuple[str, ...]:
        """Return the names that only secrets lead to, without names that files contain."""
        if trial.raises is not None and compiled.raises is None:
            return ()
        said, said_there = (set(_texts(one)) for one in (compiled, trial))
        read, read_there = (set(self._read_names(one)) for one in (compiled, trial))
        new = {*_words(said - said_there), *_with_parts(read - read_there)}
        new.update(_keys_at(found, DifferenceKind.ALONE))
        instead = {*_words(said_there - said), *_with_parts(read_there - read)}
        instead.update(_keys_at(found, DifferenceKind.BEYOND))
        if not instead - new:
            return ()  # only something is missing, or fails
        # A common word would be redacted everywhere, which hides much and protects nothing.
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
        """Yield the names that state SLS files read."""
        if not isinstance(compiled, CompiledStates):
            return
        for result in compiled.sls.values():
            names = self._asked.get(result)
            if names is None:
                paths = (path for _, path in result.misses)
                asked = (*paths, *result.questions)
                names = self._asked[result] = frozenset(one for q in asked for one in _texts_in(q))
            yield from names


def _words(texts: Iterable[str]) -> Iterator[str]:
    """Yield the words of texts, and the parts of each word."""
    for text in texts:
        for word in QUOTED.findall(text):
            yield word
            yield from PART.findall(word)


def _texts(compiled: CompiledPillar) -> Iterator[str]:
    """Yield all texts about a compile: ids, names, errors."""
    yield from compiled.errors
    yield compiled.raises or ""
    for one in compiled.diagnostics:
        yield one.message
        yield one.help or ""
        yield from (key for key in one.path or () if isinstance(key, str))
    for verdict in compiled.targets:
        yield from (verdict.target, verdict.saltenv, *verdict.sls)


def _texts_in(question: Iterable[object]) -> Iterator[str]:
    """Yield the texts in a question, including those in its path."""
    for one in question:
        if isinstance(one, str):
            yield one
        elif isinstance(one, tuple):
            yield from _texts_in(one)


def _keys_at(found: TreeDifferences, kind: DifferenceKind) -> Iterator[str]:
    """Yield the last keys of the differences of one kind."""
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
    """Return the contents and names of the files that were rendered."""
    scope = scope_of(minion, project)
    spelled = []
    for file in {file for result in compiled.renders for file in result.files}:
        spelled.append(file.path.encode())
        for roots in (scope.roots, scope.states):
            known = roots.find(file.path, file.saltenv)
            if known is not None:
                spelled.append(known.content)
    return spelled
