"""What is said of calls that nobody answers, wherever they stand."""

from pathlib import Path

import pytest
import yaml
from tests.support.fleets import answer_of, compile_case, write_files, write_fleet

from pillarbook.compile.renderers.undeclared import WrittenCall, declare
from pillarbook.diagnostics import Collector, Diagnostic

NO_ANSWER = "which has no declared answer"
CALLS = "{{$calls: [{{{}, answer: ...}}]}}"
MINIONS = {name: {"grains": {"os": "Debian"}} for name in ("a", "b", "c")}


def found_in(folder: Path, files: dict[str, str], python: bool = False) -> list[Diagnostic]:
    """Return what is said of a fleet whose minions all get the SLS files."""
    names = [name.removesuffix(".sls") for name in files if name.endswith(".sls")]
    top = {"top.sls": f"base: {{'*': [{', '.join(names)}]}}"}
    collector = Collector()
    write_fleet(folder, {**top, **files}, MINIONS)
    for pillar in compile_case(folder, python=python).values():
        assert pillar.outcome == "partial"
        for one in pillar.diagnostics:
            collector.add(one)
    return list(collector.finish())


SPELLED = {
    "name": ("salt['vault.read_secret']('db')", "vault.read_secret", "args: [db]"),
    "attributes": ("salt.vault.read_secret('db')", "vault.read_secret", "args: [db]"),
    "both": ("salt['vault'].read_secret('db')", "vault.read_secret", "args: [db]"),
    "items": ("salt['vault']['read_secret']('db')", "vault.read_secret", "args: [db]"),
    "known module": ("salt.grains.setval('x', 1)", "grains.setval", "args: [x, 1]"),
    "known module by name": ("salt['grains.setval']('x', 1)", "grains.setval", "args: [x, 1]"),
    "named": (
        "salt['cmd.run'](c=none, d=[1, {'e': 'f'}])",
        "cmd.run",
        "kwargs: {c: null, d: [1, {e: f}]}",
    ),
    "both kinds": ("salt['cmd.run']('x', c=1.5)", "cmd.run", "args: [x], kwargs: {c: 1.5}"),
    "put together": ("salt['cmd.run']('s/' ~ grains.id ~ '/x')", "cmd.run", "args: [s/*/x]"),
    "added": ("salt['cmd.run']('s/' + grains.id)", "cmd.run", "args: [s/*]"),
    "no literal": ("salt['cmd.run'](grains.id)", "cmd.run", "args: ['*']"),
    "secret name": ("salt['cmd.run'](password='hunter2')", "cmd.run", "kwargs: {password: '*'}"),
    "secret word": ("salt['cmd.run'](db_pwd='hunter2')", "cmd.run", "kwargs: {db_pwd: '*'}"),
    "secret member": (
        "salt['cmd.run']('x', env=[{'PGPASSWORD': 'hunter2'}])",
        "cmd.run",
        "args: [x], kwargs: {env: [{PGPASSWORD: '*'}]}",
    ),
    "default": (
        "salt['cmd.run']('x', default='y')",
        "cmd.run",
        "args: [x], kwargs: {default: '*'}",
    ),
    "no default": ("salt['cmd.run'](default='')", "cmd.run", "kwargs: {default: ''}"),
    "outside": (
        "salt['file.read']('/etc/passwd')",
        "file.read",
        "args: [/etc/passwd]",
    ),
    "address": (
        "salt['cp.get_url']('https://x/y', none)",
        "cp.get_url",
        "args: ['https://x/y', null]",
    ),
}


@pytest.mark.parametrize(("call", "name", "given"), SPELLED.values(), ids=SPELLED)
def test_a_call_is_named_with_the_lines_that_declare_it(
    call: str, name: str, given: str, tmp_path: Path
) -> None:
    (said,) = found_in(tmp_path, {"app.sls": f"\na: b\nc: {{{{ {call} }}}}\n"})
    assert (said.code, said.position and said.position.line) == ("undeclared-function", 3)
    assert said.message.startswith(f"SLS 'app' calls '{name}'")
    lines = f"functions: {{{name}: {CALLS.format(given)}}}"
    assert said.help == f"declare an answer in mkdocs.yml: {lines}"
    assert list(yaml.safe_load(lines)) == ["functions"]


def test_a_call_without_arguments_is_declared_by_minion(tmp_path: Path) -> None:
    (said,) = found_in(tmp_path, {"app.sls": "a: {{ salt['network.ip_addrs']() }}\n"})
    assert said.message == f"SLS 'app' calls 'network.ip_addrs', {NO_ANSWER}"
    assert said.help is not None
    assert said.help.endswith("functions: {network.ip_addrs: {'*': ...}}")


def test_arguments_that_are_long_are_left_out() -> None:
    assert declare(WrittenCall("cmd.run", ("x" * 400,))) == "functions: {cmd.run: {'*': ...}}"


ELSEWHERE = {
    "set and do": "{% set x = 1 %}\n{% do salt['cmd.run']('x') %}",
    "call block": "{% macro m() %}{{ caller() }}{% endmacro %}\n{% call m() %}{{ salt.cmd.run('x') }}{% endcall %}",
    "module in a variable": "{% set m = salt.cmd %}\n{{ m.run('x') }}",
    "function itself in a variable": "{% set f = salt['cmd.run'] %}\n{{ f('x') }}",
    "another name": "{% set s = salt %}\n{{ s['cmd.run']('x') }}",
    "function in a variable": "{% set f = 'cmd.run' %}\n{{ salt[f]('x') }}",
    "several lines": "\n{{ salt['cmd.run'](\n'x') }}",
}


@pytest.mark.parametrize("text", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_call_is_found_however_it_is_made(text: str, tmp_path: Path) -> None:
    (said,) = found_in(tmp_path, {"app.sls": text})
    assert said.message == f"SLS 'app' calls 'cmd.run', {NO_ANSWER}"


def test_a_name_that_is_computed_is_not_repeated(tmp_path: Path) -> None:
    files = {"app.sls": "{% set f = ['ter2', 'hun'] | reverse | join %}\n{{ salt[f ~ '.x']() }}"}
    (said,) = found_in(tmp_path, files)
    assert said.message == f"SLS 'app' calls a function with a computed name, {NO_ANSWER}"
    assert "hunter2" not in str(said)


def test_a_macro_is_told_of_once_for_all_that_import_it(tmp_path: Path) -> None:
    macro = "{% macro m(x) %}\n{{ salt['cmd.run'](x) }}{% endmacro %}"
    first = "{% from 'lib/second.jinja' import m with context %}{% macro n() %}{{ m('y') }}{% endmacro %}"
    uses = "{% from 'lib/first.jinja' import n with context %}\na: {{ n() }}"
    files = {"lib/second.jinja": macro, "lib/first.jinja": first, "p.sls": uses, "q.sls": uses}
    (said,) = found_in(tmp_path, files)
    assert said.message == f"an imported file calls 'cmd.run', {NO_ANSWER}"
    assert str(said.position) == "pillar/lib/second.jinja:2"


def test_a_top_file_that_calls_is_told_of(tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": "base:\n  '*': {{ salt['cmd.run']('x') }}\n"}, MINIONS)
    said = compile_case(tmp_path)["a"].diagnostics[0]
    assert said.message == f"the top file calls 'cmd.run', {NO_ANSWER}"
    assert str(said.position) == "pillar/top.sls:2"


@pytest.mark.parametrize("spelled", ["__salt__['cmd.run']('x')", "__salt__.cmd.run('x')"])
def test_a_stack_that_calls_is_told_of(spelled: str, tmp_path: Path) -> None:
    master = {"ext_pillar": [{"stack": "stack/stack.cfg"}]}
    write_fleet(tmp_path, {"top.sls": "{}"}, MINIONS, master)
    files = {"stack/stack.cfg": "x.yml\n", "stack/x.yml": f"a: 1\nb: {{{{ {spelled} }}}}\n"}
    write_files(tmp_path, files)
    pillar = compile_case(tmp_path)["a"]
    (said,) = (one for one in pillar.diagnostics if one.code == "undeclared-function")
    assert said.message == f"the external pillar 'stack' calls 'cmd.run', {NO_ANSWER}"
    assert str(said.position) == "stack/x.yml:2"
    assert said.help is not None
    assert "args: [x]" in said.help
    assert pillar.outcome == "partial"


@pytest.mark.parametrize(
    "spelled",
    ["__salt__['cmd.run']('x', [1])", "__salt__.cmd.run('x', [1])", "salt['cmd.run']('x', [1])"],
)
def test_code_that_calls_is_told_of(spelled: str, tmp_path: Path) -> None:
    files = {"app.sls": f"#!py\ndef run():\n    return {{'a': {spelled}}}\n"}
    (said,) = found_in(tmp_path, files, python=True)
    assert said.message == f"SLS 'app' calls 'cmd.run', {NO_ANSWER}"
    assert said.help is not None
    assert "args: [x, [1]]" in said.help


def test_a_filter_looks_at_nothing_outside(tmp_path: Path) -> None:
    (said,) = found_in(tmp_path, {"app.sls": "\na: {{ '/etc/passwd' | file_hashsum }}"})
    assert said.code == "outside-reach"
    assert said.message.endswith("uses a filter with a path outside the roots and `paths:`")
    assert str(said.position) == "pillar/app.sls:2"


@pytest.mark.parametrize(
    "call",
    [
        "salt['file.file_exists']('{}/secret.txt')",
        "salt['file.read']('{}/pillar/../secret.txt')",
        "salt['file.read']('{}/pillar/link')",
        "salt['cp.get_file_str']('{}/secret.txt')",
        "salt['cp.get_file_str']('salt://../secret.txt')",
        "salt['file.directory_exists']('/etc')",
        "'{}/secret.txt' | is_empty",
        "'{}/pillar/link' | file_hashsum",
    ],
)
def test_nothing_outside_of_the_roots_is_read(call: str, tmp_path: Path) -> None:
    write_files(tmp_path, {"secret.txt": "hunter2", "pillar/app.sls": ""})
    (tmp_path / "pillar/link").symlink_to(tmp_path.parent)
    text = f"a: {{{{ {call.format(tmp_path)} }}}}"
    write_fleet(tmp_path, {"top.sls": "base: {'*': [app]}", "app.sls": text}, MINIONS)
    pillar = compile_case(tmp_path)["a"]
    assert "hunter2" not in str(pillar.diagnostics)
    assert pillar.diagnostics or answer_of(pillar) == {"a": False}
