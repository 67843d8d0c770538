"""Fleets compiled in the test's own process, from a case folder or from files a test writes.

A case folder has ``master``, ``minions.yml`` and what these name, as the conformance cases do.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import yaml

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.ext_pillars import load_ext_pillars
from pillarbook.compile.pillar import compile_pillar
from pillarbook.compile.project import Project, Remembered, path_resolver
from pillarbook.compile.renderers.code.modules import ModuleFiles
from pillarbook.compile.renderers.code.record_opened import noting_opened
from pillarbook.compile.renderers.gpg_decryptor import GpgDecryptor, SealedDecryptor
from pillarbook.compile.renderers.pipe import builtin_renderers
from pillarbook.compile.renderers.render_context import Decryptor
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.highstate.highstate import compile_states
from pillarbook.inventory.master import find_gpg_keydir, load_master
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion, load_inventory
from pillarbook.inventory.reach import Reach, Trust
from pillarbook.model import leaves, plain, to_tagged, write_as_salt
from pillarbook.session.custom_modules import find_custom_modules
from pillarbook.session.open_session import root_opener

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases"
EXAMPLE = ROOT / "example"


@dataclass(frozen=True, slots=True)
class Fleet:
    """A case folder, read and ready to compile."""

    minions: Mapping[str, Minion]
    project: Project

    def compile(self, minion: str) -> CompiledPillar:
        return compile_pillar(self.minions[minion], self.project)

    def compile_states(self, minion: str) -> CompiledStates:
        return compile_states(self.minions[minion], self.project, self.compile(minion))

    def of_minions(self, minions: Mapping[str, Mapping[str, Any]]) -> "Fleet":
        """Return the fleet with other minions, by id and grains."""
        one = next(iter(self.minions.values()))
        made = {
            minion: replace(one, id=minion, grains={**grains, "id": minion})
            for minion, grains in minions.items()
        }
        return Fleet(made, self.project)

    def compile_all(self, order: Sequence[str] | None = None) -> dict[str, CompiledPillar]:
        """Compile the minions named, all of them in inventory order where none are."""
        return {minion: self.compile(minion) for minion in order or self.minions}

    @property
    def remembered(self) -> Remembered:
        return self.project.remembered


@contextmanager
def open_fleet(
    folder: Path,
    *,
    memo: bool = True,
    decryptor: Decryptor | None = None,
    watch: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext(),
    python: bool = False,
    paths: Mapping[str, Path] | None = None,
) -> Iterator[Fleet]:
    """Read a case folder.

    The folder has ``master`` and ``minions.yml``. Without a ``decryptor``, it is gpg on the
    master's key folder. ``watch`` is told of each render by the file's name; ``paths`` are where
    absolute paths and URLs lie here.
    """
    reach = Reach((folder.resolve(), CASES, EXAMPLE)).widened(*(paths or {}).values())
    master, _ = load_master(folder / "master", reach=reach, paths=paths)
    minions = load_inventory([folder / "minions.yml"], shown=master.shown, reach=reach)
    with ExitStack() as cleanup:
        project = Project(
            options=master,
            folder=master.folder,
            open_roots=root_opener(master.shown, {}),
            renderers=builtin_renderers(
                python=python, custom=find_custom_modules(master, master.shown, "renderers")
            ),
            ext_pillars=load_ext_pillars(
                python=python, modules=find_custom_modules(master, master.shown, "pillar")
            ),
            decryptor=decryptor or cleanup.enter_context(open_gpg(master)),
            resolve=path_resolver(master),
            shown=master.shown,
            watch=watch,
            opening=partial(noting_opened, top=master.top),
            memo=memo,
            fleet=minions,
            modules=ModuleFiles(find_custom_modules(master, master.shown, "modules"), python),
        )
        yield Fleet({minion.id: minion for minion in minions}, project)


@contextmanager
def open_gpg(master: MasterOptions) -> Iterator[Decryptor]:
    keydir = find_gpg_keydir(master, Trust(reveal=True))
    if keydir is None or not keydir.is_dir():
        yield SealedDecryptor()
        return
    must_succeed = bool(master.values.get("gpg_decrypt_must_succeed", True))
    with GpgDecryptor(keydir, must_succeed=must_succeed) as decryptor:
        yield decryptor


def compile_case(
    folder: Path,
    *,
    memo: bool = True,
    order: Sequence[str] | None = None,
    python: bool = False,
    paths: Mapping[str, Path] | None = None,
) -> dict[str, CompiledPillar]:
    """Compile the minions of a case folder, in the order given."""
    with open_fleet(folder, memo=memo, python=python, paths=paths) as fleet:
        return fleet.compile_all(order)


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Write a case folder's files by their paths."""
    for path, text in files.items():
        full = folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text, newline="")
    return folder


def write_fleet(
    folder: Path,
    files: Mapping[str, str],
    minions: Mapping[str, Any],
    master: Mapping[str, Any] | None = None,
) -> Path:
    """Write a case folder: ``files`` below ``pillar``, and minions as ``minions.yml`` has them."""
    options = {"pillar_roots": {"base": ["pillar"]}, **(master or {})}
    declared = yaml.safe_dump({"minions": dict(minions)}, sort_keys=False)
    write_files(
        folder,
        {"master": yaml.safe_dump(options, sort_keys=False), "minions.yml": declared},
    )
    write_files(folder / "pillar", files)
    return folder


class Drawn(Protocol):
    """A case folder that is not written yet."""

    @property
    def master(self) -> Mapping[str, Any]: ...
    @property
    def minions(self) -> Mapping[str, Any]: ...
    @property
    def files(self) -> Mapping[str, str]: ...


def write_drawn(folder: Path, fleet: Drawn) -> Path:
    """Write a case folder that was drawn."""
    write_fleet(folder, {}, fleet.minions, fleet.master)
    return write_files(folder, fleet.files)


def answer_of(compiled: CompiledPillar) -> Any:
    """Return what ``expected.json`` has for a minion."""
    if compiled.raises is not None:
        return {"$raises": compiled.raises}
    return json.loads(write_as_salt(to_tagged(plain(compiled.tree))))


def said(compiled: CompiledPillar) -> list[tuple[str, str]]:
    """Return code and message of each diagnostic."""
    return [(one.code, one.message) for one in compiled.diagnostics]


def describe(compiled: CompiledPillar) -> Any:
    """Return everything that a compile says, in a form that compares with types and key order."""
    return {
        "data": _typed(plain(compiled.tree)),
        "leaves": [
            (
                repr(path),
                [(*_place(origin), _typed(origin.value)) for origin in origins],
                getattr(node, "secret", None),
            )
            for path, node, origins in leaves(compiled.tree)
        ],
        "outcome": compiled.outcome,
        "errors": compiled.errors,
        "raises": compiled.raises,
        "targets": compiled.targets,
        "environments": (compiled.pillarenv, compiled.saltenv),
        "diagnostics": compiled.diagnostics,
        "files": [result.files for result in compiled.renders],
    }


def _place(origin: Any) -> tuple[Any, ...]:
    return origin.file, origin.line, origin.sls, origin.saltenv


def _typed(value: Any) -> Any:
    if isinstance(value, dict):
        return [(_typed(key), _typed(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [_typed(item) for item in value]
    if isinstance(value, set | frozenset):  # as written out: sorted
        return type(value).__name__, sorted(map(repr, value))
    return type(value).__name__, repr(value)


def lowstate_of(compiled: CompiledStates) -> Any:
    """Return what ``expected-lowstate.json`` has for a minion."""
    if compiled.raises is not None:
        return {"$raises": compiled.raises}
    chunks = [to_tagged(plain(chunk)) for chunk in compiled.chunks]
    return {"chunks": chunks, "errors": list(compiled.errors)}
