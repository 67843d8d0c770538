"""Finds the sources of a report, to watch them and to protect them from being replaced."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.declaration_errors import InventoryError
from pillarbook.inventory.master import load_master, with_overlay
from pillarbook.inventory.master_options import MasterOptions, list_texts
from pillarbook.inventory.minions import load_inventory
from pillarbook.inventory.permissions import Permissions, decide
from pillarbook.inventory.reach import Reach, Trust, find_reach
from pillarbook.inventory.root_folders import RootKind, resolve_roots
from pillarbook.inventory.settings import Settings
from pillarbook.publish.site_folder import Kept, follow_links
from pillarbook.roots.file_access import DISK
from pillarbook.roots.git_home import find_home

_ROOT_KINDS: tuple[RootKind, ...] = ("pillar_roots", "file_roots")
_OPTIONS = (*_ROOT_KINDS, "ext_pillar")
_NAMES_MORE = re.compile(
    rb"""\bgrains["']?[ \t]*:[ \t]*["']?[\w./~]|\b(?:%s)["']?[ \t]*:"""
    % "|".join(_OPTIONS).encode()
)
"""Finds inventories that may name files: separate grains files, or roots in ``opts``."""


def find_sources(settings: Settings, trust: Trust, allow: tuple[Path, ...] = ()) -> frozenset[Path]:
    """Return the inputs of a run: roots, inventory and grains files, the master file, its includes.

    Missing files are included, because they may be added. If something has a fault, the inputs
    that are known without it are returned; the run itself reports the error.
    """
    sources = {settings.master, settings.master.parent / "master.d", *settings.inventory}
    if settings.revisions:
        sources.update(_find_references(settings.folder))
    with suppress(PillarbookError):
        allowed, _ = decide(settings, trust, allow=allow)
        master, _ = load_master(settings.master, reach=allowed.reach, paths=allowed.paths)
        sources.update(_find_master_files(master))
        sources.update(allowed.ext_pillars.values())
        overlays: list[Mapping[str, Any]] = [{}]
        overlays += [one.options for one in settings.environments if one.options]
        overlays += _read_inventory(settings, allowed, sources)
        for overlay in overlays:
            sources.update(_find_trees(with_overlay(master, overlay)))
    return frozenset(path.absolute() for path in sources)


def find_watched_reach(
    settings: Settings, trust: Trust, allow: tuple[Path, ...], own: Iterable[Path]
) -> Reach:
    """Return what a server may watch for changes: what the tree may read, and its own files.

    With trust, all files that the settings name may be watched; ``own`` are those that the tree did
    not choose.
    """
    reach = find_reach(settings.master, allow=allow, trust=trust)
    if settings.revisions:
        reach = reach.widened(*_find_references(settings.folder))
    trusted = find_sources(settings, trust, allow) if trust.given else ()
    return reach.widened(*own, *trusted)


def find_kept(
    settings: Settings, trust: Trust, allow: tuple[Path, ...] = (), own: tuple[Path, ...] = ()
) -> Kept:
    """Return what no site may replace: the inputs of a run, the keys, and the configuration.

    A site may be below a folder that contains the configuration itself, the master file or an
    inventory, because a repository may be one large pillar root.

    ``own`` are folders of the user that MkDocs reads.
    """
    sources = {*find_sources(settings, trust, allow), _find_keys(settings, trust, allow), *own}
    sources |= {settings.folder / place for place in settings.paths.values()}
    homes = {settings.folder, settings.master, *settings.inventory}
    resolved = [follow_links(home) for home in homes]
    folders = {follow_links(_folder_of(path)) for path in sources}
    return Kept(
        sources=frozenset(map(follow_links, sources | homes)),
        folders=frozenset(
            folder
            for folder in folders
            if not any(home.is_relative_to(folder) for home in resolved)
        ),
    )


def _folder_of(path: Path) -> Path:
    """Return the folder of a file; any other path (missing, or a folder) is returned unchanged."""
    return path.parent if os.path.isfile(path) else path  # noqa: PTH113 (takes any name)


def _find_keys(settings: Settings, trust: Trust, allow: tuple[Path, ...]) -> Path:
    declared: Any = None
    with suppress(PillarbookError):
        allowed, _ = decide(settings, trust, allow=allow)
        master, _ = load_master(settings.master, reach=allowed.reach)
        declared = master.values.get("gpg_keydir")
    return settings.master.parent / str(declared or "gpgkeys")


def _find_master_files(master: MasterOptions) -> Iterator[Path]:
    """Yield the files that set options, and the folders in which more of them may be added."""
    for place in (*master.positions.values(), *master.places.values()):
        yield master.top / place.file
    for option in ("include", "default_include"):
        patterns = master.values.get(option) or []
        for pattern in [patterns] if isinstance(patterns, str) else patterns:
            yield _without_wildcard(master.folder / str(pattern))


def _find_trees(master: MasterOptions) -> Iterator[Path]:
    for kind in _ROOT_KINDS:
        for roots in resolve_roots(master, kind).values():
            for root in roots:
                yield root.path or _above_environment(master, root.text)
    yield from _find_repositories(master)
    options = [master.values.get(name) for name in ("ext_pillar", "hierarchy_pillar.data_path")]
    for text in list_texts(options):
        with suppress(PillarbookError, OSError, ValueError):
            path = master.resolve_path(text)
            if path.is_file() and path.parent != master.folder:
                yield path.parent  # a stack's files are beside its configuration
            elif path.is_file() or (path.is_dir() and path != master.folder):
                yield path


def _find_repositories(master: MasterOptions) -> Iterator[Path]:
    """Yield the files of git_pillar's repositories that change with a branch."""
    for text in list_texts(master.values.get("ext_pillar"), keys=True):
        url = text.split()[-1] if text.strip() else ""
        with suppress(PillarbookError, OSError, ValueError):
            folder = master.map_url(url)
            if folder is None and url.startswith("file:///"):
                folder = master.resolve_path(url.removeprefix("file://"))
            if folder is not None:
                git = folder / ".git" if (folder / ".git").is_dir() else folder
                yield from _references_in(git)


def _find_references(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder's repository that change with a branch."""
    home = find_home(folder.absolute())
    if home is not None:
        for git in (home.folder / ".git", *home.own):
            yield from _references_in(git)


def _references_in(git: Path) -> Iterator[Path]:
    yield from (git / name for name in ("HEAD", "packed-refs", "refs"))


def _read_inventory(
    settings: Settings, allowed: Permissions, sources: set[Path]
) -> list[Mapping[str, Any]]:
    """Record the files of grains, and return the minions' own options.

    A large inventory that names no file is not read again.
    """
    if not any(_may_name_more(path) for path in settings.inventory):
        return []

    def note(path: Path) -> str:
        sources.add(path)
        return str(path)

    try:
        minions = load_inventory(
            settings.inventory, shown=note, reach=allowed.reach, named_in=allowed.named_in
        )
    except InventoryError:  # the run reports it; the files were recorded
        return []
    own = {id(minion.opts): minion.opts for minion in minions if minion.opts}
    return [opts for opts in own.values() if any(name in opts for name in _OPTIONS)]


def _may_name_more(inventory: Path) -> bool:
    try:
        return _NAMES_MORE.search(DISK.read(inventory)) is not None
    except OSError:
        return False


def _above_environment(master: MasterOptions, text: str) -> Path:
    path = Path(text.partition("__env__")[0] or ".")
    return path if path.is_absolute() else master.folder / path


def _without_wildcard(path: Path) -> Path:
    parts: list[str] = []
    for part in path.parts:
        if any(sign in part for sign in "*?["):
            break
        parts.append(part)
    return Path(*parts)
