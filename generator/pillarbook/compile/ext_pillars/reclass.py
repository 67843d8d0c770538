"""The ``reclass`` external pillar, with the package of the extra ``pillarbook[reclass]``.

The package reads the inventory itself, so the files are checked before. It does not report lines,
so the origin of a value is searched in the files of the minion and of its classes.

Source: Salt ``salt/pillar/reclass_adapter.py``, ``salt/utils/reclass.py``.
"""

import io
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

from pillarbook.compile.ext_pillars.interface import ExtPillarContext, read_arguments
from pillarbook.compile.renderers.python_data import GivenBy, ValuePlaces, from_python, to_python
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, Origin
from pillarbook.roots.file_access import DISK, Files

ENDINGS = (".yml", ".yaml")
PREFIXES = ("", "~", "=")
"""Prefixes of keys in reclass: ``~`` replaces a value, ``=`` makes it constant."""
# A link may lead to a folder above it; names are followed until they repeat or are too many.
MAX_FILES = 100_000
# Protects the disk: a proposed commit may contain much more than the working tree.
MAX_BYTES = 512 * 1024 * 1024
"""The most bytes that are copied."""


def ext_pillar(minion_id: str, pillar: Any, **kwargs: Any) -> dict[str, Any]:  # noqa: ARG001 (Salt's)
    """Return the options."""
    return kwargs


class ReclassPillar:
    """The external pillar; caches the files in which it searches lines."""

    def __init__(self) -> None:
        # Only for origins: reclass reads the files again for each minion, and a run sees one
        # version of them.
        self._trees: dict[Path, Node | None] = {}
        # reclass opens files itself, so files of a commit must be copied to disk
        # (docs/decisions/0018).
        self._copies = Copies()

    def __call__(self, context: ExtPillarContext, config: Any) -> Node | None:
        """Return the data of reclass for a minion.

        Raises:
            RenderError: With Salt's words.
        """
        options = read_arguments(ext_pillar, config)
        options.pop("reclass_source_path", None)
        storage = options.get("storage_type", "yaml_fs")
        if storage != "yaml_fs":
            _decline(context, f"its storage '{storage}' is not read", "use yaml_fs")
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                from reclass.adapters.salt import ext_pillar as run  # noqa: PLC0415 (an extra)
        except ImportError:
            _decline(context, "the package for it is not installed", "install pillarbook[reclass]")
            return None
        folders = _find_folders(options, context)
        if folders is None:
            return None
        nodes, classes = (self._copies.on_disk(folder, context.files) for folder in folders)
        options.update(nodes_uri=str(nodes), classes_uri=str(classes))
        data = _run(run, context, options)
        names = data["__reclass__"]
        files = [*_find_files(folders[1], names["classes"], context)]
        files += _find_files(folders[0], [context.minion_id], context)
        trees = [tree for file in files if (tree := self._parameters(file, context)) is not None]
        return from_python(data, _FilePlaces(context, trees), context.limits)

    def _parameters(self, file: Path, context: ExtPillarContext) -> Node | None:
        if file not in self._trees:
            try:
                tree = context.load_yaml(context.read_file(file))
            except RenderError:
                tree = None  # reclass can read it, in its own way
            below = tree.items.get("parameters") if isinstance(tree, MapNode) else None
            self._trees[file] = below
        return self._trees[file]


def _decline(context: ExtPillarContext, why: str, remedy: str) -> None:
    message = f"the external pillar '{context.name}' is not run: {why}"
    context.describe("unavailable-ext-pillar", message, remedy=remedy)


def _find_folders(options: dict[str, Any], context: ExtPillarContext) -> list[Path] | None:
    """Return the folders of nodes and classes; None if a file in them must not be read."""
    roots = context.options.get("file_roots", {}).get("base") or ["/etc/reclass"]
    home = str(options.setdefault("inventory_base_uri", roots[0]))
    folders = []
    for name in ("nodes", "classes"):
        path = os.path.join(home, str(options.get(f"{name}_uri") or name))  # noqa: PTH118 (a master's)
        try:
            folder = Path(os.path.normpath(context.resolve(path)))
        except RenderError as error:
            message = f"the external pillar '{context.name}' gives nothing: {error}"
            context.describe("outside-reach", message)
            return None
        context.note_file(folder)
        for file in _walk(folder, context):
            context.note_file(file)
            if _tells_barred(file, context):
                return None
        folders.append(folder)
    return folders


def _tells_barred(file: Path, context: ExtPillarContext) -> bool:
    """Say whether a file must not be read, or is a pipe, whose end reclass would wait for."""
    shown = context.shown(file)
    if not context.may_read(context.files.resolve(file)):
        message = f"{shown} leads out of the repository, so reclass does not run"
        context.describe("outside-reach", message)
        return True
    disk = context.files
    if disk.exists(file) and not disk.is_dir(file) and not disk.is_file(file):
        context.describe("unreadable-file", f"{shown} is no file, so reclass does not run")
        return True
    return False


def _walk(folder: Path, context: ExtPillarContext) -> Iterator[Path]:
    """Yield the paths that reclass would read below a folder, each folder once."""
    disk = context.files
    seen: set[str] = set()
    for root, below, names in disk.walk(folder, followlinks=True):
        real = str(disk.resolve(Path(root)))
        if real in seen or len(seen) > MAX_FILES:
            below.clear()
            yield Path("/")  # a ring, in which reclass would walk for ever
            continue
        seen.add(real)
        yield Path(root)
        closed = [name for name in below if not context.may_enter(Path(root, name))]
        yield from (Path(root, name) for name in closed)
        below[:] = [name for name in below if name not in closed]
        yield from (Path(root, name) for name in names if name.endswith(ENDINGS))


def _run(run: Any, context: ExtPillarContext, options: dict[str, Any]) -> dict[str, Any]:
    """Call the package without its printed warnings, which a master shows to nobody."""
    from reclass.errors import ReclassException  # noqa: PLC0415 (an extra)

    try:
        with (
            warnings.catch_warnings(),
            redirect_stdout(io.StringIO()),
            redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            data: dict[str, Any] = run(context.minion_id, to_python(context.pillar), **options)
    except ReclassException as error:
        worded = RenderError(f"ext_pillar.reclass: {error}")
        worded.clean = f"reclass raises {type(error).__name__}"
        raise worded from error
    except TypeError as error:
        words = str(error)
        if "unexpected keyword argument" in words:
            words = f"ext_pillar.reclass: unexpected option: {words.rsplit(maxsplit=1)[-1]}"
        raise RenderError(words) from error
    return data


def _find_files(folder: Path, names: list[str], context: ExtPillarContext) -> Iterator[Path]:
    """Yield the files of classes or nodes; a node may be in any folder."""
    for name in names:
        path = folder / name.replace(".", "/").lstrip("/")  # a dot in front would be the root
        tries = [path.with_name(path.name + end) for end in ENDINGS]
        tries += [path / f"init{end}" for end in ENDINGS]
        found = next((file for file in tries if context.files.is_file(file)), None)
        if found is None:
            found = next((file for file in _walk(folder, context) if file.stem == name), None)
        if found is not None:
            yield found


class _FilePlaces(ValuePlaces):
    """The positions of values in the files of a minion's classes and of the minion."""

    def __init__(self, context: ExtPillarContext, trees: list[Node]) -> None:
        self._option = context.new_origin(context.place, None)
        super().__init__(self._option)
        self._trees = trees

    def find(self, path: KeyPath, value: Any) -> GivenBy:
        """Return the places that set the value at a path, or else a container above it."""
        for end in range(len(path), 0, -1):
            found = [node for tree in self._trees if (node := _look_up(tree, path[:end]))]
            if found:
                whole = end == len(path)
                return tuple(_origin(node, value, whole=whole) for node in found), None
            member = _find_member(self._trees, path[: end - 1], value)
            if member is not None:
                return (replace(member, value=value),), None
        return (replace(self._option, value=value),), None


def _find_member(trees: list[Node], path: KeyPath, value: Any) -> Origin | None:
    """Return the origin of a list item, which reclass may have appended to a list.

    It is the origin of an equal item in the last file that has one, or else of the last file's
    list.
    """
    lists = [found for tree in trees if isinstance(found := _look_up(tree, path), ListNode)]
    for one in reversed(lists):
        for item in one.items:
            if isinstance(item, Leaf) and item.value == value and item.origins:
                return item.origins[-1]
    return lists[-1].origins[-1] if lists else None


def _origin(node: Node, value: Any, *, whole: bool) -> Origin:
    origin = node.origins[-1]
    is_container = isinstance(value, dict | list)
    if whole and not is_container and not isinstance(node, MapNode | ListNode):
        return origin
    return replace(origin, value=value)


def _look_up(tree: Node, path: KeyPath) -> Node | None:
    node: Node | None = tree
    for key in path:
        if isinstance(node, MapNode):
            names = [key] if not isinstance(key, str) else [sign + key for sign in PREFIXES]
            node = next((node.items[name] for name in names if name in node.items), None)
        else:
            return None
    return node


class Copies:
    """Copies of a commit's folders on disk, for the package; removed with this object."""

    def __init__(self) -> None:
        self._home: tempfile.TemporaryDirectory[str] | None = None
        # By folder, since each object belongs to one commit. `TemporaryDirectory` removes the
        # copies.
        self._known: dict[Path, Path] = {}
        self._left = MAX_BYTES

    def on_disk(self, folder: Path, files: Files) -> Path:
        """Return a path on disk for a folder; everything below it may be read.

        Raises:
            RenderError: The folder is too large.
        """
        # The working tree is read in place: a copy would take time and show other paths in errors.
        if files is DISK:
            return folder
        if folder not in self._known:
            if self._home is None:
                self._home = tempfile.TemporaryDirectory(prefix="pillarbook-")
            target = Path(self._home.name, str(len(self._known)))
            self._copy(folder, files, target)
            self._known[folder] = target
        return self._known[folder]

    def _copy(self, folder: Path, files: Files, target: Path) -> None:
        target.mkdir(mode=0o700)
        for root, below, names in files.walk(folder, followlinks=True):
            there = target / Path(root).relative_to(folder)
            for name in below:
                (there / name).mkdir()
            for name in names:
                if files.is_file(Path(root, name)):
                    self._write(there / name, files.read(Path(root, name), self._left + 1))

    def _write(self, file: Path, content: bytes) -> None:
        self._left -= len(content)
        if self._left < 0:
            raise RenderError("its folders are too large to be copied out of the commit")
        file.write_bytes(content)
