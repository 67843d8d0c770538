"""Trees that changed since they were committed."""

from collections.abc import Mapping
from pathlib import Path

from tests.support.repositories import commit_all
from tests.support.sides import start


def commit_earlier(folder: Path, words: Mapping[str, str]) -> Path:
    """Make a tree a repository that has it with other words in its pillar and inventory.

    The tree stays as it is; ``words`` are what stood there before, by what stands there now.
    """
    now: dict[Path, bytes] = {}
    start(folder)
    for path in (*folder.rglob("*.sls"), *folder.glob("*.yml")):
        if path.name in ("top.sls", "mkdocs.yml"):
            continue
        now[path] = text = path.read_bytes()
        for after, before in words.items():
            text = text.replace(after.encode(), before.encode())
        path.write_bytes(text)
    commit_all(folder)
    for path, text in now.items():
        path.write_bytes(text)
    return folder
