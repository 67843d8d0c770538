"""No copy of a secret that a dump holds is shown, in any form, value or name."""

import base64
import hashlib
from pathlib import Path
from typing import Any

import pytest
from tests.verify.live import Side, verify_dump

SEALED = "-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n"
SECRET = "Kr7mPq2xWvZ9sLd4"
COPIES: dict[str, Any] = {
    "the same": SECRET,
    "in base64": base64.b64encode(f"user:{SECRET}".encode()).decode(),
    "in capitals": SECRET.upper(),
    "backwards": SECRET[::-1],
    "a hash": hashlib.sha256(SECRET.encode()).hexdigest(),
    "a number": 7301946258371,
    "a number as text": "id 7301946258371",
    "a key": {f"app-{SECRET}": {"host": "db1"}},
    "a member": [{"host": "db1"}, {"note": f"ask {SECRET}"}],
}


@pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES)
def test_a_copy_of_a_secret_of_another_minion_is_shown_in_no_form(
    copy: Any, tmp_path: Path
) -> None:
    files = {
        "top.sls": "base: {'*': [main], other: [own]}\n",
        "main.sls": "note: this\n",
        "own.sls": f"db: {{password: {SECRET}}}\npin: {{secret: 7301946258371}}\n",
    }
    here = Side(files, {"m": {}, "other": {}})
    told = verify_dump(tmp_path, {"m": {"note": copy, "more": copy}}, here)
    assert told.paths == ["note", "more"]
    assert SECRET.lower() not in told.text.lower()


def test_what_may_be_sealed_on_one_minion_is_shown_on_none(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {a: [closed], b: [main]}\n",
        "main.sls": "note: this\n",
        "closed.sls": f"#!gpg|yaml\n{SEALED}",
    }
    note = {"note": "Kr7mPq2x WvZ9sLd4"}
    told = verify_dump(tmp_path, {"b": note, "a": note}, Side(files, {"a": {}, "b": {}}))
    assert "Kr7mPq2x" not in told.text + str(told.data)


def test_names_that_hold_a_secret_of_the_dump_are_rewritten(tmp_path: Path) -> None:
    files = {"top.sls": f"base: {{'*': [app-{SECRET}]}}\n", f"app-{SECRET}.sls": "note: this\n"}
    minions = {f"m-{SECRET}": {"grains": {f"g-{SECRET}": 1}}}
    dump = {f"m-{SECRET}": {"note": "that", "db": {"password": SECRET}}}
    told = verify_dump(tmp_path, dump, Side(files, minions))
    assert SECRET not in told.text + str(told.data)
