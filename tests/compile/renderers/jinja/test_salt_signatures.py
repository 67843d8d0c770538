"""Filters, tests and functions are called as Salt's are: by the same names, with the same defaults."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from benchmarks.real_salt import find_salt
from tests.compile.renderers.jinja.stand_ins import Minion, render
from tests.support import salt_signatures
from tests.support.salt_signatures import signature_of

from pillarbook.compile.renderers.jinja.environment import SaltEnvironment
from pillarbook.compile.renderers.jinja.functions.loader import (
    Functions,
    LoadedFunction,
    list_functions,
)
from pillarbook.compile.renderers.jinja.salt_names import (
    UNANSWERED_FILTERS,
    salt_filters,
    salt_globals,
)

RECORDED = json.loads(Path(__file__).with_name("salt_signatures.json").read_text(encoding="utf-8"))
NOT_HERE = {
    "dns_check",
    "gen_mac",
    "get_uid",
    "http_query",
    "rand_str",
    "random_hash",
    "random_str",
    "which",
}
"""Filters whose result changes from run to run or from machine to machine."""
WRONG: dict[str, tuple[str, list[Any], dict[str, Any]]] = {
    "grains.get()": ("grains.get", [], {}),
    "pillar.get()": ("pillar.get", [], {}),
    "pillar.keys()": ("pillar.keys", [], {}),
    "test.true(1)": ("test.true", [1], {}),
    "test.echo(1, 2)": ("test.echo", [1, 2], {}),
    "test.echo(nope=1)": ("test.echo", [], {"nope": 1}),
    "test.ping(1, 2)": ("test.ping", [1, 2], {}),
    "match.glob(1, 2, 3, 4)": ("match.glob", [1, 2, 3, 4], {}),
    "hashutil.hmac_compute('x')": ("hashutil.hmac_compute", ["x"], {}),
    "hashutil.md5_digest()": ("hashutil.md5_digest", [], {}),
    "hashutil.md5_digest('x', instr='x')": ("hashutil.md5_digest", ["x"], {"instr": "x"}),
    "grains.filter_by()": ("grains.filter_by", [], {}),
    "slsutil.merge({})": ("slsutil.merge", [{}], {}),
    "match.ifelse(1, tgt='x')": ("match.ifelse", [1], {"tgt": "x"}),
    "pillar.item('x', key='x')": ("pillar.item", ["x"], {"key": "x"}),
}


def of_filter(name: str) -> str | None:
    function: Any = SaltEnvironment({}, allow_undefined=False).filters[name]
    return signature_of(function, drop_first=True)


def test_a_filter_is_called_as_in_salt() -> None:
    for name in sorted(RECORDED["filters"].keys() - NOT_HERE):
        assert of_filter(name) == RECORDED["filters"][name], name


def test_errors_call_a_filter_as_in_salt() -> None:
    for name in sorted(salt_filters().keys() - NOT_HERE):
        assert salt_filters()[name].__qualname__ == RECORDED["words"][name], name


def test_all_other_filters_are_there() -> None:
    known = SaltEnvironment({}, allow_undefined=False).filters
    assert RECORDED["filters"].keys() <= known.keys()
    assert set(UNANSWERED_FILTERS) == NOT_HERE


@pytest.mark.parametrize("name", RECORDED["tests"])
def test_a_test_is_called_as_in_salt(name: str) -> None:
    function: Any = SaltEnvironment({}, allow_undefined=False).tests[name]
    assert signature_of(function, drop_first=True) == RECORDED["tests"][name]


def test_raise_is_called_as_in_salt() -> None:
    assert signature_of(salt_globals()["raise"]) == RECORDED["globals"]["raise"]


def test_a_function_is_called_as_in_salt() -> None:
    for name in sorted(list_functions()):
        found = Functions(Minion(), {})[name]
        assert isinstance(found, LoadedFunction), name
        function = found._function
        signature = str(signature_of(function)).replace("'__unset__'", "...")  # an object in Salt
        assert signature == RECORDED["functions"][name], name


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_call_is_told_as_in_salt(call: str) -> None:
    name, _, given = call.partition("(")
    with pytest.raises(TypeError) as failed:
        render(f"{{{{ salt['{name}']({given} }}}}", Minion())
    assert str(failed.value) == RECORDED["wrong"][call]


@pytest.mark.salt_oracle
def test_the_record_is_the_real_salts() -> None:
    asked = json.dumps([sorted(list_functions()), WRONG])
    command = [find_salt(), salt_signatures.__file__]
    done = subprocess.run(command, input=asked, capture_output=True, check=True, text=True)
    assert json.loads(done.stdout) == RECORDED
