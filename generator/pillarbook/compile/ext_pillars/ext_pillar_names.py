"""Finds the external pillar for a name, and has the shortest ones."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pillarbook.compile.ext_pillars.answers import AnsweredPillar, answer_lines
from pillarbook.compile.ext_pillars.code import (
    IS_OF_TREE,
    IS_PACKAGE,
    RUNS_COMMAND,
    PackagedPillar,
    TreePillar,
    find_entry_point,
    refuse_code,
)
from pillarbook.compile.ext_pillars.interface import (
    ExtPillar,
    ExtPillarContext,
    Registered,
    read_arguments,
)
from pillarbook.compile.renderers.code.outline import ModuleFile
from pillarbook.compile.renderers.gpg import REASON, decrypt_tree
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.model import Leaf, ListNode, MapNode, Node, Position
from pillarbook.model.limited_cache import recall

if TYPE_CHECKING:
    from pillarbook.roots.revision import RevisionTree

Opener: TypeAlias = Callable[[], Registered]
"""Returns an external pillar for one run; only those that the options name are loaded."""


class ExtPillars:
    """The external pillars of one run, which cache what they read.

    ``known`` has the kind of external pillar, and the function that opens it, by name.
    """

    def __init__(self, known: Mapping[str, tuple[str, Opener]], *, python: bool) -> None:
        self._openers = {name: opener for name, (_, opener) in known.items()}
        self._opened: dict[object, Registered | None] = {}
        self._python = python
        self.known = {name: word for name, (word, _) in known.items()}
        """The kind by name, without those of installed packages."""

    def find(self, name: object) -> Registered | None:
        """Return the external pillar of a name; None if there is none.

        Installed packages are searched last.
        """
        return recall(
            self._opened, name, lambda: self._open(name) if isinstance(name, str) else None
        )

    def _open(self, name: str) -> Registered | None:
        if name in self._openers:
            return self._openers[name]()
        found = find_entry_point(name)
        if found is None:
            return None
        run = PackagedPillar(found) if self._python else _refuse(name, IS_PACKAGE)
        return Registered(run, reads_pillar=self._python)

    @property
    def trees(self) -> "tuple[RevisionTree, ...]":
        """The git trees that were opened so far."""
        git = self._opened.get("git")
        return () if git is None else tuple(getattr(git.run, "trees", ()))


def load_ext_pillars(
    *,
    python: bool = False,
    modules: Iterable[ModuleFile] = (),
    answers: Mapping[str, Path] | None = None,
) -> ExtPillars:
    """Return the external pillars of one run.

    Declared answers go before built-in external pillars, and these before modules of the tree,
    because a tree may contain a copy of a built-in one.
    """
    known: dict[str, tuple[str, Opener]] = {}
    # Built-in external pillars go before modules of the tree, so copies of common ones need no
    # trust (docs/decisions/0013).
    for module in modules:
        for name in sorted(module.names):
            opener = partial(_open_module, name, module, python=python)
            known.setdefault(name, ("of the tree", opener))
    for name, load in COMMANDS.items():
        refused = partial(Registered, _refuse(name, RUNS_COMMAND), runs_command=True)
        known[name] = ("a command", load if python else refused)
    known.update((name, ("built in", opener)) for name, opener in BUILT_IN.items())
    for name, file in (answers or {}).items():
        known[name] = (str(file), partial(Registered, AnsweredPillar(file)))
    return ExtPillars(known, python=python)


def _open_module(name: str, module: ModuleFile, *, python: bool) -> Registered:
    run = TreePillar(module.found) if python else _refuse(name, IS_OF_TREE)
    return Registered(run, reads_pillar=python)


def _refuse(name: str, what: str) -> ExtPillar:
    return refuse_code(what, answer_lines(name))


def _decrypt_all(context: ExtPillarContext, config: Any) -> Node:  # noqa: ARG001 (Salt looks at none)
    """Return the pillar with its PGP messages decrypted, or marked as secret without keys.

    Source: Salt ``salt/pillar/gpg.py``.
    """
    return decrypt_tree(context.pillar, context.decryptor, REASON)


def ext_pillar(minion_id: str, pillar: Any, pillar_name: Any = None) -> Any:  # noqa: ARG001 (Salt's arguments)
    """Return the key for the list; named as in Salt, whose errors of arguments have the name."""
    return pillar_name or "nodegroups"


def _list_nodegroups(context: ExtPillarContext, config: Any) -> MapNode:
    """Return the names of the nodegroups that match a minion, in the order of the options.

    A master uses its grains cache; here the declared grains are used.

    Source: Salt ``salt/pillar/nodegroups.py``.
    """
    name = read_arguments(ext_pillar, config)
    groups = context.options.get("nodegroups")
    if not isinstance(groups, dict):
        raise RenderError(f"'{type(groups).__name__}' object has no attribute 'keys'")
    place = context.place
    members = []
    for group, target in groups.items():
        if context.matches(target):
            at = context.place_of("nodegroups", group) or Position(*place)
            members.append(Leaf(group, (context.new_origin((at.file, at.line), group),)))
    found = ListNode(tuple(members), (context.new_origin(place, []),))
    return MapNode({name: found}, (context.new_origin(place, {}),), kind="plain")


def _opener(module: str, name: str, **how: Any) -> Opener:
    """Return the opener of an external pillar that is a function or a class of a module."""

    def open_pillar() -> Registered:
        loaded = getattr(import_module(f"pillarbook.compile.ext_pillars.{module}"), name)
        return Registered(loaded() if isinstance(loaded, type) else loaded, **how)

    return open_pillar


COMMANDS: Mapping[str, Opener] = {
    "cmd_json": _opener("commands", "load_command_json", runs_command=True),
    "cmd_yaml": _opener("commands", "load_command_yaml", runs_command=True),
}
BUILT_IN: Mapping[str, Opener] = {
    "file_tree": _opener("file_tree", "FileTreePillar", renders_with="template"),
    "git": _opener("git", "GitPillar", is_compile=True),
    "gpg": partial(Registered, _decrypt_all, changes_pillar=True),
    "hierarchy_pillar": _opener(
        "hierarchy", "HierarchyPillar", joins_pillar=True, reads_pillar=True
    ),
    "nodegroups": partial(Registered, _list_nodegroups, reads_pillar=True),
    "reclass": _opener("reclass", "ReclassPillar"),
    "stack": _opener("pillar_stack", "PillarStack", reads_pillar=True),
}
