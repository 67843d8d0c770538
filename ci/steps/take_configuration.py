"""Put the configuration of the base in the place of a stranger's, in a throw-away checkout.

    take_configuration.py BASE MKDOCS_YML

What pillarbook reads of ``mkdocs.yml``, of the master file and of all that it includes becomes what
the base has; files that the base's patterns would include and the base lacks are removed. Prints a
line where the head had something else.

Runs in pillarbook's own Python: which files these are, pillarbook knows.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from pillarbook.changes.comparison import resolve_sides
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.master_files import MasterFiles
from pillarbook.inventory.reach import find_reach
from pillarbook.inventory.settings import load_settings
from pillarbook.roots.commit_files import CommitFiles
from pillarbook.roots.file_access import DISK, MayEnter
from pillarbook.roots.side_contents import SideContents


class NotedFiles(CommitFiles):
    """The files of a commit, which note what is read and looked for."""

    read_paths: set[Path]
    resolved: dict[Path, set[Path]]
    globs: set[tuple[str, Path]]

    def resolve(self, path: Path) -> Path:
        """Return a path with its links followed."""
        real = super().resolve(path)
        self.resolved.setdefault(real, set()).add(path)
        return real

    def read(self, path: Path, most: int = -1, *, follow: bool = True) -> bytes:
        """Return what a file holds."""
        self.read_paths |= {path, *self.resolved.get(path, ())}
        return super().read(path, most, follow=follow)

    def glob(self, pattern: str, folder: Path, may_enter: MayEnter) -> list[str]:
        """Return what a pattern fits."""
        self.globs.add((pattern, folder))
        return super().glob(pattern, folder, may_enter)


class TakenError(Exception):
    """What keeps the base's configuration from being taken."""


def main(arguments: list[str]) -> int:
    """Take the configuration; return the exit code."""
    base, config = arguments
    try:
        differs = take(base, Path.cwd().resolve() / config)
    except (PillarbookError, TakenError) as error:
        sys.stderr.write(f"pillarbook: the base's configuration cannot be taken: {error}\n")
        return 1
    if differs:
        sys.stdout.write("taken\n")
    return 0


def take(base: str, config: Path) -> bool:
    """Put the base's files in place; return whether the head had others.

    Raises:
        PillarbookError: The base has none that can be read.
        TakenError: Something else took a file's place.
    """
    home = DISK.repository_of(Path.cwd().resolve())
    if home is None:
        raise TakenError("there is no repository")
    files = open_commit(base, home)
    if not files.is_file(config):
        raise TakenError(f"the base has no {config.name}, so merge that first, on its own")
    master = load_settings(config, files).master
    read_parents(config, files)
    MasterFiles(master, find_reach(master, files=files)).read()
    read = [path for path in files.read_paths if path.is_relative_to(home)]
    found = {one for path in read for one in with_links(files, path, home)}
    wanted = sorted(below(path, home) for path in found)
    strange = find_strange(files, home)
    differs = bool(strange) or differ(home, base, wanted)
    for path in strange:
        path.unlink()
    git(home, "checkout", "--quiet", base, "--", *wanted)
    for path in read:
        if DISK.resolve(path) != files.resolve(path):
            raise TakenError(f"something else is in the place of {path.name}")
        # Attributes of the head may have git write another encoding, so other settings.
        content = files.read(path)
        if DISK.read(path) != content:
            path.write_bytes(content)
    return differs


def open_commit(base: str, home: Path) -> NotedFiles:
    """Return the files of a commit."""
    side, _ = resolve_sides(home, base)
    contents = SideContents(side.repository, None, is_partial=False)
    if side.commit is None:
        raise TakenError("the base is no commit")
    files = NotedFiles(side.repository, side.commit, side.home.folder, contents)
    files.read_paths, files.globs, files.resolved = set(), set(), {}
    return files


def read_parents(config: Path, files: NotedFiles) -> None:
    """Read the configurations that one inherits from; only MkDocs looks at those."""
    seen: set[Path] = set()
    while config not in seen and files.is_file(config):
        seen.add(config)
        root = yaml.compose(files.read(config), Loader=yaml.SafeLoader)
        pairs = root.value if isinstance(root, yaml.MappingNode) else []
        named = [value.value for key, value in pairs if key.value == "INHERIT"]
        if not named or not isinstance(named[0], str):
            return
        config = Path(os.path.normpath(config.parent / named[0]))


def with_links(files: CommitFiles, path: Path, home: Path) -> Iterator[Path]:
    """Yield the links of a commit that lead to a file, and where the file lies."""
    at = home
    for part in path.relative_to(home).parts:
        at = at.parent if part == ".." else at / part
        if files.is_link(at):
            yield at
            at = files.resolve(at)
        if not at.is_relative_to(home):
            return
    yield at


def find_strange(files: NotedFiles, home: Path) -> set[Path]:
    """Return files of the head that the base's patterns would include, and the base lacks."""
    found: set[Path] = set()
    for pattern, folder in files.globs:
        there, here = (
            set(one.glob(pattern, folder, lambda path: path.resolve().is_relative_to(home)))
            for one in (files, DISK)
        )
        added = here - there
        paths = (folder / name for name in added)
        inside = (path for path in paths if path.parent.resolve().is_relative_to(home))
        found.update(path for path in inside if not path.is_dir() or path.is_symlink())
    return found


def below(path: Path, home: Path) -> str:
    """Return a path as git takes it."""
    return f":(literal,top){path.relative_to(home)}"


def differ(home: Path, base: str, wanted: list[str]) -> bool:
    """Say whether the checkout has other files than the base."""
    words = ["git", "diff", "--quiet", "--no-ext-diff", base, "--", *wanted]
    return subprocess.run(words, cwd=home, check=False).returncode != 0


def git(home: Path, *words: str) -> None:
    """Run git.

    Raises:
        TakenError: It fails.
    """
    if subprocess.run(["git", *words], cwd=home, check=False).returncode:
        raise TakenError("git cannot put its files in place")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
