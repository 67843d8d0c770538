"""``build --jobs``: the same site with any number of processes."""

import os
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from benchmarks.wild import write_wild
from hypothesis import given
from tests.properties.trees import DrawnFleet, fleets
from tests.session.test_written_json import with_secrets
from tests.support.derived import TOKEN_KEY
from tests.support.fleets import EXAMPLE, write_drawn, write_files
from tests.support.leaky import files_of, write_leaky
from tests.support.tiers import fewer

from pillarbook.changes.since_revision import open_report_session
from pillarbook.cli.main import run
from pillarbook.inventory.settings import Settings
from pillarbook.publish.mkdocs_run import build_site
from pillarbook.session import RunOptions, Session
from pillarbook.supervise.shared_work import SharedWork
from pillarbook.supervise.work_queue import SharedProgress

CONFIGURATION = """\
site_name: Jobs
docs_dir: pages
theme: {{name: pillarbook}}
plugins:
  - search
  - pillarbook: {{master: {0}/master, inventory: {0}/minions.yml}}
"""
OPTIONS = RunOptions(token_key=TOKEN_KEY)
TREE: Mapping[str, str] = {
    "fleet/master": "pillar_roots: {base: [pillar], prod: [prod, pillar]}\n"
    "file_roots: {base: [states]}\n",
    "fleet/minions.yml": "minions:\n"
    "  web1: {grains: {os: Debian, roles: [web]}, pillarenv: base}\n"
    "  db1: {grains: {broken: true}}\n"
    "  x-hT5jKw8nBv3c-web1: {}\n"
    "  db2: {grains: {os: Rocky, roles: [web]}}\n  web2: {grains: {os: Debian}}\n",
    "fleet/pillar/top.sls": "base: {'*': [a, missing], 'os:Debian': [{match: grain}, b],"
    " 'gone*': [a], lost: [b], 'roles:web': [{match: grain}, c]}\n",
    "fleet/prod/top.sls": "prod: {'*': [a], 'db*': [b]}\n",
    "fleet/pillar/a.sls": "{% if grains.get('broken') %}{% do 1 / 0 %}{% endif %}\n"
    "password: hT5jKw8nBv3c-{{ grains.id }}\nall: seen hT5jKw8nBv3c-web1 and \xfc\n"
    "port: 1\nname: {{ grains.get('os') or 'Zx8cVb5nM3kQ' }}\n",
    "fleet/pillar/b.sls": "port: 2\ntoken: abcDEF123ghiJKL456\nlist: [1, 2, {x: 1}]\n",
    "fleet/pillar/c.sls": "note: abcDEF123ghiJKL456\n",
    "fleet/pillar/unused.sls": "x: AKIAIOSFODNN7EXAMPLE\n",
    "fleet/prod/a.sls": "port: 3\nlist: []\n",
    "fleet/states/top.sls": "base: {'*': [s], 'db*': [t]}\n",
    "fleet/states/s.sls": "one: {file.managed: [{name: /etc/{{ pillar.get('port', 9) }}}]}\n",
    "fleet/states/t.sls": "two: {test.nop: [{require: [file: one]}]}\n{{ pillar['nothing'] }}\n",
    "pages/index.md": "# Front\n",
}


def build(folder: Path, jobs: int, options: RunOptions = OPTIONS) -> dict[str, bytes]:
    """Return the files of a site; its fleet is compiled in some processes."""

    def opener(settings: Settings) -> Session:
        session = open_report_session(settings, options)
        session.jobs = jobs
        return session

    site = folder / f"site{jobs}"
    with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="1700000000"):  # report.json has the time
        build_site(folder / "mkdocs.yml", site_dir=site, open_session=opener, options=options)
    return files_of(site)


def check_law(
    folder: Path, fleet: str, configuration: str = CONFIGURATION, options: RunOptions = OPTIONS
) -> dict[str, bytes]:
    write_files(folder, {"mkdocs.yml": configuration.format(fleet), "pages/index.md": "# Front"})
    alone = build(folder, 1, options)
    for jobs in (2, 3):
        shared = build(folder, jobs, options)
        assert shared.keys() == alone.keys()
        for name, data in alone.items():
            assert shared[name] == data, name
    return alone


def test_a_site_is_the_same_with_any_number(tmp_path: Path) -> None:
    write_files(tmp_path, TREE)
    site = check_law(tmp_path, "fleet")
    told = b"".join(site.values())
    for part in (b"missing", b"forgeable-secret", b"unused-sls", b"unmatched-target", b"copy of"):
        assert part in told
    assert b"hT5jKw8nBv3c" not in told
    assert not [name for name in site if "parts" in name]


@pytest.mark.slow
def test_messages_are_opened_in_any_number_of_processes(tmp_path: Path) -> None:
    write_wild(tmp_path / "fleet", profile="secrets", seed=1, size=6)
    decrypting = CONFIGURATION.replace("minions.yml", "minions.yml, decrypt: true")
    with mock.patch("os.fork", side_effect=os.fork) as fork:
        site = check_law(tmp_path, "fleet", decrypting, replace(OPTIONS, trust=True))
    searches = threading.active_count() == 1  # no test before has left a thread
    assert fork.call_count == (1 + searches) * (1 + 2)  # to compile, and to search the site
    assert any(b"gpg renderer" in data for data in site.values())


@pytest.mark.slow
def test_the_example_is_the_same_with_any_number(tmp_path: Path) -> None:
    (tmp_path / "example").symlink_to(EXAMPLE)
    check_law(tmp_path, str(EXAMPLE))


@pytest.mark.slow
@fewer(10)
@given(fleet=fleets())
def test_a_drawn_fleet_is_the_same_with_any_number(fleet: DrawnFleet) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "fleet").mkdir()
        write_drawn(place / "fleet", with_secrets(fleet))
        check_law(place, "fleet")


@pytest.mark.slow
def test_the_command_says_how_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    class Counted(SharedWork):
        def __init__(self, count: int, watch: Callable[..., Any]) -> None:
            started.append(count)
            super().__init__(count, watch)

    monkeypatch.setattr("pillarbook.session.report_shares.SharedWork", Counted)
    monkeypatch.chdir(write_leaky(tmp_path))
    assert run(["build"]) == 0
    assert run(["build", "--jobs", "9"]) == 0
    assert started == [3]
    assert "b1.html" in {path.name for path in (tmp_path / "site/minions").iterdir()}


def test_progress_is_that_of_all_processes() -> None:
    shown: list[None] = []
    progress = SharedProgress(2)
    first, second = (progress.stepper(rank, lambda: shown.append(None)) for rank in (0, 1))
    second()
    second()
    assert not shown
    first()
    assert len(shown) == 3
    first()
    assert len(shown) == 4
