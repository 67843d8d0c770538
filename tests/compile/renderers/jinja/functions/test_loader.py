"""How functions are found, and what is said of those that are not."""

from typing import Any

import pytest
from tests.compile.renderers.jinja.stand_ins import Minion, render

from pillarbook.compile.renderers.jinja.function_errors import UnansweredCallError
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
    ("expression", "message"),
    [
        ("salt['vault.read']('x')", f"{LOADER} 'vault.read'"),
        ("salt['vault'].read('x')", f"{LOADER} 'vault'"),
        ("salt.vault.read('x')", f"{LOADER} 'vault'"),
        ("salt['grains'].setval('a', 1)", f"{MODULE} 'setval'"),
        ("salt.grains.setval('a', 1)", f"{MODULE} 'setval'"),
        ("salt['environ.get']('HOME')", f"{LOADER} 'environ.get'"),
        ("salt['pillar.items']()", f"{LOADER} 'pillar.items'"),
        ("salt['network.ip_addrs']()", f"{LOADER} 'network.ip_addrs'"),
        ("salt['grains._sanitize']({})", f"{LOADER} 'grains._sanitize'"),
        ("salt['match.list_']('a')", f"{LOADER} 'match.list_'"),
    ],
)
def test_a_missing_function_is_undefined(expression: str, message: str) -> None:
    with pytest.raises(MissingValueError) as caught:
        render(f"{{{{ {expression} }}}}", Minion())
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "expression",
    ["'vault.read' in salt", "salt.get('vault.read', false)", "salt['grains.get'] is undefined"],
)
def test_to_ask_whether_there_is_a_function_is_no_fault(expression: str) -> None:
    assert render(f"{{{{ {expression} }}}}", Minion()) == "False"


@pytest.mark.parametrize(
    ("answer", "printed"),
    [
        (["10.0.0.1"], "['10.0.0.1']"),
        ("text", "text"),
        ({"*": ["10.0.0.2"]}, "['10.0.0.2']"),
        ({"db*": 1, "web*": 2, "*": 3}, "2"),
        ({"*": {"a": {"b": 1}}}, "{'a': {'b': 1}}"),
        ({"*": None}, "None"),
        (None, "None"),
        ({"$answer": {"db*": 1}}, "{'db*': 1}"),
        ({"web*": {"$answer": {"$x": 1}}}, "{'$x': 1}"),
    ],
)
def test_a_declared_answer_is_given_by_minion_id(answer: Any, printed: str) -> None:
    source = "{{ salt['network.ip_addrs'](interface='eth0') }}"
    assert render(source, Minion(), **{"network.ip_addrs": answer}) == printed


BY_CALL = {
    "$calls": [
        {"args": ["secret/db", 1], "kwargs": {"key": "a*"}, "answer": "both"},
        {"args": ["secret/*"], "kwargs": {}, "answer": "glob"},
        {"kwargs": {"path": "[x]", "how": [1, {"a": "b*"}]}, "answer": "named"},
        {"args": [True], "answer": {"a": [1]}},
        {"args": [["mine", "*"]], "answer": "list"},
        {"args": [], "answer": "none"},
    ]
}


@pytest.mark.parametrize(
    ("call", "printed"),
    [
        ("('secret/db', 1, key='abc')", "both"),
        ("('secret/db', 1, key='b')", None),
        ("('secret/db')", "glob"),
        ("('secret/db', key='abc')", None),
        ("('other')", None),
        ("()", "none"),
        ("(path='[x]', how=[1, {'a': 'bc'}])", "named"),
        ("('x', path='[x]', how=[1, {'a': 'bc'}])", "named"),
        ("('x', path='x', how=(1, {'a': 'b'}))", "named"),
        ("('x', path='[x]', how=[true, {'a': 'b'}])", None),
        ("(true)", "{'a': [1]}"),
        ("(1)", None),
        ("(['mine', 'x'])", "list"),
    ],
)
@pytest.mark.parametrize("place", ["name", "glob"])
def test_answers_by_what_a_function_is_called_with(
    call: str, printed: str | None, place: str
) -> None:
    source = f"{{{{ salt['vault.read']{call} }}}}"
    declared = BY_CALL if place == "name" else {"db*": 1, "web*": BY_CALL}
    if printed is not None:
        assert render(source, Minion(), **{"vault.read": declared}) == printed
        return
    with pytest.raises(UnansweredCallError, match="with arguments that match no declared answer"):
        render(source, Minion(), **{"vault.read": declared})


def test_a_call_that_nothing_declared_fits_gets_the_plain_answer_or_pillarbooks_own() -> None:
    declared = {"vault.read": {**BY_CALL, "$answer": "other"}, "file.join": BY_CALL}
    source = "{{ salt['vault.read']('x') }} {{ salt['file.join']('a', 'b') }}"
    assert render(source, Minion(), **declared) == "other a/b"


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
