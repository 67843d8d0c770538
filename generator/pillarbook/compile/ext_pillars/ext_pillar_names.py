"""Which external pillar a name stands for in one run, and those that are a few lines."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

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
from pillarbook.compile.ext_pillars.commands import load_command_json, load_command_yaml
from pillarbook.compile.ext_pillars.file_tree import FileTreePillar
from pillarbook.compile.ext_pillars.git import GitPillar
from pillarbook.compile.ext_pillars.hierarchy import HierarchyPillar
from pillarbook.compile.ext_pillars.interface import (
    ExtPillar,
    ExtPillarContext,
    Registered,
    read_arguments,
)
from pillarbook.compile.ext_pillars.pillar_stack import PillarStack
from pillarbook.compile.ext_pillars.reclass import ReclassPillar
from pillarbook.compile.renderers.code.outline import ModuleFile
from pillarbook.compile.renderers.gpg import REASON, decrypt_tree
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.model import Leaf, ListNode, MapNode, Node, Position
from pillarbook.roots import RevisionTree


class ExtPillars:
    """The external pillars of one run."""

    def __init__(self, known: Mapping[str, Registered], *, python: bool) -> None:
        self._declared = dict(known)
        self._known: dict[object, Registered | None] = dict(known.items())
        self._python = python

    def find(self, name: object) -> Registered | None:
        """Return the external pillar of a name; None if there is none.

        What installed packages bring is looked up last, when it is asked for.
        """
        if name not in self._known:
            found = find_entry_point(name) if isinstance(name, str) else None
            self._known[name] = (
                None
                if found is None
                else Registered(
                    PackagedPillar(found) if self._python else _refuse(str(name), IS_PACKAGE),
                    reads_pillar=True,
                )
            )
        return self._known[name]

    @property
    def known(self) -> Mapping[object, str]:
        """What each name stands for, as far as that is known without looking at packages."""
        return {
            name: str(one.run.file)
            if isinstance(one.run, AnsweredPillar)
            else type(one.run).__name__
            for name, one in self._declared.items()
        }

    @property
    def trees(self) -> tuple[RevisionTree, ...]:
        """The git trees that were opened so far."""
        known = (one.run for one in self._known.values() if one is not None)
        return tuple(tree for run in known if isinstance(run, GitPillar) for tree in run.trees)


def load_ext_pillars(
    *,
    python: bool = False,
    modules: Iterable[ModuleFile] = (),
    answers: Mapping[str, Path] | None = None,
) -> ExtPillars:
    """Return the external pillars, new ones for one run: they keep what they read.

    A declared answer comes before everything, ours before modules of the tree, as the tree may
    well have a copy of the one that is built in.

    Args:
        python: Whether code may run: of the tree, of installed packages, and commands.
        modules: Modules of the tree that hold external pillars; the first of a name counts.
        answers: Files that answer external pillars.
    """
    known: dict[str, Registered] = {}
    # A module of the tree comes after what is built in, so copies of common ones need no trust
    # (docs/decisions/0013).
    for module in modules:
        for name in sorted(module.names):
            run = TreePillar(module.found) if python else _refuse(name, IS_OF_TREE)
            known.setdefault(name, Registered(run, reads_pillar=True))
    commands: dict[str, ExtPillar] = {"cmd_json": load_command_json, "cmd_yaml": load_command_yaml}
    for name, run in commands.items():
        allowed = run if python else _refuse(name, RUNS_COMMAND)
        known[name] = Registered(allowed, runs_command=True)
    known.update(
        file_tree=Registered(FileTreePillar()),
        git=Registered(GitPillar(), is_compile=True),
        gpg=Registered(_decrypt_all, changes_pillar=True),
        hierarchy_pillar=Registered(HierarchyPillar(), joins_pillar=True, reads_pillar=True),
        nodegroups=Registered(_list_nodegroups, reads_pillar=True),
        reclass=Registered(ReclassPillar()),
        stack=Registered(PillarStack(), reads_pillar=True),
    )
    known.update((name, Registered(AnsweredPillar(file))) for name, file in (answers or {}).items())
    return ExtPillars(known, python=python)


def _refuse(name: str, what: str) -> ExtPillar:
    return refuse_code(what, answer_lines(name))


def _decrypt_all(context: ExtPillarContext, config: Any) -> Node:  # noqa: ARG001 (Salt looks at none)
    """Return the pillar with its PGP messages opened, or marked as secret if they stay sealed.

    Raises:
        DecryptError: A message cannot be opened, where it must be.

    Source: Salt ``salt/pillar/gpg.py``.
    """
    return decrypt_tree(context.pillar, context.decryptor, REASON)


def _take_name(minion_id: str, pillar: Any, pillar_name: Any = None) -> Any:  # noqa: ARG001 (Salt's arguments)
    """Return the key of the list."""
    return pillar_name or "nodegroups"


def _list_nodegroups(context: ExtPillarContext, config: Any) -> MapNode:
    """Return the names of the nodegroups that match a minion, in the order of the options.

    A master asks its cache of grains; here the declared ones are asked.

    Raises:
        RenderError: With Salt's words.

    Source: Salt ``salt/pillar/nodegroups.py``.
    """
    name = read_arguments(_take_name, config)
    groups = context.options.get("nodegroups")
    if not isinstance(groups, dict):
        raise RenderError(f"'{type(groups).__name__}' object has no attribute 'keys'")
    place = (context.position.file, context.position.line)
    members = []
    for group, target in groups.items():
        if context.matches(target):
            at = context.place_of("nodegroups", group) or Position(*place)
            members.append(Leaf(group, (context.new_origin((at.file, at.line), group),)))
    found = ListNode(tuple(members), (context.new_origin(place, []),))
    return MapNode({name: found}, (context.new_origin(place, {}),), kind="plain")
