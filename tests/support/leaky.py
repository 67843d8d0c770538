"""A small fleet with secrets, for tests that try to let one out."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files

from pillarbook.sources import source_mask

SECRET = "kL9mPq2rS7tV4w"
"""Under ``db:password`` of the minion ``b1``."""
CONFIGURATION = """\
site_name: Leaky
docs_dir: pages
theme: {name: pillarbook}
plugins:
  - search
  - pillarbook:
      master: master
      inventory: minions.yml
"""
TREE = {
    "mkdocs.yml": CONFIGURATION,
    "master": "pillar_roots: {base: [pillar], prod: [prod, pillar]}\n",
    "pages/index.md": "# Front\n",
    "pages/guide.md": "# A guide\n",
    "pillar/top.sls": "base: {'*': [common], b1: [db]}\n",
    "prod/top.sls": "prod: {'*': [common]}\n",
    "pillar/common.sls": "motd: hello\n",
    "prod/common.sls": "motd: other\n",
    "pillar/db.sls": f"db: {{password: {SECRET}}}\n",
    "minions.yml": "minions: {a1: {grains: {os: Debian}}, b1: {grains: {os: Debian}}, c1: {}}\n",
}


def write_leaky(folder: Path, **changes: str | None) -> Path:
    """Write the fleet.

    ``changes`` are texts of other files, or of these, with ``__`` for a slash and ``_sls`` and the
    like for an ending; None for a file that is left out.
    """
    files = {**TREE, **{_name(key): text for key, text in changes.items()}}
    return write_files(folder, {name: text for name, text in files.items() if text is not None})


def _name(key: str) -> str:
    stem, _, ending = key.rpartition("_")
    return f"{stem.replace('__', '/')}.{ending}"


def inventory(minions: Mapping[str, Any]) -> str:
    return json.dumps({"minions": minions})


def files_of(site: Path) -> dict[str, bytes]:
    """Return the files of a site by their addresses."""
    return {
        str(path.relative_to(site)): path.read_bytes()
        for path in sorted(site.rglob("*"))
        if path.is_file()
    }


def places_of(site: Path, *secrets: str) -> list[str]:
    """Return the files of a site that hold one of some secrets, and those with it in their name."""
    return [
        name
        for name, data in files_of(site).items()
        if any(secret.encode() in data or secret in name for secret in secrets)
    ]


def unmask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the text of files be shown as it is."""
    monkeypatch.setattr(
        source_mask.SourceMask,
        "mask",
        lambda _self, template, *_: tuple(source_mask._cut(template.text, [])),
    )
