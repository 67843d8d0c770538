"""Decides which folder may become a site, and refuses folders with other content.

A new site replaces everything in its folder. So a folder that is not empty is used only if it is an
earlier site. pillarbook marks each site that it writes. A site without a mark (an older one, or one
from an archive without hidden files) is recognized by its front page, and by having no pillar or
Markdown at its top.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.roots.no_links import GIT, SITE_MARK

MARK = SITE_MARK
UNFINISHED = ".pillarbook-unfinished"
"""The file in a site that is being written; nothing of it may be published."""
_MARK_TEXT = "This folder is a site that pillarbook wrote; the next build replaces its files.\n"
_REMEDY = "name another site folder, or empty this one"


class PublishError(PillarbookError):
    """The site cannot be published to its folder."""

    def __init__(self, target: Path, why: str) -> None:
        super().__init__(f"the site folder {target} cannot be written: {why}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Files of the user that no site may replace; links are followed."""

    sources: frozenset[Path] = frozenset()
    """Files and folders that must not be in the site's folder."""
    folders: frozenset[Path] = frozenset()
    """Folders that the site's folder must not be in either."""


def begin_site(folder: Path) -> None:
    """Write the mark of a site, and that it is not finished.

    Raises:
        OSError: The disk refuses.
    """
    (folder / UNFINISHED).touch()
    (folder / MARK).write_text(_MARK_TEXT, encoding="utf-8")


def finish_site(folder: Path) -> None:
    """Note that a site is finished, so that it may be published.

    Raises:
        OSError: The disk refuses.
    """
    (folder / UNFINISHED).unlink(missing_ok=True)


def refuse_target(target: Path, kept: Kept) -> None:
    """Refuse a folder that is not a site, as after a mistake such as ``--site-dir pillar``.

    Raises:
        PublishError: The folder may not become a site.
        OSError: It cannot be read.
    """
    if target.exists() and not target.is_dir():
        raise PublishError(target, "it is not a folder")
    if GIT in target.parts:
        raise PublishError(target, "it is in a .git folder")
    inside = sorted(path for path in kept.sources if path.is_relative_to(target))
    if inside:
        raise PublishError(target, f"it contains {inside[0]}, which a new site would replace")
    around = sorted(path for path in kept.folders if target.is_relative_to(path))
    if around:
        raise PublishError(target, f"it is in {around[0]}, a source of the report")
    if target.is_dir():
        _refuse_strangers(target)


def refuse_links(target: Path, links: LinkPolicy) -> None:
    """Refuse hidden entries with links that lead out, because they are moved to the new site.

    Raises:
        LinkLeadsOutError: There is such a link; its target would be published with the site.
        OSError: The folder cannot be read.
    """
    for entry in find_hidden(target):
        links.resolve(entry)
        for folder, folders, files in os.walk(entry):
            for name in (*folders, *files):
                links.resolve(Path(folder, name))


def find_hidden(target: Path) -> Iterator[Path]:
    """Yield the hidden entries of a site's folder that are published with it, without git's."""
    if target.is_dir():
        yield from (one for one in target.iterdir() if one.name[:1] == "." and one.name != GIT)


def _refuse_strangers(target: Path) -> None:
    """Refuse a folder with files that no site has; hidden entries are not replaced."""
    names = {entry.name for entry in target.iterdir()}
    seen = sorted(name for name in names if not name.startswith("."))
    strange = [name for name in seen if name.endswith((".sls", ".md"))]
    if strange:
        raise PublishError(target, f"it contains {target / strange[0]}, a file that no site has")
    if seen and not names & {MARK, "index.html"}:
        why = f"it contains {seen[0]} and is not an earlier site, so a build would delete its files"
        raise PublishError(target, f"{why}; {_REMEDY}")


def follow_links(path: Path) -> Path:
    """Return a path with its links followed, as far as possible."""
    with suppress(OSError, RuntimeError, ValueError):  # a loop of links, or a NUL in the name
        return path.resolve()
    return path.absolute()
