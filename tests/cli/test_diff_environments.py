"""Two environments are compared with each other: neither of them was before the other."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.invoked import Printed

FILES = {
    "master": "pillar_roots: {live: [live], trial: [trial]}\n",
    "minions.yml": "minions: {web1: {}, web2: {}}\n",
    "live/top.sls": "live: {'*': [a], 'web*': [b]}\n",
    "live/a.sls": "port: 80\nlist: [a, b]\n",
    "live/b.sls": "gone: 1\n",
    "trial/top.sls": "trial: {'*': [c]}\n",
    "trial/c.sls": "port: 81\nlist: [b, c]\n",
}
ASKED = ("diff", "--environments", "live", "trial")
DECLARED = ("--master", "master", "--inventory", "minions.yml")


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_base_is_named_and_is_not_before(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed
) -> None:
    monkeypatch.chdir(write_files(tmp_path, FILES))
    out = printed([*ASKED, *DECLARED, "--format", form]).out.replace("`", "")
    assert form == "markdown" or "in live: live/a.sls:1" in out
    assert "the target web* in live/top.sls:1 gives b only in live" in out
    assert "before" not in out
    assert "no longer" not in out
