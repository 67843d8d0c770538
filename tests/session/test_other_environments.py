"""What is secret in one environment is secret in a run that is pinned to another."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.derived import opened, write_tree

SECRET = "Xk7vQ2mLp9w"
MINION = f"{SECRET}.example.com"
FILES = {
    "pillar/top.sls": "base: {'a*': [owner]}",
    "pillar/owner.sls": f"owner: {{password: {SECRET}}}\n",
    "staging/top.sls": f"staging: {{'*': [made, 'lib.{SECRET}']}}",
    "staging/made.sls": f"word: {SECRET}\nhost: h1\n",
    f"staging/lib/{SECRET}.sls": "x: 1\n",
}
ROOTS = {"pillar_roots": {"base": ["pillar"], "staging": ["staging"]}}
PINNED: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "by the command line": ({}, {}, {"pillarenv": "staging"}),
    "by the inventory": ({"pillarenv": "staging"}, {}, {}),
    "by the master file": ({}, {"pillarenv": "staging"}, {}),
    "by its saltenv": ({"saltenv": "staging"}, {"pillarenv_from_saltenv": True}, {}),
    "by an option of its own": ({"opts": {"pillarenv": "staging"}}, {}, {}),
}


@pytest.mark.parametrize(("declared", "options", "asked"), PINNED.values(), ids=PINNED)
@pytest.mark.parametrize("how", ["freeze_fleet_secrets", "look_at_all"])
def test_names_and_values_are_hidden(
    how: str,
    declared: dict[str, Any],
    options: dict[str, Any],
    asked: dict[str, Any],
    tmp_path: Path,
) -> None:
    minions = {"a1": declared, MINION: declared}
    folder = write_tree(tmp_path, FILES, minions=minions, master={**ROOTS, **options})
    with opened(folder, checks=True, **asked) as session:
        getattr(session, how)()
        pillars = [session.report.pillar(one) for one in session.fleet.minions]
        told = [str(one.message) for one in session.shown.diagnostics]
        assert all(pillar.data["host"] == "h1" for pillar in pillars)
        assert all(pillar.pillarenv in ("staging", None) for pillar in pillars)
        assert SECRET not in str([pillars, told, list(session.fleet.minions)])
        assert not any("owner" in pillar.data for pillar in pillars)
