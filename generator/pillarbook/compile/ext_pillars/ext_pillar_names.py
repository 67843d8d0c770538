"""Which external pillar a name stands for in one run."""

from collections.abc import Iterable, Mapping
from pathlib import Path

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
from pillarbook.compile.ext_pillars.gpg_pillar import decrypt_all
from pillarbook.compile.ext_pillars.hierarchy import HierarchyPillar
from pillarbook.compile.ext_pillars.interface import ExtPillar, Registered
from pillarbook.compile.ext_pillars.nodegroups import list_nodegroups
from pillarbook.compile.ext_pillars.pillar_stack import PillarStack
from pillarbook.compile.ext_pillars.reclass import ReclassPillar
from pillarbook.compile.renderers.code.outline import ModuleFile
from pillarbook.roots import RevisionTree


class ExtPillars:
    """The external pillars of one run.

    Args:
        known: Those that are there, by name.
        python: Whether code may run.
    """

    def __init__(self, known: Mapping[str, Registered], *, python: bool) -> None:
        self._declared = dict(known)
        self._known: dict[object, Registered | None] = dict(known.items())
        self._python = python

    def find(self, name: object) -> Registered | None:
        """Return the external pillar of a name; None where there is none.

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
        modules: Modules of the tree that hold external pillars, those that count first in front.
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
        gpg=Registered(decrypt_all, changes_pillar=True),
        hierarchy_pillar=Registered(HierarchyPillar(), joins_pillar=True, reads_pillar=True),
        nodegroups=Registered(list_nodegroups, reads_pillar=True),
        reclass=Registered(ReclassPillar()),
        stack=Registered(PillarStack(), reads_pillar=True),
    )
    known.update((name, Registered(AnsweredPillar(file))) for name, file in (answers or {}).items())
    return ExtPillars(known, python=python)


def _refuse(name: str, what: str) -> ExtPillar:
    return refuse_code(what, answer_lines(name))
