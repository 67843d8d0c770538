"""Lets a server answer only requests that are meant for it.

A web page can let its own host name resolve to this machine (DNS rebinding). Then the server has
the origin of the page for the browser, and the page could read the whole report. But the ``Host``
header still has the name of the page.
"""

import ipaddress
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

REFUSED = (
    b"This server does not accept requests for this host name; to accept them, use"
    b" `pillarbook serve --allowed-host NAME`.\n"
)


def answer_own_hosts(
    app: "WSGIApplication", bound: str, allowed: Iterable[str] = ()
) -> "WSGIApplication":
    """Return an application that answers like another one, but refuses requests for other hosts."""
    own = frozenset(name.lower() for name in (bound, *allowed))

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if _is_own(_host_of(str(environ.get("HTTP_HOST", ""))), own):
            return app(environ, start_response)
        start_response("421 Misdirected Request", [("Content-Type", "text/plain; charset=utf-8")])
        return [REFUSED]

    return answer


def _host_of(header: str) -> str:
    """Return the host of a ``Host`` header without its port, '' for none."""
    try:
        return (urlsplit(f"//{header}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def _is_own(host: str, own: frozenset[str]) -> bool:
    if host in own or host == "localhost" or host.endswith(".localhost"):
        return host != ""
    address = _address_of(host)
    # Bound to all addresses, it has any address, and a page cannot have an address as its name.
    any_address = any(named.is_unspecified for named in map(_address_of, own) if named)
    return address is not None and (address.is_loopback or any_address)


def _address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
