"""Trees that nobody trusts: they read nothing outside, run nothing, and end in diagnostics."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.hostile.configurations import MASTERS, SITES
from tests.hostile.tree import (
    ATTRIBUTES,
    BOMBS,
    CANARY,
    MINION,
    READS,
    RUNS,
    Place,
    write_tree,
)
from tests.support.fleets import write_files

AUDITED = Path(__file__).with_name("audited.py")
QUIET = frozenset({"cp-salt", "include-self"})
"""Plants that Salt takes as they are: a file that the state tree lacks, a ring of includes."""
FILTERS = frozenset({"dns", "http-filter"})
"""Plants with a filter of which nobody declares the answer: their value is unknown."""
STUBBORN = frozenset({"format-method", "format-width", "loop", "pattern", "power"})
"""Bombs that only time stops, seconds each; what stops them has tests of its own (supervise)."""
QUICK_BOMBS = {name: text for name, text in BOMBS.items() if name not in STUBBORN}


@dataclass(frozen=True, slots=True)
class Ended:
    """What a run gave."""

    code: int
    said: str
    """Standard output and error."""


def run(place: Place, *words: str) -> Ended:
    """Run pillarbook in the tree, and hold it to what no tree may bring about."""
    notes = place.outside.parent / "notes"
    notes.unlink(missing_ok=True)
    command = [sys.executable, str(AUDITED), str(notes), *words]
    ended = subprocess.run(
        command, cwd=place.folder, capture_output=True, text=True, check=False, timeout=240
    )
    said = ended.stdout + ended.stderr
    assert not place.mark.exists()
    assert CANARY not in said
    assert "Traceback" not in said
    # Whatever the notes hold, it is inside: reading a folder's names outside counts, too.
    for note in notes.read_text(errors="replace").splitlines():
        event, _, what = note.partition(" ")
        assert event in ("open", "os.listdir", "os.scandir"), note
        assert str(place.outside) not in what, note
        assert "/etc/passwd" not in what, note
        assert "../outside" not in what, note
    return Ended(ended.returncode, said)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "plants"),
    [
        pytest.param("hostile", {**ATTRIBUTES, **READS, **RUNS}, id="sandbox, reads and runs"),
        pytest.param("bomb", QUICK_BOMBS, id="bombs that are seen at once"),
        pytest.param("bomb", BOMBS, id="bombs", marks=pytest.mark.slow),
    ],
)
def test_each_hostile_sls_ends_in_a_diagnostic(
    name: str, plants: Mapping[str, str], tmp_path: Path
) -> None:
    place = write_tree(tmp_path, name, plants)
    fleet = ("--master", "master", "--inventory", "minions.yml")
    ended = run(place, "check", *fleet, "--fail-on", "note")
    assert ended.code == 2
    told = {one for one in plants if f"pillar/{name}/{one}.sls" in ended.said}
    missed = plants.keys() - QUIET - FILTERS - told
    assert told <= plants.keys() - QUIET
    assert MINION in ended.said
    if missed:  # what only a live Salt can answer
        asked = run(place, "answers", "list", *fleet)
        assert [one for one in missed if f"pillar/{name}/{one}.sls" not in asked.said] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", MASTERS)
def test_a_hostile_master_file_leads_nowhere(name: str, tmp_path: Path) -> None:
    place = write_tree(tmp_path, "attributes", {})
    for folder in (place.outside, place.outside / "dev"):
        folder.mkdir(exist_ok=True)
        (folder / "top.sls").write_text("{{ saltenv }}: {'*': [secret]}\n")
        (folder / "secret.sls").write_text(f"x: {CANARY}\n")
    files = {
        "pillar/top.sls": "base: {'*': [a]}\n",
        "pillar/a.sls": "a: 1\n",
        "minions.yml": f"minions: {{{MINION}: {{}}}}\n",
        **MASTERS[name],
    }
    write_files(place.folder, {path: place.fill(text) for path, text in files.items()})
    (place.folder / "stack").mkdir(exist_ok=True)
    (place.folder / "stack/linked").symlink_to(place.outside)
    fleet = ("--master", "master", "--inventory", "minions.yml")
    checked = run(place, "check", *fleet, "--fail-on", "note")
    assert checked.code in (1, 2)
    run(place, "explain", *fleet, MINION)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SITES)
def test_a_hostile_site_is_refused_or_harmless(name: str, tmp_path: Path) -> None:
    place = write_tree(tmp_path, "runs", {"py": RUNS["py"]})
    (place.outside / "mkdocs.yml").write_text(place.fill("hooks: ['@OUTSIDE@/code.py']\n"))
    (place.outside / "main.html").write_text(CANARY)
    (place.outside / "index.md").write_text(CANARY)
    (place.folder / "docs").mkdir()
    (place.folder / "docs/index.md").write_text("# Front\n")
    (place.folder / "code.py").write_text((place.outside / "code.py").read_text())
    (place.folder / "mkdocs.yml").write_text(
        place.fill("site_name: Hostile\ntheme: {name: pillarbook}\n" + SITES[name])
        if "theme:" not in SITES[name]
        else place.fill("site_name: Hostile\n" + SITES[name])
    )
    for command in ("build", "compile", "check"):
        run(place, command)
    published = place.folder / "site"
    for path in published.rglob("*") if published.exists() else ():
        assert path.is_dir() or CANARY.encode() not in path.read_bytes()
