"""Everything that pillarbook gives out over a tree, asked for as a user would."""

import gzip
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.support.forked.commands import forked

AT_ONCE = 2
LONGEST = 900
"""Seconds; a machine with other work needs many times what an idle one needs."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command gave."""

    code: int
    out: bytes
    err: bytes


def run(folder: Path, *words: str, key: str | None = None) -> Ended:
    """Run pillarbook in a tree that is trusted."""
    environment = {name: text for name, text in os.environ.items() if "PILLARBOOK" not in name}
    if key is not None:
        environment["PILLARBOOK_TOKEN_KEY"] = key
    command = [forked(), *words, "--trust"]
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=False, timeout=LONGEST
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def run_all(
    folder: Path, commands: Iterable[Sequence[str]], key: str | None = None
) -> dict[str, Ended]:
    """Run some commands, and return what each gave by its words."""
    listed = list(commands)
    forked()  # once, before there are threads
    with ThreadPoolExecutor(AT_ONCE) as pool:
        ended = pool.map(lambda words: run(folder, *words, key=key), listed)
        return {" ".join(words): one for words, one in zip(listed, ended, strict=True)}


def read_site(folder: Path) -> dict[str, bytes]:
    """Return the files of a site by their paths; what is compressed is opened."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data, name = path.read_bytes(), path.relative_to(folder).as_posix()
            files[name] = gzip.decompress(data) if path.suffix == ".gz" else data
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*")]
    return {**files, "(file names)": "\n".join(names).encode()}


def streams(ended: Mapping[str, Ended]) -> dict[str, bytes]:
    """Return standard output and error of commands by name."""
    found: dict[str, bytes] = {}
    for words, one in ended.items():
        found |= {f"{words} (output)": one.out, f"{words} (error)": one.err}
    return found
