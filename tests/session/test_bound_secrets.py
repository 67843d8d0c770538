"""A value that a template gives to the name of a secret is one, however it was made."""

from pathlib import Path

import pytest
from tests.support.derived import look, opened, reasons, write_tree

ONE, TWO = "Kr7mXq", "2vL9wz"
SECRET = f"{ONE}{TWO}"
FILES = {
    "pillar/top.sls": "base: {a: [made], b: [other]}",
    "pillar/other.sls": f"word: 'is {SECRET} so'\nloud: {SECRET.upper()}\nopen: shop\n",
    "pillar/password.txt": f"{SECRET}\n",
    "pillar/passwords.yml": f"ann: {SECRET}\n",
    "pillar/key.jinja": f"{{% set value = '{SECRET}' %}}\n",
    "pillar/lib.jinja": (
        f"{{% macro db_password() %}}{{{{ '{ONE}' ~ '{TWO}' }}}}{{% endmacro %}}\n"
        f"{{% macro harmless() %}}{SECRET}{{% endmacro %}}\n"
    ),
}
PARTS = f"{{% set a = '{ONE}' %}}{{% set b = '{TWO}' %}}"
BOUND = {
    "join": PARTS + "{% set api_key = [a, b] | join %}{% set out = api_key %}",
    "tilde": PARTS + "{% set api_key = a ~ b %}{% set out = api_key %}",
    "plus": PARTS + "{% set api_key = a + b %}{% set out = api_key %}",
    "format": PARTS + "{% set api_key = '%s%s' % (a, b) %}{% set out = api_key %}",
    "set block": PARTS + "{% set api_key %}{{ a }}{{ b }}{% endset %}{% set out = api_key %}",
    "set block with a filter": PARTS
    + "{% set api_key | trim %} {{ a }}{{ b }} {% endset %}{% set out = api_key %}",
    "namespace": PARTS
    + "{% set ns = namespace() %}{% set ns.password = a ~ b %}{% set out = ns.password %}",
    "with": PARTS + "{% set ns = namespace() %}{% with password = a ~ b %}{% set ns.x = password %}"
    "{% endwith %}{% set out = ns.x %}",
    "value of a mapping": PARTS + "{% set m = {'password': a ~ b} %}{% set out = m.password %}",
    "computed key": f"{{% set m = {{'pass' ~ 'word': '{SECRET}'}} %}}"
    "{% set out = m['password'] %}",
    "dict of pairs": f"{{% set m = dict([('pass' ~ 'word', '{SECRET}')]) %}}"
    "{% set out = m.password %}",
    "dict that is not kept": f"{{% set out = {{'pass' ~ 'word': '{SECRET}'}}.values() | first %}}",
    "update": "{% set m = {} %}" + PARTS + "{% do m.update({'password': a ~ b}) %}"
    "{% set out = m.password %}",
    "items": f"{{% set ns = namespace() %}}{{% for k, v in {{'password': '{SECRET}'}}.items() %}}"
    "{% set ns.x = v %}{% endfor %}{% set out = ns.x %}",
    "pairs": f"{{% set ns = namespace() %}}{{% for k, v in [('password', '{SECRET}')] %}}"
    "{% set ns.x = v %}{% endfor %}{% set out = ns.x %}",
    "loop over values": f"{{% set ns = namespace() %}}{{% set all = ['{SECRET}'] %}}"
    "{% for password in all %}{% set ns.x = password %}{% endfor %}{% set out = ns.x %}",
    "loop over items": f"{{% set ns = namespace() %}}{{% set all = {{'ann': '{SECRET}'}} %}}"
    "{% for user, password in all.items() %}{% set ns.x = password %}{% endfor %}"
    "{% set out = ns.x %}",
    "macro by its name": "{% from 'lib.jinja' import db_password %}{% set x = db_password() %}"
    "{% set out = x %}",
    "macro by its result": "{% import 'lib.jinja' as lib %}{% set password = lib.harmless() %}"
    "{% set out = password %}",
    "import as": "{% from 'key.jinja' import value as password %}{% set out = password %}",
    "or": f"{{% set out = grains.get('password') or '{SECRET}' %}}",
    "or of a function": f"{{% set out = salt['grains.get']('password') or '{SECRET}' %}}",
    "or for a secret": f"{{% set password = grains.get('x') or '{SECRET}' %}}{{% set out = password %}}",
    "if else": f"{{% set out = grains.password if grains.password is defined else '{SECRET}' %}}",
    "default": f"{{% set out = grains.password | default('{SECRET}') %}}",
    "default of a secret": f"{{% set password = grains.x | default('{SECRET}') %}}{{% set out = password %}}",
    "parts of a text": f"{{% set user, password = 'ann:{SECRET}'.split(':') %}}"
    "{% set out = password %}",
    "parts of a tuple": f"{{% set all = {{'ann': ('x', '{SECRET}')}} %}}"
    "{% set uid, user_password = all['ann'] %}{% set out = user_password %}",
    "parts of a list": f"{{% set all = {{'ann': ['x', '{SECRET}']}} %}}"
    "{% set user, pw = all['ann'] %}{% set out = pw %}",
    "parts of a list in the template": f"{{% set user, pw = ['ann', '{SECRET}'] %}}"
    "{% set out = pw %}",
    "parts of a choice": f"{{% set user, pw = ('ann', '{SECRET}') if grains.os else ('x', 'y') %}}"
    "{% set out = pw %}",
    "parts of parts": f"{{% set user, (host, pw) = 'ann', 'web:{SECRET}'.split(':') %}}"
    "{% set out = pw %}",
    "parts within parts": f"{{% set all = ['ann', ['web', '{SECRET}']] %}}"
    "{% set user, (host, pw) = all %}{% set out = pw %}",
    "parts for a namespace": f"{{% set ns = namespace() %}}{{% set ns.user, ns.pw = 'ann:{SECRET}'"
    ".split(':') %}{% set out = ns.pw %}",
    "parts of a macro": f"{{% macro both() %}}ann:{SECRET}{{% endmacro %}}"
    "{% set user, pw = both().split(':') %}{% set out = pw %}",
    "with parts": f"{{% set ns = namespace() %}}{{% with user, pw = 'ann:{SECRET}'.split(':') %}}"
    "{% set ns.x = pw %}{% endwith %}{% set out = ns.x %}",
    "parts in a loop": "{% set ns = namespace() %}{% for user, (host, pw) in "
    f"[['ann', ['web', '{SECRET}']]] %}}{{% set ns.x = pw %}}{{% endfor %}}{{% set out = ns.x %}}",
    "import_text": "{% import_text 'password.txt' as other %}{% set out = other %}",
    "import_yaml": "{% import_yaml 'passwords.yml' as other %}{% set out = other.ann %}",
}
MADE = {"upper": "out | upper", "slice": "out[:7]", "letters": "out | list | join(' ')"}


def _made(given: str) -> str:
    lines = (f"{name}: {{{{ ({text}) | tojson }}}}\n" for name, text in MADE.items())
    return f"{given}\n{''.join(lines)}open: {{{{ grains.os }}}}\n"


@pytest.mark.sample(4)
@pytest.mark.parametrize("given", BOUND.values(), ids=BOUND)
@pytest.mark.parametrize("memo", [True, False], ids=["recorded", "plainly"])
def test_what_is_made_of_it_is_hidden(given: str, memo: bool, tmp_path: Path) -> None:
    files = {**FILES, "pillar/made.sls": _made(given)}
    minions = {"a": {"grains": {"os": "Debian"}}, "b": {}}
    with opened(write_tree(tmp_path, files, minions=minions), memo=memo) as session:
        session.freeze_fleet_secrets()
        pillar, other = (session.report.pillar(one) for one in "ab")
    assert pillar.outcome == "ok"
    found, elsewhere = reasons(pillar), reasons(other)
    why = {name: str(found.pop(name)) for name in MADE}
    assert all(one.startswith("derived from the template's ") for one in why.values()), why
    assert found == {"open": None}
    assert [key for key, reason in elsewhere.items() if reason is None] == ["open"]


OWN = {"a": {"pillar": {"theirs": {"password": SECRET}}}}
GIVEN = {
    "text": f"{{% set x = '{SECRET}' %}}",
    "parts": PARTS + "{% set api_key = a ~ b %}{% set x = api_key %}",
}
GUESSES = {
    "printed": "{{ x }}",
    "upper": "{{ x | upper }}",
    "slice": "{{ x[1:-2] }}",
    "letters": "{{ x | list | join(' ') }}",
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
@pytest.mark.parametrize("guess", GUESSES.values(), ids=GUESSES)
def test_a_guess_does_not_name_what_was_opened(guess: str, given: str, tmp_path: Path) -> None:
    """Who writes a secret down is not told that the minion was given the same one."""
    files = {
        "pillar/top.sls": "base: {'*': [mine]}",
        "pillar/mine.sls": f"{given}\nmine: '{guess}'\n",
    }
    found = reasons(look(write_tree(tmp_path, files, minions=OWN)))
    assert found["mine"] is not None
    assert "theirs" not in found["mine"]


STACK = {"ext_pillar": [{"stack": "stack/stack.cfg"}]}
IN_STACK = {
    "literal": f"{{% set api_key = '{SECRET}' %}}",
    "parts": PARTS + "{% set api_key = a ~ b %}",
}


@pytest.mark.parametrize("given", IN_STACK.values(), ids=IN_STACK)
def test_a_template_of_a_stack(given: str, tmp_path: Path) -> None:
    files = {
        "pillar/top.sls": "base: {a: []}",
        "stack/stack.cfg": "one.yml\n",
        "stack/one.yml": f"{given}\nmade: '{{{{ api_key | upper }}}}'\nopen: 5\n",
    }
    found = reasons(look(write_tree(tmp_path, files, master=STACK)))
    assert found == {"made": "derived from the template's api_key", "open": None}


KEPT = {
    "common parts": "{% set a = 'web' %}{% set b = 'server' %}{% set password_file = a ~ '/' ~ b %}",
    "a harmless name": "{% set a = 'web' %}{% set b = 'server' %}{% set name = a ~ b %}",
    "a read": "{% set password = grains.get('x', '') %}{% set a = 'web' %}{% set b = 'server' %}",
    "parts of which none is a secret": "{% set a, b = 'web:server'.split(':') %}",
    "a list of names": "{% set fields = ['password', 'web', 'server'] %}{% set a = 'web' %}"
    "{% set b = 'server' %}",
}


@pytest.mark.parametrize("given", KEPT.values(), ids=KEPT)
def test_ordinary_values_stay(given: str, tmp_path: Path) -> None:
    files = {
        "pillar/top.sls": "base: {a: [made]}",
        "pillar/made.sls": f"{given}\none: {{{{ a }}}}\ntwo: {{{{ a ~ b }}}}\nthree: {{{{ b | upper }}}}\n",
    }
    assert set(reasons(look(write_tree(tmp_path, files))).values()) == {None}
