"""``pillarbook verify`` on dumps that the real Salt made, of the example and of odd values."""

import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchmarks.real_salt import find_salt
from tests.support.fleets import write_files
from tests.support.invoked import Printed

from pillarbook.cli.main import run
from pillarbook.inventory.settings import load_settings
from pillarbook.session import RunOptions, open_session
from pillarbook.verify import inventory_trials
from pillarbook.verify.dump_differences import MASKED
from pillarbook.verify.printed_values import MASK

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
DUMPS = DATA / "verify"
ANSWERS: dict[str, Any] = json.loads((DATA / "example-expected.json").read_text())
STREAM = str(DUMPS / "example-stream.json")
WEB1 = "web1.ams.teashop.example"
"""A Python that has the real Salt."""
VALUES = [
    *("--master", str(DUMPS / "values" / "master")),
    *("--inventory", str(DUMPS / "values" / "minions.yml")),
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the example, as the current folder."""
    shutil.copytree(ROOT / "example", tmp_path / "example")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(project: Path, minion: str, grain: str, value: Any) -> None:
    """Change a grain in the inventory; without one where the value is None."""
    file = project / "example" / "minions.yml"
    declared = yaml.safe_load(file.read_text())
    defaults = declared["defaults"]["grains"]
    for other in declared["minions"].values():
        other["grains"] = {**defaults, **other["grains"]}
    del declared["defaults"]
    grains = declared["minions"][minion]["grains"]
    assert grains[grain] != value
    if value is None:
        del grains[grain]
    else:
        grains[grain] = value
    file.write_text(yaml.dump(declared, Dumper=_NoAliases))


class _NoAliases(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 (PyYAML's signature)
        return True


def give_keys(project: Path) -> None:
    file = project / "mkdocs.yml"
    inventory = "      inventory: example/minions.yml\n"
    file.write_text(file.read_text().replace(inventory, f"{inventory}      decrypt: true\n"))


def verify_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = run(["verify", "--format", "json", *words])
    made: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, made


FORMS = {
    "stream": ["example-stream.json"],
    "static": ["example-static.json"],
    "salt-call": ["example-call.json", "--minion", WEB1],
}


@pytest.mark.slow
@pytest.mark.parametrize("keys", [False, True], ids=["without keys", "with keys"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_example_is_equal(
    form: list[str], keys: bool, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *more = form
    if keys:
        give_keys(project)
        more = [*more, "--trust"]
    code, made = verify_json(capsys, str(DUMPS / name), *more)
    assert code == 0
    assert made["result"] == "equal"
    assert made["compared"] == made["equal"] == (1 if "call" in name else len(ANSWERS))
    assert bool(made["not_compared"].get("sealed")) is not keys
    assert made["not_in_dump"] == made["not_in_inventory"] == made["why"] == []


@pytest.mark.slow
def test_standard_input_is_read_and_a_file_is_written(
    project: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed
) -> None:
    raw = io.BytesIO(Path(STREAM).read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
    assert printed(["verify", "-", "--format", "json", "--output", "out.json"]).out == ""
    assert json.loads((project / "out.json").read_text())["schema"] == "pillarbook.verify/1"


@pytest.mark.parametrize("form", ["stream", "static"])
def test_odd_values_are_equal(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, made = verify_json(capsys, str(DUMPS / f"values-{form}.json"), *VALUES)
    assert (code, made["equal"], made["not_compared"]) == (0, 2, {})


def test_odd_values_of_a_masterless_minion_are_equal(capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(DUMPS / "values-local.json"), *VALUES, "--minion", "kinds"]
    code, made = verify_json(capsys, *words)
    assert (code, made["equal"]) == (0, 1)


def test_a_masked_dump_is_not_said_to_be_equal(printed: Printed) -> None:
    output = printed(["verify", str(DUMPS / "values-masked.json"), *VALUES], 1)
    assert "not compared: masked in the dump" in output.out
    assert "unmask=True" in output.err


def test_what_compile_redacted_is_masked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reason that stands under the key of a secret is taken for none."""
    pillar = "db: {password: Kohlmeise7xQ9z}\npasswords: [geheimnis88, zwei-x9Q]\nsize: 1\n"
    files = {
        "master": "pillar_roots: {base: [pillar]}",
        "minions.yml": "minions: {db1: {}}",
        "pillar/top.sls": "base: {db1: [db]}",
        "pillar/db.sls": pillar,
    }
    write_files(tmp_path, files)
    tree = ["--master", str(tmp_path / "master"), "--inventory", str(tmp_path / "minions.yml")]
    dump = tmp_path / "dump.json"
    assert run(["compile", *tree, "--output", str(dump)]) == 0
    assert verify_json(capsys, str(dump), *tree)[0] == 1
    (tmp_path / "pillar/db.sls").write_text(pillar.replace("size: 1", "size: 2\ntoken: aV3nX8q2"))
    code, made = verify_json(capsys, str(dump), *tree)
    paths = [one["path"] for one in made["minions"]["db1"]["differences"]]
    assert (code, paths, made["not_compared"]) == (2, [["size"], ["token"]], {MASKED: 3})


def test_a_masked_dump_shows_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text(json.dumps({"plain": {"os": MASK, "new": MASK}}))
    code, made = verify_json(capsys, str(dump), *VALUES, "--minion", "plain")
    assert code == 2
    kinds = {one["path"][0]: one["kind"] for one in made["minions"]["plain"]["differences"]}
    assert kinds.pop("new") == "only in the dump"
    assert set(kinds.values()) == {"only here"}


def test_an_answer_that_salt_could_not_print_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, made = verify_json(capsys, str(DUMPS / "values-pretty.json"), *VALUES)
    assert (code, made["lost"], made["not_in_dump"]) == (0, 1, ["kinds"])


CHANGES: dict[str, tuple[str, str, Any]] = {
    "printed": (WEB1, "os", "Ubuntu"),
    "printed in a longer text": (WEB1, "osmajorrelease", 11),
    "printed on its own": ("app1.hel.teashop.example", "host", "app9"),
    "a number": (WEB1, "num_cpus", 2),
    "a number that is reckoned with": ("db1.ams.teashop.example", "shard", 3),
    "missing": ("db1.ams.teashop.example", "shard", None),
    "a filter's": ("db1.ams.teashop.example", "os_family", "Debian"),
    "targets use it": (WEB1, "roles", ["app"]),
    "targets use a member": ("db1.ams.teashop.example", "roles", ["db"]),
    "targets miss it": ("cache1.ams.teashop.example", "roles", None),
    "an SLS is chosen by it": (WEB1, "site", "hel"),
    "deep in an `if`": (WEB1, "tier", "staging"),
    "deep in a target": ("mail1.ams.teashop.example", "tier", "prod"),
    "of one that gets its own": ("ci1.hel.teashop.example", "site", "ams"),
}


@pytest.mark.slow  # the next one by default
@pytest.mark.parametrize(("minion", "grain", "value"), CHANGES.values(), ids=CHANGES)
def test_a_changed_grain_is_named(
    minion: str, grain: str, value: Any, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(project, minion, grain, value)
    code, made = verify_json(capsys, STREAM)
    assert code == 2
    assert list(made["minions"]) == [minion]
    proven = [one for one in made["why"] if one["certainty"] == "proven"]
    assert [grain] in [one["path"] for cause in proven for one in cause["changes"]]
    assert f"if the grain '{grain}' were" in proven[0]["message"]


def test_the_text_names_the_grain_and_the_line(project: Path, printed: Printed) -> None:
    change(project, WEB1, "num_cpus", 2)
    lines = printed(["verify", STREAM], 2).out.splitlines()
    assert lines[:5] == [
        f"{WEB1} differs",
        "  why: it would be equal if the grain 'num_cpus' were 4 (declared: 2)",
        "  nginx:worker_processes  different",
        "      here: 2  pillar/base/web/init.sls:11",
        "      dump: 4",
    ]
    assert lines[-1] == f"{STREAM}: 16 minions compared: 15 equal, 1 different"


def test_globs_choose_on_both_sides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        "master": "pillar_roots: {base: [pillar]}",
        "minions.yml": "minions: {web1: {}, web2: {}, db1: {}}",
        "pillar/top.sls": "base: {'*': [a]}",
        "pillar/a.sls": "a: 1",
    }
    tree = write_files(tmp_path, files)
    words = ["--master", str(tree / "master"), "--inventory", str(tree / "minions.yml")]
    dump = tree / "dump.json"
    same = {minion: {"a": 1} for minion in ("web1", "web2", "db1")}
    dump.write_text(json.dumps({**same, "other1": {}, "web9": {}}))
    assert verify_json(capsys, str(dump), *words)[1]["not_in_inventory"] == ["other1", "web9"]
    code, made = verify_json(capsys, str(dump), *words, "--minion", "web1*")
    assert (code, made["compared"], made["not_in_inventory"]) == (0, 1, [])
    code, made = verify_json(capsys, str(dump), *words, "--minion", "web*")
    assert (code, made["compared"], made["not_in_inventory"]) == (2, 2, ["web9"])


COULD_NOT: dict[str, tuple[str, str]] = {
    "no JSON": ("web1:\n    a\n", "dump.json: the dump holds no JSON object"),
    "cut off": ('{"web1": {"a"', "dump.json:1: the dump ends in the middle of an object"),
    "of salt-call": ('{"local": {}}', "dump.json:1: the dump is from `salt-call`"),
    "of strangers": ('{"x": {}}', "dump.json: no declared minion has a pillar in the dump"),
    "silent": ('{"plain": false}', "no declared minion has a pillar in the dump"),
}


@pytest.mark.parametrize(("text", "message"), COULD_NOT.values(), ids=COULD_NOT)
def test_it_says_why_it_could_not(
    text: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    printed: Printed,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dump.json").write_text(text)
    told = printed(["verify", "dump.json", *VALUES], 1).err
    assert message in told
    assert len(told.strip().splitlines()) == 1
    assert "Traceback" not in told


def test_a_dump_that_is_not_there_is_told(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", "nope.json"]) == 1
    assert capsys.readouterr().err == "pillarbook: nope.json: No such file or directory\n"


# --- no secret of either side is shown ---


@pytest.fixture(scope="module")
def secrets() -> set[str]:
    """Return the clear texts of all that is redacted of the example."""
    options = RunOptions(reveal=True, environments=False)
    with (
        open_session(load_settings(ROOT / "mkdocs.yml")) as closed,
        open_session(load_settings(ROOT / "mkdocs.yml"), options) as opened,
    ):
        found: set[str] = set()
        for minion in closed.fleet.minions:
            clear = {leaf.path: leaf.value for leaf in opened.report.pillar(minion).leaves}
            for leaf in closed.report.pillar(minion).leaves:
                value = clear.get(leaf.path)
                if "Redacted(" in repr(leaf.value) and isinstance(value, str):
                    found.update(line for line in value.splitlines() if len(line) > 5)
    return {one for one in found if not re.match(r"-----(BEGIN|END)", one)}


def _leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict | list):
        for key, item in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _leaves(item, (*path, key))
    else:
        yield path


def _mangle(pillar: Any, secrets: set[str], how: str) -> Any:
    """Return a pillar in which every secret stands otherwise than it should."""
    made = json.loads(json.dumps(pillar))
    for path in list(_leaves(pillar)):
        *above, key = path
        parent = made
        for step in above:
            parent = parent[step]
        value = parent[key]
        if isinstance(value, str) and any(secret in value for secret in secrets):
            _mangle_at(parent, key, how)
    return made


def _mangle_at(parent: Any, key: Any, how: str) -> None:
    value = parent[key]
    if how == "changed":
        parent[key] = f"{value} and more"
    elif how == "deeper":
        parent[key] = {"inner": [value]}
    elif how == "elsewhere":
        parent[key] = "-"
        if isinstance(parent, dict):
            parent["beside"] = f"it is {value}"
            parent["note"] = value
    elif how == "renamed" and isinstance(parent, dict):
        parent["words"] = parent.pop(key)


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize("keys", [False, True], ids=["without keys", "with keys"])
@pytest.mark.parametrize("how", ["changed", "deeper", "elsewhere", "renamed"])
def test_no_secret_is_shown(
    how: str,
    keys: bool,
    secrets: set[str],
    project: Path,
    printed: Printed,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(inventory_trials, "MAX_TRIALS", 8)  # nothing explains what was mangled
    assert len(secrets) > 15
    dump = {minion: _mangle(pillar, secrets, how) for minion, pillar in ANSWERS.items()}
    (project / "dump.json").write_text(json.dumps(dump))
    if keys:
        give_keys(project)
    change(project, "mail1.ams.teashop.example", "tier", "prod")
    trust = ["--trust"] if keys else []
    written = []
    for form in ("text", "json"):
        output = printed(["verify", "dump.json", "--format", form, *trust], 2)
        written.append(output.out + output.err)
    unquoted = json.dumps(json.loads(written[1]), ensure_ascii=False)
    for secret in secrets:
        for text in (*written, unquoted):
            assert secret not in text


@pytest.mark.salt_oracle
@pytest.mark.parametrize("form", ["stream", "static", "call"])
def test_the_dumps_are_what_salt_prints(form: str) -> None:
    script = ROOT / "tests" / "support" / "salt_dumps.py"
    words = [find_salt(), str(script), str(DATA / "example-expected.json"), form]
    made = subprocess.run(words, capture_output=True, check=True, text=True)
    assert made.stdout == (DUMPS / f"example-{form}.json").read_text()
