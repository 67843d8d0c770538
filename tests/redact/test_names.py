"""Names that hold a secret: rewritten wherever they are shown, and still apart."""

import base64

import pytest

from pillarbook.model import Position
from pillarbook.redact import SecretStore
from pillarbook.redact.secret_names import Names
from pillarbook.redact.secret_search import Searches, SecretSearch
from pillarbook.redact.secret_sources import in_place

SECRET = "Xk3v9QpL2w8Z"


def settled() -> tuple[Names, str]:
    """Return names that know a secret, and its token."""
    store = SecretStore(b"k")
    place = store.add(SECRET, ("db", "password"))
    names = Names(store)
    names.freeze(SecretSearch.of([(place, SECRET)]))
    return names, store.token(place)


def test_a_name_shows_the_token_in_the_place_of_the_secret() -> None:
    names, token = settled()
    assert names.clean(f"web-{SECRET}.example.com") == f"web-{token}.example.com"
    assert names.clean("web1.example.com") == "web1.example.com"


def test_names_that_hold_one_secret_in_two_forms_stay_two() -> None:
    names, token = settled()
    coded = base64.b64encode(SECRET.encode()).decode()
    given = [f"a-{SECRET}", f"a-{coded}", f"a-{SECRET.encode().hex()}", "b"]
    shown = names.keep_apart(given)
    assert shown == [f"a-{token}", f"a-{token}~2", f"a-{token}~3", "b"]
    assert [names.clean(name) for name in given] == shown


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)], ids=["in order", "in another order"])
def test_a_name_is_taken_down_once_with_what_it_names_first(order: tuple[int, ...]) -> None:
    names, token = settled()
    places = [Position(f"a/{SECRET}.sls", 3), Position("a/z.sls", 2), Position("b.sls", 1)]
    for at in order:
        names.note("a key", f"k{SECRET}", places[at])
    (found,) = [one for one in names.found() if one.shown.startswith("k")]
    assert (found.what, str(found.position)) == ("a key", f"a/{token}.sls:3")


def test_a_copy_that_becomes_known_later_changes_no_name() -> None:
    store = SecretStore(b"key")
    store.add(SECRET, ("a",), source=in_place("f", ("a",), SECRET))
    names = Names(store)
    shown = []
    for _ in range(2):
        names.freeze(Searches(store).among(frozenset(range(len(store)))))
        shown.append(names.clean(f"web-{SECRET}"))
        store.add(SECRET, ("note",), is_copy=True)
    assert shown[0] == shown[1]
