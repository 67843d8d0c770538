"""MkDocs' live server, without its tracebacks."""

import ipaddress
import posixpath
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click
from mkdocs.livereload import LiveReloadServer

from pillarbook.diagnostics import PillarbookError

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


class ListenError(PillarbookError):
    """The server cannot use its address."""

    def __init__(self, address: str, error: OSError) -> None:
        super().__init__(f"cannot serve at {address}: {error.strerror or error}")


class LiveServer(LiveReloadServer):
    """Serves a site, and builds it again after changes."""

    def __init__(
        self, builder: Callable[[], None], address: tuple[str, int], folder: Path, mount_path: str
    ) -> None:
        super().__init__(builder, *address, root=str(folder), mount_path=mount_path)
        self.on_page: Callable[[str], None] = lambda _: None
        """Called with the address of each page that is asked for, as in the folder."""
        self.error_handler = self._read_error_page
        self._is_bound = False

    def server_bind(self) -> None:
        """Bind the address, once; before the first build, to report an address in use early.

        Raises:
            ListenError: The address cannot be used.
        """
        if self._is_bound:
            return
        try:
            super().server_bind()
        except OSError as error:
            raise ListenError(self.url, error) from error
        self._is_bound = True

    def server_activate(self) -> None:
        """Listen, and report it."""
        super().server_activate()
        click.echo(f"pillarbook: serving at {self.url} (Ctrl-C to stop)", err=True)

    def serve_request(self, environ: "WSGIEnvironment", start_response: Any) -> Iterable[bytes]:
        """Answer a request, and note the page."""
        # as MkDocs reads it
        path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "ignore")
        page = posixpath.normpath(f"{path}index.html" if path.endswith("/") else path)
        if page.startswith(self.mount_path) and page.endswith(".html"):
            self.on_page(page.removeprefix(self.mount_path))
        return super().serve_request(environ, start_response)

    def reload(self) -> None:
        """Let browsers load the site as it is now, although a build has not ended."""
        with self._epoch_cond:
            self._visible_epoch = self._wanted_epoch
            self._epoch_cond.notify_all()

    def reload_after_build(self) -> None:
        """Let browsers load the site once more after the current build."""
        with self._epoch_cond:
            self._wanted_epoch += 1

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 (as in the base)
        """Report the error of a request; a closed connection is no error."""
        error = sys.exception()
        if not isinstance(error, ConnectionError | TimeoutError):
            click.echo(f"pillarbook: a request failed: {error!r}", err=True)

    def _read_error_page(self, code: int) -> bytes | None:
        page = Path(self.root, f"{code}.html")
        return page.read_bytes() if page.is_file() else None


REFUSED = (
    b"This server does not accept requests for this host name; to accept them, use"
    b" `pillarbook serve --allowed-host NAME`.\n"
)


def answer_own_hosts(
    app: "WSGIApplication", bound: str, allowed: Iterable[str] = ()
) -> "WSGIApplication":
    """Return an application that answers like another one, but refuses requests for other hosts.

    A web page can let its own host name resolve to this machine (DNS rebinding). Then the server
    has the origin of the page for the browser, and the page could read the whole report. But the
    ``Host`` header still has the name of the page.
    """
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
