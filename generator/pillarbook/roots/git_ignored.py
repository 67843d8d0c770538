"""Decides which paths git ignores, by the ``.gitignore`` files of a working tree.

libgit2 is not used, because it follows ignore files that are links (docs/decisions/0012).

Source: git's manual, gitignore(5). The user's own list, which the configuration names, is not read.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

LARGEST = 1024 * 1024
"""The most bytes of a list that are read."""


def is_ignored(path: Path, home: Path, common: Path) -> bool:
    """Say whether git ignores a path or a folder above it, or the path is in another repository.

    ``home`` is the top of the working tree. ``common`` is git's own folder, which has its own list.
    """
    below = path.relative_to(home)
    ways = [*reversed(below.parents), below][1:]
    return any(_is_listed(home / way, home, common) for way in ways)


def _is_listed(path: Path, home: Path, common: Path) -> bool:
    if (path / ".git").exists():
        return True  # a clone inside, of which git adds nothing
    ignored = False
    for folder, file in _lists(path, home, common):
        name = path.relative_to(folder).as_posix()
        for line in read_list(file).splitlines():
            pattern, is_kept, only_folders = parse_pattern(line)
            if pattern is None or (only_folders and not path.is_dir()):
                continue
            if pattern.fullmatch(name):
                ignored = not is_kept
    return ignored


def _lists(path: Path, home: Path, common: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the lists that may name a path, each with the folder of its patterns; weakest first."""
    yield home, common / "info/exclude"
    for folder in reversed(path.relative_to(home).parents):
        yield home / folder, home / folder / ".gitignore"


# By the line, which determines the result; the folder of the file is used only for matching.
@lru_cache(maxsize=1024)
def parse_pattern(line: str) -> tuple[re.Pattern[str] | None, bool, bool]:
    """Return a line's pattern, whether it keeps matching paths, and whether it is for folders."""
    text = re.sub(r"(?<!\\)\s+$", "", line)
    if not text or text.startswith("#"):
        return None, False, False
    is_kept = text.startswith("!")
    text = text.removeprefix("!").removeprefix("\\")
    only_folders = text.endswith("/")
    text = text.rstrip("/")
    lead = "" if "/" in text else "(?:.*/)?"
    try:
        return re.compile(lead + _translate(text.lstrip("/"))), is_kept, only_folders
    except re.error:
        return None, False, False


def _translate(text: str) -> str:
    parts = {"**/": "(?:.*/)?", "/**": "/.*", "**": "[^/]*", "*": "[^/]*", "?": "[^/]"}
    signs = re.compile(r"\*\*/|/\*\*$|\*\*|\*|\?|\[[^]/]+\]|\\.|.", re.DOTALL)
    found = []
    for sign in signs.findall(text):
        is_class = len(sign) > 2 and sign.startswith("[") and sign not in parts
        kept = sign.replace("[!", "[^", 1) if is_class else re.escape(sign.removeprefix("\\"))
        found.append(parts.get(sign, kept or re.escape(sign)))
    return "".join(found)


def read_list(file: Path) -> str:
    """Return the text of a list of patterns; empty for a link, and for what cannot be read."""
    try:
        if file.is_symlink() or not file.is_file():
            return ""
        with file.open("rb") as stream:
            return stream.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
