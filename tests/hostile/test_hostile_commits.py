"""A commit whose files are links that lead out: a comparison reads none of what they name."""

from collections.abc import Mapping

import pytest
from tests.hostile.test_hostile_repository import HARMLESS, git, place, run
from tests.hostile.tree import Place
from tests.support.fleets import write_files

__all__ = ["place"]

COMMITTED: dict[str, Mapping[str, str]] = {
    "the inventory": {"minions.yml": "../outside/secret.yml"},
    "the master file": {"master": "../outside/secret.yml"},
    "the folder of the configuration": {"conf": "../outside"},
    "the inventory by a link of a link": {
        "minions.yml": "x/linked/secret.yml",
    },
    "the configuration": {"mkdocs.yml": "../outside/mkdocs.yml"},
    "the environment": {"minions.yml": "/proc/self/environ"},
    "a submodule": {"minions.yml": "sub/a.sls"},
    "the files of git": {"minions.yml": ".git/config"},
}


def commit(place: Place, mode: str, files: Mapping[str, str]) -> None:
    """Commit files over those of the last commit, without the repository's own configuration."""
    configuration = place.folder / ".git/config"
    hostile = configuration.read_text()
    configuration.write_text("[core]\n\trepositoryformatversion = 0\n")
    for name, text in files.items():
        write_files(place.outside.parent, {"blob": text})
        blob = str(place.outside.parent / "blob")
        made = git(place.folder, "hash-object", "-w", "--no-filters", blob).strip()
        git(place.folder, "update-index", "--add", "--cacheinfo", f"{mode},{made},{name}")
    tree = git(place.folder, "write-tree").strip()
    made = git(place.folder, "commit-tree", "-p", "HEAD", "-m", "three", tree).strip()
    git(place.folder, "update-ref", "HEAD", made)
    configuration.write_text(hostile)


@pytest.mark.slow
@pytest.mark.parametrize("links", COMMITTED.values(), ids=COMMITTED)
@pytest.mark.parametrize(
    "words",
    [
        ("diff", "HEAD~1", "HEAD"),
        ("diff", "HEAD"),
        ("diff", "HEAD~1", "HEAD", "--master", "master", "--inventory", "minions.yml"),
        ("diff", "HEAD~1", "HEAD", "-f", "conf/mkdocs.yml"),
    ],
    ids=" ".join,
)
def test_a_committed_link_that_leads_out_is_not_followed(
    words: tuple[str, ...], links: Mapping[str, str], place: Place
) -> None:
    commit(place, "120000", links)
    watched = run(place, *words)
    assert watched.code in (0, 1, 2)


TEXTS = {
    "a parent": f"INHERIT: ../outside/mkdocs.yml\n{HARMLESS}",
    "a parent by a link": f"INHERIT: linked/mkdocs.yml\n{HARMLESS}",
    "a variable": f"{HARMLESS}copyright: !ENV CI_SECRET\n",
    "an inventory by a variable": HARMLESS.replace("minions.yml", "!ENV CI_SECRET"),
    "an inventory outside": HARMLESS.replace("minions.yml", "../outside/secret.yml"),
    "a master by a link": HARMLESS.replace("master: master", "master: linked/secret.yml"),
    "code": f"{HARMLESS}hooks: [states/_modules/own.py]\nwatch: [linked]\n",
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_committed_configuration_reads_nothing_outside(text: str, place: Place) -> None:
    commit(place, "100644", {"mkdocs.yml": place.fill(text)})
    for words in (("HEAD~1", "HEAD"), ("HEAD",)):
        assert run(place, "diff", *words).code in (0, 1, 2)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "words", [("serve", "--dev-addr", "127.0.0.1:0"), ("build",)], ids=" ".join
)
@pytest.mark.parametrize("line", ["watch: [linked]", "hooks: [states/_modules/own.py]"])
def test_a_watch_or_hook_is_refused(words: tuple[str, ...], line: str, place: Place) -> None:
    write_files(place.folder, {"mkdocs.yml": f"{HARMLESS}{line}\n"})
    watched = run(place, *words)
    assert watched.code == 1
    assert len(watched.said.strip().splitlines()) == 1
