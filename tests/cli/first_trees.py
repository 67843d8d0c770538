"""Small pillar trees that nobody prepared."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

Tree = Mapping[str, str | bytes]
PLAIN: Tree = {
    "pillar/top.sls": "base:\n  '*':\n    - common\n  'web*':\n    - nginx\n",
    "pillar/common.sls": "a: 1\n",
    "pillar/nginx.sls": "nginx: 1\n",
}
STATES: Tree = {
    "srv/salt/top.sls": "base:\n  '*': [vim]\n",
    "srv/salt/vim.sls": "vim:\n  pkg.installed\n",
}
SIGNED = "-----BEGIN PGP MESSAGE-----\n\n  hQ==\n  -----END PGP MESSAGE-----\n"


def write(folder: Path, tree: Tree, *, git: bool = True) -> None:
    for name, content in tree.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    if git:
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)


def envs(names: tuple[str, ...], key: str | None = None) -> dict[str, str]:
    return {
        f"pillar/{name}/{file}": text
        for name in names
        for file, text in (
            ("top.sls", f"{key or name}:\n  '*': [common]\n"),
            ("common.sls", f"env: {name}\n"),
        )
    }
