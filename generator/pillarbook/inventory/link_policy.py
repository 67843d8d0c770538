"""Which links are followed on the way to what the user names.

What the user names on the command line is his decision. A link that lies in the tree is the
decision of whoever wrote the tree, which may be somebody else's pull request.
"""

from dataclasses import dataclass
from pathlib import Path

from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.reach import find_repository
from pillarbook.roots.no_links import Followed, follow_path, is_inside


class LinkLeadsOutError(PillarbookError):
    """A link of the tree on the way to what the user named."""

    def __init__(self, link: Path, real: Path, home: Path) -> None:
        where = "into .git" if real.is_relative_to(home) else "out of the repository"
        super().__init__(
            f"{link} is a link that leads {where}, to {real}, and is not followed; "
            f"remove the link, or use --allow {folder_of(real)} or --trust if you trust it"
        )


def folder_of(real: Path) -> Path:
    """Return what ``--allow`` is to be given for a file or folder."""
    return real if real.is_dir() else real.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPolicy:
    """Decides on links on the way to what the user named, to be written or read."""

    homes: tuple[Path, ...] = ()
    """Folders whose links must not lead out of them; repositories are found besides."""
    allow: tuple[Path, ...] = ()
    """Folders that the user added (``--allow``); links may lead there."""
    trusted: bool = False
    """Whether links may lead anywhere (``--trust``)."""

    def resolve(self, path: Path) -> Path:
        """Return where a path leads, to be opened without following links again.

        Raises:
            LinkLeadsOutError: A link in a repository leads out of it.
            OSError: A loop of links.
            ValueError: A NUL in the name.
        """
        followed = follow_path(path)
        if not self.trusted and not self._is_added(followed.real):
            self._refuse(followed)
        return followed.real

    def _is_added(self, real: Path) -> bool:
        return any(real.is_relative_to(follow_path(folder).real) for folder in self.allow)

    def _refuse(self, followed: Followed) -> None:
        homes = [follow_path(home).real for home in self.homes]
        for link in followed.links:
            around = [home for home in homes if link.is_relative_to(home)]
            outermost = min(around, key=lambda home: len(home.parts), default=None)
            home = find_repository(link.parent) or outermost
            if home is not None and not is_inside(followed.real, home):
                raise LinkLeadsOutError(link, followed.real, home)
