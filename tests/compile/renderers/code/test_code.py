"""Renderers that run code: what it sees, what it may not, where its values stand."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import answer_of, compile_case, describe, write_files, write_fleet
from tests.support.forked.commands import forked

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.model import leaves, plain

MINIONS = {
    f"web{number}": {"grains": {"os": os, "roles": ["web", os], "net": {"ip": "10.0.0.1"}}}
    for number, os in enumerate(("Debian", "Debian", "RedHat"), 1)
}


def fleet(folder: Path, files: dict[str, str], **master: Any) -> Path:
    names = [name.removesuffix(".sls") for name in files if "/" not in name]
    top = {"top.sls": f"base: {{'*': [{', '.join(names)}]}}"}
    return write_fleet(folder, {**top, **files}, MINIONS, {"extension_modules": "ext", **master})


def compiled(folder: Path, text: str, **master: Any) -> CompiledPillar:
    return compile_case(fleet(folder, {"app.sls": text}, **master), python=True)["web1"]


def lines_of(pillar: CompiledPillar) -> dict[Any, int | None]:
    return {path: origins[-1].line for path, _, origins in leaves(pillar.tree)}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("#!mako|yaml\na: ${1}", id="mako"),
        pytest.param("#!py\ndef run():\n    return {'a': 1}", id="py"),
        pytest.param("#!pyobjects\ninclude('other')", id="pyobjects"),
        pytest.param("#!stateconf yaml . mako\na: b", id="by-way-of-stateconf"),
        pytest.param("#!own\na: 1", id="module-of-the-tree"),
        pytest.param("#!named\na: 1", id="module-by-the-name-it-gives-itself"),
        pytest.param("#!synced\na: 1", id="module-of-the-state-tree"),
    ],
)
def test_code_does_not_run_unless_allowed(text: str, tmp_path: Path) -> None:
    folder = fleet(tmp_path, {"app.sls": text}, file_roots={"base": ["states"]})
    bomb = "raise SystemExit('it ran')\n"
    modules = {
        "ext/renderers/own.py": bomb,
        "ext/renderers/file.py": f"__virtualname__ = 'named'\ndef __virtual__():\n    return True\n{bomb}",
        "states/_renderers/synced.py": bomb,
    }
    write_files(folder, modules)
    pillar = compile_case(folder)["web1"]
    assert pillar.outcome == "partial"
    assert [one.code for one in pillar.diagnostics] == ["unsupported-renderer"]
    assert "--python" in str(pillar.diagnostics[0].help)


READS = {
    "one": "{'os': __grains__['os']}",
    "get": "{'os': __grains__.get('os'), 'no': __grains__.get('no', 0)}",
    "contains": "{'is': 'os' in __grains__}",
    "json": "{'all': __import__('json').dumps(__grains__)}",
    "json-below": "{'all': __import__('json').dumps(__grains__['net'])}",
    "json-of-a-function": "{'all': __import__('json').dumps(__salt__['grains.get']('net'))}",
    "dict": "dict(__grains__)",
    "stars": "{**__grains__}",
    "deepcopy": "__import__('copy').deepcopy(__grains__)",
    "type-of-a-list": "{'is': type(__grains__['roles']) is list}",
    "yaml": "{'all': __import__('yaml').safe_dump(__grains__['net'])}",
    "yaml-of-all": "{'all': __import__('yaml').safe_dump(__grains__)}",
    "sorted": "{'all': sorted(__grains__)}",
    "opts": "{'id': __opts__['id'], 'os': __opts__['grains']['os']}",
    "function": "{'ip': __salt__['grains.get']('net:ip'), 'ip2': salt.grains.get('net:ip')}",
    "missing": "{'no': __grains__['no']}",
    "undeclared": "{'no': __salt__['cmd.run']('id')}",
    "write": "__grains__.update(os='x') or {'os': grains['os']}",
    "write-below": "__grains__['roles'].append('x') or {'n': len(grains['roles'])}",
    "write-to-what-a-function-gave": "__salt__['grains.get']('roles').append('x') or {'a': 1}",
    "value": "{'roles': __grains__['roles'], 'net': __grains__['net'], 'set': {1}, 'none': None}",
    "shared": "(lambda one: {'a': one, 'b': one})({'k': []})",
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("expression", READS.values(), ids=READS)
def test_memo_changes_nothing(expression: str, tmp_path: Path) -> None:
    after = "roles: {{ grains.roles | length }}\nos: {{ grains.os }}\nb: {k: [1]}\n"
    files = {"app.sls": f"#!py\ndef run():\n    return {expression}\n", "later.sls": after}
    folder = fleet(tmp_path, files)
    kept, without_recording = (
        compile_case(folder, memo=memo, python=True) for memo in (True, False)
    )
    for minion in MINIONS:
        assert answer_of(kept[minion]) == answer_of(without_recording[minion])
        with_memo, without = describe(kept[minion]), describe(without_recording[minion])
        for one in (with_memo, without):
            one["diagnostics"] = [said.code for said in one["diagnostics"]]
        assert with_memo == without


def test_a_write_that_code_hides_is_found(tmp_path: Path) -> None:
    text = """#!py
def run():
    try:
        __grains__['os'] = 'x'
    except:
        pass
    return {'os': __grains__['os']}
"""
    assert plain(compiled(tmp_path, text).tree) == {"os": "x"}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("#!py\nX = 1\n\ndef run():\n    return {'a': [1]}", {("a", 0): 4}, id="py"),
        pytest.param(
            "#!mako|yaml\na: ${1}\n% for n in range(2):\nb${n}:\n  c: d\n% endfor\n## x\n"
            "<%\nz = 1\n%>\ne: |\n  one\n  two\nf: ${z}\n",
            {("a",): 2, ("b0", "c"): 5, ("b1", "c"): 5, ("e",): 11, ("f",): 14},
            id="mako",
        ),
        pytest.param(
            "#!jinja|mako|yaml\n{% set x = 1 %}\na: {{ x }}\n{% for n in [1, 2] %}\nb{{ n }}: c\n"
            "{% endfor %}\nd: ${1}\n",
            {("a",): 3, ("b1",): 5, ("b2",): 5, ("d",): 7},
            id="mako-after-jinja",
        ),
        pytest.param(
            "#!pyobjects\n\nPkg.installed('x', version='1')\n",
            {("x", "pkg.installed", 0, "version"): 3},
            id="pyobjects",
        ),
    ],
)
def test_values_stand_where_code_gave_them(
    text: str, lines: dict[Any, int], tmp_path: Path
) -> None:
    pillar = compiled(tmp_path, text)
    assert pillar.errors == ()
    assert lines_of(pillar) == lines


def test_lines_go_through_renderers_of_the_tree(tmp_path: Path) -> None:
    files = {
        "text.sls": "#!up|yaml\na: b\nc: d\n",
        "data.sls": "#!yaml|more\ne:\n  f: g\n",
    }
    folder = fleet(tmp_path, files)
    write_files(
        folder,
        {
            "ext/renderers/up.py": "def render(data, *a, **k):\n    return data.read().replace('b', 'B')\n",
            "ext/renderers/more.py": "def render(data, *a, **k):\n    data['new'] = 1\n    return data\n",
        },
    )
    pillar = compile_case(folder, python=True)["web1"]
    assert plain(pillar.tree) == {"a": "B", "c": "d", "e": {"f": "g"}, "new": 1}
    assert lines_of(pillar) == {("a",): 2, ("c",): 3, ("e", "f"): 3, ("new",): None}


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        pytest.param("#!py\ndef run():\n    return 1 / 0", "render-error", 3, id="py"),
        pytest.param("#!py\ndef run(:", "render-error", 2, id="py-syntax"),
        pytest.param("#!py\nimport sys\nsys.exit(3)", "render-error", 3, id="exit"),
        pytest.param(
            "#!py\ndef run():\n    return {'a': __grains__['no']}", "missing-grain", 3, id="grain"
        ),
        pytest.param(
            "#!py\ndef run():\n    return __salt__['cmd.run']('x')",
            "undeclared-function",
            3,
            id="function",
        ),
        pytest.param("#!py\ndef run():\n    return {'a': run}", "render-error", 2, id="value"),
        pytest.param("#!mako|yaml\n\na: ${no}", "render-error", 3, id="mako-undefined"),
        pytest.param("#!mako|yaml\n\na: ${1 / 0}", "render-error", 3, id="mako"),
        pytest.param("#!mako|yaml\n\na: ${1", "render-error", 3, id="mako-syntax"),
        pytest.param("#!mako|yaml\n<%include file='no'/>", "missing-import", 2, id="mako-include"),
        pytest.param("#!pyobjects\n\nx = y\n", "render-error", 3, id="pyobjects"),
    ],
)
def test_fault_has_its_place(text: str, code: str, line: int, tmp_path: Path) -> None:
    pillar = compiled(tmp_path, text)
    assert pillar.outcome == "partial"
    (said,) = pillar.diagnostics
    assert said.position is not None
    assert (said.code, said.position.line) == (code, line)


def test_what_is_said_of_a_fault_quotes_no_value(tmp_path: Path) -> None:
    (said,) = compiled(tmp_path, "#!py\ndef run():\n    raise ValueError('hunter2')").diagnostics
    assert "hunter2" not in said.message


def test_what_code_prints_goes_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiled(tmp_path, "#!py\ndef run():\n    print('x')\n    return {}")
    assert capsys.readouterr().out == ""


def test_includes_and_imports_are_those_of_the_state_tree(tmp_path: Path) -> None:
    files = {
        "app.sls": "#!mako|yaml\n<%include file='inc/x.mako'/>\n",
        "po.sls": "#!pyobjects\nfrom salt://m.sls import W as V, N\nimport salt://m.sls\n"
        "Pkg.installed(V, a=N, b=m.N)\nwith Service('s'):\n    File.managed('/f')\n"
        "class M(Map):\n    class Debian:\n        __grain__ = 'os'\n        web = 'apache2'\n"
        "Pkg.removed(M.web)\nApt_pkg = 1\n",
        "inc/x.mako": "a: pillar\n",
    }
    folder = fleet(tmp_path, files, file_roots={"base": ["states"]})
    write_files(
        folder, {"states/inc/x.mako": "a: states\n", "states/m.sls": "W = 'nginx'\nN = 1\n"}
    )
    pillar = compile_case(folder, python=True)["web1"]
    assert pillar.errors == ()
    assert plain(pillar.tree) == {
        "a": "states",
        "nginx": {"pkg.installed": [{"a": 1}, {"b": 1}]},
        "/f": {"file.managed": [{"require": [{"service": "s"}]}]},
        "apache2": {"pkg.removed": []},
    }


def test_nodes_are_counted(tmp_path: Path) -> None:
    text = "#!py\ndef run():\n    a = [0] * 10\n    for _ in range(9):\n        a = [a] * 10\n    return {'a': a}"
    (said,) = compiled(tmp_path, text).diagnostics
    assert said.code == "limit-exceeded"


def test_what_holds_itself_is_an_error(tmp_path: Path) -> None:
    pillar = compiled(tmp_path, "#!py\ndef run():\n    a = {}\n    a['a'] = a\n    return a")
    assert pillar.outcome == "partial"


def test_wempy_runs_where_it_is_asked_for(tmp_path: Path) -> None:
    text = "#!wempy|yaml\na: {{=grains['os']}}\n{{for n in ('1', '2'):}}b{{=n}}: c\n{{pass}}"
    fleet(tmp_path, {"app.sls": text})
    declared = ["--master", str(tmp_path / "master"), "--inventory", str(tmp_path / "minions.yml")]
    asked = [*declared, "--minion", "web1", "--reveal"]
    unknown = run(["compile", *asked, "--python"])
    assert json.loads(unknown.stdout) == {"web1": {}}
    refused = run(["compile", *asked, "--renderer", "wempy"])
    assert "The renderer 'wempy' runs code of the tree, which is not allowed" in refused.stderr
    done = run(["compile", *asked, "--renderer", "wempy", "--python"])
    assert json.loads(done.stdout) == {"web1": {"a": "Debian", "b1": "c", "b2": "c"}}


def run(words: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([forked(), *words], capture_output=True, text=True, check=False)


def test_start_is_not_kept_waiting_for_engines() -> None:
    code = "import sys, pillarbook.session; print({'mako', 'toml', 'wemplate', 'nacl'} & set(sys.modules))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_minions_that_answer_alike_share_what_code_gave(tmp_path: Path) -> None:
    text = "#!py\ndef run():\n    return {'os': __grains__['os'], 'net': __grains__['net']}"
    folder = fleet(tmp_path, {"app.sls": text})
    pillars = compile_case(folder, python=True)
    renders = [{one.files[0].path: one for one in each.renders} for each in pillars.values()]
    first, second, third = (each["app.sls"] for each in renders)
    assert first is second
    assert first is not third


EXISTENCE = {
    "a function": ("'cmd.run' in __salt__", True),
    "a module": ("'cmd' in __salt__", False),
    "no function": ("'cmd.nix' in __salt__", False),
    "get": ("callable(__salt__.get('cmd.run'))", True),
    "get of no function": ("__salt__.get('cmd.nix')", None),
    "get of a module": ("__salt__.get('cmd')", None),
    "an item": ("callable(__salt__['cmd.run'])", True),
    "a module as an attribute": ("hasattr(__salt__, 'cmd')", True),
    "its function": ("hasattr(__salt__.cmd, 'run')", True),
    "no module": ("hasattr(__salt__, 'nix')", False),
    "no function of it": ("getattr(__salt__.cmd, 'nix', 7)", 7),
    "a function's full name": ("getattr(__salt__, 'cmd.run', 7)", 7),
    "a function that is here": ("hasattr(__salt__.test, 'ping')", True),
    "one that only some masters have": ("'zfs.list' in __salt__", False),
}


@pytest.mark.parametrize(("asked", "answer"), EXISTENCE.values(), ids=EXISTENCE)
def test_code_sees_the_functions_that_every_master_has(
    asked: str, answer: object, tmp_path: Path
) -> None:
    made = compiled(tmp_path, f"#!py\ndef run():\n    return {{'a': {asked}}}\n")
    assert made.tree is not None
    assert plain(made.tree) == {"a": answer}


@pytest.mark.parametrize(
    "call", ["__salt__['cmd.run']('x')", "__salt__.cmd.run('x')", "__salt__.get('cmd.run')('x')"]
)
def test_to_call_one_of_them_fails_and_nothing_catches_it_as_missing(
    call: str, tmp_path: Path
) -> None:
    lines = f"    try:\n        return {{'a': {call}}}\n    except (KeyError, AttributeError):\n"
    made = compiled(tmp_path, f"#!py\ndef run():\n{lines}        return {{}}\n")
    (said,) = made.diagnostics
    assert said.message == "SLS 'app' calls 'cmd.run', which has no declared answer"
