"""What a report is made of, as digests: equal digests mean an equal report.

Files are named relative to the folder of the configuration, so that two checkouts of one commit
are equal. Time stamps do not count.
"""

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pillarbook
from pillarbook.inventory.reach import Trust
from pillarbook.inventory.settings import Settings
from pillarbook.publish.configuration import Configuration
from pillarbook.publish.sources import find_sources, find_watched_reach
from pillarbook.publish.watcher import list_files
from pillarbook.report.templates import template_root
from pillarbook.session.run_options import RunOptions

LIBRARIES = ("jinja2", "jmespath", "mako", "markupsafe", "msgpack", "pyyaml", "toml")
"""Libraries whose versions may change what a template returns."""
GIT = f"{os.sep}.git{os.sep}"


@dataclass(frozen=True, slots=True)
class Inputs:
    """Digests of the inputs of a report."""

    program: str
    """Of pillarbook's own code, of Python and of libraries."""
    configuration: str
    """Of the configuration, and of the options of the command."""
    files: str
    """Of pillar and states, the inventory, and the master file."""
    commit: str
    """The commit that is checked out; empty if there is none."""


def describe_inputs(
    settings: Settings, options: RunOptions, configurations: Iterable[Configuration], commit: str
) -> Inputs:
    """Read the inputs of a report, and return their digests."""
    clock = options.choose_clock(settings)
    asked = (options.trust, sorted(map(str, options.allow)), str(clock))
    read = [one.file for one in configurations]
    trust, top = Trust(given=options.trust), settings.folder
    reach = find_watched_reach(settings, trust, options.allow, ())
    sources = find_sources(settings, trust, options.allow)
    # Branches are no input: the commit is, and its history.
    found = {
        file
        for one in sources
        for file in list_files(one, reach.covers)
        if GIT not in file and Path(file) not in read
    }
    return Inputs(
        _digest_program(),
        _digest((str(asked).encode(), *_contents(map(str, read), top))),
        _digest(_contents(found, top)),
        commit,
    )


def _digest_program() -> str:
    """Return a digest of the code that runs; a version number says nothing about a checkout."""
    code = Path(pillarbook.__file__).parent
    used = [sys.version.partition(" ")[0], *map(_version_of, LIBRARIES)]
    files = [
        str(path)
        for folder in (code, template_root())
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    ]
    return _digest((" ".join(used).encode(), *_contents(files, code)))


def _version_of(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "?"


def _contents(files: Iterable[str], top: Path) -> Iterator[bytes]:
    """Yield names and contents; an unreadable file is as good as missing, for the run as well."""
    for file in sorted(files):
        yield os.fsencode(os.path.relpath(file, top))
        try:
            yield Path(file).read_bytes()
        except OSError:
            yield b""


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
