"""Bad input of the user's own: one clear message with file and line, exit code 1, nothing lost."""

import shutil
from pathlib import Path

import pytest

from pillarbook.cli.main import run

ROOT = Path(__file__).parents[2]
CONFIGURATION = (ROOT / "mkdocs.yml").read_text()
LINE = CONFIGURATION.partition("      inventory:")[0].count("\n") + 1


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "example", tmp_path / "example")
    shutil.copytree(ROOT / "site_src", tmp_path / "site_src")
    (tmp_path / "mkdocs.yml").write_text(CONFIGURATION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


BAD_CONFIGURATIONS = {
    "no inventory": ("inventory: example/minions.yml", "inventory: nope.yml", "nope.yml: "),
    "no master": ("master: example/master", "master: nope", "nope: "),
    "unknown option": (
        "      inventory:",
        "      colour: red\n      inventory:",
        f"mkdocs.yml:{LINE}: 'colour' is not known",
    ),
    "no YAML": ("plugins:", "plugins: [\n", "mkdocs.yml:"),
}


@pytest.mark.parametrize(
    ("old", "new", "message"), BAD_CONFIGURATIONS.values(), ids=BAD_CONFIGURATIONS
)
def test_build_says_what_is_wrong_and_keeps_the_last_site(
    old: str, new: str, message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build"]) == 0
    before = {file: file.read_bytes() for file in (project / "site").rglob("*") if file.is_file()}
    assert old in CONFIGURATION
    (project / "mkdocs.yml").write_text(CONFIGURATION.replace(old, new))
    capsys.readouterr()
    assert run(["build"]) == 1
    told = capsys.readouterr().err
    assert message in told
    assert "Traceback" not in told
    assert len(told.strip().splitlines()) == 1
    after = {file: file.read_bytes() for file in (project / "site").rglob("*") if file.is_file()}
    assert after == before


BAD_DECLARATIONS = {
    "master is no YAML": ("example/master", "a: [", "example/master:"),
    "master is a list": ("example/master", "- a\n", "example/master"),
    "id twice": ("example/minions.yml", "minions:\n  a: {}\n  a: {}\n", "minions.yml:3: "),
    "inventory is no YAML": ("example/minions.yml", "minions:\n a: {}\n  b: [\n", "minions.yml:3"),
    "no minions": ("example/minions.yml", "minion: {}\n", "minions.yml"),
    "a key misspelled": ("example/minions.yml", "minions: {a: {grians: {}}}\n", "'grains'"),
}


@pytest.mark.parametrize(
    ("file", "content", "message"), BAD_DECLARATIONS.values(), ids=BAD_DECLARATIONS
)
def test_compile_says_what_is_wrong(
    file: str, content: str, message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / file).write_text(content)
    words = ["compile", "--master", "example/master", "--inventory", "example/minions.yml"]
    assert run(words) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err
    assert "Traceback" not in output.err


def test_strict_build_publishes_nothing_where_there_is_an_error(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", "--strict"]) == 1
    assert not (project / "site").exists()
    assert "backup/retention.sls:6" in capsys.readouterr().err
    assert run(["build"]) == 0


def test_check_finds_the_faults_and_exits_with_2(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert project.is_dir()
    assert run(["check"]) == 2
    assert "db/shard.sls:4: error: " in capsys.readouterr().out
