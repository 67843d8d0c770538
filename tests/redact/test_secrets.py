"""Places and tokens of secrets."""

from typing import Any

import pytest

from pillarbook.redact import SecretStore
from pillarbook.redact.secret_store import TEMPLATE


def token_of(value: Any, key: bytes | None = b"k") -> str:
    store = SecretStore(key)
    return store.token(store.add(value))


def test_equal_secrets_have_equal_tokens() -> None:
    store = SecretStore(b"key")
    places = [store.add(value) for value in ("a", "b", "a")]
    assert places == [0, 1, 0]
    assert token_of("a") == token_of("a")
    assert token_of("a") != token_of("b")


@pytest.mark.parametrize(
    "values", [("1", 1), (1, True), (1, 1.0), ("a", b"a"), ("", b"")], ids=repr
)
def test_values_of_two_types_are_two(values: tuple[Any, Any]) -> None:
    one, other = values
    assert token_of(one) != token_of(other)


def test_a_token_depends_on_the_key() -> None:
    assert token_of("a", b"one") != token_of("a", b"two")
    assert token_of("a", None) != token_of("a", None)
    assert token_of("a", b"x" * 200) != token_of("a", b"x" * 201)


def test_a_token_is_sixteen_digits_whatever_the_value() -> None:
    assert {len(token_of(value)) for value in ("", "a", "a" * 1000, 7)} == {16}


def test_only_a_given_key_compares_with_other_runs() -> None:
    assert [SecretStore(key).key.is_given for key in (b"k", None, b"")] == [True, False, False]
    ids = [SecretStore(key).key.id for key in (b"k", b"k", b"l")]
    assert ids[0] == ids[1] != ids[2]


def test_a_store_never_shows_what_it_holds() -> None:
    store = SecretStore()
    store.add("hunter2")
    assert repr(store) == "SecretStore(1 secrets)"
    assert list(store.clear_values()) == ["hunter2"]


@pytest.mark.parametrize("turned", [False, True], ids=["first", "last"])
def test_a_path_of_a_pillar_names_a_secret_before_one_of_a_template(turned: bool) -> None:
    paths = [("apps", "shop", "db", "password"), (TEMPLATE, "s")]
    store = SecretStore()
    for path in reversed(paths) if turned else paths:
        store.add("hunter2hunter2", path)
    assert [store.path_of(place) for place in range(len(store))] == [paths[0]]


@pytest.mark.parametrize("turned", [False, True], ids=["first", "last"])
def test_a_secret_is_named_by_its_shortest_path_whatever_comes_first(turned: bool) -> None:
    paths = [("b", "password"), ("a", "db", "password"), ("a", "word")]
    store = SecretStore()
    for path in reversed(paths) if turned else paths:
        store.add("hunter2hunter2", path, is_copy=path[-1] == "word")
    place = store.add("hunter2hunter2")
    assert store.path_of(place) == ("b", "password")
    assert not store.is_copy(place)


def test_what_is_made_of_secrets_is_known_for_a_copy() -> None:
    store = SecretStore()
    assert store.is_copy(store.add("x-hunter2", ("a", "word"), is_copy=True))
    assert not store.is_copy(store.add("hunter2"))
    assert not store.is_copy(store.add("x-hunter2", ("b", "password")))
