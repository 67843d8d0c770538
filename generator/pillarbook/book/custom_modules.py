"""Finds renderers and external pillars of the tree's own, without running them.

Source: Salt ``salt/loader/__init__.py`` (``_module_dirs``), ``salt/utils/extmods.py``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pillarbook.inventory.master import MasterOptions, resolve_roots
from pillarbook.inventory.reach import OutsideReachError
from pillarbook.roots import FolderTree, Found

SYNCED_FROM = "base"
"""The environment that Salt takes modules from unless it is told another."""


@dataclass(frozen=True, slots=True)
class ModuleKind:
    """A kind of Salt's modules, and where a tree has its own."""

    option: str
    """The option that names more folders of them."""
    folder: str
    """Their folder below ``extension_modules``."""
    synced: str
    """The folder of the state tree that they are fetched from."""


RENDERERS = ModuleKind("renderer_dirs", "renderers", "_renderers")
EXT_PILLARS = ModuleKind("pillar_dirs", "pillar", "_pillar")


def find_custom_modules(
    kind: ModuleKind, master: MasterOptions, shown: Callable[[Path], str]
) -> Iterator[Found]:
    """Yield the tree's own modules of a kind, those that count last.

    Args:
        kind: Which modules.
        master: The master's options.
        shown: Gives the text by which a file is shown.
    """
    for tree in _trees(kind, master, shown):
        for name in sorted(tree.names()):
            if name.endswith(".py") and "/" not in name and not name.startswith("_"):
                found = tree.find(name)
                if found is not None:
                    yield found


def _trees(
    kind: ModuleKind, master: MasterOptions, shown: Callable[[Path], str]
) -> Iterator[FolderTree]:
    values = master.values
    named = values.get(kind.option) or []
    for text in [named] if isinstance(named, str) else reversed(named):
        yield from _open(master, str(text), "", shown)
    yield from _open(master, str(values.get("extension_modules") or ""), kind.folder, shown)
    for root in resolve_roots(master, "file_roots", environment=SYNCED_FROM).get(SYNCED_FROM, ()):
        folder = root.path and root.path / kind.synced
        if folder and folder.is_dir():
            yield FolderTree(folder, shown=shown, allowed=root.reach.allows)


def _open(
    master: MasterOptions, text: str, below: str, shown: Callable[[Path], str]
) -> Iterator[FolderTree]:
    """Yield the folder that an option names, where it may be read."""
    if not text:
        return
    try:
        folder = master.resolve_path(text) / below
    except OutsideReachError:
        return
    if folder.is_dir():
        yield FolderTree(folder, shown=shown, allowed=master.reach.allows)
