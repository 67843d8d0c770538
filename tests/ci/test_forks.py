"""A stranger's pull request: its configuration and master file are not looked at."""

import shutil
from pathlib import Path

import pytest
from checked_text import check_text
from take_configuration import take
from tests.ci.pulls import (
    FLEET,
    LINK,
    MKDOCS,
    check_out,
    of_pull,
    open_pull,
    prepare,
    run_action,
)
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git

INCLUDING = {
    **FLEET,
    "conf/master": "pillar_roots: {base: [../pillar]}\ninclude: more/*.yml\n",
    "conf/master.d/a.conf": "pillar_merge_lists: false\n",
    "conf/more/a.yml": "pillar_source_merging_strategy: smart\n",
}
HOSTILE = {
    "mkdocs.yml": MKDOCS + "hooks: [evil.py]\n",
    "evil.py": "raise SystemExit('evil')\n",
    "conf/master": "pillar_roots: {base: [../elsewhere]}\n",
    "conf/master.d/b.conf": "pillar_roots: {base: [../elsewhere]}\n",
    "conf/more/b.yml": "pillar_roots: {base: [../elsewhere]}\n",
}


@pytest.mark.slow
def test_the_configuration_is_that_of_the_base(tmp_path: Path) -> None:
    many = {"pillar/web.sls": "".join(f"k{number:0170}: a\n" for number in range(400))}
    pull = open_pull(tmp_path / "origin", {**many, **HOSTILE}, INCLUDING)
    checkout = check_out(pull, tmp_path / "work", pull.merge, "--depth=1")
    inputs = {**of_pull(pull), "PILLAR_IS_FORK": "true", "PILLAR_SITE": "true"}
    ended = run_action(checkout, tmp_path / "runner", **inputs, PILLARBOOK_TRUST="1")
    assert ended.code == 0, ended.log
    assert "### Pillar: 401 changes on 2 of 3 minions\n" in ended.summary
    comment = (ended.out / "comment.md").read_text()
    for text in (ended.summary, comment):
        assert "> The configuration and the master file are those of the base" in text
    assert "left out to keep this short" not in ended.summary
    assert "left out to keep this short" in comment
    assert 50_000 < len(comment) < len(ended.summary)
    assert check_text(comment, LINK)
    assert (ended.out / "site" / "index.html").is_file()
    assert "evil" not in ended.log


def test_which_configuration_counts(tmp_path: Path) -> None:
    elsewhere = {"conf/master": "pillar_roots: {base: [../elsewhere]}\n"}
    pull = open_pull(tmp_path / "origin", elsewhere)
    for number, (whose, expected) in enumerate({"head": "elsewhere", "base": "pillar"}.items()):
        checkout = check_out(pull, tmp_path / f"work{number}", pull.merge)
        inputs = {**of_pull(pull), "PILLAR_CONFIGURATION": whose}
        assert prepare(checkout, tmp_path / f"out{number}", **inputs).returncode == 0
        assert expected in (checkout / "conf" / "master").read_text()


@pytest.mark.slow
def test_nothing_is_read_where_the_base_has_no_configuration(tmp_path: Path) -> None:
    fleet = {name: text for name, text in FLEET.items() if name != "mkdocs.yml"}
    pull = open_pull(tmp_path / "origin", {"mkdocs.yml": MKDOCS}, fleet)
    checkout = check_out(pull, tmp_path / "work", pull.merge)
    inputs = {**of_pull(pull), "PILLAR_IS_FORK": "true", "PILLAR_SITE": "true"}
    ended = run_action(checkout, tmp_path / "runner", **inputs)
    assert "the base has no mkdocs.yml" in ended.log
    assert (ended.outputs["outcome"], ended.code) == ("failed", 1)
    assert not (ended.out / "site").exists()


def link(path: Path, target: str) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(target)


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("mkdocs.yml", "evil/mkdocs.yml"),
        ("conf", "evil/conf"),
        ("conf/master", "../evil/conf/master"),
        ("conf/master.d", "../evil/conf/master.d"),
        ("conf/master.d/z.conf", "../../evil/conf/master"),
    ],
)
def test_links_in_the_place_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, target: str
) -> None:
    work = tmp_path / "work"
    git(work, "init", "--quiet")
    base = commit_all(write_files(work, INCLUDING))
    evil = {f"evil/{name}": text.replace("../pillar", "../evil") for name, text in FLEET.items()}
    write_files(work, {**evil, "evil/conf/master.d/a.conf": "pillar_roots: {base: [../evil]}\n"})
    link(work / path, target)
    commit_all(work)
    monkeypatch.chdir(work)
    assert take(base, work.resolve() / "mkdocs.yml")
    for name in ("mkdocs.yml", "conf/master", "conf/master.d/a.conf"):
        assert (work / name).resolve() == work.resolve() / name
        assert (work / name).read_text() == INCLUDING[name]
    assert [one.name for one in (work / "conf" / "master.d").iterdir()] == ["a.conf"]


def test_links_and_parents_of_the_base_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    git(work, "init", "--quiet")
    write_files(work, {name: text for name, text in INCLUDING.items() if name != "mkdocs.yml"})
    write_files(
        work,
        {
            "site/mkdocs.yml": "INHERIT: ../parent.yml\n"
            + MKDOCS.replace(": conf/", ": ../linked/").replace(": minions", ": ../minions")
        },
    )
    write_files(work, {"parent.yml": "site_name: Parent\n"})
    link(work / "linked", "conf")
    base = commit_all(work)
    write_files(work, {"parent.yml": "site_name: Evil\nhooks: [evil.py]\n"})
    link(work / "linked", "pillar")
    commit_all(work)
    monkeypatch.chdir(work)
    assert take(base, work.resolve() / "site" / "mkdocs.yml")
    assert (work / "parent.yml").read_text() == "site_name: Parent\n"
    assert (work / "linked" / "master").read_text() == INCLUDING["conf/master"]


@pytest.mark.parametrize(
    "attributes", ["* working-tree-encoding=UTF-7", "* text eol=crlf", "* ident"]
)
def test_attributes_of_the_head_change_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attributes: str
) -> None:
    work = tmp_path / "work"
    git(work, "init", "--quiet")
    named = {**FLEET, "mkdocs.yml": f"{MKDOCS}# $Id$\n"}
    base = commit_all(write_files(work, named))
    commit_all(write_files(work, {".gitattributes": f"{attributes}\n"}))
    for name in ("mkdocs.yml", "conf/master"):
        (work / name).unlink()
    git(work, "checkout", "--quiet", "--", ".")
    assert (work / "mkdocs.yml").read_bytes() != named["mkdocs.yml"].encode()
    monkeypatch.chdir(work)
    take(base, work.resolve() / "mkdocs.yml")
    for name in ("mkdocs.yml", "conf/master"):
        assert (work / name).read_bytes() == named[name].encode()


def test_the_same_configuration_is_no_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pull = open_pull(tmp_path / "origin")
    checkout = check_out(pull, tmp_path / "work", pull.merge)
    monkeypatch.chdir(checkout)
    assert not take(pull.base, checkout.resolve() / "mkdocs.yml")
