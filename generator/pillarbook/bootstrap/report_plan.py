"""Decides which master file a report is made with, and where its absolute paths lie here."""

import os
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from pillarbook.bootstrap.find_masters import MASTER_D, OWN, MasterCandidate, Unusable, find_masters
from pillarbook.bootstrap.find_trees import (
    BASE,
    FOLDER,
    TOP,
    SubstituteTop,
    Trees,
    find_substitute_top,
    find_trees,
    folder_of,
)
from pillarbook.bootstrap.listing import Listing, is_aside, join
from pillarbook.bootstrap.path_mapping import absolute_paths, map_paths, place_of
from pillarbook.bootstrap.yaml_lines import as_yaml
from pillarbook.compile.ext_pillars.git_remotes import without_password
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.master import load_master
from pillarbook.inventory.reach import find_reach, find_repository
from pillarbook.patterns.ciphertexts import BEGIN
from pillarbook.roots.git_files import GitFiles, RepositoryError
from pillarbook.roots.git_references import GitReferences

# A clone is often made by ssh where the master fetches by https.
_ACCESS = re.compile(r"^(?:[a-z]+://)?(?:[^@/]*@)?", re.IGNORECASE)

MAX_READ = 1_000
"""SLS files that are looked into for ciphertext."""
DEFAULT_ROOTS = {"pillar_roots": {BASE: ["/srv/pillar"]}}
"""What a master file that says nothing means."""


class NoPillarError(PillarbookError):
    """A folder that holds nothing to begin with."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"no pillar found in {folder}: it has no top.sls of a pillar, no folder called pillar"
            " with SLS files, and no master file with pillar_roots; run init in the folder that has"
            " the pillar, or name the master file: pillarbook init MASTER"
        )


class OutsideFolderError(PillarbookError):
    """A master file that lies elsewhere."""

    def __init__(self, master: Path) -> None:
        super().__init__(
            f"{master} is outside this folder, and `init` reads only this folder: copy it here, "
            f"and run `pillarbook init {master.name}`"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPlan:
    """What a report is to be made with."""

    master: str
    """The master file, relative to the folder."""
    text: str | None = None
    """What is to be written into it; None where it is there."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """Where absolute paths of the master, and remotes that are this repository, lie here."""
    unmapped: tuple[str, ...] = ()
    """Absolute roots that lie nowhere here."""
    alternatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Whole pillars beside each other, to be compared."""
    notes: tuple[str, ...] = ()
    """What was seen and left out, in sentences."""
    substitute_top: SubstituteTop | None = None
    """A top file to write where the tree has none."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of a master file of the tree."""
    roots: tuple[str, ...] = ()
    """The folders of pillar that are here."""
    guesses: tuple[str, ...] = ()
    """What was made up in the master file, in sentences."""


def make_plan(listing: Listing, master: str | None) -> ReportPlan:
    """Return what a report of a folder is to be made with.

    Raises:
        NoPillarError: There is no pillar here.
        OutsideFolderError: The master file lies elsewhere.
        SettingsError: The master file that the user named has faults.
    """
    trees = find_trees(listing)
    if master is not None:
        return _plan_with(listing, trees, _as_candidate(listing, master), ())
    candidates, unusable = find_masters(listing)
    for candidate in candidates:
        plan = _try(listing, trees, candidate, unusable)
        if plan is not None:
            others = tuple(_describe_others(listing, trees, candidate, candidates))
            others = others or tuple(_describe_unused_tops(trees, plan))
            return replace(plan, notes=(*plan.notes, *others))
    notes = tuple(_describe_unusable(unusable))
    if trees.has_top:
        return _own_plan(listing, trees, notes)
    substitute = find_substitute_top(listing, trees)
    if substitute is not None:
        roots = {BASE: (FOLDER, *substitute.roots)}
        text = write_master(
            roots, trees.states, "The tree has no top file: a stand-in comes first."
        )
        return ReportPlan(master=OWN, text=text, notes=notes, substitute_top=substitute)
    if candidates:
        return _plan_with(listing, trees, candidates[0], notes)
    raise NoPillarError(listing.folder)


def _as_candidate(listing: Listing, master: str) -> MasterCandidate:
    path = Path(master)
    full = path if path.is_absolute() else listing.folder / path
    relative = posixpath.relpath(str(full), str(listing.folder))
    if relative.startswith(".."):
        raise OutsideFolderError(path)
    options, _ = load_master(full, reach=find_reach(full))
    return MasterCandidate(relative, options.declared)


def _try(
    listing: Listing, trees: Trees, candidate: MasterCandidate, unusable: list[Unusable]
) -> ReportPlan | None:
    """Return a plan with a master file, where that leads to a pillar here."""
    plan = _plan_with(listing, trees, candidate, tuple(_describe_unusable(unusable)))
    paths = {there: listing.folder / here for there, here in plan.paths.items()}
    has_roots = any(_roots_here(listing, candidate, plan.paths))
    if not has_roots and (trees.pillar or "ext_pillar" not in candidate.options):
        return None
    if plan.text is None:
        file = listing.folder / plan.master
        try:
            load_master(file, reach=find_reach(file), paths=paths)
        except SettingsError as error:
            unusable.append(Unusable(candidate.name, str(error).splitlines()[0]))
            return None
    return plan


def _plan_with(
    listing: Listing, trees: Trees, candidate: MasterCandidate, notes: tuple[str, ...]
) -> ReportPlan:
    options = {**DEFAULT_ROOTS, **candidate.options}
    wanted = tuple(absolute_paths(options))
    paths = map_paths(listing, wanted, trees)
    used = {
        there: here
        for there, here in paths.items()
        if any(PurePosixPath(one).is_relative_to(there) for one in wanted)
    }
    roots = {kind: options.get(kind) for kind in ("pillar_roots", "file_roots")}
    # Several environments may name the same root.
    named = dict.fromkeys(absolute_paths(roots))
    unmapped = tuple(one for one in named if place_of(one, used) is None)
    master, text = _reachable(listing, candidate)
    own = find_own_remotes(listing.folder, options)
    notes += tuple(
        f"{url} of {master} is this repository: what is committed on its branches is read"
        for url in own
    )
    return ReportPlan(
        master=master,
        text=text,
        paths={**used, **own},
        unmapped=unmapped,
        notes=notes,
        options=candidate.options,
        roots=tuple(_roots_here(listing, candidate, used)),
    )


def _reachable(listing: Listing, candidate: MasterCandidate) -> tuple[str, str | None]:
    """Return the file to name as master, and its text where it is one that includes the other.

    A file of a ``master.d`` is one of several; and without a repository only everything below the
    master file may be read.
    """
    folder = folder_of(candidate.name)
    if PurePosixPath(folder).name == MASTER_D:
        return (
            OWN,
            f"# What lies in {folder}, read as a master reads it.\ninclude: {folder}/*.conf\n",
        )
    are_absolute = all(text.startswith("/") for text in _roots_of(candidate.options))
    if folder == "." or find_repository(listing.folder) is not None or not are_absolute:
        return candidate.name, None
    own = f"include:\n  - {candidate.name}\n"
    if any(name.startswith(join(folder, MASTER_D) + "/") for name in listing.files):
        own += f"  - {join(folder, MASTER_D)}/*.conf\n"
    return OWN, f"# {candidate.name}, with this folder as the one that may be read.\n{own}"


def _roots_of(options: Mapping[str, Any]) -> Iterator[str]:
    roots = options.get("pillar_roots")
    for folders in roots.values() if isinstance(roots, dict) else ():
        if isinstance(folders, list):
            yield from (one for one in folders if isinstance(one, str))


def _roots_here(
    listing: Listing, candidate: MasterCandidate, paths: Mapping[str, str]
) -> Iterator[str]:
    """Yield the folders of a master's roots for pillar that are there."""
    home = folder_of(candidate.name)
    for text in _roots_of({**DEFAULT_ROOTS, **candidate.options}):
        place: str | None = posixpath.normpath(join(home, text))
        if text.startswith("/"):
            place = place_of(text, paths)
        if place is not None and _fixed_part(place) in listing.folders:
            yield place


def _fixed_part(place: str) -> str:
    """Return the part of a folder above its first wildcard."""
    while any(sign in place for sign in ("*", "?", "[", "__env__")):
        place = folder_of(place)
    return place


def _own_plan(listing: Listing, trees: Trees, notes: tuple[str, ...]) -> ReportPlan:
    text = write_master(trees.pillar, trees.states, "Found by `pillarbook init`.")
    others = tuple(
        f"{name} is another top file of pillar, and not used; to use it, add its folder to {OWN}"
        for name in trees.others
    )
    folders = {folder for roots in trees.pillar.values() for folder in roots}
    if any(_needs_gpg(listing, folder) for folder in folders):
        text += "# Guessed: pillar files with PGP messages do not name the renderer.\n"
        text += "renderer: jinja|yaml|gpg\n"
    return ReportPlan(
        master=OWN,
        text=text,
        alternatives=trees.alternatives,
        notes=(*notes, *others),
        roots=tuple(sorted(folders)),
    )


def _needs_gpg(listing: Listing, folder: str) -> bool:
    """Say whether an SLS has ciphertext that only the master's own renderers can decrypt."""
    names = [name for name in listing.below(folder) if name.endswith(".sls")][:MAX_READ]
    texts = (listing.read(join(folder, name)) or "" for name in names)
    return any(BEGIN in text and not text.startswith("#!") for text in texts)


def write_master(
    pillar: Mapping[str, Sequence[str]], states: Mapping[str, Sequence[str]], words: str
) -> str:
    """Return the text of a master file with just the roots."""
    lines = [
        f"# Used instead of Salt's master file. {words}",
        "# If you have /etc/salt/master, copy its options here: ext_pillar, nodegroups,",
        "# pillar_source_merging_strategy and others change the pillar of minions.",
    ]
    for option, roots in (("pillar_roots", pillar), ("file_roots", states)):
        if roots:
            lines.append(f"{option}:")
        lines.extend(f"  {line}" for line in write_roots(roots))
    return "\n".join(lines) + "\n"


def write_roots(roots: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the lines of the environments of roots, without the indentation of the option."""
    for environment, folders in roots.items():
        yield f"{as_yaml(environment)}:"
        yield from (f"  - {as_yaml(one)}" for one in folders)


def _describe_others(
    listing: Listing, trees: Trees, used: MasterCandidate, candidates: Sequence[MasterCandidate]
) -> Iterator[str]:
    """Report files that lead to other pillar here: those of another stage or site."""
    for one in candidates:
        roots = one.options.get("pillar_roots")
        is_part = PurePosixPath(folder_of(one.name)).name == MASTER_D or is_aside(one.name)
        if is_part or not roots or roots == used.options.get("pillar_roots"):
            continue
        paths = map_paths(listing, tuple(absolute_paths(one.options)), trees)
        if any(_roots_here(listing, one, paths)):
            yield (
                f"{one.name} has other pillar_roots and is not used: to compare it, put its "
                "options under environments: in the configuration"
            )


def _describe_unused_tops(trees: Trees, plan: ReportPlan) -> Iterator[str]:
    """Report top files outside the master's roots, perhaps of the live pillar."""
    roots = {_fixed_part(root) for root in plan.roots}
    if not roots or any("git" in one for one in _ext_pillars(plan.options)):
        return
    for folder in trees.tops:
        if not any(PurePosixPath(folder).is_relative_to(root) for root in roots):
            yield (
                f"{join(folder, TOP)} is another top file of pillar, and not used; to use it, set"
                f" `master` in mkdocs.yml to a master file with {folder} in its pillar_roots"
            )


def _describe_unusable(unusable: Sequence[Unusable]) -> Iterator[str]:
    for one in unusable:
        yield f"{one.name} is not used as master file: {one.reason}"


def find_own_remotes(folder: Path, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the URLs of git_pillar that name the repository around a folder.

    Each has the repository as a path from the folder.
    """
    home = find_repository(folder)
    if home is None:
        return {}
    try:
        files = GitFiles(home, lambda path: path.is_relative_to(home))
        origin = GitReferences(files).options_of("remote", "origin").get("url", "")
    except RepositoryError:
        return {}
    here = os.path.relpath(home, folder)
    same = (url for url in _urls(options) if origin and _bare(url) == _bare(origin))
    return {without_password(url): here for url in same}


def _urls(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the URLs of all remotes of git_pillar."""
    for one in _ext_pillars(options):
        remotes = one.get("git")
        for remote in remotes if isinstance(remotes, list) else ():
            for text in remote if isinstance(remote, dict) else (remote,):
                if isinstance(text, str) and text.split():
                    yield text.split()[-1]


def _ext_pillars(options: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    pillars = options.get("ext_pillar")
    yield from (
        one for one in (pillars if isinstance(pillars, list) else ()) if isinstance(one, dict)
    )


def _bare(url: str) -> str:
    """Return host and path: ``git@host:a/b.git`` and ``https://host/a/b`` are one repository."""
    return _ACCESS.sub("", url).replace(":", "/", 1).rstrip("/").removesuffix(".git")
