"""The module ``cp``: files of the state tree, as the master's own file client returns them.

In Salt, the functions copy files into the master's cache, and return their paths there. Here
nothing is copied; functions that get such a path find the file of the tree.

Source: Salt ``salt/modules/cp.py``, ``salt/fileclient.py`` (``LocalClient``).
"""

import fnmatch
import hashlib
import posixpath
import re
from typing import Any

from pillarbook.compile.renderers.jinja.function_errors import (
    SaltFunctionError,
    SaltTemplateError,
    UnansweredCallError,
)
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionContext
from pillarbook.compile.renderers.jinja.tree_files import as_text
from pillarbook.roots.tree_interface import sls_of_path

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_NO_FETCHING = "with an address outside the tree; nothing is fetched"


class Cp:
    """The module ``cp``, without functions that write or send files."""

    def __init__(self, context: FunctionContext) -> None:
        self._context = context
        self._trees = context.trees

    def get_file_str(self, path: str, saltenv: str | None = None) -> Any:
        """Return a file's text, False where there is none."""
        content = self._read(path, self._saltenv(saltenv))
        return False if content is None else self._trees.take_text(path, as_text(content))

    def get_url(
        self,
        path: str,
        dest: Any = "",
        saltenv: str | None = None,
        makedirs: Any = False,
        source_hash: Any = None,
    ) -> Any:
        """Return the path of a file in the cache, or its text if ``dest`` is null; else False."""
        if dest:
            raise UnansweredCallError("with a file to write, and nothing is written")
        if isinstance(dest, str):
            return self.cache_file(path, saltenv, source_hash)
        del makedirs
        content = self._read(path, self._saltenv(saltenv))
        if content is None and _is_local(path):
            raise FileNotFoundError(2, "No such file or directory", path)
        return False if content is None else self._trees.take_text(path, as_text(content))

    def cache_file(
        self,
        path: str,
        saltenv: str | None = None,
        source_hash: Any = None,  # noqa: ARG002 (of remote files only)
        verify_ssl: Any = True,  # noqa: ARG002
        use_etag: Any = False,  # noqa: ARG002
    ) -> Any:
        """Return the path of a file in the cache, False if it is missing; a local path stays."""
        local = _local_path(path)
        if local is not None:
            return local
        name, chosen = _split(path, self._saltenv(saltenv))
        if self._trees.read_state(name, chosen) is None:
            return False
        return self._cached(name, chosen)

    def cache_files(self, paths: Any, saltenv: str | None = None) -> list[Any]:
        """Return the paths of files in the cache; ``paths`` is a list or a text with commas."""
        names = paths.split(",") if isinstance(paths, str) else paths
        return [self.cache_file(name, saltenv) for name in names]

    def cache_dir(
        self,
        path: str,
        saltenv: str | None = None,
        include_empty: Any = False,  # noqa: ARG002 (a tree has no empty folders)
        include_pat: str | None = None,
        exclude_pat: str | None = None,
    ) -> list[str]:
        """Return the paths in the cache of the files in a folder, sorted.

        Patterns are a glob, or ``E@`` and a regular expression. ``include_empty`` has no effect.
        """
        if _SCHEME.match(str(path)) is None:
            raise SaltTemplateError(f"Unsupported path: {path}")
        name, chosen = _split(path, self._saltenv(saltenv))
        start = f"{name.rstrip('/')}/" if name.rstrip("/") else ""
        return [
            self._cached(found, chosen)
            for found in sorted(self._trees.list_states(chosen))
            if found.startswith(start) and _counts(found, include_pat, exclude_pat)
        ]

    def cache_master(self, saltenv: str | None = None) -> list[str]:
        """Return the paths in the cache of all files of an environment."""
        chosen = self._saltenv(saltenv)
        return [self._cached(name, chosen) for name in self._trees.list_states(chosen)]

    def hash_file(self, path: str, saltenv: str | None = None) -> Any:
        """Return a file's digest and which one it is; an empty text where there is no file."""
        chosen = self._saltenv(saltenv)
        if _SCHEME.match(path) is None and not path.startswith("/"):
            return {}, None
        content = self._read(path, chosen)
        if content is None:
            return "" if not _is_local(path) else ({}, None)
        form = str(self._context.master_opts.get("hash_type") or "sha256")
        digest = hashlib.new(form, content, usedforsecurity=False).hexdigest()
        if _is_local(path):
            return {"hsum": digest, "hash_type": form}
        return {"hash_type": form, "hsum": digest}

    def list_master(self, saltenv: str | None = None, prefix: str = "") -> list[str]:
        """Return the paths of the files of an environment that begin with a prefix."""
        names, start = self._trees.list_states(self._saltenv(saltenv)), prefix.strip("/")
        return [name for name in names if name.startswith(start)]

    def list_master_dirs(self, saltenv: str | None = None, prefix: str = "") -> list[str]:
        """Return the folders of an environment that begin with a prefix, sorted."""
        folders: set[str] = set()
        start = prefix.strip("/")
        for name in self._trees.list_states(self._saltenv(saltenv)):
            folder = posixpath.dirname(name)
            while folder and folder not in folders:
                folders.add(folder)
                folder = posixpath.dirname(folder)
        return sorted(folder for folder in folders if folder.startswith(start))

    def list_states(self, saltenv: str | None = None) -> list[str]:
        """Return the names of the SLS files of an environment, sorted."""
        names = self._trees.list_states(self._saltenv(saltenv))
        return sorted({sls_of_path(name) for name in names if name.endswith(".sls")})

    def envs(self) -> list[str]:
        """Return the environments of the state tree."""
        return list(self._trees.state_environments())

    def _saltenv(self, given: str | None) -> str:
        return str(given or self._context.master_opts.get("saltenv") or "base")

    def _read(self, path: str, saltenv: str) -> bytes | None:
        local = _local_path(path)
        if local is not None:
            return self._trees.read_bytes(local)
        return self._trees.read_state(*_split(path, saltenv))

    def _cached(self, name: str, saltenv: str) -> str:
        folder = posixpath.normpath(str(self._context.master_opts.get("cachedir")))
        return f"{folder}/files/{saltenv}/{name}"


def _is_local(path: str) -> bool:
    return _local_path(path) is not None


def _local_path(path: str) -> str | None:
    """Return a full path of the master's, None for one of the state tree."""
    scheme = _SCHEME.match(path)
    if scheme is None or scheme[1].lower() == "file":
        local = path if scheme is None else path[scheme.end() :]
        if not local.startswith("/"):
            raise SaltFunctionError(
                f"Path '{local}' is not absolute",
                "the path is not absolute, and does not begin with salt://",
                "for a file of the state tree, begin the path with `salt://`",
            )
        return local
    if scheme[1].lower() != "salt":
        raise UnansweredCallError(_NO_FETCHING)
    return None


def _split(path: str, saltenv: str) -> tuple[str, str]:
    """Return path and environment of a ``salt://`` address; ``?saltenv=`` in it counts.

    Source: Salt ``salt/utils/url.py`` (``parse``).
    """
    scheme = _SCHEME.match(path)
    if scheme is not None and scheme[1].lower() != "salt":
        raise UnansweredCallError(_NO_FETCHING)
    name = path[scheme.end() :] if scheme else path
    if name.startswith("|"):
        return name[1:], saltenv
    name, _, query = name.partition("?")
    key, _, named = query.partition("=")
    return name.lstrip("/"), named if key == "saltenv" and named else saltenv


def _counts(name: str, include: str | None, exclude: str | None) -> bool:
    """Say whether a path is included and not excluded.

    Source: Salt ``salt/utils/stringutils.py`` (``check_include_exclude``).
    """
    if include and not _fits(name, include):
        return False
    return not (exclude and _fits(name, exclude))


def _fits(name: str, pattern: str) -> bool:
    if pattern.startswith("E@"):
        return re.search(pattern[2:], name) is not None
    return fnmatch.fnmatchcase(name, pattern)
