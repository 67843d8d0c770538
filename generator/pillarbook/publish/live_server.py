"""MkDocs' live server, without its tracebacks."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from mkdocs.livereload import LiveReloadServer

from pillarbook.diagnostics import PillarbookError


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

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 (as in the base)
        """Report the error of a request; a closed connection is no error."""
        error = sys.exception()
        if not isinstance(error, ConnectionError | TimeoutError):
            click.echo(f"pillarbook: a request failed: {error!r}", err=True)

    def _read_error_page(self, code: int) -> bytes | None:
        page = Path(self.root, f"{code}.html")
        return page.read_bytes() if page.is_file() else None
