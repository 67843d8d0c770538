"""How functions are found, and what is said of those that are not."""

from typing import Any

import pytest
from tests.compile.renderers.jinja.stand_ins import Minion, make_environment, render

from pillarbook.compile.renderers.jinja.functions import Functions
from pillarbook.compile.renderers.jinja.undefined import MissingValueError

LOADER = "'salt.utils.templates.AliasedLoader object' has no attribute"
MODULE = "'salt.loader.lazy.LoadedMod object' has no attribute"


@pytest.mark.parametrize(
    "spelled",
    ["salt['grains.get']", "salt.grains.get", "salt['grains'].get", "salt['grains']['get']"],
)
def test_a_function_has_several_spellings(spelled: str) -> None:
    assert render(f"{{{{ {spelled}('os') }}}}", Minion(grains={"os": "Debian"})) == "Debian"


@pytest.mark.parametrize(
    ("expression", "message", "told"),
    [
        ("salt['vault.read']('x')", f"{LOADER} 'vault.read'", ["vault.read"]),
        ("salt['vault'].read('x')", f"{LOADER} 'vault'", ["vault"]),
        ("salt.vault.read('x')", f"{LOADER} 'vault'", ["vault"]),
        ("salt['grains'].setval('a', 1)", f"{MODULE} 'setval'", ["grains.setval"]),
        ("salt.grains.setval('a', 1)", f"{MODULE} 'setval'", ["grains.setval"]),
        ("salt['environ.get']('HOME')", f"{LOADER} 'environ.get'", ["environ.get"]),
        ("salt['pillar.items']()", f"{LOADER} 'pillar.items'", ["pillar.items"]),
        ("salt['network.ip_addrs']()", f"{LOADER} 'network.ip_addrs'", ["network.ip_addrs"]),
        ("salt['grains._sanitize']({})", f"{LOADER} 'grains._sanitize'", ["grains._sanitize"]),
        ("salt['match.list_']('a')", f"{LOADER} 'match.list_'", ["match.list_"]),
    ],
)
def test_a_missing_function_is_undefined_and_told(
    expression: str, message: str, told: list[str]
) -> None:
    undeclared: list[str] = []
    template = make_environment().from_string(f"{{{{ {expression} }}}}")
    with pytest.raises(MissingValueError) as caught:
        template.render(salt=Functions(Minion(), {}, undeclared.append))
    assert (str(caught.value), undeclared) == (message, told)


@pytest.mark.parametrize(
    "expression",
    ["'vault.read' in salt", "salt.get('vault.read', false)", "salt['grains.get'] is undefined"],
)
def test_to_ask_whether_there_is_a_function_is_no_fault(expression: str) -> None:
    undeclared: list[str] = []
    template = make_environment().from_string(f"{{{{ {expression} }}}}")
    assert template.render(salt=Functions(Minion(), {}, undeclared.append)) == "False"
    assert undeclared == []


@pytest.mark.parametrize(
    ("answer", "printed"),
    [
        (["10.0.0.1"], "['10.0.0.1']"),
        ("text", "text"),
        ({"*": ["10.0.0.2"]}, "['10.0.0.2']"),
        ({"db*": 1, "web*": 2, "*": 3}, "2"),
        ({"*": {"a": {"b": 1}}}, "{'a': {'b': 1}}"),
        ({"*": None}, "None"),
    ],
)
def test_a_declared_answer_is_given_by_minion_id(answer: Any, printed: str) -> None:
    source = "{{ salt['network.ip_addrs'](interface='eth0') }}"
    assert render(source, Minion(), **{"network.ip_addrs": answer}) == printed


def test_an_answer_that_is_declared_for_other_minions_is_missing() -> None:
    with pytest.raises(MissingValueError, match=r"has no attribute .vault\.read."):
        render("{{ salt['vault.read']() }}", Minion(), **{"vault.read": {"db*": 1}})


def test_a_declared_function_makes_its_module_and_comes_before_pillarbooks_own() -> None:
    declared = {"vault.read": "secret", "grains.get": {"web*": "declared"}}
    source = "{{ salt['vault'].read('x') }} {{ salt.vault.read() }} {{ salt['grains.get']('os') }}"
    assert render(source, Minion(grains={"os": "x"}), **declared) == "secret secret declared"


def test_a_declared_answer_is_a_fresh_copy_each_time() -> None:
    source = "{% do salt['x.y']().append(2) %}{{ salt['x.y']() }}"
    assert render(source, Minion(), **{"x.y": [1]}) == "[1]"


def test_functions_hand_out_what_the_minion_holds() -> None:
    minion = Minion(grains={"roles": ["web"], "net": {"a": 1}}, pillar={"l": [1]})
    source = (
        "{% do salt['grains.get']('roles').append('db') %}"
        "{% do salt['grains.items']()['net'].update({'b': 2}) %}"
        "{% do salt['grains.items']().update({'new': 1}) %}"
        "{% do salt['pillar.get']('l').append(2) %}"
        "{{ grains }} {{ pillar }}"
    )
    printed = "{'roles': ['web', 'db'], 'net': {'a': 1, 'b': 2}} {'l': [1, 2]}"
    assert render(source, minion) == printed


def test_nothing_of_a_function_shows_but_its_name() -> None:
    source = "{{ salt }} {{ salt.grains }} {{ salt['grains.get'] }}"
    printed = (
        "<salt.utils.templates.AliasedLoader object> <LoadedMod module='salt.loaded.grains'> "
        "<LoadedFunc name='grains.get'>"
    )
    assert render(source, Minion()) == printed
