"""The rule ``plain-secret``: what stands in a file's own text, and what was fetched."""

from pathlib import Path

import pytest

from pillarbook.cli.main import run

CASES = {
    "written down": ("token: kettle-7", True),
    "written down, short": ("token: tok", True),
    "short, in quotes": ("token: 'tok'", True),
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
