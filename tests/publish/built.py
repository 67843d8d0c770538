"""Sites built by MkDocs in this process from books made by hand."""

from pathlib import Path
from typing import Any

from tests.report.sample import SampleBook, make_session

from pillarbook.cli.attempt import attempt
from pillarbook.diagnostics import PillarbookError
from pillarbook.publish.mkdocs_run import build_site
from pillarbook.publish.site_folder import MARK
from pillarbook.redact.redacted_pillar import RedactedPillar
from pillarbook.session import RunOptions

CONFIGURATION = """\
site_name: Sample
docs_dir: pages
theme: {name: pillarbook}
plugins:
  - pillarbook:
      master: master
      inventory: minions.yml
"""
OLD = {"404.html": b"", "index.html": b"the site before"}


def make_tree(folder: Path) -> Path:
    """Return a folder with a configuration and the site of an earlier build."""
    (folder / "mkdocs.yml").write_text(CONFIGURATION)
    (folder / "master").write_text("pillar_roots: {base: [pillar]}\n")
    (folder / "minions.yml").write_text("minions: {}\n")
    (folder / "pages").mkdir()
    (folder / "pages/index.md").write_text("# Front\n\nBy hand.\n")
    (folder / "site").mkdir()
    (folder / "site/index.html").write_bytes(b"the site before")
    (folder / "site/404.html").write_bytes(b"")
    return folder


def configure(tree: Path, text: str) -> None:
    """Add lines to the configuration."""
    (tree / "mkdocs.yml").write_text(f"{CONFIGURATION}{text}\n")


def run(
    tree: Path, session: SampleBook | None = None, *, trusted: bool = False, **options: Any
) -> int:
    """Build a site as the command does, and return the exit code."""
    return attempt(
        lambda: build_site(
            tree / "mkdocs.yml",
            open_session=lambda _settings: session or make_session(),
            options=RunOptions(trust=trusted),
            **options,
        )
    )


def site_of(tree: Path) -> dict[str, bytes]:
    folder = tree / "site"
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MARK
    }


def assert_nothing_left(tree: Path) -> None:
    assert not [path.name for path in tree.iterdir() if path.name.startswith(".")]


class FailingBook(SampleBook):
    """A book that cannot go on with its third minion."""

    fault: Exception = PillarbookError("the pillar of db1 cannot be compiled here")

    def pillar(self, minion: str) -> RedactedPillar:
        if minion == "db1":
            raise self.fault
        return super().pillar(minion)
