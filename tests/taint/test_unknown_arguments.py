"""Which pillar keys an argument depends on that is not known."""

from dataclasses import replace
from pathlib import Path

from tests.support.fleets import Fleet, open_fleet, write_files, write_fleet

from pillarbook.model import format_path
from pillarbook.taint.argument_trials import ArgumentTrials, find_sources

PILLAR = {
    "top.sls": "base: {'*': [p]}\n",
    "p.sls": "pw: {{ salt['vault.read_secret']('secret/a') }}\nport: 80\nhost: db\n",
}
STATE = (
    "s:\n  test.nop:\n    - password: {{ pillar.pw }}\n    - port: {{ pillar.port }}\n"
    "    - dsn: pg://{{ pillar.host }}:{{ pillar.pw }}\n    - fixed: 1\n"
)


def test_an_unknown_argument_depends_on_what_it_is_made_of(tmp_path: Path) -> None:
    folder = write_fleet(
        tmp_path, PILLAR, {"a": {}}, {"file_roots": {"base": [f"{tmp_path}/salt"]}}
    )
    write_files(folder, {"salt/top.sls": "base: {'*': [s]}\n", "salt/s.sls": STATE})
    with open_fleet(folder) as opened:
        fleet = Fleet(opened.minions, replace(opened.project, with_unknowns=True))
        states = fleet.compile_states("a")
        traced = ArgumentTrials(fleet.project).trace(states, fleet.minions["a"])
        (found,) = find_sources(states, traced, lambda path: path)
    told = {format_path(path): [*map(format_path, keys)] for path, keys in found.items()}
    assert told == {"password": ["pw"], "port": ["port"], "dsn": ["pw", "host"]}
