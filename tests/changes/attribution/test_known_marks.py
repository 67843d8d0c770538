"""Causes of changes to secrets: trials take over marks, and find the same as if marked anew."""

import random
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files
from tests.support.repositories import commit_all
from tests.support.sides import open_both, start

from pillarbook.changes.compare_sides import compare_sides
from pillarbook.changes.comparison.known_marks import KnownMarks, UnlikeMarksError
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.report.diff_json import diff_to_json
from pillarbook.session import RunOptions
from pillarbook.taint.taint import TaintMarker

MASTER = "pillar_roots: {base: [pillar]}\n"
MINIONS = """minions:
  web1: {grains: {role: web, db: {password: GrXk47qwPz19}}}
  web2: {grains: {role: web, db: {password: GrXk47qwPz20}}}
"""
IMPORT = "{% import_yaml 'secrets.yaml' as s %}\n"
BRANCH = "{% if 'a' in s.KEY %}\nNAME: {a: 1}\n{% else %}\nNAME: {b: 2}\n{% endif %}\n"
URL = "NAME:\n  password: {{ s.KEY }}\n  url: u:{{ s.KEY }}@h\n  size: {{ s.KEY | length }}\n"
LIST = "NAME:\n  size: {{ s.KEY | length }}\n  list:\n    - {{ s.KEY | reverse }}\n    - plain\n"
BODIES = (
    IMPORT + URL,
    IMPORT + "NAME: [one, {{ s.KEY | sha256 }}, {{ s.KEY | upper }}]\n",
    IMPORT
    + "NAME:\n  - {{ [s.KEY | reverse, s.KEY | length, 12, 'ctl'] | json }}\n  - [12, ctl]\n",
    IMPORT + BRANCH,
    IMPORT + LIST,
    "{% set db = {'password': 'LITERAL'} %}\nNAME:\n  url: u:{{ db.password }}@h\n  size: 12\n",
    "NAME:\n  login: u:{{ grains.db.password }}\n  size: {{ grains.db.password | length }}\n",
    "NAME:\n  password: LITERAL\n  size: 12\n  list: [plain, other]\n",
)
EDITS = (
    ("size: {{ s.KEY | length }}", "size: 12"),
    ("size: 12", "size: {% set p = {'password': 'LITERAL'} %}{{ p.password | length }}"),
    ("- plain", "- first\n    - plain"),
    ("[one, ", "[zero, one, "),
    ("  url", "  added: 1\n  url"),
)


def secret_of(drawn: random.Random) -> str:
    return "".join(drawn.choices("abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789", k=12))


def write_tree(folder: Path, bodies: list[str], secrets: dict[str, str]) -> None:
    names = [f"n{number}" for number in range(len(bodies))]
    tops = "".join(f"    - {name}\n" for name in names)
    files = {"master": MASTER, "minions.yml": MINIONS, "pillar/top.sls": f"base:\n  '*':\n{tops}"}
    for name, body in zip(names, bodies, strict=True):
        files[f"pillar/{name}.sls"] = body.replace("NAME", name)
    files["pillar/secrets.yaml"] = "".join(f"{key}: {text}\n" for key, text in secrets.items())
    write_files(folder, files)


def commit_both(folder: Path, seed: int) -> None:
    """Commit a tree with secrets, and then changes to them and to values beside them."""
    drawn = random.Random(seed)  # noqa: S311 (repeatable is what it has to be)
    keys = [f"password_{number}" for number in range(drawn.randint(1, 4))]
    bodies = [
        body.replace("KEY", drawn.choice(keys)).replace("LITERAL", secret_of(drawn))
        for body in drawn.choices(BODIES, k=drawn.randint(2, 6))
    ]
    secrets = {key: secret_of(drawn) for key in keys}
    write_tree(start(folder), bodies, secrets)
    commit_all(folder)
    for key in drawn.sample(keys, k=drawn.randint(0, len(keys))):
        secrets[key] = secret_of(drawn)
    for _ in range(drawn.randint(0, 4)):
        at = drawn.randrange(len(bodies))
        old, new = drawn.choice(EDITS)
        used = next((key for key in keys if key in bodies[at]), keys[0])
        new = new.replace("LITERAL", secret_of(drawn))
        bodies[at] = bodies[at].replace(old.replace("KEY", used), new, 1)
    write_tree(folder, bodies, secrets)
    commit_all(folder)


def compare_commits(folder: Path) -> Any:
    options = RunOptions(checks=False, environments=False, token_key=b"the same placeholders")
    with open_both(folder, "HEAD~1", "HEAD", options) as sides:
        return diff_to_json(compare_sides(sides), sides.head.shown.token)


def mark_anew(*_: object) -> CompiledPillar:
    raise UnlikeMarksError


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 60))]
)
def test_causes_are_those_of_marked_trials(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_both(tmp_path.resolve(), seed)
    found = compare_commits(tmp_path.resolve())
    monkeypatch.setattr(KnownMarks, "take_over", mark_anew)
    assert compare_commits(tmp_path.resolve()) == found


def test_pillars_are_marked_once_on_each_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path.resolve()
    start(folder)
    keys = [f"password_{number}" for number in range(6)]
    bodies = [(IMPORT + URL).replace("KEY", key) for key in keys]
    for seed in (1, 2):
        drawn = random.Random(seed)  # noqa: S311 (repeatable is what it has to be)
        write_tree(folder, bodies, {key: secret_of(drawn) for key in keys})
        commit_all(folder)
    marked: list[str] = []
    mark = TaintMarker.mark

    def count(self: TaintMarker, compiled: CompiledPillar, *args: Any, **named: Any) -> Any:
        marked.append(compiled.minion)
        return mark(self, compiled, *args, **named)

    monkeypatch.setattr(TaintMarker, "mark", count)
    found = compare_commits(folder)
    assert sorted(marked) == ["web1", "web1", "web2", "web2"]
    assert len(found["atoms"]) == 12
    assert all(atom["proven"] for atom in found["atoms"])
