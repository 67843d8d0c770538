"""States that change by what declares the fleet say which lines of it: master file, inventory."""

import re
from pathlib import Path

import pytest
from tests.changes.impact.test_impact import STATES, diff_of

from pillarbook.compare.atoms import Cited
from pillarbook.compare.diff import Diff

ROOTS = "pillar_roots:\n  base:\n  - pillar\n"
OTHER = {f"other/{path.removeprefix('states/')}": text for path, text in STATES.items()}
SITE = {"states/app.sls": "a:\n  test.nop:\n    - site: {{ grains.get('site', 'nowhere') }}\n"}


def causes(diff: Diff) -> dict[tuple[str, ...], set[tuple[str, int, str]]]:
    """Return for some minions the lines that their states change because of."""
    found: dict[tuple[str, ...], set[tuple[str, int, str]]] = {}
    for one in diff.states:
        lines = {(line.file, line.line, line.side) for line in one.cause.lines}
        assert one.cause.proven
        assert one.cause.files == tuple(dict.fromkeys(line[0] for line in sorted(lines)))
        found.setdefault(one.minions, set()).update(lines)
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("master", "line"),
    [
        pytest.param(ROOTS, ("master", 4, "base"), id="taken-out"),
        pytest.param(
            f"{ROOTS}file_roots:\n  base:\n  - nowhere\n", ("master", 6, "head"), id="no-folder"
        ),
        pytest.param(
            f"{ROOTS}file_roots:\n  base:\n  - other\n", ("master", 6, "head"), id="elsewhere"
        ),
        pytest.param(
            f"{ROOTS}# states\nfile_roots:\n  base:\n  - other\n",
            ("master", 7, "head"),
            id="one-hunk-of-two",
        ),
    ],
)
def test_other_roots_of_states_are_the_cause(
    master: str, line: tuple[str, int, str], tmp_path: Path
) -> None:
    files = {**OTHER, "other/app.sls": "shop:\n  user.absent: []\n"}
    diff = diff_of(tmp_path, {"master": master}, files=files)
    assert set().union(*causes(diff).values()) == {line}
    assert line not in {(one.line.file, one.line.line, one.line.side) for one in diff.idle}


def test_other_roots_that_came_with_their_files_are_the_cause(tmp_path: Path) -> None:
    changes: dict[str, str | None] = {"master": f"{ROOTS}file_roots:\n  base:\n  - other\n"}
    changes |= {**OTHER, "other/app.sls": "shop:\n  user.absent: []\n"}
    assert set().union(*causes(diff_of(tmp_path, changes)).values()) == {("master", 6, "head")}


def test_a_file_of_states_is_the_cause_beside_a_line_that_is_not(tmp_path: Path) -> None:
    master = f"{ROOTS}file_roots:\n  base:\n  - states\n# nothing\n"
    states = STATES["states/web.sls"].replace("/etc/nginx", "/etc/nginx.conf")
    diff = diff_of(tmp_path, {"master": master, "states/web.sls": states})
    assert [(one.cause.files, one.cause.lines) for one in diff.states] == [
        (("states/web.sls",), (Cited("states/web.sls", 3, "head"),))
    ]
    assert [(one.line.file, one.line.line) for one in diff.idle] == [("master", 7)]


@pytest.mark.sample(1)
@pytest.mark.parametrize("others", [1, 80], ids=["few", "many"])
def test_minions_that_change_alike_have_lines_of_their_own(others: int, tmp_path: Path) -> None:
    many = "".join(f"  m{number}: {{}}\n" for number in range(others))
    before = f"minions:\n  web1: {{}}\n  still1: {{}}\n{many}  still2: {{}}\n  web2: {{}}\n"
    before += "  web3: {}\n"
    after = re.sub(r"(web.|m\d+): {}", r"\1: {grains: {site: ams}}", before)
    files = {**SITE, "minions.yml": before, "states/top.sls": "base: {'*': [app]}\n"}
    found = causes(diff_of(tmp_path, {"minions.yml": after}, files=files))
    own = {name: lines for names, lines in found.items() for name in names}
    assert own["web1"] == {("minions.yml", 2, "head")}
    assert own["m0"] == {("minions.yml", 4, "head")}
    assert own["web2"] == {("minions.yml", 5 + others, "head")}
    assert own["web3"] == {("minions.yml", 6 + others, "head")}
    assert not own.keys() & {"still1", "still2"}
