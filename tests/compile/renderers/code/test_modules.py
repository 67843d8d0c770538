"""Execution modules and renderers of the tree's own: which load, what they see, what refuses them.

What loads and under which name is what Salt's own loader did with the same files.
"""

from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import answer_of, compile_case, describe, write_files, write_fleet

from pillarbook.compile.compiled_pillar import CompiledPillar

MINIONS: dict[str, Any] = {
    f"web{number}": {"grains": {"os": os, "roles": ["web", os], "net": {"ip": "10.0.0.1"}}}
    for number, os in enumerate(("Debian", "Debian", "RedHat"), 1)
}
PLAIN = """
__func_alias__ = {'list_': 'list'}
from os.path import join
def one(a=1): return a
def list_(): return [1]
def _hidden(): return 1
def grain(): return __grains__['os']
def roles(): return __grains__['roles']
def ids(): return [__opts__['id'], dict(__pillar__)]
def call(): return __salt__['grains.get']('os') + __salt__['plain.one']('x')
def count():
    __context__['n'] = __context__.get('n', 0) + 1
    return __context__['n']
def kw(**kwargs): return kwargs
def dump(value):
    import json
    return json.dumps(value)
def write(): __grains__['os'] = 'changed'
def write_below(): __grains__['roles'].append('changed')
def change(value): value.append('changed')
def leave(): raise SystemExit(3)
def fail(): raise ValueError('hunter2')
def ask(): return __salt__['vault.read']('x')
lam = lambda: 5
"""
MODULES = {
    "ext/modules/plain.py": PLAIN,
    "ext/modules/vn_only.py": "__virtualname__ = 'vnonly'\ndef f(): return 1\n",
    "ext/modules/vn_true.py": "__virtualname__ = 'vntrue'\n"
    "def __virtual__(): return True\ndef f(): return 2\n",
    "ext/modules/vn_vn.py": "__virtualname__ = 'vnvn'\n"
    "def __virtual__(): return __virtualname__\ndef f(): return 3\n",
    "ext/modules/vstr.py": "def __virtual__(): return 'vother'\ndef f(): return 4\n",
    "ext/modules/vfalse.py": "def __virtual__(): return (False, 'no')\ndef f(): return 5\n",
    "ext/modules/vraise.py": "def __virtual__(): return 1 / 0\ndef f(): return 6\n",
    "ext/modules/vgrain.py": "def __virtual__(): return __grains__['os'] == 'Debian'\n"
    "def f(): return 7\n",
    "ext/modules/valias.py": "__virtual_aliases__ = ('al1', 'al2')\n__load__ = ['f']\n"
    "def f(): return 8\ndef g(): return 9\n",
    "ext/modules/bad.py": "import not_there_at_all\ndef f(): return 10\n",
    "ext/modules/network.py": "def mine(): return 'own'\n",
    "ext/modules/more.py": "def __virtual__(): return 'grains'\ndef extra(): return 11\n",
    "ext/modules/pkg/__init__.py": "def f(): return 12\n",
    "ext/modules/begun.py": "seen = []\ndef __init__(opts): seen.append(opts['id'])\n"
    "def f(): return seen\n",
    "ext/modules/both.py": "def f(): return 'ext'\n",
    "dirs/modules/both.py": "def f(): return 'dirs'\n",
    "dirs2/_modules/second.py": "def f(): return 'dirs2'\n",
    "dirs2/top.py": "def f(): return 'top'\n",
    "states/_modules/synced.py": "def f(): return 'synced'\n",
}
MASTER = {
    "extension_modules": "ext",
    "module_dirs": ["dirs", "dirs2"],
    "file_roots": {"base": ["states"]},
}


def compiled(folder: Path, text: str, **options: Any) -> dict[str, CompiledPillar]:
    write_fleet(folder, {"top.sls": "base: {'*': [app]}", "app.sls": text}, MINIONS, MASTER)
    return compile_case(write_files(folder, MODULES), **{"python": True, **options})


LOADED: dict[str, Any] = {
    "salt['plain.one'](5)": 5,
    "salt.plain.one()": 1,
    "salt['plain'].list()": [1],
    "salt['plain.lam']()": 5,
    "salt['plain.kw'](a=1, b=[2])": {"a": 1, "b": [2]},
    "salt['plain.grain']()": "Debian",
    "salt['plain.ids']()": ["master", {}],
    "salt['plain.call']()": "Debianx",
    "[salt['plain.count'](), salt['plain.count']()]": [1, 2],
    "salt['vn_only.f']()": 1,
    "salt['vntrue.f']()": 2,
    "salt['vnvn.f']()": 3,
    "salt['vother.f']()": 4,
    "salt['vgrain.f']()": 7,
    "salt['al1.f']()": 8,
    "salt['valias.f']()": 8,
    "salt['network.mine']()": "own",
    "salt['grains.extra']()": 11,
    "salt['grains.get']('os')": "Debian",
    "salt['pkg.f']()": 12,
    "salt['begun.f']()": ["master"],
    "salt['both.f']()": "dirs",
    "salt['second.f']()": "dirs2",
    "salt['top.f']()": "top",
    "salt['synced.f']()": "synced",
    "'plain.one' in salt": True,
    "'plain._hidden' in salt": False,
    "salt['plain.one'] is defined": True,
}


@pytest.mark.sample(28)
@pytest.mark.parametrize("memo", [True, False], ids=["memo", "plain"])
@pytest.mark.parametrize(("call", "wanted"), LOADED.items(), ids=LOADED)
def test_a_function_of_the_tree_answers(call: str, wanted: Any, memo: bool, tmp_path: Path) -> None:
    pillar = compiled(tmp_path, f"a: {{{{ ({call}) | tojson }}}}", memo=memo)["web1"]
    assert answer_of(pillar) == {"a": wanted}


@pytest.mark.parametrize(
    "name",
    [
        "plain.list_",
        "plain.join",
        "plain._hidden",
        "vnonly.f",
        "vn_true.f",
        "vstr.f",
        "vfalse.f",
        "vraise.f",
        "al1.g",
        "network.is_private",
    ],
)
def test_what_salt_does_not_load_has_no_answer(name: str, tmp_path: Path) -> None:
    (said,) = compiled(tmp_path, f"a: {{{{ salt['{name}']() }}}}")["web1"].diagnostics
    assert said.code == "undeclared-function"


def test_a_module_that_wants_another_minion_is_not_there(tmp_path: Path) -> None:
    pillars = compiled(tmp_path, "a: {{ 'vgrain.f' in salt }}")
    assert [answer_of(pillar)["a"] for pillar in pillars.values()] == [True, True, False]


def test_a_module_that_does_not_load_is_told(tmp_path: Path) -> None:
    (said,) = compiled(tmp_path, "a: {{ salt['bad.f']() }}")["web1"].diagnostics
    assert said.message == (
        "SLS 'app' calls 'bad.f', which is in a module of the tree that does not load "
        "(ModuleNotFoundError: No module named 'not_there_at_all')"
    )


@pytest.mark.parametrize("call", ["salt['plain.one'](5)", "salt.vntrue.f()", "salt['al2.f']()"])
def test_no_module_runs_without_trust(call: str, tmp_path: Path) -> None:
    text = f"a: {{{{ {call} }}}}"
    write_fleet(tmp_path, {"top.sls": "base: {'*': [app]}", "app.sls": text}, MINIONS, MASTER)
    bomb = "raise SystemExit('it ran')\n"
    write_files(tmp_path, {path: text + bomb for path, text in MODULES.items()})
    pillar = compile_case(tmp_path)["web1"]
    (said,) = pillar.diagnostics
    assert (pillar.outcome, said.code) == ("partial", "undeclared-function")
    assert "which is in a module of the tree, and code of the tree needs trust" in said.message
    assert said.help is not None
    assert said.help.startswith(
        "to run it, use `python: true` with --trust, or --python; or declare an"
    )


READS = {
    "grain": "{{ salt['plain.grain']() }}",
    "whole": "{{ salt['plain.dump'](grains) }}",
    "below": "{{ salt['plain.dump']({'a': [grains.net]}) }}",
    "list": "{{ salt['plain.dump'](grains.roles) }}",
    "result": "{{ salt['plain.roles']() }}",
    "write": "{{ salt['plain.write']() }} {{ grains.os }}",
    "write-below": "{{ salt['plain.write_below']() }} {{ grains.roles | length }}",
    "write-argument": "{% do salt['plain.change'](grains.roles) %}{{ grains.roles | length }}",
    "write-result": "{% do salt['plain.roles']().append('x') %}{{ grains.roles | length }}",
    "write-own": "{% set a = [1] %}{% do salt['plain.change'](a) %}{{ a }}",
    "virtual": "{{ 'vgrain.f' in salt }}",
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("text", READS.values(), ids=READS)
def test_memo_changes_nothing(text: str, tmp_path: Path) -> None:
    text = f"a: '{text}'"
    recorded = compiled(tmp_path / "memo", text)
    without_recording = compiled(tmp_path / "plain", text, memo=False)
    assert {name: describe(one) for name, one in recorded.items()} == {
        name: describe(one) for name, one in without_recording.items()
    }


@pytest.mark.parametrize("function", ["leave", "fail"])
def test_a_function_that_fails_costs_one_sls(function: str, tmp_path: Path) -> None:
    pillar = compiled(tmp_path, f"a: {{{{ salt['plain.{function}']() }}}}")["web1"]
    (said,) = pillar.diagnostics
    assert (pillar.outcome, said.code) == ("partial", "jinja-error")
    assert "hunter2" not in said.message


def test_a_module_that_calls_in_vain_is_told_of(tmp_path: Path) -> None:
    (said,) = compiled(tmp_path, "a: {{ salt['plain.ask']() }}")["web1"].diagnostics
    assert said.message == (
        "SLS 'app' calls 'vault.read' through a module of the tree, and no answer is declared"
    )
    assert str(said.position) == "pillar/app.sls:1"


RENDERERS = {
    "ext/renderers/rplain.py": "",
    "ext/renderers/rvn_only.py": "__virtualname__ = 'rvn'\n",
    "ext/renderers/rvn_true.py": "__virtualname__ = 'rvt'\ndef __virtual__(): return True\n",
    "ext/renderers/rstr.py": "def __virtual__(): return 'rnew'\n",
    "ext/renderers/rfalse.py": "def __virtual__(): return False\n",
    "ext/renderers/rraise.py": "def __virtual__(): return 1 / 0\n",
    "ext/renderers/rgrain.py": "def __virtual__(): return __grains__['os'] == 'Debian'\n",
    "rend/rdirs.py": "",
}


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("rplain", "all"),
        ("rvn_only", "all"),
        ("rvn", "none"),
        ("rvt", "all"),
        ("rvn_true", "none"),
        ("rnew", "all"),
        ("rstr", "none"),
        ("rfalse", "none"),
        ("rraise", "none"),
        ("rgrain", "Debian"),
        ("rdirs", "all"),
    ],
)
def test_a_renderer_says_whether_it_wants_to_be(name: str, runs: str, tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [app]}", "app.sls": f"#!{name}\nx\n"}
    write_fleet(tmp_path, files, MINIONS, {"extension_modules": "ext", "render_dirs": ["rend"]})
    render = "def render(data, saltenv='base', sls='', **kwargs): return {'ran': True}\n"
    write_files(tmp_path, {path: text + render for path, text in RENDERERS.items()})
    for minion, pillar in compile_case(tmp_path, python=True).items():
        wanted = runs in ("all", MINIONS[minion]["grains"]["os"])
        assert answer_of(pillar) == ({"ran": True} if wanted else {})
        codes = [one.code for one in pillar.diagnostics]
        assert codes == ([] if wanted else ["unknown-renderer"])
