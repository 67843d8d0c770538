"""Which state SLS a tree names, as its files say in text."""

from pathlib import Path

import pytest
from tests.support.fleets import open_fleet, write_files

from pillarbook.highstate.needed_states import find_needed_states

ROOTS = "pillar_roots: {base: [pillar]}\nfile_roots: {base: [states], prod: [prod]}\n"
TREES = {
    "blocks": (
        {
            "states/top.sls": (
                "base:\n  'os:Debian':\n    - match: grain\n    - 'app'   # ours\n    - web.*\n"
                "  # - old\n    - {{ grains.role }}\n"
            ),
            "states/app.sls": "include:\n  # ours\n  - users\n{% if x %}\n  - .tls\n{% endif %}\n\na: test.nop\n",
            "states/web/a.sls": "{}",
        },
        (("app",), ("users", "tls")),
    ),
    "lists": (
        {
            "states/top.sls": "base: {'*': [app, \"ntp\"], 'G@a:b': [web]}\n",
            "states/app/init.sls": "include: [.tls, ..users, app]\na: {test.nop: [{require: [b]}]}\n",
        },
        (("app",), ("ntp", "web", "app.tls", "users")),
    ),
    "environments": (
        {"states/top.sls": "base: {'*': [a]}\nprod: {'*': [b]}\n", "prod/b.sls": "{}"},
        (("b",), ("a",)),
    ),
    "no top file": ({}, ((), ())),
}


@pytest.mark.parametrize(("files", "expected"), TREES.values(), ids=TREES)
def test_names_of_states(
    files: dict[str, str], expected: tuple[tuple[str, ...], ...], tmp_path: Path
) -> None:
    minions = {"minions.yml": "minions: {a: {}}\n", "pillar/top.sls": "{}\n"}
    write_files(tmp_path, {"master": ROOTS, **minions, **files})
    with open_fleet(tmp_path) as fleet:
        scope = fleet.project.scope_of({}, None)
        needed = find_needed_states(scope.states, scope.options.values)
    assert (needed.here, needed.missing) == expected
    assert bool(needed.top) == bool(files)
