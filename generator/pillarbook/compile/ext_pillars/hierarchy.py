"""hierarchy_pillar: a YAML file for each minion, which names files with default values.

Files are not rendered with Jinja. Any error drops the whole hierarchy of that minion, without an
entry in ``_errors``.

Source: ``hierarchy_pillar.py`` of salt_hierarchy_pillar by daschatten.
"""

from typing import TYPE_CHECKING, Any

from pillarbook.compile.ext_pillars.hierarchy_build import Builder, Hierarchy, HierarchyFolder
from pillarbook.compile.ext_pillars.hierarchy_merge import combine
from pillarbook.compile.ext_pillars.interface import ExtPillarContext, QuietFailure
from pillarbook.compile.merge.append_lists import is_hashable
from pillarbook.compile.merge.freeze import freeze
from pillarbook.compile.merge.mutable_nodes import thaw
from pillarbook.compile.reads import fingerprint
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.model import MapNode, Node
from pillarbook.model.limited_cache import recall

if TYPE_CHECKING:
    from collections.abc import Hashable
    from pathlib import Path

KEYS = "hierarchy_pillar.keys"
NEIGHBOUR_KEY = "hierarchy_pillar.neighbour_key"
DATA_PATH = "hierarchy_pillar.data_path"
DEFAULTS = {
    KEYS: ["_merge", "_parent", "_data"],
    NEIGHBOUR_KEY: "_neighbours",
    DATA_PATH: "/srv/salt/pillar",
}


class HierarchyPillar:
    """The external pillar; caches folders and files."""

    def __init__(self) -> None:
        self._folders: dict[Path, HierarchyFolder] = {}
        self._hierarchies: dict[Hashable, Hierarchy] = {}

    def __call__(self, context: ExtPillarContext, config: Any) -> Node:
        """Return the hierarchy of one minion, merged with the pillar so far.

        Raises:
            QuietFailure: A file is missing or malformed.
        """
        hierarchy = self._open(context, config)
        for folder in hierarchy.folder.folders:
            context.note_file(folder)
        if context.minion_id not in hierarchy.folder.files:
            shown = context.shown(hierarchy.folder.path)
            raise QuietFailure(f"no file for the minion in {shown}", rule="no-minion-file")
        try:
            tree = self._build(hierarchy, context)
            if not isinstance(tree, MapNode):
                return tree
            upper, lower = thaw(tree, movable=True), thaw(context.pillar, movable=True)
            return freeze(combine(upper, lower))
        except RecursionError as error:
            raise QuietFailure("its data has too many nested levels") from error

    def _build(self, hierarchy: Hierarchy, context: ExtPillarContext) -> Node:
        try:
            return Builder(hierarchy, context).build(context.minion_id)
        except QuietFailure:
            for path in hierarchy.folder.files.values():  # any of these files may have been used
                context.note_file(path)
            raise

    def _open(self, context: ExtPillarContext, config: Any) -> Hierarchy:
        options = {key: context.options.get(key, default) for key, default in DEFAULTS.items()}
        if isinstance(config, dict):
            options.update((key, config[key]) for key in DEFAULTS if key in config)
        keys, neighbour_key, data_path = (options[key] for key in DEFAULTS)
        if not isinstance(data_path, str):
            raise QuietFailure(f"`{DATA_PATH}` is no text")
        if not isinstance(keys, list | tuple | str | dict) or not all(map(is_hashable, keys)):
            raise QuietFailure(f"`{KEYS}` is no list of keys")
        if not is_hashable(neighbour_key):
            raise QuietFailure(f"`{NEIGHBOUR_KEY}` is no key")
        folder = self._list(data_path, context)
        # A hierarchy depends on these and on the minion's id. The files do not change in a run, so
        # it is kept as long as the external pillar.
        known = (folder.path, fingerprint(list(keys)), fingerprint(neighbour_key))
        return recall(
            self._hierarchies, known, lambda: Hierarchy(folder, tuple(keys), neighbour_key)
        )

    def _list(self, data_path: str, context: ExtPillarContext) -> HierarchyFolder:
        try:
            path = context.resolve(data_path)
        except RenderError as error:
            raise QuietFailure(str(error)) from error
        if path not in self._folders:
            self._folders[path] = HierarchyFolder.list(path, context.files)
        if not context.files.is_dir(path):
            context.note_file(path)
            raise QuietFailure(f"there is no folder {context.shown(path)}")
        return self._folders[path]
