"""Trees with code that opens files itself, and their comparison."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git

from pillarbook.cli.main import run

MASTER = "pillar_roots: {{base: [pillar]}}\nfile_roots: {{base: [states]}}\n"
OPENS = "from pathlib import Path\nDATA = Path({root!r}) / 'data/x.yml'\n"
CODE = OPENS + "def run():\n    return {{'x': DATA.read_text().strip()}}\n"
TREE = {
    "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [states]}\n",
    "minions.yml": "minions: {a: {}}\n",
    "mkdocs.yml": "site_name: x\nplugins:\n  - pillarbook: {master: master,"
    " inventory: minions.yml, python: true, revisions: {base: HEAD}}\n",
    "docs/index.md": "# x\n",
    "pillar/top.sls": "base: {'*': [main]}\n",
    "data/x.yml": "one\n",
    "data/y.yml": "one\n",
}
WAYS = {
    "an SLS": {"pillar/main.sls": "#!py\n" + CODE},
    "a template of mako": {
        "pillar/main.sls": "#!mako|yaml\n<% data = __import__('pathlib').Path({root!r}, 'data/x.yml').read_text() %>\nx: ${{data}}\n"
    },
    "a module": {
        "pillar/main.sls": "x: {{{{ salt['own.read']() }}}}\n",
        "states/_modules/own.py": OPENS + "def read():\n    return DATA.read_text().strip()\n",
    },
    "an external pillar": {
        "master": MASTER + "extension_modules: ext\next_pillar: [{{own: []}}]\n",
        "pillar/main.sls": "{{}}\n",
        "ext/pillar/own.py": OPENS
        + "def ext_pillar(minion_id, pillar, *args):\n    return {{'x': DATA.read_text().strip()}}\n",
    },
}


def lay(folder: Path, files: dict[str, str]) -> Path:
    """Write the tree and commit it, and change the data afterwards."""
    made = {name: text.format(root=str(folder)) for name, text in files.items()}
    write_files(folder, {**TREE, **made})
    git(folder, "init", "-q")
    commit_all(folder)
    (folder / "data/x.yml").write_text("two\n")
    return folder


def diff(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = run(["diff", "--exit-code", "-f", str(folder / "mkdocs.yml"), "--trust", *words])
    captured = capsys.readouterr()
    return code, captured.out + captured.err
