"""Keys open what is merged, and nothing else."""

from pathlib import Path

import pytest
from tests.ci.pulls import FLEET, MKDOCS, check_out, of_pull, open_pull, run_action

ASKS = {"mkdocs.yml": MKDOCS.replace("minions.yml}", "minions.yml, decrypt: true}")}
"""A configuration that asks for decryption; without trust that is a finding."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("merged", ["true", "false", pytest.param("", marks=pytest.mark.slow)])
def test_trust_counts_where_the_tree_is_merged(merged: str, tmp_path: Path) -> None:
    pull = open_pull(tmp_path / "origin", {"pillar/web.sls": "workers: 8\n"}, {**FLEET, **ASKS})
    checkout = check_out(pull, tmp_path / "work", pull.merge)
    inputs = {**of_pull(pull), "PILLAR_MERGED": merged, "PILLARBOOK_TRUST": "1"}
    ended = run_action(checkout, tmp_path / "runner", **inputs)
    assert ended.code == 0, ended.log
    assert ("decrypt: true' has no effect without trust" in ended.log) is (merged != "true")
