"""Bad input of the user's own: one clear message with file and line, exit code 1, nothing lost."""

import shutil
from pathlib import Path

import pytest
from tests.support.built_sites import BuiltSite
from tests.support.invoked import Printed

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
    "no inventory": (
        "inventory: example/minions.yml",
        "inventory: nope.yml",
        "names nope.yml, which",
    ),
    "no master": ("master: example/master", "master: nope", "names nope, which"),
    "unknown option": (
        "      inventory:",
        "      colour: red\n      inventory:",
        f"mkdocs.yml:{LINE}: 'colour' is not known",
    ),
    "no YAML": ("plugins:", "plugins: [\n", "mkdocs.yml:"),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("old", "new", "message"), BAD_CONFIGURATIONS.values(), ids=BAD_CONFIGURATIONS
)
def test_build_says_what_is_wrong_and_keeps_the_last_site(
    old: str,
    new: str,
    message: str,
    project: Path,
    example_site: BuiltSite,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(example_site.folder, project / "site")
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


REFUSED = {
    "no function": "markdown_extensions: [{toc: {slugify: os.system}}]",
    "a separator that is a list": "markdown_extensions: [{toc: {separator: [a]}}]",
    "no number": "markdown_extensions: [{toc: {toc_depth: [[]]}}]",
    "an option that an extension lacks": "markdown_extensions: [{md_in_html: {UNIQUE_IDS: 1}}]",
    "no URL": "site_url: 'http://[::1'",
    "no repository": "repo_url: 'http://[::1'",
    "no style sheet": "extra_css: [3]",
    "a list that holds itself": "extra_css: &a [*a]",
    "no parent": "INHERIT: ~",
    "an option of MkDocs' own": "config_file_path: {a: b}",
    "a name of two lines": 'markdown_extensions: ["a\\nb"]',
    "an unknown tag": "copyright: !x y",
    "a large number": "copyright: 0x" + "f" * 4000,
    "no character": 'docs_dir: "a\\0b"',
    "half a character": 'site_dir: "\\ud800"',
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("line", REFUSED.values(), ids=REFUSED)
def test_a_refused_configuration_is_one_sentence(
    line: str, project: Path, printed: Printed
) -> None:
    option = line.partition(":")[0] + ":"
    kept = [one for one in CONFIGURATION.splitlines() if not one.startswith(option)]
    (project / "example/minions.yml").write_text("minions: {one: {}}\n")
    (project / "mkdocs.yml").write_text("\n".join([*kept, line, ""]))
    told = printed(["build"], 1).err
    assert told.count("\n") == 1
    assert "internal error" not in told
    assert ' File "' not in told
    assert not (project / "site").exists()


BAD_SECTIONS = {
    "no character": '"a\\0b"',
    "half a character": '"\\ud800"',
    "a tag": "!x y",
    "a list that holds itself": "&a [*a]",
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("value", BAD_SECTIONS.values(), ids=BAD_SECTIONS)
@pytest.mark.parametrize("command", ["build", "check"])
def test_a_refused_section_is_one_sentence(
    command: str, value: str, project: Path, printed: Printed
) -> None:
    text = CONFIGURATION.replace("inventory: example/minions.yml", f"inventory: {value}")
    (project / "mkdocs.yml").write_text(text)
    told = printed([command], 1).err
    assert told.count("\n") == 1
    assert "internal error" not in told


BAD_DECLARATIONS = {
    "master is not YAML": ("example/master", "a: [", "example/master:"),
    "master is a list": ("example/master", "- a\n", "example/master"),
    "id twice": ("example/minions.yml", "minions:\n  a: {}\n  a: {}\n", "minions.yml:3: "),
    "inventory is not YAML": ("example/minions.yml", "minions:\n a: {}\n  b: [\n", "minions.yml:3"),
    "no minions": ("example/minions.yml", "minion: {}\n", "minions.yml"),
    "a key misspelled": ("example/minions.yml", "minions: {a: {grians: {}}}\n", "'grains'"),
}


@pytest.mark.parametrize(
    ("file", "content", "message"), BAD_DECLARATIONS.values(), ids=BAD_DECLARATIONS
)
def test_compile_says_what_is_wrong(
    file: str, content: str, message: str, project: Path, printed: Printed
) -> None:
    (project / file).write_text(content)
    words = ["compile", "--master", "example/master", "--inventory", "example/minions.yml"]
    output = printed(words, 1)
    assert output.out == ""
    assert message in output.err
    assert "Traceback" not in output.err


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize("value", ["3", "true", "1.5", "{a: b}"])
def test_an_option_of_another_type_stops_nothing(value: str, project: Path) -> None:
    with (project / "example/master").open("a") as master:
        master.write(f"\nmodule_dirs: {value}\n")
    assert run(["compile", "--output", "out.json"]) == 0


@pytest.mark.slow
def test_strict_build_publishes_nothing_where_there_is_an_error(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", "--strict"]) == 1
    assert not (project / "site").exists()
    assert "backup/retention.sls:6" in capsys.readouterr().err
    assert run(["build"]) == 0


@pytest.mark.slow
def test_check_finds_the_faults_and_exits_with_2(project: Path, printed: Printed) -> None:
    """Also with a key of the configuration that is no text."""
    (project / "mkdocs.yml").write_text(CONFIGURATION + "? [a, b]\n: 1\n")
    assert "db/shard.sls:4: error: " in printed(["check"], 2).out
