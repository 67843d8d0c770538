"""The pages of the rules, each with a tree that shows what it is about.

A fenced block whose first line is a comment with a path is that file. One that begins with ``#!``
is ``pillar/site.sls``. One that has the rule's code in brackets is what ``check`` says. What a page
does not show is as ``index.md`` has it.
"""

from collections.abc import Callable, Mapping
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

from tests.docs.pages import ROOT, SITE, Block, read_blocks
from tests.support.fleets import write_files
from tests.support.gpg_keys import open_home
from tests.support.repositories import build_repository

from pillarbook.diagnostics import Diagnostic
from pillarbook.diagnostics.formats.text_and_json import to_text
from pillarbook.diagnostics.rules import RULES
from pillarbook.inventory.rule_settings import RuleSetting
from pillarbook.inventory.settings import Settings, load_settings
from pillarbook.roots.folder import LARGEST_FILE
from pillarbook.session import RunOptions, open_session

RULE_PAGES = SITE / "rules"
SITE_SLS = "pillar/site.sls"
KEYS = ROOT / "tests/data/gpg"
TRUSTED = ("key-expired", "key-missing", "key-revoked", "opens-files")
"""Rules that speak where the tree is trusted."""
USUAL = {block.file: block.text for block in read_blocks(RULE_PAGES / "index.md") if block.file}


def rule_page(code: str) -> Path:
    """Return the page of a rule."""
    return RULE_PAGES / f"{code}.md"


def shown_on(page: Path) -> list[str]:
    """Return the lines that a page says ``check`` prints."""
    blocks = [block.text for block in read_blocks(page) if f"[{page.stem}]" in block.text]
    return [line for text in blocks for line in text.splitlines()]


def check_page(
    page: Path, folder: Path, rules: Mapping[str, RuleSetting] | None = None
) -> list[str]:
    """Return what ``check`` prints about the rule of a page for the tree of that page."""
    found = check_tree(_write(page, folder), rules, trust=page.stem in TRUSTED)
    *lines, _ = to_text([one for one in found if one.code == page.stem])
    return lines


def check_tree(
    folder: Path, rules: Mapping[str, RuleSetting] | None = None, *, trust: bool = False
) -> tuple[Diagnostic, ...]:
    """Return all that is found in a folder with ``master`` and ``minions.yml``."""
    settings = Settings(
        master=folder / "master",
        inventory=(folder / "minions.yml",),
        folder=folder,
        rules=rules or {},
    )
    with chdir(folder):  # the configuration is shown as it is named
        if Path("mkdocs.yml").exists():
            settings = replace(load_settings(Path("mkdocs.yml")), rules=settings.rules)
    options = RunOptions(trust=trust, rules=tuple(RULES))
    with open_session(settings, options) as session:
        session.look_at_all()
        return session.shown.diagnostics


def _write(page: Path, folder: Path) -> Path:
    blocks = read_blocks(page)
    files = {**USUAL, **{name: block.text for block in blocks if (name := _name(block))}}
    write_files(folder, files)
    if page.stem in NO_TEXT:
        NO_TEXT[page.stem](folder / SITE_SLS)
    return folder


def _name(block: Block) -> str | None:
    return SITE_SLS if block.text.startswith("#!") else block.file


def _make_large(file: Path) -> None:
    with file.open("wb") as opened:
        opened.truncate(LARGEST_FILE + 1)


def _make_repository(file: Path) -> None:
    folder = file.parents[1]
    write_files(folder / "branches/master", {"top.sls": ""})
    build_repository(folder / "branches", folder / "mirrors/pillar")


def _make_keyring(file: Path, *keys: str) -> None:
    with open_home(file.parents[1] / "gpgkeys") as home:
        for key in keys:
            home.run("--import", given=(KEYS / key).read_bytes())


NO_TEXT: Mapping[str, Callable[[Path], object]] = {
    "key-expired": lambda file: _make_keyring(file, "key-expired.asc"),
    "key-missing": _make_keyring,
    "key-revoked": lambda file: _make_keyring(file, "key-revoked.asc"),
    "git-crypt": lambda file: file.write_bytes(b"\0GITCRYPT\0\x8a\x17\xc4"),
    "missing-branch": _make_repository,
    "not-utf-8": lambda file: file.write_bytes("name: café\n".encode("latin-1")),
    "unreadable-file": _make_large,
}
"""Trees that a page can only tell of."""
