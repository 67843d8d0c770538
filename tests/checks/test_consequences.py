"""What is no error of the tree, but follows from what is not known here."""

import json
from pathlib import Path

import pytest
from tests.support.derived import write_tree

from pillarbook.cli.main import run

TREE = {
    "pillar/top.sls": "base: {'*': [common, asks, knows]}\n",
    "pillar/common.sls": "include: [headers]\na: {{ grains['rack'] }}\n",
    "pillar/asks.sls": "db: {{ salt['vault.read_secret']('db') }}\n",
    "pillar/knows.sls": "db: {port: 1}\n",
    "pillar/headers.sls": "header: by Salt\n",
    "states/top.sls": "base: {'*': [encodes]}\n",
    "states/encodes.sls": "two:\n  test.nop:\n    - text: {{ pillar['header'] | yaml_encode }}\n",
}


@pytest.fixture
def found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    roots = {"file_roots": {"base": ["states"]}}
    write_tree(tmp_path, TREE, minions={"web1": {}}, master=roots)
    run(["check", "-f", str(tmp_path / "mkdocs.yml"), "--format", "json"])
    printed = json.loads(capsys.readouterr().out)["diagnostics"]
    return {one["file"]: {**one, "at": at} for at, one in enumerate(printed)}


def test_a_key_of_an_include_follows_from_the_file_that_includes(
    found: dict[str, dict[str, object]],
) -> None:
    one = found["states/encodes.sls"]
    assert str(one["message"]).endswith("the pillar has no key 'header'")
    assert one["caused_by"] == found["pillar/common.sls"]["at"]


def test_an_unknown_value_is_of_no_type(found: dict[str, dict[str, object]]) -> None:
    assert "type-clash" not in {one["code"] for one in found.values()}
