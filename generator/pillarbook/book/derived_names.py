"""Names that are computed from secrets: keys, and what messages quote.

A value that is derived from a secret is marked where it stands. A name stands in many places: it is
a key, an SLS, part of an error. So the text of one that is derived is itself a secret.
"""

import re
from collections.abc import Hashable, Iterable, Iterator

from pillarbook.book.tree_differences import Found, Kind
from pillarbook.compile.highstate.highstate import CompiledStates
from pillarbook.compile.pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.compile.scopes import scope_of
from pillarbook.inventory.minions import Minion
from pillarbook.model import Leaf, MapNode, Node
from pillarbook.redact.telling import is_telling

QUOTED = re.compile(r"[^\s'\"`,;(){}\[\]<>|=]+")
"""A word of a message; what it quotes is one or more of them."""
PART = re.compile(r"[^./:@]+")
"""A part of a path, an SLS or an address."""


def find_derived_names(
    compiled: CompiledPillar,
    trial: CompiledPillar,
    found: Found,
    minion: Minion,
    project: Project,
) -> tuple[str, ...]:
    """Return texts in names that are there for the secrets only, without what files spell out.

    Args:
        compiled: The compile.
        trial: The same with stand-ins in the place of secrets.
        found: Where its tree differs.
        minion: The minion.
        project: What it was compiled with.
    """
    if trial.raises is not None and compiled.raises is None:
        return ()
    mine, theirs = ({*_words(one), *_read_names(one)} for one in (compiled, trial))
    mine.update(_keys_at(found, Kind.ALONE))
    theirs.update(_keys_at(found, Kind.BEYOND))
    if not theirs - mine:
        return ()  # nothing else is named in its place: something is left out, or fails
    new = [one for one in sorted(mine - theirs) if is_telling(one)]
    if not new:
        return ()
    theirs.update(_all_keys(trial.tree))
    spelled = _spelled_out(compiled, minion, project)
    return tuple(
        one
        for one in new
        if one not in theirs and not any(one.encode() in content for content in spelled)
    )


def _words(compiled: CompiledPillar) -> Iterator[str]:
    """Yield the words of all that is said of a compile."""
    for text in _texts(compiled):
        for word in QUOTED.findall(text):
            yield word
            yield from PART.findall(word)


def _texts(compiled: CompiledPillar) -> Iterator[str]:
    yield from compiled.errors
    yield compiled.raises or ""
    for one in compiled.diagnostics:
        yield one.message
        yield one.help or ""
        yield from (key for key in one.path or () if isinstance(key, str))
    for verdict in compiled.targets:
        yield from (verdict.target, verdict.saltenv, *verdict.sls)


def _read_names(compiled: CompiledPillar) -> Iterator[str]:
    """Yield the names of what state SLS asked for."""
    if isinstance(compiled, CompiledStates):
        for result in compiled.sls.values():
            for _, path in result.misses:
                yield from _texts_in(path)
            for question in result.questions:
                yield from _texts_in(question)


def _texts_in(question: Iterable[object]) -> Iterator[str]:
    for one in question:
        if isinstance(one, str):
            yield from (one, *PART.findall(one))
        elif isinstance(one, tuple):
            yield from _texts_in(one)


def _keys_at(found: Found, kind: Kind) -> Iterator[str]:
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
