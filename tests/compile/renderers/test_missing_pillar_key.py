"""A state SLS that reads a key which the pillar lacks names the key; a call, its function."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.fleets import Fleet, open_fleet, write_files, write_fleet

from pillarbook.diagnostics import Diagnostic

PILLAR = "a: {b: 1}\nusers: {alice: {uid: 1}}\nname: Vq7sKw2p\nt: text\nl: [1]\n"
SUCH = "'dict object' has no such attribute"
READS = {
    "attributes": ("{{ pillar.a.c }}", "a:c"),
    "items": ("{{ pillar['a']['c']['d'] }}", "a:c"),
    "at the top": ("{{ pillar.nope.c }}", "nope"),
    "a variable": ("{% set p = pillar['a'] %}{{ p.c }}", "a:c"),
    "a function's": ("{{ salt['pillar.get']('a').c }}", "a:c"),
    "of all items": ("{{ salt['pillar.items']()['q'] }}", "q"),
    "below all items": ("{{ salt['pillar.raw']().a.q }}", "a:q"),
    "of items that were changed": (
        "{% set p = salt['pillar.items']() %}{% do p.update(x=1) %}{{ p['q'] }}",
        "q",
    ),
    "of the options": ("{{ opts.pillar.a.c }}", "a:c"),
    "in a loop": (
        "{% for _, user in pillar.users.items() %}{{ user.shell }}{% endfor %}",
        "users:*:shell",
    ),
    "a number": ("{{ pillar.a[80] }}", "a:80"),
    "code": ("#!py\ndef run():\n    return {'x': __pillar__['nope']}\n", "nope"),
}
OTHERS = {
    "computed": ("{{ pillar.a[pillar.name] }}", f"{SUCH}: pillar.a[pillar.name]"),
    "in parts": ("{{ pillar['a']['c' ~ 'd'] }}", f"{SUCH}: pillar['a'][...]"),
    "no pillar": ("{% set m = {'x': 1} %}{{ m.y }}", "'dict object' has no attribute 'y'"),
    "a text": ("{{ pillar.t.x }}", "'str object' has no attribute 'x'"),
    "a list": ("{{ pillar.l[4] }}", "list object has no element 4"),
}
CALLS = {
    "items": "{{ salt['network']['connect']('a') }}",
    "a module": "{% set m = salt.network %}{{ m.connect('a') }}",
    "a function": "{% set m = salt.network %}{% set f = m.connect %}{{ f('a') }}",
}


@pytest.mark.parametrize(("text", "key"), READS.values(), ids=READS)
def test_a_key_that_is_missing_is_named(tmp_path: Path, text: str, key: str) -> None:
    assert (
        said_of(tmp_path, text)
        == f"the state SLS 's' does not render: the pillar has no key '{key}'"
    )


@pytest.mark.parametrize(("text", "words"), OTHERS.values(), ids=OTHERS)
def test_what_is_computed_or_no_pillar_is_not(tmp_path: Path, text: str, words: str) -> None:
    assert said_of(tmp_path, text) == f"the state SLS 's' does not render: Jinja variable {words}"


@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS)
def test_a_function_that_fails_keeps_its_name(tmp_path: Path, text: str) -> None:
    said = said_of(tmp_path, text)
    assert said == "the state SLS 's' calls 'network.connect', which has no declared answer"


def test_a_function_out_of_the_pillar_has_no_name(tmp_path: Path) -> None:
    said = said_of(tmp_path, "{{ salt[pillar.name]() }}")
    assert "Vq7sKw2p" not in said
    assert "with a computed name" in said


def test_only_a_pillar_sls_is_told_what_it_can_read(tmp_path: Path) -> None:
    text = "x: {{ pillar.nope }}{{ pillar.nope.c }}\n"
    of_state = find_fault(tmp_path / "state", text)
    write_fleet(tmp_path / "pillar", {"top.sls": "base: {'*': [s]}\n", "s.sls": text}, {"m": {}})
    with open_fleet(tmp_path / "pillar") as fleet:
        (of_pillar,) = fleet.compile("m").diagnostics
    assert of_state.help == "add the key, or read it with `pillar.get` and a default"
    assert "`ext_pillar_first`" in str(of_pillar.help)


def said_of(folder: Path, text: str) -> str:
    """Return the message about the one state SLS of a minion."""
    return find_fault(folder, text).message


def find_fault(folder: Path, text: str) -> Diagnostic:
    """Return the diagnostic of the one state SLS of a minion."""
    write_fleet(
        folder,
        {"top.sls": "base: {'*': [main]}\n", "main.sls": PILLAR},
        {"m": {}},
        {"file_roots": {"base": ["states"]}},
    )
    write_files(folder, {"states/top.sls": "base: {'*': [s]}\n", "states/s.sls": text})
    with open_fleet(folder, python=True) as fleet:
        hiding = Fleet(fleet.minions, replace(fleet.project, reveals=False))
        (found,) = hiding.compile_states("m").diagnostics
    return found
