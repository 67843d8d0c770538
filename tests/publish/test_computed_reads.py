"""The page of an SLS lists what it reads, but no name that its template computes from a secret."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files

from pillarbook.cli.main import run

TOKEN = "Z30c952fab1q22C3F9759F"
SLS = """\
a: {{ grains.get(grains.token[:10], 'none') }}
b: {{ salt['grains.get']('x:' ~ grains.token[2:13], 'none') }}
c: {{ salt['pillar.get'](grains.token[1:12], 'none') }}
d: {{ grains.get('absent', 'none') }}
e: {{ grains[grains.role] }}
f: {{ salt.grains.get('os') }}
"""


def test_names_made_of_a_secret_are_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    section = "{master: master, inventory: minions.yml}"
    write_files(
        tmp_path,
        {
            "master": "pillar_roots: {base: [pillar]}\n",
            "minions.yml": f"minions: {{m: {{grains: {{token: {TOKEN}, role: web, web: 1}}}}}}\n",
            "pillar/top.sls": "base: {'*': [a]}\n",
            "pillar/a.sls": SLS,
            "mkdocs.yml": "site_name: x\ndocs_dir: pages\ntheme: {name: pillarbook}\n"
            f"plugins: [{{pillarbook: {section}}}]\n",
            "pages/.gitkeep": "",
        },
    )
    assert run(["build"]) == 0
    for file in (tmp_path / "site").rglob("*"):
        text = file.read_bytes() if file.is_file() else b""
        assert not any(TOKEN[at : at + 8].encode() in text for at in range(len(TOKEN) - 7)), file
    page = (tmp_path / "site" / "sls" / "base" / "a.html").read_text()
    listed = page[page.index('id="reads"') : page.index('id="source"')]
    for name in ("absent", "token", "web", "os", "grains.get", "pillar.get"):
        assert f"<code>{name}</code>" in listed
