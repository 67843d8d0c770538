"""``check`` for services: where findings stand in the repository, what is printed, how it ends."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.browser.planted import write_planted_tree
from tests.diagnostics.formats.found import (
    assert_code_quality,
    assert_sarif,
    diagnose,
    printable,
    read_xml,
)
from tests.support.fleets import write_files
from tests.support.workflow_commands import read_annotations, read_commands

from pillarbook.cli.list_findings import find_places
from pillarbook.cli.main import run
from pillarbook.diagnostics.formats.github import to_github
from pillarbook.diagnostics.formats.gitlab import to_gitlab
from pillarbook.diagnostics.formats.repository_findings import RepositoryPaths
from pillarbook.diagnostics.formats.sarif import to_sarif
from pillarbook.inventory.settings import Settings

FORMS = ("text", "json", "github", "sarif", "junit", "gitlab")
READERS: dict[str, Callable[[str], Any]] = {
    "text": lambda text: [one for one in read_commands(text) if one is not None],
    "json": json.loads,
    "github": read_annotations,
    "sarif": lambda text: assert_sarif(json.loads(text)),
    "junit": read_xml,
    "gitlab": lambda text: assert_code_quality(json.loads(text)),
}
SITE = """\
site_name: x
plugins:
  - pillarbook:
      master: salt/master
      inventory: fleet/minions.yml
      python: true
"""
TREE = {
    "mkdocs.yml": SITE,
    "salt/master": "pillar_roots:\n  base: [pillar, ../more]\n",
    "fleet/minions.yml": "minions: {web1: {}, web2: {}}\n",
    "salt/pillar/top.sls": "base:\n  '*':\n    - gone\n    - broken\n  nobody*:\n    - broken\n",
    "more/broken.sls": "a: 1\nb: [\n",
    "more/unused.sls": "a: 1\n",
}
FOUND = {
    ("missing-sls", "salt/pillar/top.sls", 3),
    ("yaml-error", "more/broken.sls", 2),
    ("unmatched-target", "salt/pillar/top.sls", 5),
    ("needs-trust", "mkdocs.yml", 6),
    ("unused-sls", "more/unused.sls", 1),
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose master file does not lie at its top."""
    top = tmp_path / "work" / "repository"
    write_files(top, TREE)
    (top / ".git").mkdir()
    monkeypatch.chdir(top)
    return top


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("folder", "named"),
    [
        (".", ["-f", "mkdocs.yml"]),
        ("fleet", ["-f", "../mkdocs.yml"]),
        ("/", ["-f", "{top}/mkdocs.yml"]),
        (".", []),
    ],
    ids=["at the top", "below", "elsewhere", "without a word"],
)
def test_files_count_from_the_top_of_the_repository(
    folder: str,
    named: list[str],
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(repository / folder)
    arguments = [word.format(top=repository) for word in named]
    run(["check", *arguments, "--format", "gitlab"])
    assert _places(capsys.readouterr().out) == FOUND


def test_without_a_repository_the_current_folder_is_the_top(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / ".git").rmdir()
    (repository / "salt/master").write_text("pillar_roots: {base: [pillar]}\n")
    monkeypatch.chdir(repository)
    words = ["--inventory", str(repository / "fleet/minions.yml"), "--format", "gitlab"]
    run(["check", "--master", "salt/master", "--allow", "fleet", *words])
    assert "salt/pillar/top.sls" in {file for _, file, _ in _places(capsys.readouterr().out)}
    (repository.parent / "elsewhere").mkdir()
    monkeypatch.chdir(repository.parent / "elsewhere")
    master = str(repository / "salt/master")
    run(["check", "--master", master, "--allow", str(repository), *words])
    assert "pillar/top.sls" in {file for _, file, _ in _places(capsys.readouterr().out)}


def _places(printed: str) -> set[tuple[str, str, int]]:
    return {
        (one["check_name"], one["location"]["path"], one["location"]["lines"]["begin"])
        for one in json.loads(printed)
    }


LOCATED = {
    "a file": ("salt/pillar/top.sls", "salt/pillar/top.sls"),
    "above the master file's folder": ("more/broken.sls", "more/broken.sls"),
    "a link to a file": ("salt/pillar/link.sls", "more/broken.sls"),
    "a file behind a link": ("salt/linked/broken.sls", "more/broken.sls"),
    "a link that leads away": ("salt/pillar/away.sls", "salt/pillar/away.sls"),
    "a file behind a link that leads away": ("salt/gone/x.sls", None),
    "a link to nowhere": ("salt/pillar/nowhere.sls", "salt/pillar/nowhere.sls"),
    "a file outside": ("../outside/x.sls", None),
    "a folder": ("salt/pillar", None),
    "a file that is not there": ("salt/pillar/0a1b2c.sls", None),
    "a file of a git repository": ("salt/repository.git:main:top.sls", None),
    "a name that no file has": ("salt/pillar/\0.sls", None),
    "a name that no encoding has": ("salt/pillar/\ud800.sls", None),
    "a very long name": ("x" * 5_000, None),
}


@pytest.fixture
def places(repository: Path) -> RepositoryPaths:
    outside = write_files(repository.parent / "outside", {"x.sls": ""})
    (repository / "salt/pillar/link.sls").symlink_to("../../more/broken.sls")
    (repository / "salt/linked").symlink_to("../more")
    (repository / "salt/pillar/away.sls").symlink_to(outside / "x.sls")
    (repository / "salt/gone").symlink_to(outside)
    (repository / "salt/pillar/nowhere.sls").symlink_to("nowhere")
    return _find(repository, repository / "salt")


@pytest.mark.parametrize(("file", "path"), LOCATED.values(), ids=LOCATED)
def test_a_file_is_what_git_has(file: str, path: str | None, places: RepositoryPaths) -> None:
    assert places.locate(file) == path


def test_a_folder_behind_a_link_is_the_folder(repository: Path) -> None:
    (repository.parent / "linked").symlink_to(repository / "salt")
    places = _find(repository, repository.parent / "linked")
    assert places.locate("pillar/top.sls") == "salt/pillar/top.sls"
    assert places.locate("../more/broken.sls") == "more/broken.sls"
    assert places.master == "salt/master"


def test_an_inventory_outside_is_stood_in_for(repository: Path) -> None:
    inventory = repository.parent / "minions.yml"
    inventory.write_text("minions: {}\n")
    master = repository / "salt/master"
    outside = Settings(master=master, inventory=(inventory,), folder=master.parent)
    assert find_places(outside, clean=str).inventory == "salt/master"


def test_a_folder_whose_name_is_a_secret_is_not_named(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    secret = "xYhunter02 Zq9"
    write_files(
        repository,
        {
            f"{secret}/master": "pillar_roots: {base: [pillar]}\n",
            f"{secret}/pillar/top.sls": "base: {'*': [gone, kept]}\n",
            f"{secret}/pillar/kept.sls": f"password: {secret}\n",
        },
    )
    words = ["--master", f"{secret}/master", "--inventory", "fleet/minions.yml"]
    for form in FORMS:
        assert run(["check", *words, "--format", form]) == 2
        printed = capfd.readouterr().out
        assert "missing-sls" in printed
        assert "hunter" not in printed
        READERS[form](printed)


def _find(repository: Path, folder: Path) -> RepositoryPaths:
    inventory = (repository / "fleet/minions.yml",)
    settings = Settings(master=folder / "master", inventory=inventory, folder=folder)
    return find_places(settings, clean=str)


ENDS = {
    "an error": ([], 2),
    "another rule's": (["--rule", "unused-sls"], 0),
    "a note that counts": (["--rule", "unused-sls", "--fail-on", "note"], 2),
    "a warning that does not count": (["--rule", "needs-trust"], 0),
    "a warning that counts": (["--rule", "needs-trust", "--fail-on", "warning"], 2),
    "nothing at all": (["--rule", "git-crypt", "--fail-on", "note"], 0),
}


@pytest.mark.sample(18)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("words", "code"), ENDS.values(), ids=ENDS)
def test_every_form_ends_alike(
    words: list[str],
    code: int,
    form: str,
    repository: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run(["check", "--format", form, *words]) == code
    printed = capfd.readouterr().out
    READERS[form](printed)
    assert run(["check", "--format", form, *words, "--output", "findings"]) == code
    assert Path("findings").read_text() == printed
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("guide", [True, False])
def test_rules_are_linked_where_the_report_has_pages_for_them(
    guide: bool,
    repository: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    write_files(repository, {"mkdocs.yml": SITE + f"      pages: {{guide: {guide}}}\n"})
    run(["check", "--format", "sarif", "--report-url", "https://pillar.example"])
    assert ("https://pillar.example/rules/" in capfd.readouterr().out) == guide


def test_nothing_found_is_nothing_said(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    printed = {}
    for form in ("github", "sarif", "junit", "gitlab"):
        assert run(["check", "--format", form, "--rule", "git-crypt"]) == 0
        printed[form] = capfd.readouterr().out
    assert printed["github"] == ""
    assert json.loads(printed["gitlab"]) == []
    assert assert_sarif(json.loads(printed["sarif"])) == []
    assert [case.tag for case in read_xml(printed["junit"]).iter("testcase")] == ["testcase"]


def test_a_junit_report_fails_where_the_command_does(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    failing = {}
    for severity in ("error", "warning", "note"):
        run(["check", "--format", "junit", "--fail-on", severity])
        failing[severity] = len(list(read_xml(capfd.readouterr().out).iter("failure")))
    assert failing == {"error": 2, "warning": 3, "note": 5}


@pytest.mark.sample(1)
@pytest.mark.parametrize("form", FORMS)
def test_planted_markup_stays_text(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(write_planted_tree(tmp_path / "tree"))
    assert run(["check", "--format", form]) == 2
    printed = capfd.readouterr().out
    read = READERS[form](printed)
    if form == "text":
        assert read == []
    if form == "junit":
        tags = {one.tag for one in read.iter()}
        assert tags <= {*("testsuites", "testsuite", "properties", "property", "testcase")} | {
            *("failure", "system-out")
        }
    if form != "json":
        assert printable(printed)


def test_a_large_fleet_stays_small() -> None:
    places = RepositoryPaths(locate=lambda file: file, master="master", inventory="minions.yml")
    fleet = [f"minion{number}.example.com" for number in range(10_000)]
    found = [diagnose(minions=fleet, line=line) for line in range(1, 21)]
    sizes = [
        sum(map(len, to_github(found, places))),
        len(json.dumps(to_gitlab(found, places))),
        len(json.dumps(to_sarif(found, places, "1.0")["runs"][0]["results"])),
    ]
    assert max(sizes) < 20 * 600


def test_files_are_named_from_where_one_stands(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """JSON names files from the top of the repository; text, from the current folder."""
    monkeypatch.chdir(repository / "salt")
    run(["check", "-f", "../mkdocs.yml", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert {(one["code"], one["file"], one["line"] or 1) for one in found} == FOUND
    run(["check", "-f", "../mkdocs.yml"])
    printed = capsys.readouterr().out.splitlines()
    for code, file, line in FOUND:
        there = file.removeprefix("salt/") if file.startswith("salt/") else f"../{file}"
        assert any(
            one.startswith((f"{there}:{line}: ", f"{there}: ")) and code in one for one in printed
        )
