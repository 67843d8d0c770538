"""An error about a call that Salt refuses names the function, and what is wrong, without values."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.fleets import Fleet, open_fleet, write_fleet

LEAD = "SLS 's' does not render: Problem running salt function in Jinja template: "
NO_SCHEME = "the path is not absolute, and does not begin with salt://"
SCHEME = "for a file of the state tree, begin the path with `salt://`"
CALLS = {
    "no salt://": ("salt['cp.get_file_str']('Vq7sKw2p')", f"cp.get_file_str: {NO_SCHEME}", SCHEME),
    "attributes": ("salt.cp.get_file_str('Vq7sKw2p')", f"cp.get_file_str: {NO_SCHEME}", SCHEME),
    "known words": (
        "salt['file.readdir']('Vq7sKw2p')",
        "file.readdir: Dir path must be absolute.",
        None,
    ),
    "the begin of known words": (
        "salt['slsutil.serialize']('Vq7sKw2p', 1)",
        "slsutil.serialize: Serializer",
        None,
    ),
    "a filter": (
        "{'a': 1} | append_dict_key_value('a', 'Vq7sKw2p')",
        "the arguments are not accepted (SaltFunctionError)",
        None,
    ),
}


@pytest.mark.parametrize(("call", "told", "remedy"), CALLS.values(), ids=CALLS)
def test_the_function_is_named(call: str, told: str, remedy: str | None, tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [s]}\n", "s.sls": f"a: {{{{ {call} }}}}\n"}
    with open_fleet(write_fleet(tmp_path, files, {"m": {}})) as fleet:
        hiding = Fleet(fleet.minions, replace(fleet.project, reveals=False))
        (found,) = hiding.compile("m").diagnostics
    assert (found.message, found.help) == (LEAD + told, remedy)
