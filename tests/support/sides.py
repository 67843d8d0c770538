"""Two states of a folder as a repository, opened together and, for comparison, each by itself."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.support.fleets import describe
from tests.support.repositories import commit_all, git

from pillarbook.changes.comparison import Sides, open_sides, resolve_sides
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.inventory.settings import Settings, load_settings
from pillarbook.model import plain
from pillarbook.session import RunOptions, open_session

OPTIONS = RunOptions(checks=False, environments=False)
ERRORS = "('_errors',"
"""Entries of ``_errors`` come from the line at which the minion is declared; nobody sees that."""
SAME = ("data", "outcome", "errors", "raises", "targets")
"""What has to be the same of a minion that nothing touches; faults may stand on other lines."""
MINIONS: Mapping[str, Any] = {"web": {"grains": {"role": "web"}}, "db": {"grains": {"role": "db"}}}
FILES = {
    "top.sls": "base:\n  '*': [common]\n  'role:web':\n    - match: grain\n    - web\n",
    "common.sls": "name: {{ grains.id }}\n",
    "web.sls": "{% from 'map.jinja' import port %}\nport: {{ port }}\n",
    "map.jinja": "{% set port = 80 %}\n",
}


def settings_of(folder: Path) -> Settings:
    """Return a folder's settings: by its ``mkdocs.yml``, else ``master`` and ``minions.yml``."""
    if (folder / "mkdocs.yml").exists():
        return load_settings(folder / "mkdocs.yml")
    inventory = (folder / "minions.yml",)
    return Settings(master=folder / "master", inventory=inventory, folder=folder)


def start(folder: Path) -> Path:
    """Make a folder a repository, and return it."""
    git(folder, "init", "--quiet", "--initial-branch", "main")
    return folder


def empty(folder: Path) -> None:
    """Remove everything in a working tree."""
    for path in folder.iterdir():
        if path.name == ".git":
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def open_both(
    folder: Path, base: str = "HEAD", head: str | None = None, options: RunOptions = OPTIONS
) -> Sides:
    """Open a folder's fleet as it is on two sides."""
    return open_sides(settings_of(folder), options, *resolve_sides(folder, base, head))


def compile_without_recording(folder: Path) -> dict[str, Any]:
    """Return what a whole compile without the memo gives to each minion of a working tree."""
    options = RunOptions(checks=False, environments=False, memo=False)
    with open_session(settings_of(folder), options) as session:
        return {
            one.minion: describe(one) for one in session.compiler.compile_all(session.fleet.minions)
        }


def check_sides(folder: Path, change: Callable[[], None], *, committed: bool) -> set[str]:
    """Hold both sides of a change against whole compiles of what is checked out.

    ``folder`` is a working tree in the state of the base, not committed yet, and ``change`` brings
    it into the state of the head. Return the minions that the change touches.
    """
    commit_all(folder)
    before = compile_without_recording(folder)
    change()
    if committed:
        commit_all(folder)
    after = compile_without_recording(folder)
    affected = set()
    sides = open_both(folder, *(("HEAD~1", "HEAD") if committed else ("HEAD",)))
    with sides:
        assert set(sides.minions) == {*before, *after}
        for minion in sides.minions:
            base, head = compile_on_both(sides, minion)
            if minion in after:
                assert head is not None
                assert describe(head) == after[minion]
            if base is head:
                assert _same(before[minion]) == _same(after[minion])
                continue
            affected.add(minion)
            if minion in before:
                assert base is not None
                assert describe(base) == before[minion]
        for minion in before:  # whatever is compiled of the base is what it was
            assert describe(sides.base.compiler.compile(minion)) == before[minion]
    return affected


def compile_on_both(
    sides: Sides, minion: str
) -> tuple[CompiledPillar | None, CompiledPillar | None]:
    """Return the pillar of a minion in the base and in the head; None if a side lacks it.

    If the change does not affect the minion, both are one object.
    """
    head = sides.head.compiler.compile(minion) if sides.head.fleet.has(minion) else None
    if head is not None and not sides.touches(head):
        return head, head
    return sides.compile_base(minion), head


def _same(described: dict[str, Any]) -> list[Any]:
    leaves = [leaf for leaf in described["leaves"] if not leaf[0].startswith(ERRORS)]
    return [leaves, *(described[name] for name in SAME)]


def values(sides: Sides, minion: str, key: str) -> tuple[Any, Any]:
    """Return a value of a minion on both sides; None where there is none."""
    base, head = compile_on_both(sides, minion)
    return tuple(  # type: ignore[return-value]
        None if side is None else plain(side.tree).get(key) for side in (base, head)
    )


def affected(sides: Sides) -> set[str]:
    """Return the minions that a change touches."""
    return {
        minion
        for minion in sides.minions
        if not sides.head.fleet.has(minion) or sides.touches(sides.head.compiler.compile(minion))
    }


def told(sides: Sides) -> str:
    """Return what is said of files that could not be compared."""
    found = (*sides.base.shown.diagnostics, *sides.head.shown.diagnostics)
    return "\n".join(one.message for one in found if one.code == "not-compared")
