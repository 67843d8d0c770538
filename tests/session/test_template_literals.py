"""What templates spell out or import under names of secrets is secret, whatever becomes of it."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.derived import look, opened, reasons, write_tree

from pillarbook.compile.renderers.jinja import naming_environment
from pillarbook.compile.renderers.jinja.literals import find_literals

SECRET = "Kr7mXq2vL9wz"
TOP = {"pillar/top.sls": "base: {'*': [made]}"}
FILES = {
    "pillar/map.jinja": (
        f"{{% set db = {{'password': '{SECRET}', 'user': 'shop'}} %}}\n"
        "{% macro conn(password, user='u') %}{{ user }}={{ password }}{% endmacro %}\n"
        f"{{% macro own(password='{SECRET}') %}}{{{{ password }}}}{{% endmacro %}}\n"
        "{% macro wrap() %}<{{ caller() }}>{% endmacro %}\n"
    ),
    "pillar/data.yml": f"db: {{password: {SECRET}, host: h1}}\n",
    "pillar/data.json": f'{{"db": {{"password": "{SECRET}", "host": "h1"}}}}\n',
    "pillar/key.txt": f"{SECRET}\n",
    "states/key.txt": f"{SECRET}\n",
    "states/db_token.txt": f"{SECRET}\n",
}
GIVEN = {
    "set": f"{{% set db_password = '{SECRET}' %}}",
    "set-of-two": f"{{% set user, db_password = 'shop', '{SECRET}' %}}",
    "set-block": f"{{% set db_password %}}{SECRET}{{% endset %}}",
    "dict": f"{{% set db = {{'password': '{SECRET}'}} %}}{{% set db_password = db.password %}}",
    "dict-in-a-list": f"{{% set x = [{{'password': '{SECRET}'}}] %}}"
    "{% set db_password = x[0].password %}",
    "either": f"{{% set db_password = '{SECRET}' if grains.os == 'Debian' else 'Zz8other' %}}",
    "concatenated": f"{{% set db_password = '{SECRET[:6]}' ~ '{SECRET[6:]}' %}}",
    "formatted": f"{{% set db_password = '%s' | format('{SECRET}') %}}",
    "keyword-of-dict": f"{{% set db_password = dict(password='{SECRET}').password %}}",
    "namespace": f"{{% set ns = namespace(password='{SECRET}') %}}"
    "{% set db_password = ns.password %}",
    "member-of-a-namespace": f"{{% set ns = namespace() %}}{{% set ns.password = '{SECRET}' %}}"
    "{% set db_password = ns.password %}",
    "update": f"{{% set x = {{}} %}}{{% do x.update({{'password': '{SECRET}'}}) %}}"
    "{% set db_password = x.password %}",
    "update-by-keyword": f"{{% set x = {{}} %}}{{% do x.update(password='{SECRET}') %}}"
    "{% set db_password = x.password %}",
    "setdefault": f"{{% set x = {{}} %}}{{% do x.setdefault('password', '{SECRET}') %}}"
    "{% set db_password = x.password %}",
    "append": f"{{% set passwords = [] %}}{{% do passwords.append('{SECRET}') %}}"
    "{% set db_password = passwords[0] %}",
    "default-filter": f"{{% set db_password = grains.nothing_password | default('{SECRET}') %}}",
    "default-of-a-read": f"{{% set v = salt['pillar.get']('db:password', '{SECRET}') %}}"
    "{% set db_password = v %}",
    "default-by-keyword": "{% set v = salt['pillar.get']('db:password', default='"
    f"{SECRET}') %}}{{% set db_password = v %}}",
    "default-of-get": f"{{% set db_password = {{}}.get('password', '{SECRET}') %}}",
    "default-of-grains": f"{{% set v = salt['grains.get']('db:password', '{SECRET}') %}}"
    "{% set db_password = v %}",
    "loop": f"{{% for password in ['{SECRET}'] %}}{{% set ns.x = password %}}{{% endfor %}}"
    "{% set db_password = ns.x %}",
    "imported-map": "{% from 'map.jinja' import db %}{% set db_password = db.password %}",
    "imported-as-a-module": "{% import 'map.jinja' as m %}{% set db_password = m.db.password %}",
    "macro": "{% from 'map.jinja' import conn %}"
    f"{{% set db_password = conn('{SECRET}').split('=')[1] %}}",
    "macro-by-keyword": "{% import 'map.jinja' as m %}"
    f"{{% set db_password = m.conn(user='x', password='{SECRET}').split('=')[1] %}}",
    "default-of-a-macro": "{% from 'map.jinja' import own %}{% set db_password = own() %}",
    "call-block": "{% from 'map.jinja' import wrap %}{% set db_password %}"
    f"{{% call wrap() %}}{{{{ dict(token='{SECRET}').token }}}}{{% endcall %}}{{% endset %}}",
    "import_yaml": "{% import_yaml 'data.yml' as data %}{% set db_password = data.db.password %}",
    "import_json": "{% import_json 'data.json' as data %}{% set db_password = data.db.password %}",
    "import_text": "{% import_text 'key.txt' as api_token %}{% set db_password = api_token %}",
    "text-of-a-function": "{% set db_password = salt['cp.get_file_str']('salt://key.txt') %}",
    "text-by-its-file": "{% set x = salt['cp.get_file_str']('salt://db_token.txt') %}"
    "{% set db_password = x %}",
    "load_yaml": f"{{% load_yaml as x %}}\ndb: {{password: {SECRET}}}\n{{% endload %}}"
    "{% set db_password = x.db.password %}",
    "load_json": f'{{% load_json as x %}}{{"password": "{SECRET}"}}{{% endload %}}'
    "{% set db_password = x.password %}",
    "load_yaml-filter": f"{{% set x = 'password: {SECRET}' | load_yaml %}}"
    "{% set db_password = x.password %}",
    "load_json-filter": f'{{% set x = \'{{"password": "{SECRET}"}}\' | load_json %}}'
    "{% set db_password = x.password %}",
    "text-of-a-file": "{% import_text 'data.yml' as text %}{% set x = text | load_yaml %}"
    "{% set db_password = x.db.password %}",
    "slsutil.renderer": "{% set x = salt['slsutil.renderer'](string='password: "
    f"{SECRET}', default_renderer='yaml') %}}{{% set db_password = x.password %}}",
}
MADE = {
    "upper": "pw | upper",
    "reversed": "pw | reverse",
    "slice": "pw[:4]",
    "letters": "pw | list | join(' ')",
    "length": "pw | length",
}


def _made(given: str) -> str:
    lines = "".join(
        f"{name}: {{{{ ({text}) | string | tojson }}}}\n" for name, text in MADE.items()
    )
    return (
        f"{{% set ns = namespace() %}}\n{given}\n{{% set pw = db_password %}}\n{lines}"
        "open: {{ grains.os }}\nuser: shop\nhost: h1\n"
    )


def _clear(folder: Path) -> tuple[dict[str, str | None], str]:
    pillar = look(folder)
    shown = {str(leaf.path[0]): leaf.value for leaf in pillar.leaves}
    assert pillar.outcome == "ok"
    return reasons(pillar), str(shown)


@pytest.mark.sample(6)
@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_what_is_made_of_it_is_hidden(given: str, tmp_path: Path) -> None:
    files = {**TOP, **FILES, "pillar/made.sls": _made(given)}
    states = {"file_roots": {"base": ["states"]}}
    found, _ = _clear(write_tree(tmp_path, files, master=states))
    hidden = {name: found.pop(name) for name in MADE}
    assert all(
        str(reason).startswith("derived from the template's ") for reason in hidden.values()
    ), hidden
    assert found == {"open": None, "user": None, "host": None}


MERGED = {
    "filter_by": f"salt['grains.filter_by']({{'Debian': {{'password': '{SECRET}'}}}}, grain='os')",
    "filter_by-merge": "salt['grains.filter_by']({'Debian': {}}, grain='os', "
    f"merge={{'password': '{SECRET}'}})",
    "filter_by-default": "salt.grains.filter_by({'no': {'password': '"
    f"{SECRET}'}}}}, grain='x', default='no')",
    "filter_by-base": f"salt['grains.filter_by']({{'Debian': {{}}, 'all': {{'password': '{SECRET}'}}}}"
    ", grain='os', base='all')",
    "filter_by-of-a-call": "salt['slsutil.merge'](salt['grains.filter_by']({'Debian': "
    f"{{'password': '{SECRET}'}}}}, grain='os'), {{}})",
    "match": f"salt['match.filter_by']({{'a*': {{'password': '{SECRET}'}}}}, minion_id='a')",
    "merge": f"salt['slsutil.merge']({{'a': 1}}, {{'password': '{SECRET}'}})",
    "merge_all": f"salt['slsutil.merge_all']([{{'a': 1}}, {{'password': '{SECRET}'}}])",
    "update": f"salt['slsutil.update']({{'a': 1}}, {{'password': '{SECRET}'}})",
    "defaults": f"salt['defaults.merge']({{'a': 1}}, {{'password': '{SECRET}'}})",
    "deepcopy": f"salt['defaults.deepcopy']({{'password': '{SECRET}'}})",
    "a common word": "salt['grains.filter_by']({'Debian': {'password': 'oolong'}}, grain='os')",
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("call", MERGED.values(), ids=MERGED)
@pytest.mark.parametrize("where", ["in the file", "imported"])
def test_what_functions_that_merge_are_given(call: str, where: str, tmp_path: Path) -> None:
    given = f"{{% set out = {call} %}}"
    lines = "".join(
        f"{name}: {{{{ ({text}) | string | tojson }}}}\n" for name, text in MADE.items()
    )
    begin = given if where == "in the file" else "{% from 'own.jinja' import out with context %}"
    made = f"{begin}{{% set ns = namespace() %}}\n{lines.replace('pw', 'out.password')}"
    files = {
        **TOP,
        "pillar/own.jinja": given,
        "pillar/made.sls": f"{made}open: {{{{ grains.os }}}}\n",
    }
    found, _ = _clear(write_tree(tmp_path, files))
    hidden = {name: str(found.pop(name)) for name in MADE}
    assert all(one.startswith("derived from the template's ") for one in hidden.values()), hidden
    assert found == {"open": None}


UNPRINTED = {
    "a variable": f"{{% set db_password = '{SECRET}' %}}",
    "a map": "{% from 'map.jinja' import db %}",
    "data": "{% import_yaml 'data.yml' as data %}",
    "an untaken branch": f"{{% if false %}}{{% set db_password = '{SECRET}' %}}{{% endif %}}",
    "a name beside a value": f"{{% set x = [{{'name': 'DB_PASSWORD', 'value': '{SECRET}'}}] %}}",
    "a comparison": f"{{% if grains.db_password | default('') == '{SECRET}' %}}{{% endif %}}",
}


@pytest.mark.parametrize("text", UNPRINTED.values(), ids=UNPRINTED)
def test_what_is_never_printed_is_looked_for_in_all_minions(text: str, tmp_path: Path) -> None:
    files = {
        **FILES,
        "pillar/top.sls": "base: {a: [made], b: [other]}",
        "pillar/made.sls": f"{text}\nx: 1\n",
        "pillar/other.sls": f"word: 'is {SECRET} so'\nloud: {SECRET.upper()}\nopen: shop\n",
    }
    with opened(write_tree(tmp_path, files, minions={"a": {}, "b": {}})) as session:
        session.freeze_fleet_secrets()
        found = reasons(session.report.pillar("b"))
    assert found["open"] is None
    assert str(found["word"]).startswith("derived from template:")
    assert str(found["loud"]).startswith("derived from template:")


KEPT: dict[str, Any] = {
    "a common word": "{% set password = 'postgres' %}",
    "a flag": "{% set token = 'required' %}",
    "a file": "{% set password_file = '/etc/Kr7mXq2vL9' %}",
    "a key of the pillar": "{% set password = salt['pillar.get']('other:postgres', '') %}",
    "an imported file": "{% import_yaml 'data.yml' as data %}",
    "no name": "{% set x = 'postgres' %}",
    "what is looked up": "{% set passwords = salt['grains.filter_by']({'postgres': {'x': 1}}, grain='y', "
    "default='postgres') %}{% set z = passwords.x / 1 %}",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_ordinary_words_stay(text: str, tmp_path: Path) -> None:
    files = {
        **TOP,
        **FILES,
        "pillar/made.sls": f"{text}\nuser: postgres\nfile: /etc/Kr7mXq2vL9\nnext: required\n"
        "data: data.yml\nhost: h1\n",
    }
    found, _ = _clear(write_tree(tmp_path, files))
    assert set(found.values()) == {None}


SPELLED = {"upper": "upper", "reversed": "reverse", "joined": "list | join('.')", "hash": "md5"}


@pytest.mark.parametrize("how", SPELLED.values(), ids=SPELLED)
def test_a_literal_that_another_key_calls_a_password(how: str, tmp_path: Path) -> None:
    files = {
        "pillar/top.sls": "base: {'*': [owner, made]}",
        "pillar/owner.sls": f"owner: {{password: {SECRET}}}\n",
        "pillar/made.sls": f"made: \"{{{{ '{SECRET}' | {how} }}}}\"\nopen: \"{{{{ 'word' | {how} }}}}\"\n",
    }
    found, _ = _clear(write_tree(tmp_path, files))
    assert found == {
        "owner:password": "key names a password",
        "made": "derived from owner:password",
        "open": None,
    }


def test_each_template_is_gone_through_once_for_a_fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 0
    real = find_literals

    def counted(*given: Any) -> Any:
        nonlocal count
        count += 1
        return real(*given)

    monkeypatch.setattr(naming_environment, "find_literals", counted)
    files = {
        **TOP,
        **FILES,
        "pillar/made.sls": "{% from 'map.jinja' import db %}\nx: {{ grains.n }}{{ db.password }}\n",
    }
    minions = {f"m{n}": {"grains": {"n": n}} for n in range(20)}
    with opened(write_tree(tmp_path, files, minions=minions)) as session:
        assert all(reasons(session.report.pillar(one))["x"] for one in session.fleet.minions)
    assert count == 3  # both files as they are, and the one that holds it with a placeholder


BROKEN = {
    "a wrong indent": f"db_password: {SECRET}\n bad: x\n",
    "a wrong indent, with a template": f"os: {{{{ grains.os }}}}\ndb_password: {SECRET}\n bad: x\n",
    "a missing grain": f"a: {{{{ grains.nope }}}}\ndb_password: {SECRET}\n",
    "JSON": f'#!json\n{{\n  "db_password": "{SECRET}",\n}}\n',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_copy_of_a_secret_in_a_file_that_does_not_render_is_hidden(
    text: str, tmp_path: Path
) -> None:
    files = {
        "pillar/top.sls": "base: {'*': [made, broken]}",
        "pillar/made.sls": f"note: user ann, {SECRET}\nopen: 1\n",
        "pillar/broken.sls": text,
    }
    pillar = look(write_tree(tmp_path, files))
    assert pillar.outcome == "partial"
    assert SECRET not in str([leaf.value for leaf in pillar.leaves])
    assert reasons(pillar)["open"] is None
