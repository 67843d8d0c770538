"""A site is built once more where its first version holds what was learned too late."""

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from tests.support.fleets import write_files
from tests.support.forked.commands import forked
from tests.support.leaky import (
    CONFIGURATION,
    SECRET,
    files_of,
    inventory,
    places_of,
    write_leaky,
)
from tests.support.repositories import commit_all, git

from pillarbook.cli.main import run
from pillarbook.publish.plugin import PillarbookPlugin
from pillarbook.publish.second_build import build_again

OTHER = "hT5jKw8nBv3c"
GRAINS: dict[str, Any] = {"grains": {"os": "Debian"}}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_leaky(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Grow by one for each second build."""
    done: list[None] = []

    def count(*arguments: Any, **named: Any) -> None:
        done.append(None)
        build_again(*arguments, **named)

    monkeypatch.setattr("pillarbook.publish.plugin.build_again", count)
    return done


def let_base_have_the_secret(tree: Path) -> None:
    """Put the secret of a revision on all minions, of which the pages of some are written first."""
    git(tree, "init", "-q", "-b", "main")
    commit_all(tree)
    write_files(
        tree,
        {
            "mkdocs.yml": f"{CONFIGURATION}      revisions: {{base: main}}\n",
            "pillar/common.sls": f"motd: hello {SECRET} there\n",
            "pillar/db.sls": f"db: {{password: {OTHER}}}\n",
        },
    )


LEAKS = {
    "a value of another minion": {"pillar/common.sls": f"motd: hello {SECRET} there\n"},
    "in another form": {"pillar/common.sls": "motd: a0w5bVBxMnJTN3RWNHc=\n"},
    "a minion's id": {
        "minions.yml": inventory({f"x-{SECRET}": GRAINS, "b1": GRAINS, f"y-{SECRET}": GRAINS}),
    },
    "a key": {"pillar/common.sls": f"motd: {{x-{SECRET}-y: 1}}\n"},
    "the name of an SLS": {
        "pillar/top.sls": f"base: {{'*': [common, {SECRET}-x], b1: [db]}}\n",
        f"pillar/{SECRET}-x.sls": "x: 1\n",
    },
    "the name of a folder": {
        "pillar/top.sls": f"base: {{'*': [common, {SECRET}.x], b1: [db]}}\n",
        f"pillar/{SECRET}/x.sls": "x: 1\n",
    },
    "the name of an environment": {
        "master": f"pillar_roots: {{base: [pillar], {SECRET}-env: [prod, pillar]}}\n",
        "prod/top.sls": f"{SECRET}-env: {{'*': [common]}}\n",
    },
    "a grain": {
        "minions.yml": inventory({"a1": {"grains": {"site": f"{SECRET}-ams"}}, "b1": GRAINS}),
    },
    "an error": {"pillar/common.sls": f"motd: {{{{ {{}}['{SECRET}'].x }}}}\n"},
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("order", ["first", "last"])
def test_what_is_learned_late_is_in_no_page(
    leak: str, order: str, tree: Path, passes: list[None], capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tree, LEAKS[leak])
    if order == "first":  # the minion whose secret it is
        text = (tree / "minions.yml").read_text().replace("a1", "z9")
        (tree / "minions.yml").write_text(text.replace("b1", "a1").replace("z9", "b1"))
        top = (tree / "pillar/top.sls").read_text()
        (tree / "pillar/top.sls").write_text(top.replace("b1", "a1"))
    assert run(["build"]) == 0
    told = "".join(capfd.readouterr())
    assert places_of(tree / "site", SECRET, "a0w5bVBxMnJTN3RWNHc") == []
    assert SECRET not in told
    assert len(passes) <= 1
    again = files_of(tree / "site")
    assert {"index.html", "search/search_index.json"} <= set(again)
    assert again["index.html"].count(b"search/main.js") <= 1


@pytest.mark.sample(2)
@pytest.mark.parametrize("leak", LEAKS)
def test_secrets_of_the_fleet_need_no_second_build(
    leak: str, tree: Path, passes: list[None]
) -> None:
    write_files(tree, LEAKS[leak])
    assert run(["build"]) == 0
    assert passes == []


@pytest.mark.slow
def test_counts_are_those_of_one_build(
    tree: Path, passes: list[None], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["build"]) == 0
    once = capfd.readouterr().err
    assert passes == []
    let_base_have_the_secret(tree)
    (tree / "pages/guide.md").write_text("# A guide\n\n[dead](nowhere.md)\n")
    assert run(["build"]) == 0
    twice = capfd.readouterr().err
    assert passes == [None]
    pages = [
        int(line.split(": ")[2].split(" pages in ")[0])
        for line in (once, twice)
        for line in line.splitlines()
        if " pages in " in line
    ]
    assert pages[1] == pages[0] + 1  # that of what has changed
    assert places_of(tree / "site", SECRET) == []
    assert twice.count("nowhere.md") == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("command", ["pillarbook", "mkdocs"])
@pytest.mark.parametrize("page", ["pages/index.md", "pages/data.bin", f"pages/x-{SECRET}.md"])
def test_a_hand_written_page_with_a_secret_stops_the_build(
    page: str, command: str, tree: Path
) -> None:
    assert run(["build"]) == 0
    before = files_of(tree / "site")
    write_files(tree, {page: f"# Ours\n\nIt is {SECRET}.\n"})
    done = subprocess.run([forked(command), "build"], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    told = done.stdout + done.stderr
    assert "nothing is published, because " in told
    assert "contains the secret of `db:password`" in told
    assert "`redact: allow`" in told
    assert SECRET not in told
    assert "Traceback" not in told
    assert files_of(tree / "site") == before
    assert not [path.name for path in tree.iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_mkdocs_build_begins_again_as_well(tree: Path) -> None:
    write_files(tree, LEAKS["the name of an SLS"])
    done = subprocess.run(
        [forked("mkdocs"), "build", "--strict", "--site-dir", "elsewhere"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert places_of(tree / "elsewhere", SECRET) == []
    assert not (tree / "site").exists()


@pytest.mark.slow
def test_the_theme_of_a_command_line_stays(tree: Path) -> None:
    write_files(tree, LEAKS["a value of another minion"])
    done = subprocess.run([forked("mkdocs"), "build", "-q", "--theme", "readthedocs"], check=False)
    assert done.returncode == 0
    assert "css/theme_extra.css" in files_of(tree / "site")


def test_a_strict_build_counts_the_warnings_of_both(
    tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tree, LEAKS["a value of another minion"])
    (tree / "pages/guide.md").write_text("# A guide\n\n[dead](nowhere.md)\n")
    assert run(["build", "--strict"]) == 1
    assert "MkDocs found 1 warning(s)" in capfd.readouterr().err
    assert not (tree / "site").exists()


def serve_once(tree: Path) -> PillarbookPlugin:
    """Build as MkDocs' server does before each time that it serves."""
    config = load_config(str(tree / "mkdocs.yml"), site_dir=str(tree / "served"))
    plugin = config.plugins["pillarbook"]
    assert isinstance(plugin, PillarbookPlugin)
    plugin.open_session, plugin.options = None, None
    config.plugins.on_startup(command="serve", dirty=False)
    config.site_url = "http://127.0.0.1:8000/"
    try:
        build(config, serve_url=config.site_url)
    finally:
        config.plugins.on_shutdown()
    return plugin


@pytest.mark.slow
def test_a_server_builds_again_and_forgets_what_is_allowed(tree: Path) -> None:
    (tree / "served").mkdir()
    write_files(tree, LEAKS["a value of another minion"])
    plugin = serve_once(tree)
    assert plugin.published is not None
    assert plugin.published.folder == tree / "served"
    assert places_of(tree / "served", SECRET) == []
    before = files_of(tree / "served")
    write_files(tree, {"pages/guide.md": f"# A guide\n\n{SECRET}\n"})
    with pytest.raises(SystemExit) as caught:
        serve_once(tree)
    assert caught.value.code == 3
    assert files_of(tree / "served") == before
    configuration = (tree / "mkdocs.yml").read_text()
    (tree / "mkdocs.yml").write_text(configuration + "      redact: {allow: ['db:password']}\n")
    serve_once(tree)
    assert "guide.html" in places_of(tree / "served", SECRET)


def test_two_secrets_that_name_each_other_are_learned_together(tree: Path) -> None:
    write_files(
        tree,
        {
            "pillar/common.sls": f"motd: {SECRET}\ntoken: {OTHER}\n",
            "pillar/db.sls": f"db: {{password: {SECRET}, note: a {OTHER} b}}\n",
        },
    )
    assert run(["build"]) == 0
    assert places_of(tree / "site", SECRET, OTHER) == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.slow
def test_a_second_bar_follows_the_first(
    tree: Path, passes: list[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    let_base_have_the_secret(tree)
    err = Terminal()
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setenv("TERM", "xterm")
    assert run(["build"]) == 0
    assert passes == [None]
    assert "3/3" in err.getvalue()
