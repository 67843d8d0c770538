"""Finds the remotes of git_pillar that are the repository in which ``init`` runs."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pillarbook.compile.ext_pillars.git_remotes import without_password
from pillarbook.inventory.reach import find_repository
from pillarbook.roots.git_files import GitFiles, RepositoryError
from pillarbook.roots.git_references import GitReferences

# A clone is often made by ssh where the master fetches by https.
_ACCESS = re.compile(r"^(?:[a-z]+://)?(?:[^@/]*@)?", re.IGNORECASE)


def find_own_remotes(folder: Path, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the URLs of git_pillar that name the repository around a folder.

    Each has the repository as a path from the folder.
    """
    home = find_repository(folder)
    if home is None:
        return {}
    try:
        files = GitFiles(home, lambda path: path.is_relative_to(home))
        origin = GitReferences(files).options_of("remote", "origin").get("url", "")
    except RepositoryError:
        return {}
    here = os.path.relpath(home, folder)
    same = (url for url in _urls(options) if origin and _bare(url) == _bare(origin))
    return {without_password(url): here for url in same}


def _urls(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the URLs of all remotes of git_pillar."""
    pillars = options.get("ext_pillar")
    for one in pillars if isinstance(pillars, list) else ():
        remotes = one.get("git") if isinstance(one, dict) else None
        for remote in remotes if isinstance(remotes, list) else ():
            for text in remote if isinstance(remote, dict) else (remote,):
                if isinstance(text, str) and text.split():
                    yield text.split()[-1]


def _bare(url: str) -> str:
    """Return host and path: ``git@host:a/b.git`` and ``https://host/a/b`` are one repository."""
    return _ACCESS.sub("", url).replace(":", "/", 1).rstrip("/").removesuffix(".git")
