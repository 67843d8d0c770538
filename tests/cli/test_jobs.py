"""``--jobs`` of commands: the same output with any number, and none if the command is stopped."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from benchmarks.wild import PROFILES, write_wild
from tests.support.fleets import write_files
from tests.support.forked.commands import forked

TREE = {
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions: {web1: {}, web2: {}, db1: {grains: {broken: true}}, db2: {}}\n",
    "pillar/top.sls": "base: {'*': [a, missing]}\n",
    "pillar/a.sls": "{% if grains.get('broken') %}{% do 1 / 0 %}{% endif %}\n"
    "password: hT5jKw8nBv3c-{{ grains.id }}\nall: seen hT5jKw8nBv3c-web1 and ü\n",
    "code/top.sls": "base: {'*': [a]}\n",
    "code/a.sls": "#!py\ndef run():\n    return {'id': __grains__['id']}\n",
    "loop/top.sls": "base: {'*': [a]}\n",
    "loop/a.sls": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
}
DECLARED = ("--master", "master", "--inventory", "minions.yml")
KEY = {**os.environ, "PILLARBOOK_TOKEN_KEY": "0" * 64}


def run(tree: Path, jobs: int, *words: str, command: str = "compile") -> tuple[int, str, str]:
    line = [forked(), *command.split(), *DECLARED, "--jobs", str(jobs), *words]
    ended = subprocess.run(line, cwd=tree, env=KEY, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.sample(1)
@pytest.mark.parametrize("words", [(), ("--reveal",), ("--lowstate",), ("--minion", "web*")])
def test_output_is_the_same_with_any_number(words: tuple[str, ...], tmp_path: Path) -> None:
    tree = write_files(tmp_path, TREE)
    code, out, err = run(tree, 1, *words)
    assert ("hT5jKw8nBv3c" in out) == ("--reveal" in words)
    assert "missing" in err
    for jobs in (2, 9):
        assert run(tree, jobs, *words) == (code, out, err)


CHECKED = {
    **TREE,
    "master": "pillar_roots: {base: [pillar], dev: [dev]}\nfile_roots: {base: [states]}\n",
    "minions.yml": "minions: {web1: {}, web2: {pillarenv: base}, web3: {grains: {asks: 1}},"
    " db1: {pillarenv: base, grains: {broken: true}}, hT5jKw8nBv3c-web2x: {}}\n",
    "dev/top.sls": "dev: {'web*': [d]}\n",
    "dev/d.sls": "dev_token: xK9dLm2pQw7z\n",
    "pillar/b.sls": "{% if grains.asks is defined %}asked: {{ salt['vault.read_secret']('x/y', 'z') }}{% endif %}\n",
    "pillar/top.sls": "base: {'*': [a, b, missing], 'nobody': [a]}\n",
    "states/top.sls": "base: {'*': [s]}\n",
    "states/s.sls": "{{ pillar.dev_token | default('x') }}: {test.nop: [{require: [{pkg: x}]}]}\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--format", "json"), ("--fail-on", "unknown")])
def test_findings_are_the_same_with_any_number(words: tuple[str, ...], tmp_path: Path) -> None:
    tree = write_files(tmp_path, CHECKED)
    code, out, err = run(tree, 1, *words, command="check")
    assert "xK9dLm2pQw7z" not in out + err
    assert "hT5jKw8nBv3c" not in out + err
    for told in ("missing", "unknown-minion", "secret-in-name"):
        assert told in out
    assert "1 minion with unknown values: web3" in err
    for jobs in (2, 9):
        assert run(tree, jobs, *words, command="check") == (code, out, err)


@pytest.mark.sample(1)
@pytest.mark.parametrize("form", ["", "--flat", "--format json"])
@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("get all", "division by zero"),
        ("get pass.word", "no minion has the key"),
        ("get dev_token --minion web*", "redacted"),
        ("get al", "did you mean 'all'"),
        ("get a.b", "'a.b' is read as 'a:b'"),
    ],
)
def test_a_key_is_the_same_with_any_number(
    command: str, told: str, form: str, tmp_path: Path
) -> None:
    nested = {
        "pillar/b.sls": f"{CHECKED['pillar/b.sls']}a: {{b: [1, {{{{ grains.id | length }}}}]}}\n"
    }
    tree = write_files(tmp_path, {**CHECKED, **nested})
    code, out, err = run(tree, 1, *form.split(), command=command)
    assert told in out + err
    assert "hT5jKw8nBv3c" not in out + err
    for jobs in (2, 9):
        assert run(tree, jobs, *form.split(), command=command) == (code, out, err)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json"])
def test_missing_answers_are_the_same_with_any_number(form: str, tmp_path: Path) -> None:
    asks = "{{ salt['dnsutil.A']('x') }}\n"
    stops = "{% if grains.id != 'web1' %}{{ salt['x.y']() }}{% endif %}\n"
    tree = write_files(tmp_path, {**CHECKED, "pillar/missing.sls": f"{stops}z: {asks}y: {asks}"})
    code, out, err = run(tree, 1, "--format", form, command="answers list")
    assert "vault.read_secret" in out
    assert "x.y" in out
    for jobs in (2, 9):
        assert run(tree, jobs, "--format", form, command="answers list") == (code, out, err)


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
def test_findings_in_wild_trees_are_the_same(profile: str, tmp_path: Path) -> None:
    write_wild(tmp_path, profile=profile, seed=3, size=14)
    whole = run(tmp_path, 1, "--format", "json", command="check")
    assert run(tmp_path, 3, "--format", "json", command="check") == whole


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--lowstate",)])
def test_each_line_is_one_minion_of_the_json(words: tuple[str, ...], tmp_path: Path) -> None:
    tree = write_files(tmp_path, TREE)
    whole = run(tree, 1, *words)
    lines = run(tree, 1, *words, "--format", "jsonl")
    assert run(tree, 2, *words, "--format", "jsonl") == lines
    minions = [json.loads(line) for line in lines[1].splitlines()]
    assert [list(one) for one in minions] == [["web1"], ["web2"], ["db1"], ["db2"]]
    joined = "{\n" + ",\n".join(line[1:-1] for line in lines[1].splitlines()) + "\n}\n"
    assert (lines[0], joined, lines[2]) == whole


def test_no_minion_is_no_line(tmp_path: Path) -> None:
    tree = write_files(tmp_path, {**TREE, "minions.yml": "minions: {}\n"})
    assert run(tree, 1, "--format", "jsonl")[1] == ""


CONFIGURATION = """\
site_name: x
plugins: [{pillarbook: {master: master, inventory: minions.yml, decrypt: true}}]
"""


@pytest.mark.slow
@pytest.mark.parametrize("words", [("--reveal", *DECLARED), ("-f", "mkdocs.yml", "--trust")])
def test_messages_are_opened_in_any_number_of_processes(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    write_wild(tmp_path, profile="secrets", seed=1, size=14)
    (tmp_path / "mkdocs.yml").write_text(CONFIGURATION)
    found = set()
    for jobs in ("1", "2", "3"):
        command = [forked(), "compile", *words, "--jobs", jobs]
        ended = subprocess.run(command, cwd=tmp_path, env=KEY, capture_output=True, check=False)
        found.add((ended.returncode, ended.stdout, ended.stderr))
    ((code, _, said),) = found
    assert (code, b"no secret key" in said) == (0, True)  # gpg was asked


def test_code_of_the_tree_runs_in_one_process(tmp_path: Path) -> None:
    files = {**TREE, "master": "pillar_roots: {base: [code]}\n"}
    code, out, _ = run(write_files(tmp_path, files), 2, "--python")
    assert (code, out.count('"id": ')) == (0, 4)


def test_a_signal_ends_all_and_leaves_the_old_output(tmp_path: Path) -> None:
    files = {**TREE, "master": "pillar_roots: {base: [loop]}\n", "out": "old"}
    tree = write_files(tmp_path, files)
    command = [forked(), "compile", *DECLARED, "--jobs", "2", "--output", "out"]
    started = time.monotonic()
    with subprocess.Popen(command, cwd=tree) as process:
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        assert process.wait() == 128 + signal.SIGINT
    assert time.monotonic() - started < 20
    assert (tree / "out").read_text() == "old"
