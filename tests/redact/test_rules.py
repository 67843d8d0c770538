"""What is secret, and why."""

import datetime as dt
from typing import Any

import pytest

from pillarbook.model import KeyPath
from pillarbook.patterns.key_names import kind_of_name, split_words
from pillarbook.patterns.value_patterns import find_look
from pillarbook.redact import Redacted, Redactor, Rules, SecretStore, is_sealed
from pillarbook.redact.redaction_rules import MAX_SLOW, RuleError

PGP = "-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----"
TO_ONE = PGP.replace(
    "abc", "wTIDGis8TV5vcIEBVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVQ=="
)
PEM = "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n"


def test_kind_of_name() -> None:
    for name, kind in [
        *[
            (name, "a password")
            for name in ("password", "passwd", "pass", "pw", "pwd", "passphrase")
        ],
        *[
            (name, "a password")
            for name in ("dbPassword", "DB_PASSWORD", "db-password", "db.password")
        ],
        *[(name, "a password") for name in ("dbpassword", "controlpass", "machinepass", "wpa_psk")],
        *[
            (name, "a password")
            for name in ("password2", "password_hash", "passwordOld", "server_password")
        ],
        *[
            (name, "a secret")
            for name in ("secret", "client_secret", "clientSecret", "credentials")
        ],
        *[
            (name, "a token")
            for name in ("token", "auth_token", "authtoken", "slackToken", "reset_token")
        ],
        *[
            (name, "an API key")
            for name in ("api_key", "apikey", "apiKey", "API_KEY", "access_key")
        ],
        *[
            (name, "a private key")
            for name in ("private_key", "privateKey", "secret_access_secret_key")
        ],
        *[(name, "a private key") for name in ("YOURLS_COOKIEKEY", "cookie_hash", "privkey")],
        *[
            (name, None)
            for name in ("PasswordAuthentication", "PermitEmptyPasswords", "proxy_pass")
        ],
        *[
            (name, None)
            for name in ("server_tokens", "public_key", "secret_backends", "item_content_hash")
        ],
        *[
            (name, None)
            for name in ("password_file", "token_ttl", "max_tokens", "require_password")
        ],
        *[
            (name, None)
            for name in ("key", "keys", "keyboard", "passenger", "compass", "bypass", "tokenizer")
        ],
        *[
            (name, None)
            for name in ("PermitRootLogin without-password", "/a-prohibit-password", "x-no-token")
        ],
        *[
            (name, None)
            for name in ("ssh_host_key", "secretary", "", "123", "use_secret", "pillow")
        ],
    ]:
        assert kind_of_name(name) == kind, (name, kind)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("db_password",), '%{lookup("db::password")}'),
        (("client_secret",), "((infra/registry.secret))"),
        (("secret",), "'/etc/openvpn/keys/site.key'"),
        (("hash_passwords",), "SSHA"),
        (("token",), "org.example.auth.UuidProvider"),
        (("credentials",), "deploy-bot"),
        (("secret", "targetname"), "iqn.2011-05.net.example:store.disk3"),
        (("activation_keys", 0, "child_channels", 0), "leap-updates-x86_64"),
        (("activation_keys", 0, "homepage"), "wiki.example.net"),
        (("secrets", "contact"), "keys@example.net"),
        (("passphrase", "shade"), "#10fe20"),
        (("mongodb", "users", "shop"), "readWriteAny"),
        (("users", "anna"), "Anna Kron"),
        (("users", "displayname"), "AnnaKronFromOps"),
        (("passwd", "pattern"), "minlen"),
    ],
)
def test_what_only_stands_by_a_secret_is_shown(path: KeyPath, value: str) -> None:
    assert Rules().find_reason(path, value) is None


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("credentials",), "Sonnenblume"),
        (("credentials",), "birch-otter-lamp-stone"),
        (("password",), "wiki.example.net"),
        (("passwords", "service"), "wintermoth"),
        (("samba", "users", "anna"), "annaWintermoth"),
        (("passwords", "root"), "correct.horse.battery"),
        (("ospf", "key"), "wintermoth"),
        (("root_password_sha2",), "c0ffee" * 8),
        (("devise", "pepper"), "wintermoth"),
        (("sympa", "cookie"), "514908237765"),
        (("api_token",), "Z2k9fcFiW1JL '<>&%$ f13zoefiUz2e"),
    ],
)
def test_what_may_be_a_secret_is_hidden(path: KeyPath, value: str) -> None:
    assert Rules().find_reason(path, value) is not None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dbPassword2", ["db", "password", "2"]),
        ("AWSSecretKey", ["aws", "secret", "key"]),
        ("a-b.c_d", ["a", "b", "c", "d"]),
        ("TOKEN", ["token"]),
    ],
)
def test_split_words(name: str, words: list[str]) -> None:
    assert split_words(name) == words


def test_built_in_rules() -> None:
    for path, value, reason in [
        (("note",), PGP, "PGP message"),
        (("note",), f"a\n{PGP}\nb", "PGP message"),
        (("note",), "-----BEGIN PGP MESSAGE----- cut off", "PGP message"),
        (("note",), PGP.encode(), "PGP message"),
        (("note",), TO_ONE, "PGP message for 0x1A2B3C4D5E6F7081"),
        (("note",), TO_ONE.encode(), "PGP message for 0x1A2B3C4D5E6F7081"),
        (("note",), PEM, "private key"),
        (("note",), "-----BEGIN PGP PRIVATE KEY BLOCK-----\n", "private key"),
        (("note",), "-----BEGIN CERTIFICATE-----\nabc", None),
        (("note",), "-----BEGIN PUBLIC KEY-----\nabc", None),
        (("password",), "-----BEGIN PUBLIC KEY-----\nabc", None),
        (("password",), "-----BEGIN PKCS7-----\nabc", "key names a password"),
        (("root", "shadow"), "$6$salt$0123456789abcdef", "password hash"),
        (("dsn",), "postgres://app:pw@db/app", "URL with a password"),
        (("dsn",), "https://example.org:443/x@y", None),
        (("price",), "$6 or $7", None),
        (("db", "password"), "x", "key names a password"),
        (("db", "password", 0), "x", "key names a password"),
        (("passwords", "ann"), "x", "key names a password"),
        (("secrets", "user"), "app", None),
        (("secrets", "port"), 5432, None),
        (("passwords", "user1"), "x", "key names a password"),
        (("secrets", "db"), "x", "key names a secret"),
        (("password",), 1234, "key names a password"),
        (("password",), 123, None),
        (("password",), True, None),
        (("password",), None, None),
        (("password",), 1.5, None),
        (("password",), "", None),
        (("password",), "  ", None),
        (("password",), "No", None),
        (("password",), b"bytes", "key names a password"),
        (("password",), ("a",), "key names a password"),
        (("password",), {}, None),
        (("password",), [], None),
        (("password",), dt.date(2020, 1, 1), "key names a password"),
        (("token",), "/etc/app/token", None),
        (("token",), "/b64+like/0123==", "key names a token"),
        (("token",), "vault.renew_token", None),
        (("token",), "vault.renewed", "key names a token"),
        (("token",), "https://host/v1/token", None),
        (("secret",), "/path/to/key", None),
        (("secret",), "/path/t0/Kx91mQz7", "key names a secret"),
        (("refresh_vault_token", "function"), "vault.renew_token", None),
        (("refresh_vault_token", "args", 0), "datadog.plugins", None),
        (("passwords", "ann"), "datadog.plugins", "key names a password"),
        (("include", 0, "app.secrets", "defaults", "env"), "production", None),
        (("include", 0, "web", "defaults", "db_password"), "hunter2", "key names a password"),
        (("include", 0, "app.secrets", "other"), "production", "key names a secret"),
        (("token",), "https://hooks.example.org/T0/B1", "key names a token"),
        ((1, 2), "x", None),
        ((), "x", None),
    ]:
        assert Rules().find_reason(path, value) == reason, (path, value)


@pytest.mark.parametrize(
    ("reason", "sealed"),
    [
        ("PGP message", True),
        ("PGP message for a passphrase", True),
        ("PGP messages", False),
        ("gpg renderer, for 0x1A2B3C4D5E6F7081", False),
    ],
)
def test_is_sealed(reason: str, sealed: bool) -> None:
    assert is_sealed(reason) is sealed


def test_owners_are_named_in_every_reason_that_names_a_key() -> None:
    rules = Rules(name_keys=lambda text: text.replace("0x1A2B3C4D5E6F7081", "Ann's"))
    assert rules.find_reason(("note",), TO_ONE) == "PGP message for Ann's"
    mark = "gpg renderer, for 0x1A2B3C4D5E6F7081"
    assert rules.find_reason(("note",), "clear", mark) == "gpg renderer, for Ann's"


@pytest.mark.parametrize(
    ("value", "reason"),
    [("x", "gpg renderer"), (5432, "gpg renderer"), (False, "gpg renderer"), (PGP, "PGP message")],
    ids=["text", "number", "boolean", "sealed"],
)
def test_what_the_compiler_knows(value: Any, reason: str) -> None:
    assert Rules(allow=["*"]).find_reason(("note",), value, "gpg renderer") == reason


@pytest.mark.parametrize("value", [None, ""], ids=["null", "empty"])
def test_nothing_is_never_secret(value: Any) -> None:
    assert Rules().find_reason(("password",), value, "gpg renderer") is None


@pytest.mark.parametrize(
    ("pattern", "path", "is_secret"),
    [
        ("*_dsn", ("db_dsn",), True),
        ("*_DSN", ("app", "db_dsn", "main"), True),
        ("dsn", ("db_dsn",), False),
        ("app:*:dsn", ("app", "web", "dsn"), True),
        ("app:*:dsn", ("app", "web", "dsn", 0), True),
        ("app:dsn", ("other", "app", "dsn"), False),
        ("ports:80", ("ports", 80), True),
    ],
)
def test_keys_of_the_configuration(pattern: str, path: KeyPath, is_secret: bool) -> None:
    reason = "redact: keys" if is_secret else None
    assert Rules(keys=[pattern]).find_reason(path, "x") == reason


@pytest.mark.parametrize("keys", [(1, True), (True, 1), (1.0, 1, True)])
def test_keys_that_are_equal_are_told_apart(keys: tuple[Any, ...]) -> None:
    rules = Rules(keys=["true"])
    found = [rules.find_reason(("a", key), "x") is not None for key in keys]
    assert found == [key is True for key in keys]


def test_values_of_the_configuration() -> None:
    rules = Rules(values=[r"^glpat-", r"\b4\d{15}\b"])
    assert rules.find_reason(("a",), "glpat-x") == "redact: values"
    assert rules.find_reason(("a",), 4111111111111111) == "redact: values"
    assert rules.find_reason(("a",), "x") is None


def test_allow_sets_aside_all_but_ciphertext() -> None:
    rules = Rules(keys=["k"], values=["x"], allow=["demo:*"])
    paths: list[KeyPath] = [("demo", "password"), ("demo", "k")]
    assert [rules.find_reason(path, "x") for path in paths] == [None, None]
    assert rules.find_reason(("demo", "password"), PEM) is None
    assert rules.find_reason(("demo", "password"), PGP) == "PGP message"
    assert rules.find_reason(("live", "password"), "x") == "redact: values"


def test_a_broken_pattern_is_named() -> None:
    with pytest.raises(RuleError, match=r"redact: values: '\(' is no regular expression"):
        Rules(values=["("])


def test_a_value_is_hidden_if_a_pattern_takes_too_long_and_many_stop_the_command() -> None:
    rules = Rules(values=["slow"], finds=lambda _, text: None if text.startswith("a") else False)
    assert rules.find_reason(("x",), "b") is None
    for number in range(MAX_SLOW - 1):
        assert rules.find_reason(("x",), f"a{number}") == "redact: values"
    with pytest.raises(RuleError, match="redact: values: 'slow' takes more than a second"):
        rules.find_reason(("x",), "a")


def test_grains_whose_keys_are_equal_are_told_apart() -> None:
    redactor = Redactor(Rules(keys=["true", "d:true"]), SecretStore(b"key"))
    one = redactor.redact_grains({1: "x", "d": {1: "hello"}})
    other = redactor.redact_grains({True: "x", "d": {True: "hello"}})
    assert (list(one), list(other)) == ([1, "d"], [True, "d"])
    assert [key.__class__ for key in (*one, *other)] == [int, str, bool, str]
    assert (one[1], one["d"]) == ("x", {1: "hello"})
    assert isinstance(other[True], Redacted)
    assert isinstance(other["d"][True], Redacted)


def test_the_form_of_a_long_text_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many minions have the same files in their states, each time as another object."""
    looked: list[int] = []

    def note(text: str) -> str | None:
        looked.append(len(text))
        return find_look(text)

    monkeypatch.setattr("pillarbook.redact.redaction_rules.find_look", note)
    rules = Rules()
    lines = [f"option_{number} = {number}" for number in range(100)]
    for number in range(20):
        assert rules.find_reason((f"state{number}", "contents"), "\n".join(lines)) is None
    assert len(looked) == 1
