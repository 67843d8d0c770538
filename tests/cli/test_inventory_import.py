"""``pillarbook inventory import`` writes an inventory that the other commands read."""

import json
from pathlib import Path

import pytest
from tests.support.fleets import write_fleet

from pillarbook.cli.main import run


def test_an_imported_inventory_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {'*': [a]}\n", "a.sls": "os: {{ grains.os }}\n"}, {})
    (tmp_path / "grains.json").write_text(json.dumps({"web1": {"os": "Debian"}}))
    monkeypatch.chdir(tmp_path)
    assert run(["inventory", "import", "grains.json", "--output", "live.yml"]) == 0
    assert capsys.readouterr().out == "1 minion of the dump grains.json\nlive.yml: web1 added\n"
    assert run(["compile", "--master", "master", "--inventory", "live.yml"]) == 0
    assert json.loads(capsys.readouterr().out) == {"web1": {"os": "Debian"}}


WRONG = {
    "no source": (["none.json"], "none.json: cannot be read"),
    "a JSON inventory": (["grains.json", "--output", "m.json"], "an inventory in YAML"),
}


@pytest.mark.parametrize(("words", "said"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_imported_is_told(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grains.json").write_text('{"a": {"os": "x"}}')
    assert run(["inventory", "import", *words]) != 0
    assert said in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"grains.json"}
