"""Trees with changed files, compared with their last commit."""

from pathlib import Path

from tests.support.fleets import write_files
from tests.support.repositories import commit_all
from tests.support.sides import open_both, start

from pillarbook.changes.attribution.hunk_trials import MAX_COMPILES
from pillarbook.changes.compare_sides import compare_sides
from pillarbook.compare.diff import Diff

BASE = {
    "master": "pillar_roots: {base: [p]}\n",
    "minions.yml": "minions:\n  web1: {grains: {role: web}}\n  db1: {grains: {role: db}}\n",
    "p/top.sls": "base:\n  '*':\n    - all\n  'web*':\n    - web\n",
    "p/all.sls": "a: 1\nb: 2\n",
    "p/web.sls": "w: 1\nx: {y: 1}\n",
    "p/lib.jinja": "{% macro say(value) %}{{ value }}{% endmacro %}\n",
}


def compare(
    folder: Path, before: dict[str, str], after: dict[str, str | None], most: int = MAX_COMPILES
) -> Diff:
    """Compare a tree in a commit with what becomes of it on disk."""
    folder = folder.resolve()
    commit_all(write_files(start(folder), BASE | before))
    for name, text in after.items():
        if text is None:
            (folder / name).unlink()
        else:
            write_files(folder, {name: text})
    with open_both(folder) as sides:
        return compare_sides(sides, trials=most)
