"""Errors that quote an SLS show none of its secrets, whatever it fails for."""

from pathlib import Path

import pytest
from tests.support.derived import opened, write_tree

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
SECRET = "Kr7mXq2vL9wz"
HELD = {
    "a token as a value": f"x: {TOKEN}",
    "a token in a comment": f"# see {TOKEN}",
    "a token as an argument": f"{{{{ raise_not('{TOKEN}') if false }}}}",
    "a variable": f"{{% set db_password = '{SECRET}' %}}",
    "a key of a map": f"{{% set db = {{'password': '{SECRET}'}} %}}",
    "a default": f"{{% set x = salt['pillar.get']('db:password', '{SECRET}') %}}",
    "a comparison": f"{{% if grains.password | default('x') == '{SECRET}' %}}{{% endif %}}",
    "a password of a comment": f"# password: {SECRET}",
}


@pytest.mark.parametrize("line", HELD.values(), ids=HELD)
def test_a_quoted_line_is_clean(line: str, tmp_path: Path) -> None:
    failing = f"a: 1\n{line}\nuser: shop\n{{{{ nothing.x }}}}\n"
    files = {"pillar/top.sls": "base: {'*': [made]}", "pillar/made.sls": failing}
    master = {"pillar_safe_render_error": False}
    with opened(write_tree(tmp_path, files, master=master), checks=True) as book:
        compiled = book.compile("a")
        pillar = book.shown_pillar(compiled)
        told = [str(pillar.data), *pillar.errors, *pillar.faults]
        told += [f"{one.message} {one.help}" for one in book.diagnostics]
    text = "\n".join(told)
    assert "user: shop" in text
    assert TOKEN not in text
    assert SECRET not in text
