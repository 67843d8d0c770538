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
