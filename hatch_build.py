"""Gives the package index a README that stands alone: without pictures and relative links."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]\[]*)\]\((?!https?:)[^)]*\)")


class IndexReadme(MetadataHookInterface):
    """Writes the README into the metadata."""

    def update(self, metadata: dict[str, object]) -> None:
        """Set ``readme``."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(text)}


def for_index(text: str) -> str:
    """Return a README without pictures, nor tables of them, and with the words of local links."""
    lines = [line for line in text.splitlines() if not _is_picture(line)]
    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(r"\1", "\n".join(lines))) + "\n"


def _is_picture(line: str) -> bool:
    return bool(_PICTURE.search(line)) or line.startswith("|")
