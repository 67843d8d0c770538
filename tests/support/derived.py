"""Fleets opened as a command opens them, and why each value of a minion is hidden."""

from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

import yaml
from tests.support.fleets import CASES, write_files

from pillarbook.book import RunOptions, open_book
from pillarbook.book.fleet import FleetBook
from pillarbook.inventory.settings import load_settings
from pillarbook.model import format_path
from pillarbook.redact import Redacted, RedactedPillar

TOKEN_KEY = b"the tests' own key for the tokens"
PASSWORD = "s3kR1t-Hunter2!"
MASTER = {"pillar_roots": {"base": ["pillar"]}, "gpg_keydir": str(CASES / "gpgkeys")}


def write_tree(
    folder: Path,
    files: Mapping[str, str],
    *,
    minions: Mapping[str, Any] | None = None,
    master: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Path:
    """Write a folder with ``mkdocs.yml``, ``master``, ``minions.yml`` and other files."""
    section = {"master": "master", "inventory": "minions.yml", **(settings or {})}
    written = {
        "mkdocs.yml": {"site_name": "x", "plugins": [{"pillarbook": section}]},
        "master": {**MASTER, **(master or {})},
        "minions.yml": {"minions": dict(minions or {"a": {"grains": {"os": "Debian"}}})},
    }
    texts = {name: yaml.safe_dump(data, sort_keys=False) for name, data in written.items()}
    return write_files(folder, {**texts, **files})


@contextmanager
def opened(folder: Path, **options: Any) -> Iterator[FleetBook]:
    """Open the book of a folder that was written."""
    with chdir(folder):
        settings = load_settings(Path("mkdocs.yml"))
        run = RunOptions(**{"trust": True, "token_key": TOKEN_KEY, **options})
        with open_book(settings, run) as book:
            yield book


def look(folder: Path, minion: str = "a", **options: Any) -> RedactedPillar:
    """Return what a minion gets, as others may see it."""
    with opened(folder, **options) as book:
        return book.pillar(minion)


def reasons(pillar: RedactedPillar) -> dict[str, str | None]:
    """Return by path why each value is hidden; None where it is shown."""
    return {
        format_path(leaf.path): leaf.value.reason if isinstance(leaf.value, Redacted) else None
        for leaf in pillar.leaves
    }


def branches(folder: Path, **options: Any) -> list[str]:
    """Return where and of what the rule tells that values depend on a secret."""
    with opened(folder, **options) as book:
        for _ in book.compile_all(book.minions):
            pass
        return [
            f"{one.position}: {one.message}"
            for one in book.diagnostics
            if one.code == "secret-branch"
        ]


def without_keys(found: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return reasons without the keys that a message is for."""
    return {path: why and why.partition(", for ")[0] for path, why in found.items()}
