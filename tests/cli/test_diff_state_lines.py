"""Which lines of state files ``pillarbook diff`` names as the cause of changed states."""

import re
from pathlib import Path

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.invoked import Printed
from tests.support.repositories import commit_all
from tests.support.sides import start

PILLAR = {"top.sls": "base: {'*': [web]}", "web.sls": "workers: 4\n"}
STATES = """\
web-packages:
  pkg.installed: []
web-user:
  user.present: []
banner:
  file.managed:
    - name: /etc/motd
    - workers: {{ pillar.workers }}
    - mode: 644
"""
DIFF = ("diff", "--master", "master", "--inventory", "minions.yml")
LINES = {
    "a renamed state, and an argument": (
        {"web-packages": "packages", "644": "600"},
        "because of states/web.sls:1, states/web.sls:9",
    ),
    "two arguments of one state": (
        {"/etc/motd": "/etc/issue", "644": "600"},
        "because of states/web.sls:7, states/web.sls:9",
    ),
    "a removed state, and an argument": (
        {"web-user:\n  user.present: []\n": "", "644": "600"},
        "because of states/web.sls:3 (before), states/web.sls:7",
    ),
    "a new state whose ID is computed": (
        {"web-packages": "{{ 'more' }}:\n  test.nop: []\nweb-packages", "644": "600"},
        "because of states/web.sls:11, other lines of states/web.sls",
    ),
    "a renamed state that a pillar change changes, too": (
        {"banner": "motd", "workers: 4": "workers: 8"},
        "      changes 1 state (motd), also because of states/web.sls:5\n",
    ),
}


@pytest.mark.parametrize(("changes", "told"), LINES.values(), ids=LINES)
def test_every_changed_line_is_a_cause(
    changes: dict[str, str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    printed: Printed,
) -> None:
    start(tmp_path)
    write_fleet(tmp_path, PILLAR, {"web1": {}}, {"file_roots": {"base": ["states"]}})
    files = {"states/top.sls": "base: {'*': [web]}", "states/web.sls": STATES}
    commit_all(write_files(tmp_path, files))
    for name in ("states/web.sls", "pillar/web.sls"):
        text = (tmp_path / name).read_text()
        for old, new in changes.items():
            text = text.replace(old, new)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert told in printed(DIFF).out
    because = re.sub(r"states/web\.sls(:\d+)?", r"`\g<0>`", told[told.index("because") :].strip())
    assert because in printed((*DIFF, "--format", "markdown")).out
