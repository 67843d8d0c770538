"""Which files git keeps encrypted: those with the filter of git-crypt or a similar program.

In a checkout that is unlocked they are plain text, but whoever keeps a file encrypted in git wants
no value of it in a report.

Source: git's manual, gitattributes(5).
"""

import re
from collections.abc import Iterator
from pathlib import Path

from pillarbook.model.limited_cache import recall
from pillarbook.roots.file_access import DISK
from pillarbook.roots.git_ignored import parse_pattern, read_list

NAME = ".gitattributes"
_FILTER = re.compile(r"filter=(?:git-(?:age)?crypt|transcrypt|crypt)(?:-.+)?\Z")


class EncryptedFiles:
    """The files of a working tree that git keeps encrypted.

    ``top`` is the folder from which the names of files count.
    """

    def __init__(self, top: Path) -> None:
        self._home = DISK.repository_of(top.resolve())
        self._top = top
        # Attributes do not change in a run. There are as many as files, and as folders.
        self._known: dict[str, bool] = {}
        self._filters: dict[Path, tuple[tuple[re.Pattern[str], bool], ...]] = {}

    def has(self, name: str) -> bool:
        """Say whether git keeps a file encrypted, by its name in messages."""
        return recall(self._known, name, lambda: self._find(name))

    def _find(self, name: str) -> bool:
        home, path = self._home, (self._top / name).resolve()
        if home is None or not path.is_relative_to(home):
            return False
        encrypted = False
        # From the top down, since the file nearest to the path counts; git's own file is the last.
        lists = [
            (above, above / NAME) for above in reversed(path.parents) if above.is_relative_to(home)
        ]
        for folder, file in (*lists, (home, home / ".git" / "info" / "attributes")):
            below = path.relative_to(folder).as_posix()
            if file not in self._filters:
                self._filters[file] = tuple(_read_filters(file))
            for pattern, is_crypt in self._filters[file]:
                if pattern.fullmatch(below):
                    encrypted = is_crypt
        return encrypted


def _read_filters(file: Path) -> Iterator[tuple[re.Pattern[str], bool]]:
    """Yield the patterns that set or unset the filter, and whether it is one that encrypts."""
    for line in read_list(file).splitlines():
        name, *attributes = line.split() or [""]
        filters = [one for one in attributes if one.lstrip("-!").partition("=")[0] == "filter"]
        pattern, _, only_folders = parse_pattern(name)
        if filters and pattern is not None and not only_folders:
            yield pattern, _FILTER.match(filters[-1]) is not None
