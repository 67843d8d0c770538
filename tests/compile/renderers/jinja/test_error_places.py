"""An error of a template is placed in the template, whatever code it came up in."""

from pathlib import Path

import pytest
from tests.support.fleets import compile_case, write_files, write_fleet

DEEP = f"{{{{ pillar{'.k' * 250} }}}}"
FAULTS: dict[str, tuple[str, int | None]] = {
    "more parentheses than Python takes": (f"a: 1\nb: {DEEP}\n", None),
    "more blocks than Python takes": (
        f"a: 1\n{'{% for x in y %}' * 25}{'{% endfor %}' * 25}",
        None,
    ),
    "brackets without an end": (f"a: 1\nb: {{{{ {'[' * 900}1{']' * 900} }}}}\n", None),
    "a sum without an end": (f"a: 1\nb: {{{{ 1{'+1' * 3000} }}}}\n", None),
    "syntax": ("a: 1\nb: {{ 1 + }}\n", 2),
    "an expression": ("a: 1\nb: {{ 1 / 0 }}\n", 2),
    "an import that is too deep": ("{% import 'deep.sls' as deep with context %}\n", 1),
}


@pytest.mark.parametrize(("text", "line"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_at_a_line_that_there_is(text: str, line: int | None, tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {'*': [s]}\n", "s.sls": text}, {"m": {}})
    write_files(tmp_path, {"pillar/deep.sls": f"\n\n{DEEP}\n"})
    (fault,) = compile_case(tmp_path)["m"].diagnostics
    assert fault.position is not None
    assert (fault.position.file, fault.position.line) == ("pillar/s.sls", line)


LOADED = {
    "a YAML file": ("{% import_yaml 'd.txt' as d %}\n", "a: 1\nb: [1\nc: 2\n", ("d.txt", 3)),
    "a JSON file": ("a: 1\n{% import_json 'd.txt' as d %}\n", '{"a": 1,\n "b": }', ("d.txt", 2)),
    "a file with a template": (
        "{% import_yaml 'd.txt' as d %}\n",
        "{% for x in [1, 2] %}\na: [\n{% endfor %}\n",
        ("d.txt", None),
    ),
    "a block of YAML": (
        "a: 1\n{% load_yaml as d %}\nq: 1\n r: 2\n{% endload %}\n",
        "",
        ("s.sls", 4),
    ),
    "a block of JSON": ('{% load_json as d %}\n{"a": 1,\n b}\n{% endload %}\n', "", ("s.sls", 3)),
    "a block with expressions": (
        "{% load_yaml as d %}\nq: 1\n {{ 'r' }}: 2\n{% endload %}\n",
        "",
        ("s.sls", 1),
    ),
}


@pytest.mark.parametrize(("text", "data", "place"), LOADED.values(), ids=LOADED)
def test_a_fault_in_loaded_data_is_at_its_line(
    text: str, data: str, place: tuple[str, int | None], tmp_path: Path
) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {'*': [s]}\n", "s.sls": text}, {"m": {}})
    write_files(tmp_path, {"pillar/d.txt": data})
    (fault,) = compile_case(tmp_path)["m"].diagnostics
    assert fault.position is not None
    assert (fault.position.file, fault.position.line) == (f"pillar/{place[0]}", place[1])


WORDS = {
    "a break": ("x: 1\n{% if true %}\n{% break %}\n{% endif %}\n", "'break' outside loop"),
    "a range": ("{% for i in range(1000000) %}{% endfor %}", "Range too big"),
}


@pytest.mark.parametrize(("text", "words"), WORDS.values(), ids=WORDS)
def test_what_jinja_and_python_refuse_is_said(text: str, words: str, tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {'*': [s]}\n", "s.sls": text}, {"m": {}})
    (fault,) = compile_case(tmp_path)["m"].diagnostics
    assert words in fault.message
