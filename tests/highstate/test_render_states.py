"""Salt has two sentences for a state SLS that does not render: one for errors that are its own."""

from pathlib import Path

import pytest
from tests.support.fleets import open_fleet, write_files, write_fleet

OWN = "Rendering SLS 'base:s' failed: "
FOREIGN = "Rendering SLS s failed, render error: "

# What Salt says in the states' errors, up to the traceback that it appends to what is not its own.
FAILURES = {
    "scanner": ("x: a: b\n", f"{OWN}mapping values are not allowed in this context"),
    "parser": ("x: [1\n", f"{OWN}while parsing a flow sequence"),
    "constructor": ("x: 1\nx: 2\n", f"{OWN}while constructing a mapping"),
    "alias of nothing": ("x: *b\n", f"{FOREIGN}found undefined alias"),
    "anchor twice": ("x: &a 1\ny: &a 2\n", f"{FOREIGN}found duplicate anchor"),
    "control character": ('x: "\x01"\n', f"{FOREIGN}unacceptable character #x0001"),
    "alias inside of itself": ("x: &a [1, *a]\n", f"{FOREIGN}maximum recursion depth exceeded"),
    "no number": ("x: !!int foo\n", f"{FOREIGN}invalid literal for int() with base 10"),
    "json": ('#!json\n{"a": \n', f"{FOREIGN}Expecting value: line 2 column 1 (char 7)"),
    "msgpack": ("#!msgpack\nx: 1\n", f"{FOREIGN}a bytes-like object is required, not 'str'"),
    "data for text": ("#!yaml|jinja\na: 1\n", f"{FOREIGN}'collections.OrderedDict' object has"),
    "option of jinja": ("#!jinja -x|yaml\na: 1\n", f"{OWN}Unknown renderer option: -x"),
    "option of stateconf": ("#!stateconf -x\na: 1\n", f"{FOREIGN}option -x not recognized"),
    "variable": ("{{ nope.x }}\n", f"{OWN}Jinja variable 'nope' is undefined; line 1"),
    "syntax of jinja": ("{% if %}\n", f"{OWN}Jinja syntax error: Expected an expression"),
    "exception of jinja": ("{{ 1 / 0 }}\n", f"{OWN}Jinja error: division by zero"),
    "syntax of py": ("#!py\ndef run(:\n", f"{FOREIGN}invalid syntax (s.sls, line 2)"),
    "exception of py": ("#!py\ndef run():\n    raise ValueError('no')\n", OWN),
    "pyobjects": ("#!pyobjects\nraise ValueError('no')\n", f"{FOREIGN}no"),
}


@pytest.mark.parametrize(("text", "words"), FAILURES.values(), ids=FAILURES)
def test_failures_are_worded_as_salt_words_them(tmp_path: Path, text: str, words: str) -> None:
    assert fail(tmp_path, text.encode()).startswith(words)


def test_bytes_that_are_no_text_are_no_error_of_salts(tmp_path: Path) -> None:
    words = "'utf-8' codec can't decode byte 0xff in position 3: invalid start byte"
    assert fail(tmp_path, b"x: \xff\n") == f"{FOREIGN}{words}"


def fail(folder: Path, content: bytes) -> str:
    """Return the one error of a minion's states."""
    write_fleet(folder, {}, {"m": {}}, {"file_roots": {"base": ["states"]}})
    write_files(folder, {"states/top.sls": "base: {'*': [s]}\n"})
    (folder / "states/s.sls").write_bytes(content)
    with open_fleet(folder, python=True) as fleet:
        (error,) = fleet.compile_states("m").errors
    return error
