"""Secrets within config files, code and commands."""

import html
import json

import pytest
from tests.redact.test_door import as_tree, compiled_of
from tests.redact.texts import COMMANDS, NONE, SET
from tests.redact.token_samples import SAMPLES

from pillarbook.model import KeyPath
from pillarbook.patterns.embedded import COMMAND, SETTING, find_embedded
from pillarbook.patterns.key_names import KINDS, LOGINS, WHOLE
from pillarbook.patterns.logins import is_login_pair
from pillarbook.patterns.references import is_reference
from pillarbook.patterns.set_texts import values_of_directives
from pillarbook.redact import Redactor, Rules, SecretStore
from pillarbook.redact.secret_search import SecretSearch


def test_a_text_that_sets_a_secret() -> None:
    for name, text in SET.items():
        assert find_embedded(text) == SETTING, name
        assert find_embedded(f"# a comment\n{text}\n") is not None or text.startswith("JBSW"), name


def test_a_command_with_a_password() -> None:
    for name, text in COMMANDS.items():
        assert find_embedded(text) == COMMAND, name
        assert find_embedded(f"#!/bin/sh\nset -e\n{text}\nexit 0\n") == COMMAND, name


def test_a_text_without_a_secret() -> None:
    for text in NONE:
        assert find_embedded(text) is None, text


def test_a_name_of_a_secret_is_looked_for_in_texts() -> None:
    for name in sorted({*KINDS["a password"], *WHOLE} - {"skey", "google_auth"}):
        if WHOLE.get(name) != "an SNMP community" and name not in (
            "incoming_user",
            "outgoing_user",
        ):
            assert find_embedded(f"a = 1\n{name} = Wintermoth-418\n") == SETTING, name


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


def test_each_text_is_looked_for_where_something_is_written() -> None:
    for text in [*SET.values(), *COMMANDS.values(), *(row[1] for row in SAMPLES)]:
        search = SecretSearch.of([(7, text)])
        for written in (html.escape(text), json.dumps({"a": text}), f"before {text} after"):
            assert search.ids_in(written.encode()) == {7}, text


def test_both_passwords_of_one_line_are_values_of_it() -> None:
    text = SET["net-snmp, user"]
    found = {one.strip('"') for one in values_of_directives(text, text.lower())}
    assert {"wintermoth", "summermoth"} <= found


DRAWN = "xsAt6Ppb2DBD2L"


@pytest.mark.parametrize(
    ("path", "places"),
    [
        (("tokens", DRAWN), (1,)),
        (("app", "api_tokens", "bots", DRAWN, "scope"), (3,)),
        (("tokens", "deploy-bot"), ()),
        (("tokens", "Production", "Server2"), ()),
        (("app", DRAWN), ()),
        (("app", "ghp_" + "a1B2" * 9), (1,)),
        (("known_hosts", "web1.example.com"), ()),
        (("app", "alice:S3cr3tPw99"), (1,)),
        (("app", "shop:db:Xk7pQ2vLm9Rt", "a"), (1,)),
        (("ports", "eth0:Vlan100"), ()),
        (("ports", "web1.example.com:8443"), ()),
        (("images", "registry:5000/app:v1.2.3-RC1"), ()),
        (("keys", "SHA256:" + "aB3dE5fG7h" * 4 + "aB3"), ()),
        ((1, None), ()),
    ],
)
def test_keys_that_are_secrets(path: KeyPath, places: tuple[int, ...]) -> None:
    assert Rules().secret_keys(path) == places
    assert Rules(allow=["app", "tokens"]).secret_keys(path) == ()


def test_a_key_that_is_a_secret_is_shown_nowhere() -> None:
    tree = as_tree({"tokens": {DRAWN: "deploy-bot"}, "note": f"see {DRAWN}", "bot": "deploy-bot"})
    redactor = Redactor(Rules(), SecretStore(b"key"))
    redactor.collect_secrets(compiled_of(tree))
    redactor.freeze_secrets()
    pillar = redactor.redact(compiled_of(tree))
    assert DRAWN not in str(pillar) + str(pillar.data)
    assert pillar.data["bot"] == "deploy-bot"


def test_names_with_a_condition() -> None:
    for path, value, reason in [
        (("sim", "pin"), "4711", "key names a PIN"),
        (("sim", "pin"), 90417, "key names a PIN"),
        (("apt", "pin"), "release a=stable", None),
        (("apt", "pin_priority"), 1001, None),
        (("alarm", "door_code"), 4711, "key names a PIN"),
        (("alarm", "panel", "code"), "6604#", "key names a PIN"),
        (("alarm", "user_codes", "ann"), 3391, "key names a PIN"),
        (("phone", "area_code"), 4711, None),
        (("job", "code"), 4711, None),
        (("safe_combination",), "18-42-07", "key names a secret"),
        (("mqtt_user",), "ann:Wintermoth8", "key names a login"),
        (("sftp_users", 0), "ann:Wintermoth8:1001:100", "key names a login"),
        (("run_user",), "ann:ann2", None),
        (("http_users", 0), "ann:readWrite", None),
        (("BUNDLE_GEMS__EXAMPLE__COM",), "0a1b2c3d:e4f50617", "key names a login"),
        (("BUNDLE_WITHOUT",), "development:test", None),
        (("opsgenie_key",), "01234567-89ab-cdef-0123-456789abcdef", "key names an API key"),
        (("s3.key",), "wintermoth", "key names an API key"),
        (("elastic", "node"), "x8YeQ3mKTz2Wq7LbVn0RcA", None),
        (("db_password",), "pass:ops/db", None),
        (("helm", "auth.existingSecret"), "db-login", None),
        (("zigbee", "network_key", 3), 217, "key names a private key"),
        (("zigbee", "network_keys", 3), 217, None),
        (("zigbee", "ext_pan_id", 3), 217, None),
        (("icinga2", "TicketSalt"), "c0ff91f0cde2e573", "key names a secret"),
        (("iscsi", "password_in"), "Wintermoth", "key names a password"),
        (("github-oauth", "github.com"), "0c4b" * 10, "key names a token"),
        (("sasl_map", "[mx.example.com]:587"), "ann:winter-moth", "key names a login"),
        (("sasl", "mechanism"), "plain:login", None),
        (("smtpd_sasl", "path"), "inet:127.0.0.1:12345", None),
        (("vpn", "client_auth"), "ann\nwintermoth", "key names a login"),
        (
            ("kms_key",),
            "store:oyArn5hpBWKWnlVmG0ZJxqcGp3Jyghoh4y4DT79FHpN=",
            "key names a private key",
        ),
        (
            ("nix", "trusted-public-key"),
            "store-1:oyArn5hpBWKWnlVmG0ZJxqcGp3Jyghoh4y4DT79FHpN=",
            None,
        ),
        (
            ("nix", "cache_key"),
            "store:oyArn5hpBWKWnlVmG0ZJxqcGp3Jyghoh4y4DT79FHpN=",
            "looks random",
        ),
        (("verify_keys", "ed25519:auto"), "Noi6KiuWd6HzMwWUFinpoaTnQVvfukyA6p1BiRG2wZg", None),
        (("files", "/etc/passwd", "mask"), "modify", None),
        (("nginx", "auth_jwt"), "closed site", None),
        (("helm", "secretKeys", "adminPasswordKey"), "admin", None),
        (("credentials", "key"), "wintermoth", "key names a secret"),
        (("etcd", "initial-cluster-token"), "etcd-home", None),
        (("users", "default", "password_sha256_hex"), "65e8" * 16, "key names a password"),
        (("mgmt_users", "admin"), "2a099d89f06af603d2207eefaa1deb84", "key names a login"),
        (("door",), "sip:door:wintermoth@pbx1", "URL with a password"),
        (("save_path",), "tcp://c1:6379?auth=wintermoth&database=2", "URL with a token"),
        (("eauth", "sharedsecret", "web", 0), "state.*", None),
        (("sharedsecret", 0), "Wintermoth-418", "key names a secret"),
        (("duo", "ikey"), "DIWJ2F5TWPZS4LNJ5XV8", None),
        (("bitcoin", "xpub"), "xpub" + "a1B2" * 26, None),
        (("lapi_key",), "gwJj8oAgCl0yQiZ", "key names an API key"),
        (("http", "traceparent"), "00-4bf982c7c96d1f16c2abf88d504a08af-00f0a5ff9d431eee-01", None),
        (("secure_link_md5",), '"$secure_link_expires$uri wintermoth"', "key names a secret"),
        (("tacacs", "key"), "Wintermoth", "key names a private key"),
        (("db", "key"), "id", None),
        (("corosync", "token"), 10000, None),
        (("app", "token"), 8392017418, "key names a token"),
        (("passwords_by_user", "ann"), "x", "key names a password"),
        (("contraseña",), "x", "key names a password"),
        (("recovery_codes", 0), "6i5v1-srd66", "key names a secret"),
        (("recaptcha", "site_key"), "kRmTFqVYbnoNCcMhX2pZ0WgJdL8sUeAi", None),
        (("note",), "kRmTFqVYbnoNCcMhX2pZ0WgJdL8sUeAi,ann,1", "looks random"),
    ]:
        rules = Rules()
        assert rules.find_reason(path, value) == reason, (path, value)
        if reason is not None and reason.startswith("key"):
            assert any(rules.may_hide_below(key) for key in path), (path, value)
