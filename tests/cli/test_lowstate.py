"""``pillarbook compile --lowstate`` at the command line."""

import json
from pathlib import Path

import pytest
import yaml
from tests.support.fleets import write_files, write_fleet
from tests.support.invoked import Printed

from pillarbook.cli.main import run

FILES = {
    "states/top.sls": "base: {'*': [app], 'bad': [missing], 'broken': [broken]}",
    "states/app.sls": "app:\n  file.managed:\n    - contents: {{ pillar.db.password }}\n",
    "states/broken.sls": "include: [[x]]",
}
PILLAR = {"top.sls": "base: {'*': [db]}", "db.sls": "db: {password: s3kR1t-Hunter2}"}
ARGUMENTS = ("compile", "--master", "master", "--inventory", "minions.yml", "--lowstate")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    master = {"file_roots": {"base": ["states"]}}
    minions: dict[str, object] = {"good": {}, "bad": {}, "broken": {}}
    write_files(write_fleet(tmp_path, PILLAR, minions, master), FILES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_chunks_and_errors_are_printed(printed: Printed) -> None:
    out, err = printed([*ARGUMENTS, "--reveal", "--minion", "good", "--minion", "bad"])
    found = json.loads(out)
    (chunk,) = found["good"]["chunks"]
    assert chunk["contents"] == "s3kR1t-Hunter2"
    assert found["good"]["errors"] == found["bad"]["chunks"] == []
    assert found["bad"]["errors"] == ["No matching sls found for 'missing' in env 'base'"]
    assert "states/top.sls:1: the state SLS 'missing' does not exist" in err


def test_secrets_are_redacted(printed: Printed) -> None:
    out, _ = printed([*ARGUMENTS, "--minion", "good", "--format", "yaml"])
    assert "s3kR1t" not in out
    assert yaml.safe_load(out)["good"]["chunks"][0]["contents"]["redacted"]


def test_keys_that_are_computed_from_a_secret_are_not_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = "{{ salt['hashutil.sha256_digest'](pillar.db.password) }}"
    text = f"app:\n  file.managed:\n    - context:\n        {key}: 1\n        other: 2\n"
    write_files(folder, {"states/app.sls": text})
    assert run([*ARGUMENTS, "--minion", "good", "--reveal"]) == 0
    (digest, *_) = json.loads(capsys.readouterr().out)["good"]["chunks"][0]["context"]
    assert run([*ARGUMENTS, "--minion", "good"]) == 0
    context = json.loads(capsys.readouterr().out)["good"]["chunks"][0]["context"]
    assert digest not in context
    assert len(context) == 2
    assert context["other"] == 2


def test_states_that_salt_breaks_off_are_told(printed: Printed) -> None:
    out, err = printed([*ARGUMENTS, "--minion", "broken"], 1)
    assert list(json.loads(out)["broken"]) == ["$raises"]
    assert "states/broken.sls:1" in err


def test_a_saved_result_holds_no_states(printed: Printed) -> None:
    assert "--lowstate" in printed([*ARGUMENTS, "--format", "result"], 1).err
