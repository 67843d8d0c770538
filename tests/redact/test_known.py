"""Secrets that become known while something is written."""

import threading

import pytest
from tests.support.written import KEY, SECRET, WRITERS

from pillarbook.redact import SecretStore
from pillarbook.redact.secret_index import MARK, SecretIndex

LONG = 5000
"""Characters before a secret."""


def follow(*stores: SecretStore) -> SecretIndex:
    known = SecretIndex()
    for store in stores:
        known.follow(store)
    return known


@pytest.mark.sample(90)
@pytest.mark.parametrize("filling", ["", "x" * LONG + "\n"], ids=["short", "long"])
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("secret", [SECRET, KEY, "s3cr3t"], ids=["odd", "key", "short"])
def test_each_form_is_found_as_soon_as_it_is_known(secret: str, writer: str, filling: str) -> None:
    written = WRITERS[writer](secret)
    store = SecretStore()
    known = follow(store)
    text = f"{filling}a {written} b".encode()
    store.add("an0ther-secret", ("other",))
    assert not list(known.find(text))
    store.add(secret, ("db", "password"))
    if writer.startswith("base64") and secret == "s3cr3t":
        return  # what is left of it in the middle may be anything
    [*hits] = known.find(text)
    assert {known.key_of(hit.secret_id) for hit in hits} == {"db:password"}
    assert secret not in known.clean(text.decode())


def test_what_is_known_is_told_apart_by_its_store() -> None:
    one, two = SecretStore(), SecretStore()
    one.add("hunter2hunter2", ("a",))
    two.add("hunter3hunter3", ("b",))
    two.add("hunter2hunter2", ("c",))
    known = follow(one, two, one)
    text = b"hunter3hunter3 hunter2hunter2"
    assert [known.key_of(hit.secret_id) for hit in known.find(text)] == ["b", "a"]
    known.forget()
    assert not list(known.find(text))
    assert not known


def test_it_goes_on_to_learn_between_long_and_short_texts() -> None:
    store = SecretStore()
    known = follow(store)
    for number in range(300):
        secret = f"k7Zq{number:04}xYw"
        store.add(secret, (str(number),))
        filling = b"z" * (LONG if number % 7 == 0 else 0)
        for older in {0, number // 2, number}:
            text = filling + f" k7Zq{older:04}xYw ".encode()
            assert [known.key_of(hit.secret_id) for hit in known.find(text)] == [str(older)]
    everything = known.everything()
    assert everything is known.everything()
    assert everything.first(b"k7Zq0123xYw") is not None


def test_a_text_is_cleaned_and_taken_down() -> None:
    store = SecretStore()
    store.add("hunter2hunter2", ("db", "password"))
    known = follow(store)
    assert known.withhold("nothing", "the log") == "nothing"
    assert known.leaks == []
    assert known.withhold("a hunter2hunter2 \ud800", "the log") == f"a {MARK} \ud800"
    assert [str(leak) for leak in known.leaks] == ["the log contains the secret of `db:password`"]
    assert "hunter2" not in repr(known)


def test_threads_may_ask_while_it_grows() -> None:
    store = SecretStore()
    known = follow(store)
    stopping = threading.Event()
    faults: list[BaseException] = []

    def ask() -> None:
        try:
            while not stopping.is_set():
                list(known.find(b"k7Zq0001xYw " * 3))
        except BaseException as error:  # noqa: BLE001 (told by the test)
            faults.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    for number in range(2000):
        store.add(f"k7Zq{number:04}xYw", (str(number),))
    stopping.set()
    thread.join()
    assert faults == []
    assert len(list(known.find(b"k7Zq0001xYw k7Zq1999xYw"))) == 2
