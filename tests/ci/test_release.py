"""The notes of a release."""

import importlib.util
from pathlib import Path

import pytest

from pillarbook import __version__

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "ci/steps/release_notes.py"
spec = importlib.util.spec_from_file_location("release_notes", SCRIPT)
assert spec
assert spec.loader
release_notes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(release_notes)

PACKAGE = '__version__ = "1.2.3"\n'
CHANGELOG = (
    "# Changelog\n\n## Unreleased\n\n- a\n\n## {}\n\nText.\n\n### Added\n\n- b\n\n## 1.2.2 - x\n"
)


def write(folder: Path, head: str) -> Path:
    package = folder / "generator/pillarbook/__init__.py"
    package.parent.mkdir(parents=True)
    package.write_text(PACKAGE)
    (folder / "CHANGELOG.md").write_text(CHANGELOG.format(head))
    return folder


def test_the_notes_are_the_section_of_the_version(tmp_path: Path) -> None:
    root = write(tmp_path, "1.2.3 - 2026-01-31")
    assert release_notes.main("v1.2.3", root) == "Text.\n\n### Added\n\n- b"


@pytest.mark.parametrize(
    ("tag", "head", "words"),
    [
        ("v1.2.4", "1.2.4 - 2026-01-31", "does not have the version 1.2.4"),
        ("v1.2.3", "1.2.3", "needs a date"),
        ("v1.2.3", "1.2.30 - 2026-01-31", "no section"),
    ],
)
def test_a_tag_without_a_release_stops(tag: str, head: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=words):
        release_notes.main(tag, write(tmp_path, head))


def test_this_version_has_notes() -> None:
    assert "### Added" in release_notes.main(f"v{__version__}")
