"""Which requests a server answers."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

from pillarbook.publish.live_server import answer_own_hosts

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment


@pytest.mark.parametrize(
    ("bound", "host", "is_answered"),
    [
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("127.0.0.1", "localhost", True),
        ("127.0.0.1", "LocalHost.:8000", True),
        ("127.0.0.1", "book.localhost:8000", True),
        ("127.0.0.1", "[::1]:8000", True),
        ("127.0.0.1", "named.example:8000", True),
        ("127.0.0.1", "NAMED.example", True),
        ("127.0.0.1", "rebound.example:8000", False),
        ("127.0.0.1", "sub.named.example", False),
        ("127.0.0.1", "localhost.rebound.example", False),
        ("127.0.0.1", "127.0.0.1.rebound.example", False),
        ("127.0.0.1", "rebound.example, localhost", False),
        ("127.0.0.1", "localhost@rebound.example", False),
        ("127.0.0.1", "notlocalhost", False),
        ("127.0.0.1", "10.0.0.7:8000", False),
        ("127.0.0.1", "0.0.0.0:8000", False),
        ("127.0.0.1", "[::1", False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", ":8000", False),
        ("10.0.0.7", "10.0.0.7:8000", True),
        ("10.0.0.7", "10.0.0.8:8000", False),
        ("10.0.0.7", "localhost:8000", True),
        ("Build1", "build1:8000", True),
        ("0.0.0.0", "10.0.0.7:8000", True),  # noqa: S104 (nothing is bound)
        ("0.0.0.0", "build1:8000", False),  # noqa: S104 (nothing is bound)
        ("::", "[2001:db8::7]:8000", True),
    ],
)
def test_a_server_answers_its_own_hosts(bound: str, host: str, is_answered: bool) -> None:
    said: list[str] = []

    def app(_environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        start_response("200 OK", [])
        return [b"report"]

    guarded = answer_own_hosts(app, bound, ["named.example"])
    body = guarded({"HTTP_HOST": host}, lambda status, *_: said.append(status))  # type: ignore[arg-type]
    assert (said, b"report" in body) == (
        ["200 OK" if is_answered else "421 Misdirected Request"],
        is_answered,
    )
