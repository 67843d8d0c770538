"""PillarStack by itself, without a whole compile around it."""

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import yaml

from pillarbook.compile.ext_pillars import ExtPillar, ExtPillarContext, load_ext_pillars
from pillarbook.compile.limits import Limits
from pillarbook.compile.matchers import traverse
from pillarbook.compile.renderers.gpg_decryptor import SealedDecryptor
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.yaml_reuse import ParsedDocuments
from pillarbook.model import MapNode, Node, Origin, Position, grow
from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.file_access import DISK


def as_tree(data: Mapping[str, Any]) -> MapNode:
    """Return data as a tree whose values an SLS file gave."""
    node = grow(data, lambda _, value: Origin("pillar/p.sls", 1, "p", "base", value))
    assert isinstance(node, MapNode)
    return node


def new_stack() -> ExtPillar:
    """Return PillarStack."""
    stack = load_ext_pillars().find("stack")
    assert stack is not None
    return stack.run


class NoCompiler:
    """Compiles nothing; stack is no tree of SLS files."""

    def compile(self, roots: Roots, saltenv: str, pillarenv: str | None) -> MapNode:
        raise AssertionError(roots, saltenv, pillarenv)

    def merge(self, base: MapNode, update: MapNode) -> MapNode:
        raise AssertionError(base, update)


def context_of(
    folder: Path,
    *,
    minion: str = "m",
    declared: Mapping[str, Any] | None = None,
    pillar: MapNode | None = None,
    looked_for: list[Path] | None = None,
    parsed: ParsedDocuments | None = None,
) -> ExtPillarContext:
    """Return what PillarStack is given.

    ``folder`` is where it may read; its ``master`` holds the options. ``looked_for`` takes the
    files that are looked for, ``parsed`` the documents.
    """
    declared = declared or {}
    master = folder / "master"
    options = (yaml.safe_load(master.read_text()) or {}) if master.exists() else {}
    grains = {"id": minion, **declared.get("grains", {})}
    environments = {name: declared.get(name) for name in ("pillarenv", "saltenv")}

    def resolve(path: str) -> Path:
        full = (folder / path).absolute()
        if not full.resolve().is_relative_to(folder.resolve()):
            raise RenderError(f"{path} is out of reach")
        return full

    def render(content: bytes, path: Path, options: Mapping[str, Any]) -> Node:
        raise AssertionError(content, path, options)

    def note(path: Path, *, deep: bool = False) -> None:
        if looked_for is not None:
            looked_for.append(path)

    def describe(code: str, message: str, *, remedy: str | None = None, lacks: bool = True) -> None:
        raise AssertionError(code, message, remedy, lacks)

    return ExtPillarContext(
        name="stack",
        position=Position("master", 1),
        map_url=lambda _: None,
        may_read=lambda _: False,
        may_enter=lambda _: True,
        read_bytes=lambda path, most: DISK.read(resolve(str(path)), most),
        describe=describe,
        compiler=NoCompiler(),
        render=render,
        visible=as_tree({}),
        matches=lambda _: False,
        place_of=lambda *_: None,
        minion_id=minion,
        pillar=as_tree({}) if pillar is None else pillar,
        grains=grains,
        opts={"id": "master", **options, **environments},
        salt={"grains.get": lambda key, default="": traverse(grains, key, default)},
        options=options,
        folder=folder,
        resolve=resolve,
        shown=lambda path: path.relative_to(folder).as_posix(),
        limits=Limits(),
        decryptor=SealedDecryptor(),
        watch=lambda _: nullcontext(),
        files=DISK,
        note_file=note,
        parsed=parsed,
    )
