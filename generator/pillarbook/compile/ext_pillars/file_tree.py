"""The ``file_tree`` external pillar: folders are mappings, files are values.

A file's content is bytes, as in Salt. Names are sorted; in Salt, they have the order of the file
system.

Source: Salt ``salt/pillar/file_tree.py``.
"""

import fnmatch
import os
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pillarbook.compile.ext_pillars.interface import ExtPillarContext, read_arguments
from pillarbook.compile.merge import Merger, MergeRules
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin
from pillarbook.roots.file_access import Files

RULES = MergeRules(strategy="recurse", merge_lists=False)
LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; a larger file is refused."""


@dataclass(frozen=True, slots=True)
class FileTreeOptions:
    """The options of the external pillar."""

    root_dir: Any
    """The folder with ``hosts`` and ``nodegroups``."""
    follows: Any
    """Whether links to folders are followed."""
    keep_newline: Any
    """Whether the line feed at the end of a file is kept, or globs of files for which it is."""
    options: dict[str, Any]
    """The renderers of files, as master options."""
    template: Any
    """Whether files are rendered; only the value True turns it on."""


def ext_pillar(  # noqa: PLR0913, PLR0917 (Salt's arguments)
    minion_id: str,  # noqa: ARG001
    pillar: Any,  # noqa: ARG001
    root_dir: Any = None,
    follow_dir_links: Any = False,
    debug: Any = False,  # noqa: ARG001
    keep_newline: Any = False,
    render_default: Any = None,
    renderer_blacklist: Any = None,
    renderer_whitelist: Any = None,
    template: Any = False,
) -> FileTreeOptions:
    """Return the arguments."""
    renderers = {
        "renderer": render_default,
        "renderer_blacklist": renderer_blacklist,
        "renderer_whitelist": renderer_whitelist,
    }
    return FileTreeOptions(root_dir, follow_dir_links, keep_newline, renderers, template)


class FileTreePillar:
    """The external pillar; caches folders whose files are not rendered."""

    def __init__(self) -> None:
        # Kept to the end of the run, one entry for each folder, because a run reads one version of
        # each file. `_build` makes the key; the paths are those that were looked up.
        self._known: dict[Hashable, tuple[MapNode, tuple[Path, ...]]] = {}
        self._merger = Merger(RULES, {})

    def __call__(self, context: ExtPillarContext, config: Any) -> Node | None:
        """Return the data of the folders for a minion.

        Raises:
            RenderError: With Salt's words.
        """
        requirements = read_arguments(ext_pillar, config)
        result: Node = MapNode({}, (_origin(context),), kind="plain")
        for folder in self._find_roots(requirements, context):
            for part in _find_parts(folder, context):
                result = self._merger.merge(result, self._build(part, requirements, context))
        return result

    def _find_roots(self, requirements: FileTreeOptions, context: ExtPillarContext) -> list[Path]:
        root = requirements.root_dir
        if not root:
            return self._skip(context, "no `root_dir` is given")
        if not isinstance(root, str):
            raise RenderError(
                "expected str, bytes or os.PathLike object, not " + type(root).__name__
            )
        if not isinstance(requirements.keep_newline, bool | list):
            return self._skip(context, "`keep_newline` is neither true or false nor a list")
        found = []
        for name in _spell_roots(root, context):
            try:
                folder = context.resolve(name)
            except RenderError as error:
                return self._skip(context, str(error), "outside-reach")
            context.note_file(folder)
            if context.files.is_dir(folder):
                found.append(folder)
        return found or self._skip(context, f"there is no folder '{root}'")

    def _skip(
        self, context: ExtPillarContext, reason: str, rule: str = "ext-pillar-error"
    ) -> list[Path]:
        context.describe(rule, f"the external pillar 'file_tree' gives nothing: {reason}")
        return []

    def _build(
        self, top: Path, requirements: FileTreeOptions, context: ExtPillarContext
    ) -> MapNode:
        # Everything that the tree of a folder depends on. With `template` it also depends on the
        # minion, so it is built each time.
        key = (top, bool(requirements.follows), str(requirements.keep_newline))
        if requirements.template is True:
            return _Builder(top, requirements, context).build(top, ())
        if key not in self._known:
            looks: list[Path] = []
            # Without the folder's files: none of the lookups here is deep.
            noting = replace(context, note_file=lambda path, **_deep: looks.append(path))
            builder = _Builder(top, requirements, noting)
            self._known[key] = (builder.build(top, ()), tuple(looks))
        built, looked = self._known[key]
        # The lookups of a cached tree are noted for this minion as well, because a comparison needs
        # them.
        for path in looked:
            context.note_file(path)
        return built


def _find_parts(root: Path, context: ExtPillarContext) -> Iterator[Path]:
    """Yield the folders of a minion's nodegroups, then the minion's own folder."""
    groups = context.options.get("nodegroups")
    folder = root / "nodegroups"
    context.note_file(folder)
    if groups and context.files.is_dir(folder):
        for name in sorted(context.files.names(folder)):
            if name in groups and context.matches(groups[name]):
                yield folder / name
    own = root / "hosts" / context.minion_id
    context.note_file(own)
    if context.files.is_dir(own) and own.parent == root / "hosts":
        yield own


def _spell_roots(root: str, context: ExtPillarContext) -> list[str]:
    """Return the folders for ``root_dir``.

    In Salt, a relative path is below each root of the pinned environment. If it does not exist
    there, it is relative to the master file's folder, like all relative paths of Salt.
    """
    env = context.opts["pillarenv"]
    roots = context.options["pillar_roots"].get(env) or []
    below = list(dict.fromkeys(os.path.normpath(f"{one}/{root}") for one in roots))
    is_there = any(_is_folder(name, context) for name in below)
    return below if is_there and not os.path.isabs(root) else [root]  # noqa: PTH117 (a master's)


def _is_folder(name: str, context: ExtPillarContext) -> bool:
    try:
        folder = context.resolve(name)
    except RenderError:
        return False
    context.note_file(folder)
    return context.files.is_dir(folder)


class _Builder:
    """Builds the mapping of one folder."""

    def __init__(self, top: Path, requirements: FileTreeOptions, context: ExtPillarContext) -> None:
        self._top = top
        self._requirements = requirements
        self._context = context

    def build(self, folder: Path, above: tuple[str, ...]) -> MapNode:
        """Return the mapping of a folder; a folder that links to a folder above is empty."""
        context = self._context
        origin = _origin(context)
        real = str(context.files.resolve(folder))
        items: dict[Any, Node] = {}
        if real not in above and self._may_read(folder, Path(real)):
            context.note_file(folder)
            folders, files = _list(folder, context.files)
            for name in folders:
                below = folder / name
                is_shut = context.files.is_link(below) and not self._requirements.follows
                inner = (*above, real)
                items[name] = (
                    MapNode({}, (_origin(context),), kind="plain")
                    if is_shut
                    else self.build(below, inner)
                )
            for name in files:
                value = self._read(folder / name)
                if value is not None:
                    items[name] = value
        return MapNode(items, (origin,), kind="plain")

    def _may_read(self, path: Path, real: Path) -> bool:
        if self._context.may_read(real):
            return True
        shown = self._context.shown(path)
        self._context.describe("outside-reach", f"{shown} leads out of the repository")
        return False

    def _read(self, path: Path) -> Node | None:
        context, shown = self._context, self._context.shown(path)
        context.note_file(path)
        real = context.files.resolve(path)
        if not context.files.is_file(path) or not self._may_read(path, real):
            return None
        try:
            content = context.files.read(real, LARGEST_FILE + 1, follow=False)
        except OSError as error:
            context.describe("unreadable-file", f"{shown} cannot be read: {error.strerror}")
            return None
        if len(content) > LARGEST_FILE:
            context.describe("unreadable-file", f"{shown} has more than 64 MiB")
            return None
        if content.endswith(b"\n") and not self._keeps_newline(path):
            content = content[:-1]
        if self._requirements.template is True:
            rendered = context.render(content, path, self._requirements.options)
            return _relabel(rendered, context.sls)
        return Leaf(content, (context.new_origin((shown, 1), content),))

    def _keeps_newline(self, path: Path) -> bool:
        keep = self._requirements.keep_newline
        if isinstance(keep, bool):
            return keep
        below = os.path.relpath(path.parent, self._top)
        name = os.path.join(below, path.name)  # noqa: PTH118 (Salt's globs see './name')
        return any(fnmatch.fnmatch(name, str(glob)) for glob in keep)


def _list(folder: Path, disk: Files) -> tuple[list[str], list[str]]:
    """Return the names of folders and of other files, without names that are not text."""
    folders: list[str] = []
    files: list[str] = []
    try:
        for name in sorted(disk.names(folder)):
            name.encode()
            (folders if disk.is_dir(folder / name) else files).append(name)
    except (OSError, UnicodeEncodeError):
        return folders, files
    return folders, files


def _origin(context: ExtPillarContext) -> Origin:
    """Return the origin of a folder, which has no lines: the line of the option."""
    return context.new_origin(context.place, {})


def _relabel(node: Node, sls: str) -> Node:
    """Return nodes whose origins name the external pillar."""
    origins = tuple(replace(origin, sls=sls, saltenv=None) for origin in node.origins)
    if isinstance(node, Leaf):
        return Leaf(node.value, origins, node.secret)
    if isinstance(node, ListNode):
        return replace(
            node, items=tuple(_relabel(item, sls) for item in node.items), origins=origins
        )
    items = {key: _relabel(item, sls) for key, item in node.items.items()}
    return replace(node, items=items, origins=origins)
