"""Print the notes of a release: its section of CHANGELOG.md.

    release_notes.py TAG

Stops if the tag is not the version of the package, or if the section has no date or no text.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "generator/pillarbook/__init__.py"


def main(tag: str, root: Path = ROOT) -> str:
    """Return the text of the tag's section."""
    version = tag.removeprefix("v")
    declared = re.search(r'^__version__ = "([^"]+)"$', (root / PACKAGE).read_text(), re.MULTILINE)
    if declared is None or declared[1] != version:
        sys.exit(f"release_notes: {PACKAGE} does not have the version {version}")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    _, *sections = re.split(r"^## ", changelog, flags=re.MULTILINE)
    for section in sections:
        head, _, text = section.partition("\n")
        if head.split(" ")[0] == version:
            if not re.fullmatch(r"\S+ - \d{4}-\d\d-\d\d", head) or not text.strip():
                sys.exit(f"release_notes: '## {head}' needs a date and text")
            return text.strip()
    sys.exit(f"release_notes: CHANGELOG.md has no section '## {version} - DATE'")


if __name__ == "__main__":
    print(main(sys.argv[1]))
