"""Unknown values: the counts, names and secrets that commands list of them."""

import json
from pathlib import Path

import pytest
from tests.cli.test_unanswered import folder, out_of
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git
from tests.support.schemas import faults_of

__all__ = ["folder"]


def test_a_minion_counts_what_is_unknown_and_missing(capsys: pytest.CaptureFixture[str]) -> None:
    write_files(Path(), {"pillar/top.sls": "base: {'*': [all, nowhere]}\n"})
    told = json.loads(out_of(capsys, "explain", "web1", "--format", "json"))
    assert faults_of("explain", told) == []
    assert (told["outcome"], told["unknown"], told["absent"]) == ("partial", 2, 1)
    shown = out_of(capsys, "explain", "web1")
    assert shown.startswith("web1: partial, 2 unknown values, 1 SLS file missing\n")


def test_a_list_of_which_nothing_is_known_is_no_clash_of_types(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_files(
        Path(),
        {
            "pillar/top.sls": "base: {'*': [one, two]}\n",
            "pillar/one.sls": "ports: [1, 2]\n",
            "pillar/two.sls": "ports: [3, {{ salt['vault.read_secret']('secret/port') }}]\n",
        },
    )
    assert "type-clash" not in out_of(capsys, "check")


def test_names_that_are_not_known_are_listed_once_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = "{% set s = salt['vault.read_secret']('secret/x') %}\ninclude:\n  - roles.{{ s.role }}\n"
    text += "users:\n  {{ s.user }}: admin\n  {{ s.guest }}: reader\n"
    files = {"pillar/all.sls": text, "pillar/roles/web.sls": "port: 80\n"}
    write_files(Path(), {**files, "pillar/top.sls": "base: {'*': [all]}\n"})
    told = json.loads(out_of(capsys, "check", "--format", "json"))["diagnostics"]
    found = [(one["line"], one["message"]) for one in told if one["code"] == "unknown-name"]
    because = "is not known, because it depends on vault.read_secret secret/x"
    include = f"the name of an SLS that is included {because}"
    assert found == [(3, include), (5, f"a key {because}"), (6, f"a key {because}")]


@pytest.mark.sample(1)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_unknown_secrets_are_listed_with_their_readers(
    jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(Path(), {"pillar/decides.sls": "smtp: {password: '{{ salt['cmd.run']('pw') }}'}\n"})
    out_of(capsys, "build", "--jobs", jobs)
    listed = json.loads(Path("site/secrets.json").read_text())
    found = {":".join(one["path"]): one for one in listed["secrets"]}
    told = {path: (one["sources"][0]["reason"], one["minions"]) for path, one in found.items()}
    assert told == {
        "db:password": ("read from vault", 2),
        "day": ("derived from token", 2),
        "token": ("key names a token", 2),
        "smtp:password": ("key names a password", 1),
    }


def test_a_secret_that_is_not_known_can_be_newly_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(folder, "init", "--quiet")
    commit_all(write_files(folder, {"pillar/top.sls": "base: {'web*': [more], 'db*': [all]}\n"}))
    write_files(folder, {"pillar/top.sls": "base: {'web*': [more, all], 'db*': [all]}\n"})
    shown = out_of(capsys, "diff", "HEAD", "--fail-on", "secret-access", code=2)
    assert "can newly read" in shown
