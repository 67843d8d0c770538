"""Salt's master file: every option that affects pillar, with Salt's own defaults.

An unknown option is no fault: modules have their own. What Salt itself reports only when it
compiles (a malformed ``ext_pillar`` or ``decrypt_pillar``) is kept as it is.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.master_files import DeclaredOptions, MasterFiles
from pillarbook.inventory.master_options import MasterOptions, show_from
from pillarbook.inventory.master_types import check_types, warn_of_types
from pillarbook.inventory.reach import OutsideReachError, Reach, Trust, find_top
from pillarbook.inventory.root_folders import ROOT_KINDS, check_roots, expand_root
from pillarbook.inventory.salt_defaults import master_defaults
from pillarbook.model import Position


def load_master(
    file: Path, *, reach: Reach, paths: Mapping[str, Path] | None = None
) -> tuple[MasterOptions, tuple[Diagnostic, ...]]:
    """Return a master's options, and diagnostics about them.

    ``paths`` has local paths by the absolute paths of the master that they replace.

    Raises:
        SettingsError: With every fault of every file.

    Source: Salt ``salt/config/__init__.py`` (``master_config``).
    """
    files = MasterFiles(file, reach)
    declared = files.read()
    faults = files.faults + check_types(
        declared.values, lambda *path: _fault_position(declared, path, file)
    )
    if faults:
        raise SettingsError(faults)
    full = file.absolute()
    top = find_top(full.parent, reach.files)
    shown = {
        path: Position(show_from(top, given.absolute()), line)
        for path, (given, line) in declared.places.items()
    }
    bare = MasterOptions(
        values={**master_defaults(), "conf_file": str(full)},
        folder=full.parent,
        file=full,
        top=top,
        positions={},
        places=shown,
        reach=reach,
        paths=dict(paths or {}),
    )
    tops = {name: shown.get((name,), Position(show_from(top, full))) for name in declared.values}
    options = _overlay(bare, declared.values, tops)
    found = [
        *files.diagnostics,
        *warn_of_types(declared.values, options.place_of),
        *(fault for kind in ROOT_KINDS for fault in check_roots(options, kind)),
    ]
    return options, tuple(found)


def with_overlay(
    options: MasterOptions, overlay: Mapping[str, Any], *, position: Position | None = None
) -> MasterOptions:
    """Return options overridden by others, each as a whole.

    ``overlay`` is a minion's ``opts``, or an environment's named set of master options;
    ``position`` is the line that declares it.

    Raises:
        SettingsError: One of its options has a type that cannot be used.
    """
    if not overlay:
        return options
    place = position or Position(options.shown(options.file))
    faults = check_types(overlay, lambda *_: place)
    if faults:
        raise SettingsError(faults)
    places = {path: given for path, given in options.places.items() if path[0] not in overlay}
    return _overlay(replace(options, places=places), overlay, dict.fromkeys(overlay, place))


def find_gpg_keydir(options: MasterOptions, trust: Trust) -> Path | None:
    """Return the GPG home to decrypt with; None if the tree is not trusted with keys.

    It may be outside of the reach. Without ``gpg_keydir`` it is ``gpgkeys`` beside the master file.

    Source: Salt ``salt/renderers/gpg.py`` (``_get_key_dir``).
    """
    if not trust.keys:
        return None
    declared = options.values.get("gpg_keydir") or "gpgkeys"
    try:
        return options.resolve_path(str(declared))
    except OutsideReachError:
        return options.folder / str(declared)


def _overlay(
    options: MasterOptions, overlay: Mapping[str, Any], positions: Mapping[str, Position]
) -> MasterOptions:
    values = {**options.values, **overlay}
    for kind in ROOT_KINDS:
        if kind in overlay:
            values[kind] = _normalize_roots(options, overlay[kind])
    _normalize(values, overlay)
    return replace(options, values=values, positions={**options.positions, **positions})


def _normalize_roots(options: MasterOptions, roots: Any) -> dict[str, list[str]]:
    """Return environments and their folders; text instead of a list counts as no folder.

    Source: Salt ``salt/config/__init__.py`` (``_normalize_roots``; an empty option becomes the
    folder of the states, for pillar too).
    """
    if roots is None:
        return {"base": ["/srv/salt"]}
    return {
        env: [text for folder in folders for text in expand_root(options, folder)]
        if isinstance(folders, list)
        else []
        for env, folders in roots.items()
    }


def _normalize(values: dict[str, Any], overlay: Mapping[str, Any]) -> None:
    """Bring options into the shape that Salt gives them.

    Source: Salt ``salt/config/__init__.py`` (``master_config``, ``apply_master_config``).
    """
    if "nodegroups" in overlay:
        values["nodegroups"] = _normalize_nodegroups(overlay["nodegroups"])
    if "environment" in overlay:
        key, other = ("environment", "saltenv")
        if values["saltenv"] is None:
            key, other = other, key
        values[key] = values[other]
    if "id" in overlay:
        values["id"] = str(overlay["id"]) if overlay["id"] else "master"
    if isinstance(values["hash_type"], str):
        values["hash_type"] = values["hash_type"].lower()
    _normalize_ignored(values)


def _normalize_ignored(values: dict[str, Any]) -> None:
    for name in ("file_ignore_glob", "file_ignore_regex"):
        if isinstance(values[name], str):
            values[name] = [values[name]]
    if isinstance(values["file_ignore_regex"], list):
        values["file_ignore_regex"] = [one for one in values["file_ignore_regex"] if _is_regex(one)]


def _normalize_nodegroups(nodegroups: Any) -> Any:
    if nodegroups is None:
        return {}
    if isinstance(nodegroups, list) and all(isinstance(group, dict) for group in nodegroups):
        return {name: members for group in nodegroups for name, members in group.items()}
    return nodegroups


def _is_regex(text: Any) -> bool:
    try:
        re.compile(text)
    except (re.error, TypeError):
        return False
    return True


def _fault_position(declared: DeclaredOptions, path: tuple[Any, ...], file: Path) -> Position:
    found = declared.places.get(path[:2]) or declared.places.get(path[:1])
    return Position(str(found[0]), found[1]) if found else Position(str(file))
