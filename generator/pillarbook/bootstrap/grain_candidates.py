"""Values that a grain may have, by what the tree holds: files called after it, keys looked up."""

from collections.abc import Iterable, Iterator

from pillarbook.bootstrap.grain_reads import Lookup, NamePart, TemplateReads
from pillarbook.bootstrap.listing import read_config
from pillarbook.roots.environment_roots import Roots

# Larger files are data sets, in which every word would look like a value.
MAX_TEXT = 1024 * 1024
"""Bytes of a data file that is looked into."""
MAX_VALUES = 50
"""Values that one place may tell."""


def list_candidates(
    reads: Iterable[TemplateReads], roots: Roots
) -> Iterator[tuple[str, str | int]]:
    """Yield grains and values that the tree has something for, as often as it does."""
    known: dict[NamePart | Lookup, list[str | int]] = {}
    for one in reads:
        for part in one.names:
            if part not in known:
                known[part] = [*_named(part, roots)][:MAX_VALUES]
            yield from ((part.grain, value) for value in known[part])
        for lookup in one.lookups:
            if lookup not in known:
                known[lookup] = [*_looked_up(lookup, roots)][:MAX_VALUES]
            yield from ((lookup.grain, value) for value in known[lookup])


def _named(part: NamePart, roots: Roots) -> Iterator[str | int]:
    """Yield what is in a grain's place in the names of files that are there."""
    for saltenv in roots.environments:
        names = (*(roots.available(saltenv) or ()), *roots.names(saltenv))
        found = dict.fromkeys(_between(name, part) for name in names)
        yield from (value for value in found if value)


def _between(name: str, part: NamePart) -> str:
    if not name.startswith(part.before):
        return ""
    rest = name[len(part.before) :]
    end = rest.find(part.after) if part.after else len(rest)
    value = rest[:end] if end > 0 else ""
    return value if not any(sign in value for sign in "./") else ""


def _looked_up(lookup: Lookup, roots: Roots) -> Iterator[str | int]:
    """Yield the keys of imported data that a grain chooses from."""
    for saltenv in roots.environments:
        found = roots.find(lookup.file, saltenv)
        if found is None or len(found.content) > MAX_TEXT:
            continue
        data = read_config(found.content.decode("utf-8", "replace"))
        for key in lookup.path:
            data = data.get(key) if isinstance(data, dict) else None
        if isinstance(data, dict):
            yield from (key for key in data if isinstance(key, str | int))
