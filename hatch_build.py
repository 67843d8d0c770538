"""Gives the package index a README that stands alone, and the address of the repository.

A README for the index has no pictures and no relative links. The project has no address of its own:
`PILLARBOOK_REPOSITORY` names the one that a release is built from, and a build without it has none.
"""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]\[]*)\]\((?!https?:)[^)]*\)")


class IndexMetadata(MetadataHookInterface):
    """Writes README and addresses into the metadata."""

    def update(self, metadata: dict[str, object]) -> None:
        """Set ``readme`` and ``urls``."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(text)}
        repository = os.environ.get("PILLARBOOK_REPOSITORY", "").rstrip("/")
        if repository:
            metadata["urls"] = {
                "Source": repository,
                "Issues": f"{repository}/issues",
                "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
            }


def for_index(text: str) -> str:
    """Return a README without pictures, nor tables of them, and with the words of local links."""
    lines = [line for line in text.splitlines() if not _is_picture(line)]
    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(r"\1", "\n".join(lines))) + "\n"


def _is_picture(line: str) -> bool:
    return bool(_PICTURE.search(line)) or line.startswith("|")
