"""Finds Salt's master file in a folder; a masterless minion's configuration will do, too."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import yaml

from pillarbook.bootstrap.find_trees import folder_of
from pillarbook.bootstrap.listing import Listing, is_aside, join, read_config
from pillarbook.inventory.config_yaml import load_salt_config
from pillarbook.inventory.salt_defaults import master_defaults

OWN = "pillarbook.master"
"""What ``init`` calls a master file that it writes."""
NAMES = (OWN, "master", "master.conf", "salt-master.conf", "master.yml", "master.yaml")
MINION_NAMES = ("minion", "minion.conf", "minion.yml", "minion.yaml")
MASTER_D = "master.d"
TELLING = ("pillar_roots", "ext_pillar", "nodegroups")
"""Options that say what the pillar is made of."""
_ROOTS = re.compile(r"^(?:pillar_roots|ext_pillar)\s*:", re.MULTILINE)
_SALTFILE = "Saltfile"


@dataclass(frozen=True, slots=True)
class MasterCandidate:
    """A file that may be the master's."""

    name: str
    """Its path."""
    options: Mapping[str, Any]
    """What it sets; without what it includes."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A file that is called like a master file and is none."""

    name: str
    """Its path."""
    reason: str
    """Why, in a few words."""


def find_masters(listing: Listing) -> tuple[list[MasterCandidate], list[Unusable]]:
    """Return the files that may be the master's, the likeliest first, and those that cannot be."""
    found: dict[str, MasterCandidate] = {}
    unusable: list[Unusable] = []
    for name in _likely_names(listing):
        if name in found:
            continue
        read = _read(listing, name)
        if isinstance(read, MasterCandidate):
            found[name] = read
        elif read is not None and not is_aside(name):
            unusable.append(read)
    return sorted(found.values(), key=_rank), unusable


def _likely_names(listing: Listing) -> Iterator[str]:
    configured = _config_dir(listing)
    if configured is not None:
        yield join(configured, "master")
    for name in listing.files:
        last = PurePosixPath(name).name
        is_called_so = last in NAMES or last in MINION_NAMES
        may_be = last.endswith((".conf", ".master"))
        if is_called_so or (may_be and _ROOTS.search(listing.read(name) or "")):
            yield name


def _config_dir(listing: Listing) -> str | None:
    """Return the folder that a ``Saltfile`` of salt-ssh names."""
    read = read_config(listing.read(_SALTFILE) or "")
    section = read.get("salt-ssh") if isinstance(read, dict) else None
    folder = section.get("config_dir") if isinstance(section, dict) else None
    return str(folder) if isinstance(folder, str) and not folder.startswith("/") else None


def _read(listing: Listing, name: str) -> MasterCandidate | Unusable | None:
    """Return a file as a candidate, what keeps it from being one, or None for something else."""
    text = listing.read(name)
    if text is None or name.endswith(".sls"):
        return None
    is_called_so = PurePosixPath(name).name in NAMES
    try:
        options, _ = load_salt_config(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1} " if mark else "it "
        what = "holds a template" if "{%" in text or "{{" in text else "is not YAML"
        return Unusable(name, place + what) if is_called_so and _ROOTS.search(text) else None
    if options is None:  # every line a comment, as Salt ships it
        return MasterCandidate(name, {}) if is_called_so and "pillar_roots" in text else None
    if not isinstance(options, dict):
        return None
    options = {**options, **_included(listing, name)}
    needed = master_defaults().keys() if is_called_so else TELLING
    return MasterCandidate(name, options) if any(key in options for key in needed) else None


def _included(listing: Listing, name: str) -> dict[str, Any]:
    """Return what the ``master.d`` beside a master file, or around it, sets."""
    folder = folder_of(name)
    is_part = PurePosixPath(folder).name == MASTER_D
    start = (folder if is_part else join(folder, MASTER_D)) + "/"
    found: dict[str, Any] = {}
    for other in listing.files:
        if other.startswith(start) and other.endswith(".conf"):
            options = read_config(listing.read(other) or "")
            found.update(options if isinstance(options, dict) else {})
    return found


def _rank(candidate: MasterCandidate) -> tuple[bool, bool, bool, bool, int, str]:
    name = PurePosixPath(candidate.name).name
    says_roots = any(key in candidate.options for key in TELLING)
    is_minion = name in MINION_NAMES
    return (
        name != OWN,
        is_aside(candidate.name),
        not says_roots,
        is_minion or name not in NAMES,
        candidate.name.count("/"),
        candidate.name,
    )
