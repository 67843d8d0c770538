"""``build --shard`` and ``merge``: the same site as that of one build."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.wild import write_wild
from hypothesis import given
from tests.properties.trees import DrawnFleet, fleets
from tests.publish.test_build_jobs import CONFIGURATION, TREE
from tests.session.test_written_json import with_secrets
from tests.support.fleets import EXAMPLE, write_drawn, write_files
from tests.support.leaky import files_of, write_leaky
from tests.support.repositories import commit_all
from tests.support.sides import start
from tests.support.tiers import fewer

from pillarbook.cli.main import run

KEY = "a key for the tests of parts, 0123456789"
SECRET = b"hT5jKw8nBv3c"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", KEY)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")  # report.json has the time


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_files(tmp_path, {**TREE, "mkdocs.yml": CONFIGURATION.format("fleet")}))
    return tmp_path


def make_parts(count: int, *words: str, jobs: int = 1) -> list[str]:
    """Write all parts of a report, and return their files."""
    parts = [f"part{number}" for number in range(1, count + 1)]
    for number, part in enumerate(parts, 1):
        shard = ["--shard", f"{number}/{count}", "--output", part]
        assert run(["build", *shard, "--jobs", str(jobs), *words]) == 0
    return parts


def check_law(count: int, *words: str, jobs: int = 1) -> dict[str, bytes]:
    """Check that merged parts are the site of one build."""
    assert run(["build", "--site-dir", "whole", "--jobs", "1", *words]) == 0
    parts = make_parts(count, *words, jobs=jobs)
    assert run(["merge", *reversed(parts), "--site-dir", "merged", *words]) == 0
    whole, merged = files_of(Path("whole")), files_of(Path("merged"))
    assert merged.keys() == whole.keys()
    for name, data in whole.items():
        assert merged[name] == data, name
    return whole


def test_merged_parts_are_the_site_of_one_build(tree: Path) -> None:
    site = check_law(3)
    told = b"".join(site.values())
    for part in (b"missing", b"forgeable-secret", b"unused-sls", b"unmatched-target", b"copy of"):
        assert part in told
    for file in tree.glob("part*"):
        assert SECRET not in file.read_bytes()
        assert file.stat().st_mode & 0o077 == 0
    assert not [path.name for path in tree.iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_there_may_be_more_parts_and_processes_than_minions(tree: Path) -> None:
    assert tree == Path.cwd()
    check_law(6, jobs=2)


def test_a_secret_that_is_found_late_is_on_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_leaky(tmp_path))
    check_law(2)


@pytest.mark.slow
def test_the_leak_gate_searches_merged_parts(
    tree: Path, made: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    page = f"# Front\n\n{SECRET.decode()}-web1\n"  # pages are no input of parts
    write_files(tree, {"pages/index.md": page, "site/index.html": "the site before"})
    assert run(["merge", *map(str, made)]) == 3
    assert "index.html contains the secret of" in capsys.readouterr().err
    assert (tree / "site/index.html").read_text() == "the site before"


@pytest.mark.slow
def test_decrypted_secrets_go_over_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_wild(tmp_path / "fleet", profile="secrets", seed=1, size=6)
    decrypting = CONFIGURATION.replace("minions.yml", "minions.yml, decrypt: true").format("fleet")
    monkeypatch.chdir(
        write_files(tmp_path, {"mkdocs.yml": decrypting, "pages/index.md": "# Front"})
    )
    site = check_law(2, "--trust")
    assert any(b"gpg renderer" in data for data in site.values())


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 8])
def test_the_example_is_the_same(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "fleet")
    text = CONFIGURATION.format("fleet")
    monkeypatch.chdir(write_files(tmp_path, {"mkdocs.yml": text, "pages/index.md": "# Front"}))
    check_law(count, jobs=2)


@pytest.mark.slow
@fewer(10)
@given(fleet=fleets())
def test_a_drawn_fleet_is_the_same(fleet: DrawnFleet) -> None:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "fleet").mkdir()
        write_drawn(place / "fleet", with_secrets(fleet))
        text = CONFIGURATION.format("fleet")
        write_files(place, {"mkdocs.yml": text, "pages/index.md": "# Front"})
        os.chdir(place)
        try:
            check_law(3)
        finally:
            os.chdir(before)


def cut(part: Path) -> None:
    part.write_bytes(part.read_bytes()[:-100])


def extend(part: Path) -> None:
    part.write_bytes(part.read_bytes() + b"x")


def flip(part: Path) -> None:
    data = bytearray(part.read_bytes())
    data[-200] ^= 1
    part.write_bytes(data)


def renumber(part: Path) -> None:
    """Let a copy of the first part pass for the second."""
    other = part.with_name("part1").read_bytes()
    part.write_bytes(other.replace(b'"number": 1', b'"number": 2', 1))


def claim_version(part: Path) -> None:
    part.write_bytes(part.read_bytes().replace(b'"version": "', b'"version": "9.', 1))


def spoil_head(part: Path) -> None:
    part.write_bytes(part.read_bytes().replace(b'"count": 2', b'"count": []', 1))


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (cut, "part2: this part is damaged, cut off or changed"),
        (extend, "part2: this part is damaged, cut off or changed"),
        (flip, "part2: this part is damaged, cut off or changed"),
        (renumber, "part2: this part is damaged, cut off or changed"),
        (claim_version, "part2: pillarbook 9."),
        (spoil_head, "part2: this part is damaged: its head cannot be read"),
        (lambda part: part.write_text("no part"), "part2: this is no part that"),
        (Path.unlink, "part2: No such file"),
    ],
)
def test_a_damaged_part_is_refused(
    spoil: Callable[[Path], object],
    why: str,
    tree: Path,
    made: list[Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    for part in made:
        shutil.copy(part, tree)
    write_files(tree, {"site/index.html": "the site before"})
    spoil(tree / "part2")
    assert run(["merge", "part1", "part2"]) == 1
    assert why in capsys.readouterr().err
    assert (tree / "site/index.html").read_text() == "the site before"
    assert not [path.name for path in tree.iterdir() if path.name.startswith(".")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the two parts of the tree, which any copy of the tree can merge."""
    folder = tmp_path_factory.mktemp("parts")
    write_files(folder, {**TREE, "mkdocs.yml": CONFIGURATION.format("fleet")})
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("PILLARBOOK_TOKEN_KEY", KEY)
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        return [folder / part for part in make_parts(2)]


OTHERS = {
    "a file": (
        {"fleet/pillar/b.sls": "port: 7\n"},
        "of other files of pillar, states or inventory",
    ),
    "a configuration": ({"mkdocs.yml": f"{CONFIGURATION.format('fleet')}\nrepo_name: x\n"}, "conf"),
}


@pytest.mark.parametrize(("change", "why"), OTHERS.values(), ids=OTHERS)
def test_a_part_of_another_report_is_refused(
    change: dict[str, str],
    why: str,
    tree: Path,
    made: list[Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_files(tree, change)
    assert run(["merge", *map(str, made)]) == 1
    assert "part1: this part was made " in (said := capsys.readouterr().err)
    assert why in said


def test_a_part_of_another_commit_is_refused(
    tree: Path, made: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    commit_all(start(tree))
    assert run(["merge", *map(str, made)]) == 1
    assert "part1: this part was made of no commit, and here is commit " in capsys.readouterr().err


@pytest.mark.usefixtures("tree")
def test_a_part_of_another_program_is_refused(
    made: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pillarbook.publish.inputs.version", lambda _: "another version")
    assert run(["merge", *map(str, made)]) == 1
    said = capsys.readouterr().err
    assert "part1: this part was made with other code, Python or libraries than here" in said


WRONG = {
    "missing": ([0], "1 of 2 parts are missing, the first is 2/2"),
    "twice": ([0, 1, 0], "is part 1/2 as well"),
}


@pytest.mark.parametrize(("which", "why"), WRONG.values(), ids=WRONG)
def test_each_part_is_given_once(
    which: list[int], why: str, tree: Path, made: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["merge", *(str(made[one]) for one in which)]) == 1
    assert why in capsys.readouterr().err
    assert not (tree / "site").exists()


def test_the_key_must_be_given_and_be_the_same(
    tree: Path,
    made: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", "another key")
    assert run(["merge", *map(str, made)]) == 1
    assert "part1: this part was made with another PILLARBOOK_TOKEN_KEY" in capsys.readouterr().err
    monkeypatch.delenv("PILLARBOOK_TOKEN_KEY")
    for words in (["merge", *map(str, made)], ["build", "--shard", "1/2", "--output", "x"]):
        assert run(words) == 1
        assert "needs PILLARBOOK_TOKEN_KEY" in capsys.readouterr().err
    assert not (tree / "x").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--shard", "1/2"],
        ["--output", "x"],
        *(["--shard", shard, "--output", "x"] for shard in ("0/2", "3/2", "1", "1/2/3", "-1/2")),
        ["--shard", "1/2", "--output", "x", "--strict"],
    ],
)
def test_wrong_words_are_refused(words: list[str], tree: Path) -> None:
    assert run(["build", *words]) == 1
    assert not (tree / "x").exists()


def test_a_compared_report_is_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = CONFIGURATION.format("fleet").replace("minions.yml", "minions.yml, revisions: {base: x}")
    write_files(tree, {"mkdocs.yml": text})
    assert run(["build", "--shard", "1/2", "--output", "x"]) == 1
    assert "compared with a revision cannot be built in parts" in capsys.readouterr().err
    assert not (tree / "x").exists()


@pytest.mark.slow
def test_kills_leave_the_part_and_the_site_sound(tree: Path, made: list[Path]) -> None:
    (tree / "out").write_text("before")
    write_files(tree, {"site/index.html": "the site before"})
    commands = (
        ["build", "--shard", "1/2", "--output", "out"],
        ["merge", *map(str, made)],
    )
    for words in commands:
        for wait in range(1, 16):
            with subprocess.Popen(
                [sys.executable, "-m", "pillarbook", *words],
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            ) as process:
                time.sleep(0.3 + wait * 0.1)
                os.killpg(process.pid, signal.SIGKILL)
            page = (tree / "site/index.html").read_text()
            assert page == "the site before" or page.rstrip().endswith("</html>")
            whole = (tree / "out").read_bytes()
            assert whole == b"before" or whole.startswith(b"pillarbook part 1\n")
    assert run(["build", "--shard", "1/2", "--output", "out"]) == 0
    assert run(["merge", "out", str(made[1])]) == 0
    assert not [path.name for path in tree.iterdir() if path.name.startswith(".site")]
