"""What nests too deep for Python is told in one way, whatever reads it."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files

from pillarbook.inventory.settings import Settings
from pillarbook.session import RunOptions, open_session

DEPTH = 300


def nest(begin: str, end: str) -> str:
    return begin * DEPTH + "1" + end * DEPTH


DOCUMENTS = {
    "YAML": f"#!yaml\nk: {nest('{a: ', '}')}\n",
    "mappings that aggregate": f"#!yamlex\nk: {nest('!aggregate {a: ', '}')}\n",
    "lists that aggregate": f"#!yamlex\nk: {nest('!aggregate [', ']')}\n",
    "a list in itself": "#!yamlex\n&a [*a]\n",
    "JSON": f'#!json\n{{"k": {nest("[", "]")}}}\n',
    "TOML": f"#!toml\nk = {nest('[', ']')}\n",
    "an expression": f"k: {{{{ {nest('(', ')')} }}}}\n",
    "JSON that a template reads": f'k: {{{{ "{nest("[", "]")}" | load_json }}}}\n',
    "a macro that calls itself": "{% macro m() %}{{ m() }}{% endmacro %}\nk: {{ m() }}\n",
}


@pytest.mark.parametrize("text", DOCUMENTS.values(), ids=DOCUMENTS)
def test_it_is_a_limit_that_is_exceeded(text: str, tmp_path: Path) -> None:
    files = {
        "master": "pillar_roots: {base: [pillar]}\n",
        "minions.yml": "minions: {web1: {}}\n",
        "pillar/top.sls": "base: {'*': [deep, ok]}\n",
        "pillar/deep.sls": text,
        "pillar/ok.sls": "ok: 1\n",
    }
    write_files(tmp_path, files)
    settings = Settings(
        master=tmp_path / "master", inventory=(tmp_path / "minions.yml",), folder=tmp_path
    )
    with open_session(settings, RunOptions()) as session:
        pillar = session.report.pillar("web1")
        (found,) = session.shown.diagnostics
    assert pillar.data["ok"] == 1
    assert found.code == "limit-exceeded"
    assert "nested levels" in found.message
