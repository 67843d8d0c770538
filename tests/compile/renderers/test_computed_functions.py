"""The name of a function may be a secret, so it is shown only where a file writes its call."""

from pathlib import Path

import pytest
from tests.support.derived import opened, write_tree

from pillarbook.bootstrap.missing_answers import find_missing_answers

NAMES = {
    "cmd.run": "a known function",
    "hunter.tool": "no function",
    "zfs.list": "one that some masters have",
}
ALSO = "b: {{ salt['disk.usage']('q') }}\n"
COMPUTED = {
    "an index": "a: {{ salt[grains.api_key]('x') }}",
    "by get": "a: {{ salt.get(grains.api_key)('x') }}",
    "a variable": "{% set f = grains.api_key %}a: {{ salt[f]('x') }}",
    "a function in a variable": "{% set f = salt[grains.api_key] %}a: {{ f('x') }}",
    "parts": "a: {{ salt[grains.api_key.split('.')[0]][grains.api_key.split('.')[1]]('x') }}",
    "joined": "a: {{ salt[grains.api_key.split('.')[0] ~ '.' ~ grains.api_key.split('.')[1]]('x') }}",
    "is it there": "a: {{ grains.api_key in salt }}",
    "a condition": "{% if salt[grains.api_key]('x') %}a: 1{% endif %}",
    "a key": "{{ salt[grains.api_key]('x') }}: 1",
    "an include": "include: [{{ salt[grains.api_key]('x') }}]",
    "not called": "a: {{ salt[grains.api_key] }}",
    "a loop": "a: {% for f in [grains.api_key] %}{{ salt[f]('x') }}{% endfor %}",
    "code": "#!py\ndef run():\n    return {'a': __salt__[__grains__['api_key']]('x')}",
}


@pytest.mark.sample(12)
@pytest.mark.parametrize("text", COMPUTED.values(), ids=COMPUTED)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_computed_is_shown_nowhere(name: str, text: str, tmp_path: Path) -> None:
    assert name not in _shown(f"{text}\n", tmp_path, name)


@pytest.mark.parametrize(
    "text",
    [
        "{% for f in ['hunter.tool'] %}a: {{ salt[f]('x') }}{% endfor %}",
        "{% for f in ['cmd.run', grains.api_key] %}a: {{ salt[f]('x') }}\n{% endfor %}",
        "{% for f in ['cmd.run'] %}{% set f = grains.api_key %}a: {{ salt[f]('x') }}{% endfor %}",
        "{% macro m(f) %}{{ salt[f]('x') }}{% endmacro %}a: {{ m('cmd.run') }}{{ m(grains.id) }}",
        "{% macro m(f) %}{{ salt[f]('x') }}{% endmacro %}a: {{ m(*['cmd.run']) }}",
        "{% macro m(f='cmd.run') %}{{ salt[f]('x') }}{% endmacro %}a: {{ m() }}",
        "{% for password in ['cmd.run'] %}a: {{ salt[password]('x') }}{% endfor %}",
    ],
)
def test_a_name_of_which_not_only_literals_of_salt_decide(text: str, tmp_path: Path) -> None:
    shown = _shown(f"{text}\n", tmp_path, "cmd.run")
    assert "cmd.run" not in shown
    assert "hunter.tool" not in shown


@pytest.mark.parametrize("name", ["cmd.run", "zfs.list"])
def test_a_written_call_with_the_same_arguments_does_not_tell_it(name: str, tmp_path: Path) -> None:
    text = f"a: {{{{ salt[grains.api_key]('x') }}}}\nb: {{{{ salt['{name}']('x') }}}}\n"
    shown = _shown(text, tmp_path, name)
    assert "a: unknown (a function with a computed name)" in shown


WRITTEN = {
    "an index": ("a: {{ salt['cmd.run']('x') }}", "cmd.run x"),
    "a text in a variable": ("{% set f = 'cmd.run' %}a: {{ salt[f]('x') }}", "cmd.run x"),
    "salt in a variable": ("{% set s = salt %}a: {{ s.cmd.run('x') }}", "cmd.run x"),
    "beside a computed one": (
        "a: {{ salt['cmd.run']('x') }}\nb: {{ salt[grains.api_key]('y') }}",
        "cmd.run x",
    ),
    "is it there": ("a: {{ 'zfs.list' in salt }}", "zfs.list"),
    "a loop": (
        (
            "{% for f in ['cmd.run', 'zfs.list'] %}{{ 'ba'[loop.index0] }}: {{ salt[f]('x') }}\n"
            "{% endfor %}"
        ),
        "zfs.list x",
    ),
    "a macro": (
        "{% macro m(f, g) %}{{ salt[f]('x') }}{% endmacro %}a: {{ m(g=1, f='cmd.run') }}",
        "cmd.run x",
    ),
}


@pytest.mark.parametrize(("text", "source"), WRITTEN.values(), ids=WRITTEN)
def test_a_name_that_is_written_is_shown(text: str, source: str, tmp_path: Path) -> None:
    assert f"a: unknown ({source})" in _shown(f"{text}\n", tmp_path, "disk.usage")


def test_a_text_that_a_rule_calls_a_secret_is_not_the_name(tmp_path: Path) -> None:
    text = "{% set chosen = 'cmd.run' %}a: {{ salt[chosen]('x') }}\n"
    assert "cmd.run" not in _shown(text, tmp_path, "test.ping", {"redact": {"keys": ["chosen"]}})


def _shown(text: str, folder: Path, name: str, settings: dict[str, object] | None = None) -> str:
    """Return what is shown of a pillar, its diagnostics, and the answers that are missing."""
    files = {"pillar/top.sls": "base: {'*': [made]}", "pillar/made.sls": text}
    minions = {"a": {"grains": {"api_key": name}}}
    folder = write_tree(folder, files, minions=minions, settings=settings)
    with opened(folder) as session:
        pillar = session.report.pillar("a")
        shown = [f"{one.path[-1]}: {one.value}" for one in pillar.leaves]
        answers = find_missing_answers(session)
        reads = [str(one.reads) for one in session.report.sources.renders("a").renders]
        found = [*map(str, session.shown.diagnostics), *map(str, answers), *reads]
    return "\n".join((*shown, *found))
