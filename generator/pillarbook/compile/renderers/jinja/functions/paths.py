"""Functions about paths and files.

Source: Salt ``salt/modules/file.py``, ``salt/modules/cp.py``.
"""

import posixpath
from typing import Any

from pillarbook.compile.renderers.jinja.functions.context import FunctionContext


class File:
    """The module ``file``: paths, and whether a file is there."""

    def __init__(self, context: FunctionContext) -> None:
        self._context = context

    def join(self, *parts: str) -> str:
        """Return parts as one path; one that begins with a slash begins it anew."""
        return posixpath.join(*parts)

    def basename(self, path: str) -> str:
        """Return a path's last part."""
        return posixpath.basename(path)

    def dirname(self, path: str) -> str:
        """Return a path without its last part."""
        return posixpath.dirname(path)

    def normpath(self, path: str) -> str:
        """Return a path without detours."""
        return posixpath.normpath(path)

    def pardir(self) -> str:
        """Return the name of the folder above."""
        return posixpath.pardir

    def file_exists(self, path: str) -> bool:
        """Say whether there is a file at a full path."""
        return self._context.read_file(path, self._context.saltenv) is not None


class Cp:
    """The module ``cp``: files of the state tree."""

    def __init__(self, context: FunctionContext) -> None:
        self._context = context

    def get_file_str(self, path: str, saltenv: str | None = None) -> Any:
        """Return a file's text, False where there is none."""
        chosen = saltenv or self._context.master_opts.get("saltenv") or "base"
        text = self._context.read_file(path, chosen)
        return False if text is None else text
