"""Who can read a secret after a change and could not read it before."""

from collections.abc import Iterator
from typing import Any

from pillarbook.compare.change import Change
from pillarbook.compare.diff import Diff
from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import secret_of


def find_secret_access(diff: Diff) -> dict[str, tuple[KeyPath, ...]]:
    """Return the minions that can newly read a secret, with the paths of these secrets.

    A secret that a minion had under another key is none, nor is another value of one that it had.
    New minions are not among them.
    """
    before: dict[str, set[int]] = {}
    for atom in diff.atoms:
        known = {secret for secret, _ in _secrets_in(atom.change.before)}
        for minion in atom.minions if known else ():
            before.setdefault(minion, set()).update(known)
    found: dict[str, dict[KeyPath, None]] = {}
    for atom in diff.atoms:
        given = new_secrets(atom.change)
        for minion in atom.minions if given else ():
            had = before.get(minion, set())
            paths = [path for secret, path in given.items() if secret not in had]
            if paths:
                found.setdefault(minion, {}).update(dict.fromkeys(paths))
    return {minion: tuple(paths) for minion, paths in found.items()}


def new_secrets(change: Change) -> dict[int, KeyPath]:
    """Return the secrets that a change gives, each with its path.

    Another value of a secret that was there is none.
    """
    if change.kind in ("moved", "reordered") or any(_secrets_in(change.before)):
        return {}
    return dict(_secrets_in(change.after, change.path))


def _secrets_in(data: Any, path: KeyPath = ()) -> Iterator[tuple[int, KeyPath]]:
    secret = secret_of(data)
    if secret is not None:
        yield secret.secret_id, path
    elif isinstance(data, dict):
        for key, part in data.items():
            yield from _secrets_in(part, (*path, key))
    elif isinstance(data, list | tuple):
        for at, part in enumerate(data):
            yield from _secrets_in(part, (*path, at))
