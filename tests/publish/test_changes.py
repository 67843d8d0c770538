"""What has changed since a revision, in sites that are built from real repositories."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files
from tests.support.forked.commands import forked
from tests.support.leaky import files_of, inventory, places_of
from tests.support.repositories import commit_all, git
from tests.support.sides import start

from pillarbook.cli.main import run
from pillarbook.report.addresses import group_address

SECRET = "kL9mPq2rS7tV4w"
WEB = [f"web{number:02}" for number in range(40)]
MINIONS: dict[str, Any] = {
    name: {"grains": {"os": "Debian", "roles": ["web" if name in WEB else "db"]}}
    for name in ("db1", *WEB, "db2")
}
CONFIGURATION = """\
site_name: Changes
docs_dir: pages
theme: {name: pillarbook}
plugins:
  - pillarbook:
      master: master
      inventory: minions.yml
      revisions: {base: main}
"""
TREE = {
    "mkdocs.yml": CONFIGURATION,
    "master": "pillar_roots: {base: [pillar]}\n",
    "pages/index.md": "# Front\n",
    "pillar/top.sls": "base: {'*': [common], 'roles:web': [{match: grain}, web], 'db*': [db]}\n",
    "pillar/common.sls": "motd: hello\nport: 80\n",
    "pillar/web.sls": "workers: 4\nname: {{ grains.id }}\n",
    "pillar/db.sls": f"size: 1\npassword: {SECRET}\n",
    "minions.yml": inventory(MINIONS),
}
CHANGE = {
    "pillar/common.sls": "motd: hello\nport: 80\n# no more\n",
    "pillar/web.sls": "workers: 8\nname: {{ grains.id }}\n",
    "pillar/db.sls": "size: 1\npassword: aQ8zWx4eDc7rFv\n",
}
WEB_GROUP = f'all 40 of <a href="../{group_address("roles:web")}"><code>roles:web</code></a>'


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return begin_topic(tmp_path / "tree", TREE, monkeypatch)


def begin_topic(folder: Path, files: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a working tree on a branch of its own, just as main has it, and go there."""
    write_files(folder, files)
    commit_all(start(folder))
    git(folder, "checkout", "--quiet", "-b", "topic")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", "a key for tests")
    return folder


def build(*options: str) -> None:
    assert run(["build", *options]) == 0


def read(tree: Path, address: str) -> str:
    return (tree / "site" / address).read_text()


def result(tree: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(read(tree, "changes/index.json"))
    return found


def words_of(tree: Path) -> dict[str, list[str]]:
    """Return the minions that each word is true of, but for unchanged ones."""
    words: dict[str, list[str]] = {}
    for name, minion in result(tree)["minions"].items():
        if minion["outcome"] != "unchanged":
            words.setdefault(minion["outcome"], []).append(name)
    return words


def test_a_change_has_its_pages(tree: Path) -> None:
    write_files(tree, CHANGE)
    build("--strict")
    index = read(tree, "changes/index.html")
    assert "Pillar: 1 changed secret on 2 of 42 minions; 1 change on 40 of 42 minions" in index
    assert WEB_GROUP in index
    assert "secret changed" in index
    assert 'because of <a href="../sls/base/web.html#L1"><code>pillar/web.sls:1</code></a>' in index
    assert "only comments and empty lines" in index
    large = read(tree, "changes/1.html")
    assert [name for name in WEB if f"../minions/{name}.html#changes" not in large] == []
    assert "all 40 of roles:web" in large.partition("<title>")[2].partition("</title>")[0]
    assert 'id="changes">Changed since' in read(tree, "minions/web07.html")
    assert "1 changed secret on 2 of 42 minions; 1 change on 40 of 42" in read(tree, "index.html")
    assert places_of(tree / "site", SECRET, "aQ8zWx4eDc7rFv") == []


@pytest.mark.slow
def test_only_the_page_of_all_changes_is_in_the_navigation(tree: Path) -> None:
    write_files(tree, CHANGE)
    build()
    for page in ("index.html", "changes/1.html", "minions/db1.html"):
        nav = read(tree, page).partition('aria-label="Site"')[2].partition("</nav>")[0]
        assert "changes/index.html" in nav or 'href="index.html" aria-current' in nav
        assert "1.html" not in nav
    assert 'aria-current="page">Changes' in read(tree, "changes/index.html")


CHANGES: dict[str, Mapping[str, str]] = {
    "nothing": {},
    "a comment": {"pillar/web.sls": TREE["pillar/web.sls"] + "# why\n"},
    "values": CHANGE,
    "a breakage": {"pillar/web.sls": "workers: {{ nothing.there }}\n"},
    "a target": {"pillar/top.sls": TREE["pillar/top.sls"].replace("db*", "db1")},
    "an empty top file": {"pillar/top.sls": ""},
    "minions": {"minions.yml": inventory({**{m: MINIONS[m] for m in WEB}, "new1": MINIONS["db1"]})},
    "the master file": {
        "master": "pillar_roots: {base: [other]}\n",
        "other/top.sls": "base: {'*': [x]}\n",
        "other/x.sls": "port: 81\n",
    },
    "a rule": {"mkdocs.yml": CONFIGURATION + "      changes: {ignore: [{keys: [port]}]}\n"},
    "a secret that was plain text": {
        "pillar/common.sls": "motd: 4711\nport: 80\n",
        "pillar/db.sls": "size: 1\npassword: '4711'\n",
    },
    "a short secret that stands elsewhere": {
        "pillar/common.sls": "motd: hello\nport: 80\npassword: hello\n",
    },
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("change", CHANGES)
def test_a_site_says_what_the_command_says(
    change: str, tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tree, CHANGES[change])
    build()
    capfd.readouterr()
    run(["diff", "--format", "json"])
    told = json.loads(capfd.readouterr().out)
    built = result(tree)
    for part in ("base", "head", "minions", "notes", "idle", "ignored"):
        assert built[part] == told[part], part
    assert built["atoms"] == told["atoms"]


@pytest.mark.slow
def test_what_the_base_takes_for_noise_is_counted_only(
    tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rules = "[{keys: [workers]}, {keys: [size], values: '\\d'}]"
    write_files(tree, {"mkdocs.yml": f"{CONFIGURATION}      changes: {{ignore: {rules}}}\n"})
    git(tree, "checkout", "--quiet", "-B", "main")
    commit_all(tree)
    write_files(tree, CHANGE)
    build("--strict")
    index = read(tree, "changes/index.html")
    assert "Pillar: 1 changed secret on 2 of 42 minions" in index
    assert "ignored by rule 1 (<code>workers</code>): 1 change on 40 minions" in index
    assert words_of(tree) == {"changed": ["db1", "db2"]}
    assert 'id="changes"' not in read(tree, "minions/web07.html")
    capfd.readouterr()
    run(["diff", "--format", "json"])
    assert json.loads(capfd.readouterr().out)["ignored"] == result(tree)["ignored"]


@pytest.mark.slow
def test_what_breaks_is_named_with_its_line(tree: Path) -> None:
    write_files(tree, CHANGES["a breakage"])
    build()
    assert words_of(tree) == {"newly failing": WEB}
    index = read(tree, "changes/index.html")
    assert "<code>pillar/web.sls:1</code>" in index
    assert "nothing" in index.partition(">Errors</th>")[2]


@pytest.mark.slow
def test_minions_come_and_go(tree: Path) -> None:
    write_files(tree, CHANGES["minions"])
    build("--strict")
    assert words_of(tree) == {"gone": ["db1", "db2"], "new": ["new1"]}
    index = read(tree, "changes/index.html")
    assert "minions/db1.html" not in index
    assert "minions/new1.html#changes" in index


def test_the_base_has_a_configuration_of_its_own(tree: Path) -> None:
    write_files(tree, {"fleet.yml": inventory({"web00": MINIONS["web00"]})})
    configuration = CONFIGURATION.replace("minions.yml", "fleet.yml")
    write_files(tree, {"mkdocs.yml": configuration})
    build()
    assert words_of(tree) == {"gone": [name for name in MINIONS if name != "web00"]}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("break_it", "why"),
    [
        (lambda tree: shutil.rmtree(tree / ".git"), "is not in a git repository"),
        (
            lambda tree: git(tree, "branch", "-D", "main"),
            "name a branch, tag or commit of this repository",
        ),
        (lambda tree: (tree / ".git/HEAD").write_text("ref: refs/heads/none\n"), "no commit yet"),
        (lambda tree: shutil.rmtree(tree / ".git/objects"), "repository"),
    ],
    ids=["no repository", "no such branch", "an unborn branch", "a broken repository"],
)
def test_a_report_stands_without_its_base(
    break_it: Any, why: str, tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    break_it(tree)
    build("--strict")
    assert "pillarbook: 2 warnings" in capfd.readouterr().err
    for page in ("changes/index.html", "index.html", "diagnostics.html"):
        text = read(tree, page)
        assert why in text
        assert str(tree) not in text
    assert "missing-revision" in read(tree, "diagnostics.html")
    assert not (tree / "site/changes/index.json").exists()


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "files",
    [
        {"minions.yml": "minions: ["},
        {"master": "pillar_roots: ["},
        {"mkdocs.yml": CONFIGURATION.replace("master: master", "mistress: master")},
    ],
    ids=["inventory", "master", "configuration"],
)
def test_a_base_with_faults_stops_no_build(files: Mapping[str, str], tree: Path) -> None:
    write_files(tree, files)
    git(tree, "checkout", "--quiet", "-B", "main")
    commit_all(tree)
    write_files(tree, TREE)
    build()
    text = read(tree, "changes/index.html")
    assert "Not compared with <code>main</code>" in text
    assert (tree / "site/minions/web00.html").exists()


def test_a_fault_of_the_tree_stops_the_build_as_ever(
    tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tree, {"minions.yml": "minions: ["})
    assert run(["build"]) == 1
    assert "minions.yml:1" in capfd.readouterr().err
    (tree / "minions.yml").unlink()
    assert run(["build"]) == 1


def test_what_is_secret_in_the_base_alone_gets_onto_no_page(tree: Path) -> None:
    write_files(tree, {"pillar/db.sls": "size: 1\n", "pillar/web.sls": f"workers: {SECRET}\n"})
    build()
    assert places_of(tree / "site", SECRET) == []
    assert {"changes/index.html", "changes/index.json"} <= set(files_of(tree / "site"))


@pytest.mark.slow
def test_ids_that_hold_a_secret_stand_with_their_token_on_both_sides(tree: Path) -> None:
    fleet = {f"{SECRET}-{number}": MINIONS["db1"] for number in range(40)}
    write_files(tree, {"minions.yml": inventory({**MINIONS, **fleet})})
    git(tree, "checkout", "--quiet", "-B", "main")
    commit_all(tree)
    write_files(tree, {"pillar/common.sls": "port: 81\n"})
    build()
    assert places_of(tree / "site", SECRET) == []
    (names,) = words_of(tree).values()
    assert len(names) == 82


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs"])
def test_other_themes_and_mkdocs_itself_have_the_pages(theme: str, tree: Path) -> None:
    write_files(tree, {**CHANGE, "mkdocs.yml": CONFIGURATION.replace("{name: pillarbook}", theme)})
    done = subprocess.run(
        [forked("mkdocs"), "build", "--strict", "--quiet"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert WEB_GROUP in read(tree, "changes/index.html")
    assert "../minions/web39.html#changes" in read(tree, "changes/1.html")


@pytest.mark.slow
def test_a_page_of_ones_own_gives_way_and_is_told_of(
    tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tree, {**CHANGE, "pages/changes/1.md": "# Ours\n"})
    build()
    assert "changes/1.md is left out: the report has a page" in capfd.readouterr().err
    assert "Ours" not in read(tree, "changes/1.html")


@pytest.mark.slow
def test_acknowledged_changes_come_last_and_say_so(tree: Path) -> None:
    write_files(tree, CHANGE)
    build()
    assert "acknowledged in the base" not in read(tree, "changes/index.html")
    known = {tuple(atom["path"]): atom["change_id"] for atom in result(tree)["atoms"]}
    acks = {".pillarbook-acks.yml": f"- {known['workers',]}\n- nonsense\n"}
    write_files(tree, acks)
    build()
    page = read(tree, "changes/index.html")
    assert "acknowledged by this change itself" in page
    assert "line 2 has no change id" in page
    git(tree, "stash", "--", "pillar")
    commit_all(tree)
    git(tree, "branch", "--force", "main")
    git(tree, "stash", "pop")
    build()
    page = read(tree, "changes/index.html")
    assert page.index("acknowledged in the base") > page.index(">password<")
    assert "1 acknowledged change" in page
    assert {atom["acknowledged"] for atom in result(tree)["atoms"]} == {None, "base"}


@pytest.mark.slow
def test_causes_are_found_where_one_minion_of_each_kind_is_kept(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pillarbook.changes.since_revision.MAX_KEPT", 0)
    write_files(tree, CHANGE)
    build()
    causes = {tuple(atom["path"]): atom["because"] for atom in result(tree)["atoms"]}
    assert {path: (line["file"], line["line"]) for path, (line,) in causes.items()} == {
        ("workers",): ("pillar/web.sls", 1),
        ("password",): ("pillar/db.sls", 2),
    }
    assert all(atom["proven"] for atom in result(tree)["atoms"])
