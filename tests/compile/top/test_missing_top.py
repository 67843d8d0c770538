"""A minion whose environment has no roots gets no pillar, and the reason is told."""

from pathlib import Path

import pytest
from tests.support.fleets import open_fleet, write_fleet

REMEDY = "add the environment to `pillar_roots`"


@pytest.mark.parametrize(
    ("pillarenv", "remedy"),
    [
        ("prd", "did you mean 'prod'? If not, add the environment to `pillar_roots`"),
        ("staging", REMEDY),
    ],
)
def test_a_pillarenv_without_roots(pillarenv: str, remedy: str, tmp_path: Path) -> None:
    roots = {"pillar_roots": {"base": ["pillar"], "prod": ["pillar"]}}
    minions = {"a": {"pillarenv": pillarenv}, "b": {"pillarenv": "other"}, "c": {}}
    write_fleet(tmp_path, {"top.sls": "base: {}\n"}, minions, roots)
    with open_fleet(tmp_path) as fleet:
        (found,) = fleet.compile("a").diagnostics
        (other,) = fleet.compile("b").diagnostics
        assert not fleet.compile("c").diagnostics
    message = "the environment '{}' is not in `pillar_roots`, so the pillar is empty"
    assert (found.code, found.help) == ("missing-top", remedy)
    assert found.message == message.format(pillarenv)
    assert other.message == message.format("other")


@pytest.mark.parametrize("ending", [".yml", ".yaml", ".jinja"])
def test_a_top_file_with_another_ending(ending: str, tmp_path: Path) -> None:
    write_fleet(tmp_path, {f"top{ending}": "base: {'*': [a]}\n", "a.sls": "a: 1\n"}, {"m": {}})
    with open_fleet(tmp_path) as fleet:
        (found,) = fleet.compile("m").diagnostics
    assert found.code == "missing-top"
    assert found.help == (f"rename `top{ending}` to `top.sls`: the file of an SLS ends with `.sls`")


def test_an_external_pillar_may_have_the_environment(tmp_path: Path) -> None:
    options = {"ext_pillar": [{"file_tree": {"root_dir": "files"}}]}
    write_fleet(tmp_path, {"top.sls": "base: {}\n"}, {"a": {"pillarenv": "prd"}}, options)
    with open_fleet(tmp_path) as fleet:
        found = fleet.compile("a").diagnostics
    assert "missing-top" not in [one.code for one in found]
