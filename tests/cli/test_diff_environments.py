"""Two environments are compared with each other: neither of them was before the other."""

import json
from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.invoked import Printed

from pillarbook.report.diff_wording import MAY_FOLLOW

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


RESULTS = {
    **{
        f"{name}/top.sls": f"{name}:\n{rows}"
        for name, rows in {
            "live": "  '*': [common]\n  'old': [fails]\n  'lost': [only]\n  'both': [fails]\n",
            "trial": "  'n*': [common, fails]\n  'old': [common]\n  'key': [common, key]\n"
            "  'both': [common, fails_too]\n",
        }.items()
    },
    "master": FILES["master"],
    "minions.yml": "minions: {new: {}, old: {}, lost: {}, key: {}, both: {}}\n",
    "live/common.sls": "x: 1\n",
    "live/only.sls": "only: 1\n",
    "live/fails.sls": "{{ nope() }}\n",
    "trial/common.sls": "x: 1\n",
    "trial/key.sls": "db: {password: a-long-password}\n",
    "trial/fails.sls": "{{ nope() }}\n",
    "trial/fails_too.sls": "{{ nope() }}\n",
}
HEADLINE = (
    "Pillar: 1 minion fails only in trial; 1 minion has an empty pillar only in trial; "
    "1 minion that fails in both has other errors in trial; 1 minion has a target only in live; "
    "1 minion fails only in live; 1 minion can read a secret only in trial; "
    "3 differences on 2 of 5 minions"
)


def test_results_are_told_by_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed
) -> None:
    monkeypatch.chdir(write_files(tmp_path, RESULTS))
    lines = printed([*ASKED, *DECLARED], 2).out.splitlines()
    assert lines[0] == HEADLINE
    assert lines[1] == (
        "from live to trial: 1 failing only in trial, 1 empty only in trial, 1 failing in both, "
        "1 failing only in live, 1 different"
    )
    assert lines[2] == f"note: {MAY_FOLLOW}"
    assert [line for line in lines[3:] if line and not line.startswith(" ")] == [
        "failing only in trial: new",
        "empty only in trial: lost",
        "failing in both, with other errors in trial: both",
        "a target only in live: lost",
        "failing only in live: old",
        "can read a secret only in trial: key",
        "lost",
        "key",
    ]
    written = printed([*ASKED, *DECLARED, "--format", "markdown"], 2).out.replace("`", "")
    assert f"### {HEADLINE}\n" in written
    assert " · 1 different · compared with live\n" in written
    assert [line.removeprefix("#### ") for line in written.splitlines() if "####" in line] == [
        "Failing only in trial: new",
        "Empty only in trial: lost",
        "Failing in both, with other errors in trial: both",
        "A target only in live: lost",
        "Failing only in live: old",
        "Can read a secret only in trial: key",
        "Different: key",
    ]
    outcomes = json.loads(printed([*ASKED, *DECLARED, "--format", "json"], 2).out)["minions"]
    assert outcomes["new"]["outcome"] == "newly failing"
    assert outcomes["old"]["outcome"] == "fixed"


@pytest.mark.parametrize("minions", ["note, password", "password, note"])
def test_a_line_that_is_secret_on_one_minion_is_so_in_any_order(
    minions: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed
) -> None:
    declared = (f"{key}: {{grains: {{key: {key}}}}}" for key in minions.split(", "))
    files = {
        "master": FILES["master"],
        "minions.yml": f"minions: {{{', '.join(declared)}}}\n",
        # too short for a search for copies of it
        **{f"{name}/a.sls": f"{{{{ grains.key }}}}: abc{name[0]}\n" for name in ("live", "trial")},
        **{f"{name}/top.sls": f"{name}: {{'*': [a]}}\n" for name in ("live", "trial")},
    }
    monkeypatch.chdir(write_files(tmp_path, files))
    out = printed([*ASKED, *DECLARED]).out
    assert "~ note: secret changed (" in out
    assert '"abc' not in out
