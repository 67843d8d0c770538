"""Finds the pillar of a folder that has no master file: its roots, its environments, its states.

Names of folders tell the most (``pillar``, ``srv/pillar``, ``salt``); where they tell nothing, the
SLS files do: states call functions such as ``pkg.installed``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pillarbook.bootstrap.listing import Listing, is_aside, join
from pillarbook.bootstrap.top_text import TEMPLATED, TextTop, read_top
from pillarbook.bootstrap.yaml_lines import as_yaml
from pillarbook.roots.tree_interface import sls_of_path

TOP = "top.sls"
BASE = "base"
MAX_SAMPLED = 40
"""SLS files that are read to tell states from pillar."""
STATE_FOLDERS = frozenset(
    ("salt", "states", "state", "formulas", "salt_states", "_states", "roots")
)
FIRST_NAMES = ("base", "prod", "production", "live", "main", "default")
"""Names of environments that the others are compared with."""
_STATE_CALL = re.compile(
    r"^\s+(?:-\s+)?(?:archive|boto\w*|cmd|cron|docker\w*|file|git|group|host|iptables|mount|mysql_\w+|module|"
    r"network|npm|pip|pkg|pkgrepo|postgres_\w+|reg|service|ssh_auth|sysctl|test|timezone|user|"
    r"virtualenv)(?:\.[a-z_]+(?::\s*(?:\[\]|\{\})?)?\s*$"
    r"|:\s*\n\s+-\s+(?:absent|installed|latest|managed|present|running)\s*$)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Trees:
    """What was found."""

    pillar: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Environment to folders; empty where there is no pillar."""
    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Environment to folders of states; empty where there are none."""
    alternatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Whole pillars beside each other, each with a ``base`` of its own; the first is ``pillar``."""
    others: tuple[str, ...] = ()
    """Top files that were left out."""
    has_top: bool = False
    """Whether the pillar has a top file."""
    tops: tuple[str, ...] = ()
    """All folders of pillar that have a top file, without tests and examples."""


def find_trees(listing: Listing) -> Trees:
    """Return the pillar and the states of a folder."""
    tops = [folder_of(name) for name in listing.files if PurePosixPath(name).name == TOP]
    pillars = [folder for folder in tops if not holds_states(listing, folder)]
    states = [folder for folder in tops if folder not in pillars]
    kept = [folder for folder in pillars if not is_aside(folder)] or pillars
    if not kept:
        bare = _find_bare(listing)
        bare_roots: dict[str, tuple[str, ...]] = {BASE: (bare,)} if bare else {}
        return Trees(bare_roots, _find_states(listing, states, bare))
    best = min(kept, key=_rank)
    texts = {folder: read_top(listing.read(join(folder, TOP)) or "") for folder in kept}
    siblings = dict(sorted(_siblings(best, kept), key=lambda pair: _order(pair[0])))
    best = next(iter(siblings.values()), best)
    used, roots, alternatives = _arrange(listing, best, siblings, texts)
    others = tuple(join(folder, TOP) for folder in pillars if folder not in used)
    found = _find_states(listing, states, best)
    return Trees(roots, found, alternatives, others, has_top=True, tops=tuple(kept))


def folder_of(name: str) -> str:
    """Return the folder of a file; ``.`` for the uppermost."""
    return str(PurePosixPath(name).parent)


def holds_states(listing: Listing, folder: str) -> bool:
    """Say whether a folder with a top file holds states rather than pillar."""
    for part in reversed(PurePosixPath(folder).parts):
        if "pillar" in part.lower():
            return False
        if part.lower() in STATE_FOLDERS:
            return True
    return _looks_like_states(listing, folder)


def _looks_like_states(listing: Listing, folder: str) -> bool:
    names = [
        name
        for name in listing.below(folder)
        if name.endswith(".sls") and not name.endswith(TOP) and "pillar" not in name
    ][:MAX_SAMPLED]
    calls = sum(bool(_STATE_CALL.search(listing.read(join(folder, one)) or "")) for one in names)
    return calls * 3 > len(names)


def _rank(folder: str) -> tuple[bool, int, tuple[int, str], str]:
    """Return what comes first: a folder called pillar, one that lies high, a first environment."""
    path = PurePosixPath(folder)
    return not _names_pillar(folder), len(path.parts), _order(path.name), folder


def _names_pillar(folder: str) -> bool:
    return "pillar" in folder.lower()


def _order(name: str) -> tuple[int, str]:
    return FIRST_NAMES.index(name) if name in FIRST_NAMES else len(FIRST_NAMES), name


def _siblings(best: str, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield name and path of the folders that differ from the best in the same one part.

    `bootstrap/` beside `pillars/` is no pillar: if the best is called pillar, all are.
    """
    mine = PurePosixPath(best).parts
    by_place: dict[int, list[tuple[str, str]]] = {}
    for folder in folders:
        if _names_pillar(best) and not _names_pillar(folder):
            continue
        parts = PurePosixPath(folder).parts
        differing = [at for at, part in enumerate(parts) if at < len(mine) and part != mine[at]]
        if len(parts) == len(mine) and len(differing) == 1:
            by_place.setdefault(differing[0], []).append((parts[differing[0]], folder))
    if by_place:
        place = max(by_place, key=lambda at: (len(by_place[at]), at))
        yield mine[place], best
        yield from sorted(by_place[place])


def _arrange(
    listing: Listing, best: str, siblings: Mapping[str, str], texts: Mapping[str, TextTop]
) -> tuple[set[str], dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Return the folders that are used, the roots, and the pillars beside each other."""
    own = {
        name: folder for name, folder in siblings.items() if _is_environment(name, texts[folder])
    }
    if len(own) > 1:
        return set(own.values()), {name: (folder,) for name, folder in own.items()}, {}
    if len(siblings) > 1:
        alternatives: dict[str, tuple[str, ...]] = {
            name: (folder,) for name, folder in siblings.items()
        }
        return set(siblings.values()), {BASE: (best,)}, alternatives
    return {best}, _environments_of_one(listing, best, texts[best]), {}


def _is_environment(name: str, top: TextTop) -> bool:
    """Say whether a folder's top file is one of the environment of that name."""
    return name in top.environments or any(TEMPLATED in one for one in top.environments)


def _environments_of_one(listing: Listing, best: str, top: TextTop) -> dict[str, tuple[str, ...]]:
    """Return the roots of the environments that the only top file names."""
    named = [one for one in top.environments if TEMPLATED not in one] or [BASE]
    roots: dict[str, tuple[str, ...]] = {}
    for environment in named:
        wanted = [sls for one in top.targets if one.saltenv == environment for sls in one.sls]
        places = dict.fromkeys((best, join(best, environment), join(folder_of(best), environment)))
        there = [place for place in places if place in listing.folders]
        roots[environment] = (max(there, key=lambda one: count_sls(listing, one, wanted)),)
    if not any(best in folders for folders in roots.values()):
        first = BASE if BASE in roots else next(iter(roots))
        roots[first] = (best, *roots[first])
    return dict(sorted(roots.items(), key=lambda pair: pair[0] != BASE))


def count_sls(listing: Listing, folder: str, wanted: Sequence[str]) -> int:
    """Return how many of some SLS names have a file below a folder."""
    paths = [join(folder, sls.replace(".", "/")) for sls in wanted]
    return sum(
        f"{path}.sls" in listing.names or f"{path}/init.sls" in listing.names for path in paths
    )


def _find_bare(listing: Listing) -> str | None:
    """Return a folder that is called pillar and has SLS files, but no top file."""
    found = {
        str(parent)
        for name in listing.files
        if name.endswith(".sls")
        for parent in PurePosixPath(name).parents
        if "pillar" in parent.name.lower()
    }
    kept = [folder for folder in found if not is_aside(folder)] or sorted(found)
    return min(kept, key=_rank) if kept else None


def _find_states(
    listing: Listing, tops: Sequence[str], pillar: str | None
) -> dict[str, tuple[str, ...]]:
    """Return the state tree that belongs to the pillar: with a top file, else by its name."""
    named = [
        folder
        for folder in listing.folders
        if PurePosixPath(folder).name in STATE_FOLDERS
        and any(name.endswith(".sls") for name in listing.below(folder))
    ]
    found = [one for one in (*tops, *named) if not is_aside(one) and one != pillar]
    home = folder_of(pillar) if pillar else "."
    found.sort(
        key=lambda one: (
            one not in tops,
            folder_of(one) != home,
            one.count("/"),
            one not in named,
            one,
        )
    )
    if not found:
        return {}
    text = listing.read(join(found[0], TOP)) if found[0] in tops else None
    return _environments_of_one(listing, found[0], read_top(text or ""))


FOLDER = "pillarbook-top"
"""Where the top file is written."""
EXAMPLE = "pillar.example"
MAX_LISTED = 2_000
"""SLS files that are given."""


@dataclass(frozen=True, slots=True)
class SubstituteTop:
    """A top file to write, and what it needs."""

    roots: tuple[str, ...]
    """The roots behind ``FOLDER``."""
    files: tuple[tuple[str, str], ...]
    """Name and text of what is written."""
    why: str
    """What it stands for, in a sentence."""
    is_example: bool
    """Whether it shows a formula's example; then the other SLS files are states."""


def find_substitute_top(listing: Listing, trees: Trees) -> SubstituteTop | None:
    """Return a top file for a pillar without one, or for a formula's example; None for neither.

    It gives everything to one minion: what the SLS files hold can be looked at all the same.
    """
    if trees.pillar:
        folder = trees.pillar[BASE][0]
        names = [
            sls_of_path(name)
            for name in listing.below(folder)
            if name.endswith(".sls") and "." not in name.removesuffix(".sls")
        ][:MAX_LISTED]
        why = f"{folder}/ has no {TOP}"
        files = ((join(FOLDER, TOP), _top(names, why)),)
        return SubstituteTop((folder,), files, why, is_example=False)
    return _show_example(listing)


def _show_example(listing: Listing) -> SubstituteTop | None:
    found = [
        name
        for name in listing.files
        if PurePosixPath(name).name.startswith(EXAMPLE) and not is_aside(name)
    ]
    if not found:
        return None
    example = found[0]
    why = f"there is no {TOP}; {example} is shown as a pillar"
    files = (
        (join(FOLDER, TOP), _top(["example"], why)),
        (join(FOLDER, "example.sls"), f"{{% include {example!r} %}}\n"),
    )
    return SubstituteTop((".",), files, why, is_example=True)


def _top(names: list[str], why: str) -> str:
    lines = [
        f"# Written by `pillarbook init`: {why}.",
        "# It gives everything to every minion. Put your own in its place.",
        "base:",
        "  '*':",
        *(f"    - {as_yaml(name)}" for name in names),
    ]
    return "\n".join(lines) + "\n"
