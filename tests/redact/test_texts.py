"""Secrets within config files, code and commands."""

import pytest
from tests.redact.texts import COMMANDS, NONE, SET

from pillarbook.redact import Rules
from pillarbook.redact.embedded import COMMAND, SETTING, find_embedded
from pillarbook.redact.key_names import KINDS, LOGINS, WHOLE
from pillarbook.redact.logins import is_login_pair
from pillarbook.redact.references import is_reference


@pytest.mark.parametrize("text", SET.values(), ids=SET)
def test_a_text_that_sets_a_secret(text: str) -> None:
    assert find_embedded(text) == SETTING
    assert find_embedded(f"# a comment\n{text}\n") is not None or text.startswith("JBSW")


@pytest.mark.parametrize("text", COMMANDS.values(), ids=COMMANDS)
def test_a_command_with_a_password(text: str) -> None:
    assert find_embedded(text) == COMMAND
    assert find_embedded(f"#!/bin/sh\nset -e\n{text}\nexit 0\n") == COMMAND


@pytest.mark.parametrize("text", NONE)
def test_a_text_without_a_secret(text: str) -> None:
    assert find_embedded(text) is None


@pytest.mark.parametrize("name", sorted({*KINDS["a password"], *WHOLE} - {"skey", "google_auth"}))
def test_a_name_of_a_secret_is_looked_for_in_texts(name: str) -> None:
    if WHOLE.get(name) != "an SNMP community" and name not in ("incoming_user", "outgoing_user"):
        assert find_embedded(f"a = 1\n{name} = Wintermoth-418\n") == SETTING


@pytest.mark.parametrize(
    ("value", "is_login"),
    [
        *[(text, True) for text in ("user:password", "admin1:AdMiN123", "YW5uOndpbnRlcm1vdGg=")],
        *[(text, True) for text in ("ann@example.com:wintermoth", "ann:1234")],
        *[(text, False) for text in ("none", "md5", "pam:login", "ldap.example.com:389", "PASS")],
        *[(text, False) for text in ("localhost:5000", "ann:${PW}", "file:/etc/x", "fe80::1")],
        *[(text, False) for text in ("https://a/b", "a:b", "aGVsbG8gd29ybGQ=", "10:30")],
    ],
)
def test_logins(value: str, is_login: bool) -> None:
    assert is_login_pair(value) is is_login
    for name in ("auth", *sorted(LOGINS)):
        assert (Rules().find_reason((name,), value) == "key names a login") is is_login
    assert Rules().find_reason(("authentication_order",), value) is None


REFERENCES = (
    *("sdb://vault/app/password", "__vault__:secret/app>password", "__vault__::p/q>data>value"),
    *("vault:secret/data/app#password", "op://ops/db/password", "ref+awsssm://app/db"),
    *("arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-Ab12Cd", "projects/p/secrets/db"),
    "__vault__:gen_if_missing:secret-operations/global/Xk91mQz7/db>data>value",
)


@pytest.mark.parametrize("text", REFERENCES)
def test_references_are_shown(text: str) -> None:
    assert is_reference(text)
    for path in (("note",), ("db", "password"), ("tokens", "a"), ("api_key",)):
        assert Rules().find_reason(path, text) is None
    assert Rules(keys=["note"]).find_reason(("note",), text) == "redact: keys"
    assert Rules().find_reason(("note",), text, "gpg renderer") == "gpg renderer"


@pytest.mark.parametrize("text", ["sdb://", "see sdb://a/b", "sdb://a/b c", "vault", "a:b", ""])
def test_what_is_no_reference(text: str) -> None:
    assert not is_reference(text)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("data0", "3600a09803831494f635d554b394f7767"),
        ("sbd", "/dev/disk/by-id/dm-uuid-mpath-3600a09803831494c775d554b39507471"),
        ("lun", "naa.600a09803831494f635d554b394f7767"),
        ("lun", "0x600a09803831494f635d554b394f7767"),
        ("machine-id", "4c4c4544003957108052b4c04f384833"),
        ("source_hash", "c7206858d7f832b8ef73a45c9b8f8e436bcb1ee88db2bc85b8e438ecec9d5460"),
        ("key", "ABF5BD827BD9BF62ABF5BD827BD9BF62ABF5BD82"),
        ("repo_public_key", "c7206858d7f832b8ef73a45c9b8f8e436bcb1ee88db2bc85b8e438ecec9d5460"),
    ],
)
def test_ids_of_devices_and_checksums_are_shown(name: str, value: str) -> None:
    assert Rules().find_reason(("host", name), value) is None


def test_a_key_in_hexadecimal_is_no_checksum() -> None:
    value = "c7206858d7f832b8ef73a45c9b8f8e436bcb1ee88db2bc85b8e438ecec9d5460"
    assert Rules().find_reason(("app", "project_key"), value) == "looks random"
    assert Rules().find_reason(("app", "project_sum"), value) is None
