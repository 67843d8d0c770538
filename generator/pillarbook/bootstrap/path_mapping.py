"""Where absolute paths of a master are in a folder: ``/srv/pillar`` is ``pillar`` here."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Any

from pillarbook.bootstrap.find_trees import Trees
from pillarbook.bootstrap.listing import Listing, join
from pillarbook.inventory.master_options import list_texts
from pillarbook.model.phrases import count_alike

_SYNCED = re.compile(r"""synced_folder\s*\(?\s*["']([^"']+)["']\s*,\s*["'](/[^"']+)["']""")
_WILD = re.compile(r"[*?\[]|__env__")


def map_paths(listing: Listing, wanted: Iterable[str], trees: Trees) -> dict[str, str]:
    """Return where absolute paths lie here, those that can be told."""
    wanted = tuple(wanted)
    found = dict(_read_vagrantfile(listing))
    taken = {here for path in wanted if (here := place_of(path, found)) is not None}
    # Two roots that end alike are two folders, of which one is private more often than not; the
    # shorter path is the plainer one.
    for path in sorted(wanted, key=lambda one: len(PurePosixPath(one).parts)):
        fixed = _fixed_part(path)
        if fixed is None or any(PurePosixPath(fixed).is_relative_to(one) for one in found):
            continue
        here, only = _find_here(listing, fixed), _only_pillar(fixed, trees)
        # `/srv/pillar/base` is not `salt/base`, although the last folders are called alike.
        if here is None or (only and here in listing.folders and not _names_pillar(here, only)):
            here = only
        if here is not None and here not in taken:
            taken.add(here)
            there, place = _shorten(fixed, here)
            found.setdefault(there, place)
    return found


def place_of(path: str, paths: Mapping[str, str]) -> str | None:
    """Return where an absolute path lies here; None if no folder above it is mapped."""
    full = PurePosixPath(path)
    for there in sorted(paths, key=len, reverse=True):
        if full.is_relative_to(there):
            return join(paths[there], str(full.relative_to(there)))
    return None


def map_root(path: str, roots: Iterable[str], listing: Listing) -> tuple[str, str] | None:
    """Return the folder of a master that is a root here, for a path below it; None if none is.

    ``/srv/pillar/id/web1.sls`` is below ``pillar`` or ``pillar/base`` if these have a folder
    ``id``; the file need not be there.
    """
    parts = PurePosixPath(path).parts
    for root in roots:
        for at in range(1, len(parts) - 1):
            below = join(root, parts[at + 1])
            is_here = below in listing.folders or below in listing.names
            if is_here and parts[at] in PurePosixPath(root).parts:
                return str(PurePosixPath(*parts[: at + 1])), root
    return None


def absolute_paths(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the absolute paths of a master's roots and external pillars, the pillar's first."""
    for name in ("pillar_roots", "file_roots", "ext_pillar", "hierarchy_pillar.data_path"):
        yield from (text for text in list_texts(options.get(name)) if text.startswith("/"))


def _read_vagrantfile(listing: Listing) -> Iterator[tuple[str, str]]:
    """Yield the folders that a Vagrantfile puts into the machine."""
    for here, there in _SYNCED.findall(listing.read("Vagrantfile") or ""):
        place = str(PurePosixPath(here))
        is_inside = not place.startswith(("/", "..", "~"))
        if is_inside and place in listing.folders and there.rstrip("/"):
            yield there.rstrip("/"), place


def _fixed_part(path: str) -> str | None:
    """Return a path up to its first wildcard; None where nothing is left of it."""
    parts = tuple(takewhile(lambda part: not _WILD.search(part), PurePosixPath(path).parts))
    return str(PurePosixPath(*parts)) if len(parts) > 1 else None


def _find_here(listing: Listing, path: str) -> str | None:
    """Return the folder or file whose path ends most like an absolute one."""
    parts = PurePosixPath(path).parts[1:][::-1]
    best: tuple[int, int, str] | None = None
    files = (one for one in listing.files if one == parts[0] or one.endswith(f"/{parts[0]}"))
    for candidate in (*listing.folders[1:], *files):
        same = count_alike(PurePosixPath(candidate).parts[::-1], parts)
        key = (-same, candidate.count("/"), candidate)
        if same and (best is None or key < best):
            best = key
    return best[2] if best else None


def _only_pillar(path: str, trees: Trees) -> str | None:
    """Return the one pillar folder that there is, for a path that names some pillar."""
    folders = {folder for roots in trees.pillar.values() for folder in roots}
    return next(iter(folders)) if len(folders) == 1 and "pillar" in path.lower() else None


def _names_pillar(path: str, pillar: str) -> bool:
    return "pillar" in path.lower() or PurePosixPath(path).is_relative_to(pillar)


def _shorten(there: str, here: str) -> tuple[str, str]:
    """Return the highest folders that lie alike.

    ``/srv/pillar/base`` for ``pillar/base`` is ``/srv/pillar`` for ``pillar``.
    """
    far, near = PurePosixPath(there), PurePosixPath(here)
    while len(near.parts) > 1 and len(far.parts) > 2 and far.parent.name == near.parent.name:
        far, near = far.parent, near.parent
    return str(far), str(near)
