"""ProperDocs, the fork of MkDocs 1.x, in MkDocs' place."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from tests.publish.built import CONFIGURATION, make_tree, site_of
from tests.support.fleets import ROOT

TOP = "base: {'*': [web]}\n"
COMMAND = "import sys; from pillarbook.__main__ import main; sys.exit(main())"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    tree.mkdir()
    make_tree(tree)
    (tree / "minions.yml").write_text("minions: {web1: {grains: {os: Debian}}, web2: {}}\n")
    (tree / "pillar").mkdir()
    (tree / "pillar/top.sls").write_text(TOP)
    (tree / "pillar/web.sls").write_text("web: {id: {{ grains['id'] }}, port: 80}\n")
    return tree


@pytest.fixture
def properdocs_only(tmp_path: Path) -> dict[str, str]:
    """Return variables for a Python that has all packages but MkDocs."""
    packages = tmp_path / "packages"
    packages.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if path.name != "mkdocs" and not path.name.startswith("mkdocs-1"):
            (packages / path.name).symlink_to(path)
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(packages), str(ROOT / "generator")]),
        "PILLARBOOK_TOKEN_KEY": "k" * 32,
        "SOURCE_DATE_EPOCH": "1000000000",
    }


def build(tree: Path, variables: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-S", "-c", COMMAND, "build", *options]
    return subprocess.run(
        command, cwd=tree, env=variables, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_without_mkdocs_properdocs_writes_the_same_site(
    tree: Path, properdocs_only: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = build(tree, properdocs_only, "--strict")
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.count("\n") == 1, "MkDocs says no more"
    written = site_of(tree)
    # With all packages, it is MkDocs that builds.
    variables = {**properdocs_only, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    assert build(tree, variables, "--strict").returncode == 0
    by_mkdocs = site_of(tree)
    assert b"80" in written["minions/web1.html"]
    assert {name for name in by_mkdocs if by_mkdocs[name] != written.get(name)} == set()
    assert written.keys() == by_mkdocs.keys()


@pytest.mark.slow
def test_faults_that_properdocs_finds_have_a_line(
    tree: Path, properdocs_only: dict[str, str]
) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION + "nav: 3\n")
    ended = build(tree, properdocs_only)
    assert ended.returncode == 1
    assert ended.stderr.startswith("pillarbook: mkdocs.yml:8: nav: ")
    assert "Traceback" not in ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["pillarbook", "mkdocs", "material"])
def test_the_command_of_properdocs_builds_the_report(theme: str, tree: Path) -> None:
    configuration = CONFIGURATION.replace("name: pillarbook", f"name: {theme}")
    (tree / "mkdocs.yml").write_text(configuration)
    command = [sys.executable, "-m", "properdocs", "build", "-f", "mkdocs.yml"]
    ended = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert b"80" in site_of(tree)["minions/web1.html"]
