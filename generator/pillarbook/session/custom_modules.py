"""Find the tree's own renderers and modules, without running them.

Source: Salt ``salt/loader/__init__.py`` (``_module_dirs``, ``render``, ``minion_mods``),
``salt/loader/lazy.py`` (``_refresh_file_mapping``), ``salt/utils/extmods.py``.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from pillarbook.compile.renderers.code.outline import ModuleFile, stem_of
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.reach import OutsideReachError, Reach
from pillarbook.inventory.root_folders import resolve_roots
from pillarbook.roots.folder import FolderTree

Kind = Literal["renderers", "modules", "pillar"]
"""The kind of a module; also the name of its folder."""
_DIRS = {"renderers": "render_dirs", "modules": "module_dirs", "pillar": "pillar_dirs"}
"""The option that names folders of each kind."""
SYNCED_FROM = "base"
"""The environment from which Salt takes modules by default."""


def find_custom_modules(
    master: MasterOptions, shown: Callable[[Path], str], kind: Kind
) -> tuple[ModuleFile, ...]:
    """Return the modules of a kind, one for each name; the first one of a name counts.

    They are in ``modules`` or ``_modules`` below a folder of ``module_dirs`` (likewise renderers),
    in a folder of ``module_dirs`` or ``render_dirs`` itself, in ``modules`` below
    ``extension_modules``, and in ``_modules`` of the state tree, from which
    ``saltutil.sync_modules`` copies them.
    """
    found: dict[str, ModuleFile] = {}
    for tree in _trees(master, shown, kind):
        for name in sorted(tree.names()):
            if _is_module(name) and stem_of(name) not in found:
                file = tree.find(name)
                if file is not None:
                    found[stem_of(name)] = ModuleFile(file)
    return tuple(found.values())


def _is_module(name: str) -> bool:
    folder, _, file = name.rpartition("/")
    is_package = file == "__init__.py" and folder != "" and "/" not in folder
    return (name.endswith(".py") and folder == "" and file[0] != "_") or (
        is_package and not folder.startswith("_")
    )


def _trees(master: MasterOptions, shown: Callable[[Path], str], kind: Kind) -> Iterator[FolderTree]:
    values = master.values
    for text in reversed(_texts(values.get("module_dirs"))):
        yield from _open(master, text, (kind, f"_{kind}"), shown)
    for text in _texts(values.get(_DIRS[kind])):
        yield from _open(master, text, ("",), shown)
    yield from _open(master, str(values.get("extension_modules") or ""), (kind,), shown)
    for root in resolve_roots(master, "file_roots", environment=SYNCED_FROM).get(SYNCED_FROM, ()):
        folder = root.path and root.path / f"_{kind}"
        if folder and master.reach.files.is_dir(folder):
            yield _tree(folder, root.reach, shown)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(one) for one in value] if isinstance(value, Iterable) else []


def _open(
    master: MasterOptions, text: str, names: tuple[str, ...], shown: Callable[[Path], str]
) -> Iterator[FolderTree]:
    """Yield the first of some folders below each folder in an option, if it may be read."""
    if not text:
        return
    for name in names:
        try:
            folder = master.resolve_path(text) / name
        except OutsideReachError:
            return
        if master.reach.files.is_dir(folder):
            yield _tree(folder, master.reach, shown)
            return


def _tree(folder: Path, reach: Reach, shown: Callable[[Path], str]) -> FolderTree:
    return FolderTree(folder, shown=shown, allowed=reach.allows, files=reach.files)
