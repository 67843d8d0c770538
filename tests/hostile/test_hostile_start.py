"""``pillarbook init`` in folders of strangers: it ends, reads inside only, and writes inside only."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.hostile.test_hostile import run
from tests.hostile.tree import CANARY, LAUGHS, Place
from tests.support.fleets import write_files

PILLAR = {"pillar/top.sls": "base: {'*': [a]}\n", "pillar/a.sls": "a: 1\n"}


def _link(name: str, target: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).symlink_to(target)


def _pipe(name: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(folder / name)

    return make


def _write(name: str, text: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        write_files(folder, {name: text})

    return make


FOLDERS: dict[str, Callable[[Path], None]] = {
    "inventory-outside": _link("minions.yml", "../outside/minions.yml"),
    "configuration-outside": _link("mkdocs.yml", "../outside/mkdocs.yml"),
    "configuration-not-there": _link("mkdocs.yml", "../outside/new.yml"),
    "pages-outside": _link("pages", "../outside"),
    "master-outside": _link("pillarbook.master", "../outside/secret.yml"),
    "inventory-is-a-pipe": _pipe("minions.yml"),
    "configuration-is-a-pipe": _pipe("mkdocs.yml"),
    "dump-is-a-pipe": _pipe("grains.json"),
    "cache-is-a-pipe": _pipe("cache/minions/m/data.p"),
    "pattern-without-end": _write(
        "pillar/top.sls", "base: {'(1|1){60}$x': [{match: pcre}, a], '*': [a]}\n"
    ),
    "roster-of-laughs": _write(
        "roster", f"{LAUGHS}\nm: {{host: h, minion_opts: {{grains: {{g: *a10}}}}}}\n"
    ),
    "inventory-of-laughs": _write("minions.yml", f"{LAUGHS}\nminions: {{m: {{grains: *a10}}}}\n"),
}


def _make(tmp_path: Path) -> Place:
    place = Place(tmp_path / "repository", tmp_path / "outside")
    write_files(place.folder, PILLAR)
    (place.folder / ".git").mkdir()
    outside = {
        "minions.yml": f"minions: {{{CANARY}: {{}}}}\n",
        "mkdocs.yml": f"site_name: {CANARY}\nplugins:\n  - pillarbook: {{master: x}}\n",
        "secret.yml": f"pillar_roots: {{{CANARY}: [x]}}\n",
    }
    write_files(place.outside, outside)
    return place


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FOLDERS)
def test_a_hostile_folder_is_begun_with_or_refused(name: str, tmp_path: Path) -> None:
    place = _make(tmp_path)
    FOLDERS[name](place.folder)
    before = sorted(place.outside.iterdir())
    run(place, "init")
    assert sorted(place.outside.iterdir()) == before
    written = [path for path in place.folder.rglob("*") if path.is_file() and not path.is_symlink()]
    assert not any(CANARY in path.read_text() for path in written)


def test_a_stand_in_is_not_written_through_a_link(tmp_path: Path) -> None:
    place = _make(tmp_path)
    (place.folder / "pillar/top.sls").unlink()
    (place.folder / "pillarbook-top").symlink_to("../outside")
    before = sorted(place.outside.iterdir())
    ended = run(place, "init")
    assert ended.code == 1
    assert sorted(place.outside.iterdir()) == before
