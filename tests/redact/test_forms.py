"""The forms in which a secret is looked for: each is met as other programs write it."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from unittest.mock import Mock
from urllib.parse import quote, quote_plus

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.support.written import KEY, SECRET, WRITERS

from pillarbook.patterns.distinctive import is_distinctive
from pillarbook.redact import SecretStore, secret_forms
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.redact.secret_search import Searches, SecretSearch
from pillarbook.session.pillar_texts import dump_yaml


def test_each_form_is_found() -> None:
    for secret in [SECRET, "hunter2hunter2", KEY]:
        for writer in WRITERS:
            search = SecretSearch.of([(7, secret)])
            written = WRITERS[writer](secret)
            assert search.ids_in(f"before {written} after".encode()) == {7}, (secret, writer)


def test_each_longer_line_is_found() -> None:
    search = SecretSearch.of([(0, KEY)])
    for line in ("MIIEpAIBAAKCAQEA1c7", "AbCdEf0123456789"):
        assert search.ids_in(f"    {line}\n".encode()) == {0}
    for line in ("-----BEGIN KEY-----", "w9/k+QzX=="):
        assert search.ids_in(line.encode()) == frozenset()


@pytest.mark.parametrize("value", [True, 5, "admin", "password", "", None, 1.5], ids=repr)
def test_what_stands_by_chance_is_not_looked_for(value: object) -> None:
    assert not SecretSearch.of([(0, value)])


def test_bytes_are_found_raw_and_encoded() -> None:
    secret = bytes(range(128, 160))
    search = SecretSearch.of([(3, secret)])
    for written in (base64.b64encode(secret), secret.hex().encode()):
        assert search.ids_in(written) == {3}


def test_secrets_within_each_other_are_all_found() -> None:
    search = SecretSearch.of([(0, "hunter2hunter2"), (1, "hunter2hunter2-longer")])
    assert search.ids_in(b"x hunter2hunter2-longer") == {0, 1}
    assert search.replace("x hunter2hunter2-longer y", str) == "x 1 y"


def test_what_is_found_in_a_printed_text_is_found_in_the_text_itself() -> None:
    """The redactor searches open texts; the leak gate finds them with quotes of JSON around."""
    ordinary = "ldap://dc1.example.net:389/ou=people,dc=example,dc=net?uid"
    search = SecretSearch.of([(0, f'AuthLDAPURL "{ordinary}"\nAuthLDAPBindPassword Kohl7xQ9z')])
    assert search.ids_in(json.dumps(ordinary).encode()) == search.ids_in(ordinary.encode())


def test_lines_beside_a_secret_are_no_copies_of_it() -> None:
    around = "service password-encryption\nip domain lookup source-interface Vlan10\n"
    for secret in (
        "enable secret 9 $9$vNk2c0jT1pQxYf$h0Zr5mEJw2u8tWqA7bXo",
        f"# {'ghp_' + 'a1B2' * 9}",
    ):
        search = SecretSearch.of([(0, f"{around}{secret}\n")])
        assert search.ids_in(around.encode()) == frozenset()
        assert search.ids_in(f"    {secret}\n".encode()) == {0}


def test_a_long_text_is_looked_for_by_its_password() -> None:
    module = "org.apache.kafka.common.security.plain.PlainLoginModule required"
    search = SecretSearch.of([(0, f'{module} username="ann" password="fjord";')])
    assert search.ids_in(f"{module};".encode()) == frozenset()
    assert search.ids_in(b'username="ann" password="fjord";') == {0}


def test_a_long_secret_is_replaced_as_a_whole() -> None:
    secret = "".join(hashlib.sha512(bytes([n])).hexdigest() for n in range(4))
    search = SecretSearch.of([(0, secret)])
    assert search.replace(f"<{secret}>", lambda _: "T") == "<T>"


def test_a_secret_is_replaced_as_a_whole_in_each_way_that_it_is_written() -> None:
    secret = "ghp_dtHsMW0vratWW7svXBCj6Cuchc92AGLohs2k"
    search = SecretSearch.of([(0, secret)])
    coded = base64.b64encode(secret.encode()).decode()
    for written in (secret, secret.replace("_", "\\_"), secret.encode().hex()):
        assert search.replace(f"a {written} b", lambda _: "T") == "a T b"
    assert search.replace(f"a {coded}", lambda _: "T") in ("a T", f"a T{coded[-3:]}")


def test_secrets_that_overlap_are_replaced_together() -> None:
    search = SecretSearch.of([(0, "abc1def2ghi3"), (1, "ghi3jkl4mno5pqr6")])
    assert search.replace("<abc1def2ghi3jkl4mno5pqr6>", str) == "<1>"


def test_what_is_left_of_a_secret_is_no_half_sign() -> None:
    secret = "ö" * 30 + "aB3dE5gH1jK2mN4p" + "ü" * 30
    search = SecretSearch.of([(0, secret)])
    for written in (secret, secret[5:], secret[:-5], f"ä{secret[5:-5]}ä"):
        assert search.replace(written, lambda _: "T").strip("ä") == "T"


def test_urls_of_one_host_are_two_secrets() -> None:
    url = "postgresql://svc:{}@a-long-name-of-a-host.db.example.com:5432/application"
    search = SecretSearch.of([(0, url.format("Xk3v9QpL2w8Z")), (1, url.format("b7YnR4tGs1Mc"))])
    for writer in ("itself", "base64", "hex", "json in html", "url, all"):
        written = WRITERS[writer](url.format("b7YnR4tGs1Mc"))
        assert search.ids_in(written.encode()) == {1}, writer
    assert search.ids_in(url.format("").encode()) == frozenset()


def test_the_password_of_a_url_is_looked_for_alone() -> None:
    search = SecretSearch.of([(0, "amqp://app:Xk3%2F9QpL2w8Z@mq/")])
    assert search.ids_in(b"-p Xk3/9QpL2w8Z") == search.ids_in(b"Xk3%2F9QpL2w8Z") == {0}


def test_what_yaml_folds_is_found() -> None:
    secret = "walrus kettle bramble oxbow"
    search = SecretSearch.of([(0, secret)])
    for style in ("'", '"', None):
        for before in range(40, 80):
            written = yaml.dump(
                {"a": f"{'x' * before} {secret} {'y' * before}"}, default_style=style
            )
            assert search.ids_in(str(written).encode()) == {0}, (style, before)


def test_a_search_shows_nothing_of_what_it_looks_for() -> None:
    assert "hunter" not in repr(SecretSearch.of([(0, "hunter2hunter2")]))


@given(st.text(min_size=10, max_size=80), st.sampled_from(sorted(WRITERS)))
def test_drawn_secrets_are_found_in_each_form(secret: str, writer: str) -> None:
    secret = f"k7{secret}Zq"
    assume(
        is_distinctive(secret)
    )  # `k7000000000.Zq` might be a name; then few forms are looked for
    if writer == "yaml, single" and len(secret.splitlines()) > 1:
        return  # YAML breaks it at its own lines, and short ones are not looked for
    try:
        written = WRITERS[writer](secret)
    except UnicodeEncodeError:
        return
    assert SecretSearch.of([(0, secret)]).ids_in(written.encode()) == {0}


@pytest.mark.parametrize("writer", WRITERS)
def test_the_searches_of_a_store_find_each_form(writer: str) -> None:
    store = SecretStore()
    place = store.add(SECRET)
    places = frozenset((place, store.add("hunter2hunter2")))
    written = WRITERS[writer](SECRET).encode()
    assert Searches(store).among(places).ids_in(written) == {place}


TURNED = {
    "upper": str.upper,
    "lower": str.lower,
    "swapped": str.swapcase,
    "title": str.title,
    "reversed": lambda text: text[::-1],
    "reversed, upper": lambda text: text[::-1].upper(),
    "upper, quoted": lambda text: yaml.safe_dump([text.upper()]),
}


@pytest.mark.parametrize("secret", ["Kr7mXq2vL9wz", "s3kR1t-Hunter2!", SECRET.replace("ö", "o")])
@pytest.mark.parametrize("turn", TURNED.values(), ids=TURNED)
def test_it_is_found_turned(turn: Callable[[str], str], secret: str) -> None:
    search = SecretSearch.of([(7, secret)])
    assert search.ids_in(f"before {turn(secret)} after".encode()) == {7}


def test_it_is_replaced_as_a_whole_in_any_case() -> None:
    secret = "Kr7mXq2vL9wzKr7mXq2vL9wzKr7mXq2vL9wzKr7mXq2vL9wz"
    search = SecretSearch.of([(0, secret)])
    assert search.replace(f"<{secret.upper()}>", lambda _: "T") == "<T>"


@pytest.mark.parametrize(
    ("secret", "text"),
    [
        ("MyAppUser", "myappuser"),
        ("POSTGRESuser", "postgresuser"),
        ("aB3:xY9-kk", "x" * 4 + "aB3"),
        ("shop-release2024 with web01 x", "release2024 web01"),
        ("mysqldump --cipher aes256gcm --password Kr7mXq2vL9wz", "aes256gcm"),
        ("postgresql://svc:Kr7mXq2vL9@db9x8y7z6.example.com/app", "db9x8y7z6"),
        ("a b c d e f g h i j k l m host1a2b3c4d", "host1a2b3c4d"),
    ],
)
def test_ordinary_words_are_not_looked_for(secret: str, text: str) -> None:
    assert SecretSearch.of([(0, secret)]).ids_in(text.encode()) == frozenset()


@pytest.mark.parametrize("text", ["horse bK3vTr99Mn", "bk3vtr99mn", "-bK3vTr99Mn-Zt5wQq81Lp"])
def test_words_that_tell_by_themselves_are_found(text: str) -> None:
    search = SecretSearch.of([(4, "Zt5wQq81Lp horse bK3vTr99Mn")])
    assert search.ids_in(text.encode()) == {4}


def test_bytes_that_are_no_text_are_found_as_they_are() -> None:
    secret = b"\xff\xfe`UB\xe0p\x0b\xc5\x85\xc2Q\xc2"
    assert SecretSearch.of([(0, secret)]).ids_in(b"x" + secret) == {0}
    assert SecretSearch.of([(0, secret)]).ids_in(b"x" + secret.upper()) == frozenset()


@given(st.text())
def test_text_is_escaped_as_pyyaml_does(text: str) -> None:
    written = [
        yaml.dump(text, default_style='"', allow_unicode=allow_unicode, width=10**9)
        for allow_unicode in (True, False)
    ]
    assert list(secret_forms._in_yaml(text))[:2] == [one.strip()[1:-1] for one in written]


def test_text_is_escaped_as_in_the_yaml_of_pillars() -> None:
    for text in ("abc\u202edef", "\u2066\xfc\u2069", '\u200e"\\"', "a\n\u061c\n"):
        assert dump_yaml({"key": text})[6:-2] in set(secret_forms._in_yaml(text))


def test_all_searches_share_the_forms_of_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    forms_of = Mock(side_effect=secret_forms.forms_of)
    monkeypatch.setattr(secret_forms, "forms_of", forms_of)
    store = SecretStore()
    places = frozenset(map(store.add, (SECRET, KEY)))
    index = SecretIndex()
    index.follow(store)
    searches = Searches(store)
    written = f"{SECRET} {KEY}".encode()
    assert searches.among(places).ids_in(written) == places
    assert searches.among(frozenset((0,))).ids_in(written) == {0}
    assert len(list(index.find(written))) == forms_of.call_count == 2


@given(st.text())
def test_text_is_escaped_as_urllib_does(text: str) -> None:
    raw = text.encode("utf-8", "backslashreplace")
    quoted = (
        quote(raw),
        quote(raw, safe=""),
        quote_plus(raw),
        quote(raw, safe="/:@?&=+,;~!*'()"),
    )
    small = (re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), form) for form in quoted)
    expected = [form for pair in zip(quoted, small, strict=True) for form in pair]
    assert list(secret_forms._in_url(text)) == expected
