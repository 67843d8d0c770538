"""Files that git keeps encrypted: no value of them is shown where the checkout is unlocked."""

import json
from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.repositories import git

from pillarbook.cli.main import run
from pillarbook.roots.git_attributes import EncryptedFiles

FILTER = "filter=git-crypt diff=git-crypt"
ATTRIBUTES: dict[str, tuple[dict[str, str], bool]] = {
    "a folder": ({".gitattributes": f"pillar/sec/** {FILTER}\n"}, True),
    "a name": ({".gitattributes": f"b.sls {FILTER}\n"}, True),
    "a key of its own": ({".gitattributes": "*.sls filter=git-crypt-ops\n"}, True),
    "another program": ({".gitattributes": "*.sls filter=git-agecrypt\n"}, True),
    "nearer": ({"pillar/sec/.gitattributes": f"/b.sls {FILTER}\n"}, True),
    "of git itself": ({".git/info/attributes": f"b.sls {FILTER}\n"}, True),
    "unset": ({".gitattributes": f"*.sls {FILTER}\npillar/sec/b.sls !filter\n"}, False),
    "unset nearer": (
        {".gitattributes": f"*.sls {FILTER}\n", "pillar/sec/.gitattributes": "b.sls -filter\n"},
        False,
    ),
    "another filter": ({".gitattributes": "*.sls filter=lfs\n"}, False),
    "another file": ({".gitattributes": f"pillar/*.sls {FILTER}\n"}, False),
    "a comment": ({".gitattributes": f"# *.sls {FILTER}\n"}, False),
    "nothing": ({}, False),
}


@pytest.mark.parametrize(("files", "expected"), ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_which_files_git_encrypts(files: dict[str, str], expected: bool, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    write_files(tmp_path, {"pillar/sec/b.sls": "a: 1\n", **files})
    assert EncryptedFiles(tmp_path).has("pillar/sec/b.sls") is expected
    if "pillar/sec/.gitattributes" not in files:
        told = git(tmp_path, "check-attr", "filter", "pillar/sec/b.sls")
        assert ("crypt" in told) is expected


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "--quiet")
    secret = (
        "# the boss is Kevin\nowner: plainvalue\nflag: true\nlist: [one, 2]\npassword: xyzzy-77\n"
    )
    return write_files(
        tmp_path,
        {
            ".gitattributes": f"pillar/sec/** {FILTER}\n",
            "master": "pillar_roots: {base: [pillar]}\n",
            "minions.yml": "minions: {m: {}, n: {}}\n",
            "pillar/top.sls": "base: {'*': [open, sec.b]}\n",
            "pillar/open.sls": "open: shown\nowner: before\n",
            "pillar/sec/b.sls": secret,
        },
    )


DECLARED = ("--master", "master", "--inventory", "minions.yml")


def test_no_value_of_them_is_shown(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", *DECLARED]) == 0
    found = json.loads(capsys.readouterr().out)["m"]
    reason = "in a file that git encrypts"
    assert found["open"] == "shown"
    assert found["flag"] is True
    assert found["owner"]["redacted"] == found["list"][0]["redacted"] == reason
    assert found["list"][1] == 2
    assert found["password"]["redacted"] == "key names a password"
    assert run(["explain", "m", "owner", *DECLARED]) == 0
    told = capsys.readouterr().out
    assert "plainvalue" not in told
    assert '"before"' in told
    assert run(["check", *DECLARED, "--rule", "plain-secret"]) == 0
    assert capsys.readouterr().out == "nothing found\n"
    assert run(["compile", "--reveal", *DECLARED]) == 0
    assert "plainvalue" in capsys.readouterr().out


def test_the_site_has_neither_values_nor_source(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    section = "{master: master, inventory: minions.yml, redact: {allow: [flag, 'list:*']}}"
    write_files(
        tree,
        {
            "mkdocs.yml": "site_name: x\ndocs_dir: pages\ntheme: {name: pillarbook}\n"
            f"plugins: [{{pillarbook: {section}}}]\n",
            "pages/.gitkeep": "",
        },
    )
    assert run(["build"]) == 0
    written = [file.read_bytes() for file in (tree / "site").rglob("*") if file.is_file()]
    for word in (b"plainvalue", b"Kevin", b"xyzzy-77"):
        assert not any(word in one for one in written)
    shown = json.loads((tree / "site" / "minions" / "m.json").read_text())
    assert '"one"' in json.dumps(shown)  # by `redact: allow`
