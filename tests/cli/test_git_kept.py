"""What git keeps in ``.git``, credentials among it, is read as no root and no data."""

import subprocess
from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.forked.commands import forked

CANARY = "canary-8d21"
TREE = {
    "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [states]}\n",
    "minions.yml": "minions: {m: {}}\n",
    "pillar/top.sls": "base: {'*': [a]}\n",
    "pillar/a.sls": "a: 1\n",
    "states/top.sls": "{}\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/x": "",
    ".git/top.sls": "base: {'*': [a]}\n",
    ".git/a.sls": f"x: {CANARY}\n",
    ".git/a/init.sls": f"x: {CANARY}\n",
    ".git/data.json": f'{{"x": "{CANARY}"}}\n',
    ".git/master.conf": f"my_option: {CANARY}\n",
    ".git/stack.cfg": "data.json\n",
}
ROOT = "pillar_roots: {base: [pillar]}\n"
READ = {
    "a root": {"master": "pillar_roots: {base: [.git]}\n"},
    "a root in it": {"master": "pillar_roots: {base: [.git/a]}\n"},
    "a root by dots": {"master": "pillar_roots: {base: [pillar/../.git]}\n"},
    "a root by a link": {"master": "pillar_roots: {base: [linked]}\n"},
    "a root by a pattern": {"master": "pillar_roots: {base: ['.gi*']}\n"},
    "an environment": {"master": "pillar_roots: {__env__: [__env__]}\npillarenv: .git\n"},
    "a link in a root": {"pillar/top.sls": "base: {'*': [linked.a]}\n"},
    "grains": {"minions.yml": "minions: {m: {grains: .git/data.json}}\n"},
    "an inventory": {
        "mkdocs.yml": "plugins: [pillarbook: {master: master, inventory: .git/data.json}]\n"
    },
    "an include": {"master": f"{ROOT}include: .git/*.conf\n"},
    "a state": {"pillar/a.sls": "a: {{ salt['cp.get_file_str']('salt://linked/data.json') }}\n"},
    "a path": {"pillar/a.sls": "a: {{ salt['cp.get_file_str']('@HERE@/.git/data.json') }}\n"},
    "an answer": {
        "master": f"{ROOT}ext_pillar: [{{my: x}}]\n",
        "mkdocs.yml": "plugins: [pillarbook: {master: master, inventory: minions.yml, "
        "ext_pillars: {my: .git/data.json}}]\n",
    },
    "file_tree": {"master": f"{ROOT}ext_pillar: [{{file_tree: {{root_dir: '@HERE@/.git'}}}}]\n"},
    "stack": {"master": f"{ROOT}ext_pillar: [{{stack: .git/stack.cfg}}]\n"},
    "stack by a link": {
        "master": f"{ROOT}ext_pillar: [{{stack: stack.cfg}}]\n",
        "stack.cfg": "linked/data.json\n",
    },
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("files", READ.values(), ids=READ)
def test_nothing_that_git_keeps_is_read(tmp_path: Path, files: dict[str, str]) -> None:
    tree = write_files(tmp_path / "tree", TREE)
    write_files(tree, {path: text.replace("@HERE@", str(tree)) for path, text in files.items()})
    for place in (tree, tree / "pillar", tree / "states"):
        (place / "linked").symlink_to(tree / ".git")
    named = () if "mkdocs.yml" in files else ("--master", "master", "--inventory", "minions.yml")
    for command in (("compile",), ("check", "--fail-on", "note")):
        ended = subprocess.run(
            [forked(), *command, *named],
            cwd=tree,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert CANARY not in ended.stdout + ended.stderr
        assert "Traceback" not in ended.stderr
        if command[0] == "check":
            assert ended.returncode in (1, 2)
            assert ".git" in ended.stdout + ended.stderr or "linked" in ended.stdout + ended.stderr
