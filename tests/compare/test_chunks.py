"""How the states of a minion differ between two sides, and that the changes say it exactly."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.apply_changes import apply_chunk_changes

from pillarbook.compare.chunks import ChunkChange, compare_chunks
from pillarbook.compare.compare_values import WinningOrigins
from pillarbook.compare.strict import Fingerprints
from pillarbook.redact import Redacted

SECRET = Redacted("key names a password", 1)
OTHER = Redacted("key names a password", 2)


def chunk(name: str = "a", order: Any = 10000, **arguments: Any) -> dict[str, Any]:
    """Return a chunk; ``sls``, ``id``, ``env``, ``state`` and ``fun`` stand for those parts."""
    own = {
        "state": arguments.pop("state", "file"),
        "name": name,
        "__sls__": arguments.pop("sls", "app"),
        "__env__": arguments.pop("env", "base"),
        "__id__": arguments.pop("id", name),
    }
    return {**own, "order": order, **arguments, "fun": arguments.pop("fun", "managed")}


def compare(base: Sequence[Any], head: Sequence[Any]) -> tuple[ChunkChange, ...]:
    def nothing(_: int) -> WinningOrigins:
        return WinningOrigins(())

    return compare_chunks(base, head, nothing, nothing)


def told(base: Sequence[Any], head: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return kind, ID and the paths of arguments of each change, which is held to be exact."""
    changes = compare(base, head)
    prints = Fingerprints()
    assert prints.of(apply_chunk_changes(base, changes)) == prints.of(list(head))
    return [
        (change.kind, change.state.state_id, *(one.path for one in change.arguments))
        for change in changes
    ]


A, B, C = chunk("a", 10000), chunk("b", 10001), chunk("c", 10002)
CASES = {
    "the-same": ([A, B], [A, B], []),
    "an-argument": ([A], [chunk(mode="0600")], [("changed", "a", ("mode",))]),
    "a-deep-argument": (
        [chunk(context={"x": 1, "y": 2})],
        [chunk(context={"x": 3, "y": 2})],
        [("changed", "a", ("context", "x"))],
    ),
    "a-requisite": (
        [chunk(require=[{"pkg": "x"}])],
        [chunk(require=[{"pkg": "x"}, {"pkg": "y"}])],
        [("changed", "a", ("require", 1))],
    ),
    "a-type": ([chunk(mode=1)], [chunk(mode=True)], [("changed", "a", ("mode",))]),
    "a-secret": ([chunk(pw=SECRET)], [chunk(pw=OTHER)], [("changed", "a", ("pw",))]),
    "the-same-secret": ([chunk(pw=SECRET)], [chunk(pw=SECRET)], []),
    "added": ([A], [A, chunk("b", 10001)], [("added", "b")]),
    "removed-shifts-others": (
        [A, B, C],
        [A, chunk("c", 10001)],
        [("removed", "b"), ("moved", "c")],
    ),
    "an-order-of-its-own": ([chunk(order=1)], [chunk(order=2)], [("changed", "a", ("order",))]),
    "changed-and-shifted": (
        [A, B],
        [chunk("b", 10000, mode="0600")],
        [("removed", "a"), ("changed", "b", ("mode",))],
    ),
    "places-change": (
        [A, B, C],
        [chunk("c", 10000), chunk("a", 10001), chunk("b", 10002)],
        [("moved", "c"), ("moved", "a"), ("moved", "b")],
    ),
    "a-renamed-sls": ([A], [chunk(sls="other")], [("changed", "a", ("__sls__",))]),
    "another-environment": ([A], [chunk(env="dev")], [("changed", "a", ("__env__",))]),
    "another-name": (
        [chunk("/x", id="a")],
        [chunk("/y", id="a")],
        [("changed", "a", ("name",))],
    ),
    "a-secret-name": (
        [chunk(SECRET, id="a")],  # type: ignore[arg-type]
        [chunk(OTHER, id="a")],  # type: ignore[arg-type]
        [("changed", "a", ("name",))],
    ),
    "another-function": ([A], [chunk(fun="absent")], [("changed", "a", ("fun",))]),
    "another-id": ([chunk("/x", id="a")], [chunk("/x", id="b")], [("changed", "b", ("__id__",))]),
    "an-id-that-is-the-name": ([A], [chunk("b")], [("removed", "a"), ("added", "b")]),
    "names": (
        [chunk("x", 10000.0001, id="a"), chunk("y", 10000.0002, id="a")],
        [chunk("x", 10000.0001, id="a"), chunk("z", 10000.0002, id="a")],
        [("removed", "a"), ("added", "a")],
    ),
    "twice-the-same": ([A, A], [A], [("removed", "a")]),
    "keys-in-another-order": (
        [{"x": 1, "y": 2, **A}],
        [{"y": 2, "x": 1, **A}],
        [("changed", "a", ())],
    ),
}


@pytest.mark.parametrize(("base", "head", "expected"), CASES.values(), ids=CASES)
def test_changes(base: list[Any], head: list[Any], expected: list[tuple[Any, ...]]) -> None:
    assert told(base, head) == expected


def test_a_state_that_overtakes_others_is_told_apart() -> None:
    head = [chunk("c", 10000), chunk("a", 10001), chunk("b", 10002)]
    assert [change.overtakes for change in compare([A, B, C], head)] == [True, False, False]


CHUNKS = st.builds(
    lambda name, order, arguments, **parts: chunk(name, order, **arguments, **parts),
    st.sampled_from("abc"),
    st.sampled_from([1, 10000, 10001, 10002, "last", 10000.5]),
    st.dictionaries(
        st.sampled_from(["mode", "user", "require"]),
        st.sampled_from([1, True, "x", [1, 2], [2, 1], {"k": 1, "l": 2}, {"l": 2, "k": 1}, SECRET]),
        max_size=2,
    ),
    id=st.sampled_from("ab"),
    sls=st.sampled_from(["app", "web"]),
    fun=st.sampled_from(["managed", "absent"]),
)


@given(st.lists(CHUNKS, max_size=8), st.lists(CHUNKS, max_size=8))
def test_changes_applied_to_the_base_give_the_head(base: list[Any], head: list[Any]) -> None:
    told(base, head)
    assert compare(head, head) == ()
