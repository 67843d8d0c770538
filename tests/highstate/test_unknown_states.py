"""What states make of unknown values that leave more open than an argument."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.fleets import Fleet, lowstate_of, open_fleet, write_files, write_fleet

VAULT = "{{ salt['vault.read_secret']('a') }}"
LOST = {"chunks": [], "errors": ["the states depend on a value that is not known"]}
OPEN = f"m:\n  q{VAULT}: 1\nz: 1\n"
STATE = "x:\n  test.nop:\n    - a: {form}\n"
UNSURE = {
    "a missing key beside one that is not known": (
        OPEN,
        "{{ salt['pillar.get']('m:qx', 'none') }}",
    ),
    "a test for such a key": (OPEN, "{{ 'qx' in pillar.m }}"),
    "the keys": (OPEN, "{{ pillar.m.keys() | list }}"),
    "a loop over them": (OPEN, "{% for k in pillar.m %}{{ k }}{% endfor %}"),
    "the whole pillar": (OPEN, "{{ pillar | json }}"),
    "a test for a key that may be missing": (
        f"{{% if '{{}}' != {VAULT[2:-2]} %}}\nk: 1\n{{% endif %}}\nz: 1\n",
        "{{ 'k' in pillar }}",
    ),
    "a change": (
        f"a: {VAULT}\nk: {{b: 1}}\n",
        "{% if pillar.a %}{% do pillar.k.update({'c': 1}) %}{% endif %}1",
    ),
}


def lowstate(folder: Path, pillar: str, states: str, top: str = "base: {'*': [s]}\n") -> object:
    files = {"top.sls": "base: {'*': [p]}\n", "p.sls": pillar}
    master = {"file_roots": {"base": [f"{folder}/salt"]}}
    written = write_fleet(folder, files, {"m": {}}, master)
    write_files(folder, {"salt/top.sls": top, "salt/s.sls": states})
    with open_fleet(written) as opened:
        fleet = Fleet(opened.minions, replace(opened.project, with_unknowns=True))
        return lowstate_of(fleet.compile_states("m"))


@pytest.mark.parametrize(("pillar", "form"), UNSURE.values(), ids=UNSURE)
def test_what_nobody_knows_leaves_the_states_out(tmp_path: Path, pillar: str, form: str) -> None:
    assert lowstate(tmp_path, pillar, STATE.format(form=form)) == LOST


def test_a_target_of_such_a_key_does_so_too(tmp_path: Path) -> None:
    top = "base: {'m:qx:1': [{match: pillar}, s]}\n"
    assert lowstate(tmp_path, OPEN, STATE.format(form="1"), top) == LOST


def test_a_key_elsewhere_is_known(tmp_path: Path) -> None:
    made = lowstate(tmp_path, OPEN, STATE.format(form="{{ pillar.z }}"))
    assert isinstance(made, dict)
    assert [one["a"] for one in made["chunks"]] == [1]


def test_an_alias_in_another_container_is_unknown(tmp_path: Path) -> None:
    states = "x:\n  test.nop:\n    - z: &w '{{ pillar.a }}'\n    - v: [*w]\n"
    made = lowstate(tmp_path, f"a: &w '{VAULT}'\nb: [*w]\n", states)
    assert isinstance(made, dict)
    unknown = {"$unknown": "vault.read_secret a"}
    assert [(one["z"], one["v"]) for one in made["chunks"]] == [(unknown, [unknown])]
