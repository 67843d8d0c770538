"""Finds the name of a file before the commit that added it.

libgit2 finds renames too, but reads contents of any size for this (docs/decisions/0012).
"""

from collections.abc import Iterator

from pillarbook.roots.line_maps import LARGEST_TEXT, count_lines, map_lines
from pillarbook.roots.repository import Repository, TreeEntry

MAX_FOLDERS = 500
"""The most folders that are read; a tree can name one again and again."""
MAX_CANDIDATES = 100
"""The most files that are compared line by line."""
LEAST_ALIKE = 0.5
"""The least share of common lines for a rename, as in git."""


def find_earlier_name(
    repository: Repository, old: str, new: str, file: str
) -> tuple[str | None, str | None]:
    """Return path and id of the removed file that an added file was before; Nones if there is none.

    ``old`` and ``new`` are the top folders before and after.
    """
    gone = list(_find_gone(repository, old, new))
    for path, entry in gone:
        if entry.id == file:
            return path, entry.id
    content = repository.read_text(file, LARGEST_TEXT)
    best: tuple[float, str | None, str | None] = (LEAST_ALIKE, None, None)
    for path, entry in gone[:MAX_CANDIDATES] if content else ():
        before = repository.read_text(entry.id, LARGEST_TEXT)
        share = _share(before, content) if before and content else 0.0
        if share > best[0] or (share == best[0] and best[1] is None):
            best = (share, path, entry.id)
    return best[1:]


def _find_gone(repository: Repository, old: str, new: str) -> Iterator[tuple[str, TreeEntry]]:
    """Yield the files of a folder that are missing at their paths in the other one."""
    waiting: list[tuple[str, str, str | None]] = [("", old, new)]
    looked = 0
    while waiting and looked < MAX_FOLDERS:
        looked += 1
        prefix, before, after = waiting.pop()
        there = {} if after is None else repository.read_members(after)
        for name, entry in repository.read_members(before).items():
            other = there.get(name)
            if other is not None and (other.id == entry.id or entry.kind != "folder"):
                continue
            if entry.kind == "folder":
                inside = other.id if other is not None and other.kind == "folder" else None
                waiting.append((f"{prefix}{name}/", entry.id, inside))
            elif entry.kind == "file":
                yield prefix + name, entry


def _share(old: bytes, new: bytes) -> float:
    known = map_lines(old, new)
    return 0.0 if known is None else known.size / max(count_lines(old), count_lines(new), 1)
