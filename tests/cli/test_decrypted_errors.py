"""No output holds a run of a decrypted secret, however a file, renderer or module fails over it."""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from tests.cli.canary_trees import (
    DECRYPT_PILLAR,
    DECRYPTED,
    EXTERNAL,
    TEMPLATES,
    Planter,
    decrypt_pillar_files,
    decrypted_files,
    external_files,
    template_files,
    write_tree,
)
from tests.support.fleets import CASES
from tests.support.gpg_keys import KeyHome, open_test_home
from tests.support.tiers import is_thorough

from pillarbook.cli.main import run

SHORT = (["check", "--format", "json"], ["compile"])
COMMANDS = (
    *SHORT,
    ["check"],
    ["compile", "--no-memo", "--format", "yaml"],
    ["explain", "calls_it"],
    ["explain", "calls_it", "--format", "json"],
    ["build"],
)
FIRST: Mapping[str, object] = {"ext_pillar_first": True, "ext_pillar": [{"nodegroups": {}}]}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeyHome]:
    with open_test_home(tmp_path_factory.mktemp("keys") / "h") as home:
        yield home


@pytest.fixture
def planter(home: KeyHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Planter:
    shutil.copytree(CASES / "gpgkeys", tmp_path / "gpgkeys")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PILLARBOOK_TRUST", "1")
    return Planter(home)


def run_all(
    planter: Planter, capfd: pytest.CaptureFixture[str], *commands: list[str]
) -> tuple[list[tuple[str, str, str]], str]:
    """Run commands; return what gave a canary away (command or file, canary, line), and all text."""
    printed: list[tuple[str, str]] = []
    for command in commands:
        run(command)
        told = capfd.readouterr()
        printed += ((" ".join(command), line) for line in (told.out + told.err).splitlines())
    texts = [(name, line.encode()) for name, line in printed]
    files = (file for file in Path("site").rglob("*") if file.is_file())
    texts += ((os.fspath(file), file.read_bytes()) for file in files)
    found = []
    if planter.find(b"\n".join(text for _, text in texts)):  # text by text takes long
        found = [(name, one, str(text[:300])) for name, text in texts for one in planter.find(text)]
    return found, "\n".join(line for _, line in printed)


@pytest.mark.grows
def test_text_that_was_decrypted(
    planter: Planter,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    step = 1 if is_thorough(request.config) else 5  # gpg starts several times for each
    files = decrypted_files(planter, step)
    write_tree(tmp_path, files, {"pw": planter.message(planter.canary("own"))})
    leaks, told = run_all(planter, capfd, *SHORT, ["build"])
    assert leaks == []
    assert [name for name in [*DECRYPTED][::step] if f"pillar/{name}.sls" not in told] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "commands", [SHORT, pytest.param(COMMANDS, marks=pytest.mark.slow)], ids=["short", "all"]
)
def test_files_that_read_a_decrypted_pillar(
    commands: Sequence[list[str]],
    planter: Planter,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    files = template_files(planter)
    write_tree(tmp_path, files, {"pw": planter.message(planter.canary("pw"))}, **FIRST)
    leaks, told = run_all(planter, capfd, *commands)
    assert leaks == []
    # What `file.read` returns is unknown, and no error.
    silent = [name for name in TEMPLATES if f"pillar/{name}.sls" not in told]
    assert silent == ["file_read"]


@pytest.mark.slow
def test_what_decrypt_pillar_does_not_take(
    planter: Planter, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = decrypt_pillar_files(planter)
    write_tree(
        tmp_path,
        files,
        {},
        decrypt_pillar=[{name: name} for name in DECRYPT_PILLAR],
        decrypt_pillar_renderers=["gpg", *DECRYPT_PILLAR],
    )
    leaks, told = run_all(planter, capfd, *SHORT, ["build"])
    assert leaks == []
    assert told.count('"undecryptable"') == len(DECRYPT_PILLAR)


@pytest.mark.sample(1)
@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("name", EXTERNAL)
def test_external_pillars_that_see_a_decrypted_one(
    name: str, first: bool, planter: Planter, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    entry, text = EXTERNAL[name]
    write_tree(
        tmp_path,
        external_files(text),
        {"pw": planter.message(planter.canary("pw"))},
        ext_pillar=[entry],
        ext_pillar_first=first,
        extension_modules="ext",
    )
    leaks, _ = run_all(planter, capfd, *SHORT)
    assert leaks == []


def test_words_that_the_file_itself_has_are_told(
    planter: Planter, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = {
        "pillar/says.sls": "{{ raise('say why') if pillar.pw }}\n",
        "pillar/asks.sls": "{% import_yaml 'no/such.yml' as x %}\n",
        "pillar/grain.sls": "k: {{ grains.datacenter }}\n",
        "pillar/twice.sls": "k: 1\nk: 2\n",
        "pillar/types.sls": "k: {{ 1 + pillar.pw }}\n",
        "pillar/filters.sls": "k: {{ 1 | no_such }}\n",
    }
    write_tree(tmp_path, files, {"pw": planter.message(planter.canary("pw"))}, **FIRST)
    _, told = run_all(planter, capfd, ["check"])
    for words in (
        "say why",
        "asks for the file 'no/such.yml'",
        "the grain 'datacenter'",
        "declare the grain 'datacenter'",
        "the key 'k' twice",
        "unsupported operand type(s) for +: 'int' and 'str'",
        "No filter named 'no_such'",
    ):
        assert words in told
