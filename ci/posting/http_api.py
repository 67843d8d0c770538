"""Requests to a service's API: JSON both ways, and a token that goes nowhere else."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from http.client import HTTPException, HTTPMessage
from typing import IO, Any

from faults import PostingError

SECONDS = 30
"""How long an answer may take."""
MAX_BYTES = 20 * 1024 * 1024
"""Bytes of an answer."""
PAGE = 100
"""Entries on a page of a list."""
MAX_PAGES = 50
TRIES = 3
"""How often a request is sent that may be sent again."""
BUSY = (429, 500, 502, 503, 504)


class ApiError(PostingError):
    """An answer that is none; its text holds neither the token nor what was answered."""

    def __init__(self, method: str, path: str, why: str) -> None:
        super().__init__(f"{method} {path.partition('?')[0]}: {why}")


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: urllib would take the token along."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> None:
        """Return nothing, so that the answer is an error."""


class Api:
    """A service's API.

    Args:
        address: Where it begins.
        headers: What each request has, the token among it.
    """

    def __init__(self, address: str, headers: Mapping[str, str]) -> None:
        self._address = address.rstrip("/")
        self._headers = dict(headers)
        self._opener = urllib.request.build_opener(_Stay)

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Return what the service answers.

        Raises:
            ApiError: It does not answer, or not as it should.
        """
        request = urllib.request.Request(  # noqa: S310 (the address is the runner's)
            self._address + path,
            method=method,
            headers={**self._headers, "Content-Type": "application/json"},
            data=None if body is None else json.dumps(body).encode(),
        )
        tries = 1 if method == "POST" else TRIES  # what was posted may be there all the same
        for left in reversed(range(tries)):
            try:
                return json.loads(self._read(request))
            except urllib.error.HTTPError as error:
                if error.code not in BUSY or not left:
                    raise ApiError(method, path, f"the answer is {error.code}") from None
            except (OSError, HTTPException):
                if not left:
                    raise ApiError(method, path, "there is no answer") from None
            except ValueError:
                raise ApiError(method, path, "the answer is no JSON") from None
            time.sleep(1)
        raise AssertionError("the last try returns or raises")

    def pages(self, path: str, within: str | None = None) -> Iterator[Any]:
        """Yield the entries of a list, page by page.

        ``within`` is the field that holds the list; None where the answer is the list.

        Raises:
            ApiError: It does not answer, or not as it should.
        """
        mark = "&" if "?" in path else "?"
        for page in range(1, MAX_PAGES + 1):
            answer = self.ask("GET", f"{path}{mark}per_page={PAGE}&page={page}")
            found = answer if within is None else answer.get(within)
            if not isinstance(found, list):
                raise ApiError("GET", path, "the answer is no list")
            yield from found
            if len(found) < PAGE:
                return

    def download(self, path: str, most: int) -> bytes:
        """Return a file that the service redirects to; the token stays here.

        ``most`` is how many bytes are read; one more tells that it is longer.

        Raises:
            ApiError: It does not answer, or not as it should.
        """
        request = urllib.request.Request(self._address + path, headers=self._headers)  # noqa: S310
        try:
            return self._read(request, most)
        except urllib.error.HTTPError as error:
            if error.code not in (301, 302, 303, 307, 308):
                raise ApiError("GET", path, f"the answer is {error.code}") from None
            target = error.headers.get("Location", "")
        except (OSError, HTTPException):
            raise ApiError("GET", path, "there is no answer") from None
        scheme = urllib.parse.urlsplit(target).scheme
        if scheme != "https" and scheme != urllib.parse.urlsplit(self._address).scheme:
            raise ApiError("GET", path, "it leads to no https address")
        try:
            return self._read(urllib.request.Request(target), most)  # noqa: S310 (looked at above)
        except (OSError, HTTPException):
            raise ApiError("GET", path, "what it leads to does not answer") from None

    def _read(self, request: urllib.request.Request, most: int = MAX_BYTES) -> bytes:
        with self._opener.open(request, timeout=SECONDS) as answer:
            content: bytes = answer.read(most + 1)
        return content[: most + 1]
