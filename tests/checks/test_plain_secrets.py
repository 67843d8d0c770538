"""The rule ``plain-secret``: what stands in a file's own text, and what was fetched."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files

from pillarbook.cli.main import run

CASES = {
    "written down": ("token: kettle-7", True),
    "written down, short": ("token: tok", True),
    "short, in quotes": ("token: 'tok'", True),
    "written down, named beside it": ("env: [{name: API_TOKEN, value: kettle-7}]", True),
    "no secret by the name beside it": ("env: [{name: API_HOST, value: kettle-7}]", False),
    "a placeholder": ("password: not_in_salt_yet", False),
    "a placeholder for development": ("token: deadbeefdeadbeef", False),
    "a password by default": ("password: changeme", True),
    "a password with digits behind such a word": ("password: fake-Kettle7", True),
    "fetched": ("token: {{ salt['vault.read']('x') }}", False),
    "fetched, short": ("token: {{ salt['environ.get']('x') }}", False),
}


@pytest.mark.parametrize(("line", "is_plain"), CASES.values(), ids=CASES)
def test_what_the_file_holds_is_plain(
    line: str,
    is_plain: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pillar").mkdir()
    (tmp_path / "pillar/top.sls").write_text("base:\n  '*': [a]\n")
    (tmp_path / "pillar/a.sls").write_text(f"{line}\n")
    (tmp_path / "master").write_text("pillar_roots: {base: [pillar]}\n")
    (tmp_path / "minions.yml").write_text("minions: {web1: {}}\n")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: x\nplugins:\n  - pillarbook:\n      master: master\n"
        "      inventory: minions.yml\n"
        "      functions: {vault.read: kettle-7, environ.get: tok}\n"
    )
    run(["check"])
    assert ("[plain-secret]" in capsys.readouterr().out) == is_plain


LITERAL = "glpat-FaKeFaKeFaKeFaKe0123"
KEY = "-----BEGIN RSA PRIVATE KEY-----\n    MIIEowIBAAKCAQEA{}\n    -----END RSA PRIVATE KEY-----"
SOURCES = {
    "a literal": (f"{{% set pw = '{LITERAL}' %}}\na: 1\n", [(1, "GitLab token")]),
    "a comment": (f"a: 1\n# was {LITERAL}\n{{# and {LITERAL}2 #}}\n", [(2,), (3,)]),
    "a branch that nobody takes": (f"{{% if false %}}\nb: {LITERAL}\n{{% endif %}}\n", [(2,)]),
    "a value": (f"a: 1\nb: {LITERAL}\n", [(2, "possible plain-text secret: 'b'")]),
    "a value, from a literal": (f"{{% set x = '{LITERAL}' %}}\nb: {{{{ x }}}}\n", [(2, "'b'")]),
    "a value, allowed": (f"fine: {LITERAL}\n", []),
    "a key": (f"b: |\n    {KEY.format(1)}\n", [(1, "'b'")]),
    "another key": (f"b: |\n    {KEY.format(1)}\n{{# {KEY.format(2)} #}}\n", [(1,), (5,)]),
    "an imported literal": (
        "{% from 'map.jinja' import x with context %}\na: {{ x | length }}\n",
        [(1, "Slack token")],
    ),
    "ciphertext and words": ("a: NACL[abcdefgh]\nb: sdb://x/y\npassword: no\n", []),
    "random": ("cache: kRmTFqVYbnoNCcMhX2pZ0WgJdL8sUeAi\n", [(1, "looks random")]),
}


@pytest.mark.parametrize(("text", "wanted"), SOURCES.values(), ids=SOURCES)
def test_what_the_source_holds(
    text: str,
    wanted: list[tuple[Any, ...]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {
        "master": "pillar_roots: {base: [pillar]}\n",
        "minions.yml": "minions: {web1: {}, web2: {}}\n",
        "pillar/top.sls": "base:\n  '*': [a]\n",
        "pillar/a.sls": text,
        "pillar/map.jinja": "{% set x = 'xoxb-012345678901-FaKeFaKeFaKe' %}\n",
        "mkdocs.yml": "site_name: x\nplugins:\n  - pillarbook: {master: master,"
        " inventory: minions.yml, redact: {allow: [fine]}}\n",
    }
    write_files(tmp_path, files)
    run(["check", "-f", str(tmp_path / "mkdocs.yml"), "--format", "json"])
    out = capsys.readouterr().out
    found = [one for one in json.loads(out)["diagnostics"] if one["code"] == "plain-secret"]
    assert LITERAL not in out
    assert len(found) == len(wanted)
    for one, (line, *words) in zip(found, wanted, strict=True):
        assert one["line"] == line
        assert all(word in one["message"] for word in words)


def test_below_the_key_of_an_include_the_key_is_that_of_the_pillar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "master": "pillar_roots: {base: [pillar]}\n",
        "minions.yml": "minions: {m: {}, n: {}}\n",
        "pillar/top.sls": "base: {'*': [site], n: [two, creds]}\n",
        "pillar/site.sls": "include: [part: {key: 'sub:deep'}, creds: {key: passwords}]\n",
        "pillar/two.sls": "include: [outer: {key: other}]\n",
        "pillar/outer.sls": "include: [part, outer: {key: again}]\n",
        "pillar/part.sls": "db: {password: s3kR1tHunter2x}\n",
        "pillar/creds.sls": "web: kettle-7\n",
    }
    write_files(tmp_path, files)
    run(["check", "--master", "master", "--inventory", "minions.yml", "--format", "json"])
    found = {
        (one["file"], ":".join(one["path"])): one["minions"]
        for one in json.loads(capsys.readouterr().out)["diagnostics"]
        if one["code"] == "plain-secret"
    }
    assert found == {
        ("pillar/part.sls", "sub:deep:db:password"): ["m", "n"],
        ("pillar/part.sls", "other:db:password"): ["n"],
        ("pillar/creds.sls", "passwords:web"): ["m", "n"],
    }
