"""The folders of ``pillar_roots`` and ``file_roots``: expanded, mapped and checked."""

import glob
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pillarbook.diagnostics import Diagnostic, Severity, new_diagnostic
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.reach import OutsideReachError, Reach

RootKind = Literal["pillar_roots", "file_roots"]
ROOT_KINDS: tuple[RootKind, ...] = ("pillar_roots", "file_roots")
DYNAMIC_ENVIRONMENT = "__env__"


@dataclass(frozen=True, slots=True)
class ResolvedRoot:
    """One folder of an environment."""

    text: str
    """As the options name it, wildcards expanded; may hold ``__env__``."""
    path: Path | None
    """The folder; None if ``__env__`` has to be replaced first."""
    reach: Reach
    """What may be read through it: what the tree may read, and the folder itself."""


def resolve_roots(
    options: MasterOptions, kind: RootKind, *, environment: str | None = None
) -> dict[str, tuple[ResolvedRoot, ...]]:
    """Return the folders of each environment, in the order of the options.

    A folder out of reach is left out; ``check_roots`` reports it. One that does not exist is kept:
    it is harmless. In ``pillar_roots``, ``environment`` replaces ``__env__``: a minion's pillarenv,
    else its saltenv, else ``base``. In ``file_roots`` any environment can: ``environment``, and
    those that have a folder. With None, ``__env__`` is an environment whose folders have no path.
    """
    roots: dict[str, list[str]] = options.values[kind]
    if environment is not None and DYNAMIC_ENVIRONMENT in roots:
        if kind == "pillar_roots":
            roots = _name_dynamic(roots, environment)
        else:
            roots = _add_dynamic(options, roots, environment)
    is_open = environment is None
    return {
        env: tuple(
            root for text in texts if (root := _resolve(options, text, is_open=is_open)) is not None
        )
        for env, texts in roots.items()
    }


def expand_root(options: MasterOptions, text: str) -> list[str]:
    """Return a folder's name with its wildcards expanded, sorted; empty if nothing matches.

    Source: Salt ``salt/config/__init__.py`` (``_expand_glob_path``); the order is Python's there.
    """
    parts = text.split("/")
    magic = next((at for at, part in enumerate(parts) if glob.has_magic(part)), None)
    if magic is None:
        return [text]
    prefix = "/".join(parts[:magic])
    start = "/" if not prefix and text.startswith("/") else prefix
    try:
        folder = options.resolve_path(start or ".")
    except OutsideReachError:
        return [text]
    rest = "/".join(parts[magic:])
    matches = sorted(options.reach.files.glob(rest, folder, options.reach.reaches))
    return [f"{prefix}/{match}" if magic else match for match in matches]


def _name_dynamic(roots: dict[str, list[str]], environment: str) -> dict[str, list[str]]:
    """Replace ``__env__`` by an environment, unless that has folders of its own.

    Source: Salt ``salt/pillar/__init__.py`` (``Pillar.__gen_opts``).
    """
    named = {env: texts for env, texts in roots.items() if env != DYNAMIC_ENVIRONMENT}
    # Salt takes a minion's environment of this name for one with folders of its own.
    if environment not in roots:
        named[environment] = _name_folders(roots, environment)
    return named


def _add_dynamic(
    options: MasterOptions, roots: dict[str, list[str]], environment: str
) -> dict[str, list[str]]:
    """Add an environment, and those for which a folder with ``__env__`` exists.

    Source: Salt ``salt/fileserver/roots.py`` (``find_file``).
    """
    found: dict[str, None] = {environment: None}
    for text in roots[DYNAMIC_ENVIRONMENT]:
        before, *after = map(re.escape, text.split(DYNAMIC_ENVIRONMENT))
        if after:
            named = re.compile(before + "([^/]+)" + r"\1".join(after))
            folders = expand_root(options, text.replace(DYNAMIC_ENVIRONMENT, "*"))
            found |= {one[1]: None for one in map(named.fullmatch, folders) if one is not None}
    return roots | {env: _name_folders(roots, env) for env in found if env not in roots}


def _name_folders(roots: dict[str, list[str]], environment: str) -> list[str]:
    texts = roots[DYNAMIC_ENVIRONMENT]
    return [text.replace(DYNAMIC_ENVIRONMENT, environment) for text in texts]


def _resolve(options: MasterOptions, text: str, *, is_open: bool) -> ResolvedRoot | None:
    if is_open and DYNAMIC_ENVIRONMENT in text:
        return ResolvedRoot(text, None, options.reach)
    try:
        path = options.resolve_path(text)
    except OutsideReachError:
        return None
    return ResolvedRoot(text, path, options.reach.widened(path))


def check_roots(options: MasterOptions, kind: RootKind) -> Iterator[Diagnostic]:
    """Yield diagnostics for the folders that are out of reach, or do not exist."""
    declared = kind in options.positions
    environments: dict[str, Any] = options.values[kind]
    if not declared and kind == "pillar_roots" and not any(resolve_roots(options, kind).values()):
        yield new_diagnostic(
            "missing-root",
            "the master file sets no pillar_roots, and Salt's own folders are out of reach",
            remedy="set pillar_roots, or map /srv/pillar with 'paths:' in mkdocs.yml",
        )
    if not declared:
        return
    for env, texts in environments.items():
        found = [_check_one(options, kind, env, text) for text in texts]
        is_empty = kind == "pillar_roots" and all(
            one is not None and one.code == "missing-root" for one in found
        )
        for one in found:
            if one is not None:
                yield replace(one, severity=Severity.WARNING) if is_empty else one


def _check_one(options: MasterOptions, kind: RootKind, env: str, text: str) -> Diagnostic | None:
    place = options.place_of(kind, env)
    try:
        path = options.resolve_path(text.replace(DYNAMIC_ENVIRONMENT, "base"))
    except OutsideReachError as error:
        return new_diagnostic(
            "outside-reach",
            f"the folder '{text}' of {kind} {error.reason} and has no effect",
            place,
            path=(kind, env),
            remedy=f"{error.remedy}; 'paths:' in mkdocs.yml maps a folder of the master to a local"
            " one",
        )
    if DYNAMIC_ENVIRONMENT in text or options.reach.files.is_dir(path):
        return None
    return new_diagnostic(
        "missing-root",
        f"the folder '{text}' of {kind} does not exist",
        place,
        path=(kind, env),
        remedy="check if a private folder or a submodule is missing; pillarbook continues"
        " without it",
    )
