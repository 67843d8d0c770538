"""Functions for use in SLS files.

The YAML of ``serialize`` and ``deserialize`` is PyYAML's own, other than that of SLS files: dates
are dates, 0644 is octal.

Source: Salt ``salt/modules/slsutil.py``, ``salt/serializers/``.
"""

import json
import posixpath
import textwrap
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import yaml

from pillarbook.compile.renderers.jinja.filters.text import join
from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError, SaltTemplateError
from pillarbook.compile.renderers.jinja.functions.cp import Cp
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionModule
from pillarbook.compile.renderers.jinja.plain_data import to_plain
from pillarbook.compile.renderers.jinja.plain_merge import merge as merge_mappings
from pillarbook.compile.renderers.jinja.plain_merge import update as update_mapping

_BANNER_TITLE = "THIS FILE IS MANAGED BY SALT - DO NOT EDIT"
_BANNER_TEXT = (
    "The contents of this file are managed by Salt. Any changes to this file may be overwritten "
    "automatically and without warning."
)


class SlsUtil(FunctionModule):
    """The module ``slsutil``."""

    def update(
        self, dest: Any, upd: Any, recursive_update: Any = True, merge_lists: Any = False
    ) -> Any:
        """Update a mapping in place and return it."""
        return update_mapping(dest, upd, recursive=recursive_update, merge_lists=merge_lists)

    def merge(
        self,
        obj_a: Any,
        obj_b: Any,
        strategy: str = "smart",
        renderer: str = "yaml",
        merge_lists: Any = False,
    ) -> Any:
        """Return one mapping merged over another by a strategy."""
        return merge_mappings(obj_a, obj_b, strategy, renderer=renderer, merge_lists=merge_lists)

    def merge_all(
        self, lst: Any, strategy: str = "smart", renderer: str = "yaml", merge_lists: Any = False
    ) -> Any:
        """Return mappings merged in their order."""
        merged: Any = {}
        for mapping in lst:
            merged = self.merge(merged, mapping, strategy, renderer, merge_lists)
        return merged

    def boolstr(self, value: Any, true: Any = "true", false: Any = "false") -> Any:
        """Return one of two words for a boolean."""
        return true if value else false

    def renderer(
        self,
        path: Any = None,
        string: Any = None,
        default_renderer: str = "jinja|yaml",
        **options: Any,
    ) -> Any:
        """Return the result of rendering a file or a text.

        ``path`` is a full path, or an address in the state tree; empty for a text. ``options`` are
        ``saltenv``, ``sls`` and ``context``; all others are variables.
        """
        if not path and not string:
            raise SaltFunctionError("Must pass path or string.")
        if path and string:
            raise SaltFunctionError("Must not pass both path and string.")
        if string:
            return self._context.render_text(string, default_renderer, options)
        local = Cp(self._context).get_url(path, saltenv=options.get("saltenv", "base"))
        return self._context.render_path(local, default_renderer, options) if local else {}

    def serialize(self, serializer: str, obj: Any, **options: Any) -> Any:
        """Return data as ``json`` or ``yaml`` text."""
        return _find({"json": _write_json, "yaml": _write_yaml}, serializer)(obj, **options)

    def deserialize(self, serializer: str, stream_or_string: Any, **options: Any) -> Any:  # noqa: ARG002
        """Return the data of ``json`` or ``yaml`` text."""
        return _find({"json": _read_json, "yaml": _read_yaml}, serializer)(stream_or_string)

    def file_exists(self, path: str, saltenv: str = "base") -> bool:
        """Say whether the state tree has a file."""
        return path in self._context.trees.list_states(saltenv)

    def dir_exists(self, path: str, saltenv: str = "base") -> bool:
        """Say whether the state tree has a folder."""
        return any(file.startswith(f"{path}/") for file in self._context.trees.list_states(saltenv))

    def path_exists(self, path: str, saltenv: str = "base") -> bool:
        """Say whether the state tree has a file or a folder."""
        return self.file_exists(path, saltenv) or self.dir_exists(path, saltenv)

    def findup(self, startpath: str, filenames: Any, saltenv: str = "base") -> str:
        """Return the first path with one of some names, from a folder of the state tree upwards."""
        folder = posixpath.normpath(startpath) if startpath else ""
        if folder and not self.path_exists(folder, saltenv):
            raise SaltFunctionError(f"Starting path not found in the state tree: {folder}")
        names = [filenames] if isinstance(filenames, str) else filenames
        if not isinstance(names, list):
            raise SaltFunctionError("Filenames argument must be a string or list of strings")
        while True:
            for name in names:
                path = join(folder, name) if folder else posixpath.normpath(name)
                if self.path_exists(path, saltenv):
                    return path
            if not folder:
                raise SaltFunctionError("File pattern(s) not found in path ancestry")
            folder = posixpath.dirname(folder)

    def banner(  # noqa: PLR0913, PLR0917 (Salt's signature)
        self,
        width: int = 72,
        commentchar: str = "#",
        borderchar: str = "#",
        blockstart: str | None = None,
        blockend: str | None = None,
        title: str | None = None,
        text: str | None = None,
        newline: Any = False,
    ) -> str:
        """Return a comment block in a frame, which says that Salt manages the file."""
        left, right = commentchar.rstrip(), commentchar.strip()
        inner = width - len(left) - len(right) - 2
        if inner <= 0:
            raise SaltFunctionError("Width is too small to render banner")
        border = commentchar + borderchar[:1] * (width - len(left) - len(right)) + right
        spacer = commentchar + " " * (width - len(commentchar) * 2) + commentchar
        heading = [line.center(inner) for line in textwrap.wrap(title or _BANNER_TITLE, inner)]
        body = [line.ljust(inner) for line in textwrap.wrap(text or _BANNER_TEXT, inner)]
        lines = [
            *([blockstart] if blockstart is not None else []),
            border,
            spacer,
            *(f"{left} {line} {right}" for line in heading),
            spacer,
            *(f"{left} {line} {right}" for line in body),
            border,
            *([blockend] if blockend is not None else []),
        ]
        return "\n".join(lines) + ("\n" if newline else "")


class _Dumper(yaml.CSafeDumper):
    """PyYAML's safe dumper, which takes subclasses too."""


_Dumper.add_multi_representer(str, _Dumper.represent_str)
_Dumper.add_multi_representer(tuple, _Dumper.represent_list)
_Dumper.add_multi_representer(OrderedDict, _Dumper.represent_dict)
_Dumper.add_multi_representer(set, _Dumper.represent_set)


def _find(known: dict[str, Callable[..., Any]], name: str) -> Callable[..., Any]:
    if name not in known:
        raise SaltFunctionError(f"Serializer '{name}' not found.")
    return known[name]


def _write_json(value: Any, **options: Any) -> str:
    options.setdefault("ensure_ascii", False)
    try:
        return json.dumps(to_plain(value), **options)
    except (TypeError, ValueError) as error:
        raise SaltTemplateError(str(error)) from error


def _read_json(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError) as error:
        raise SaltTemplateError(str(error)) from error


def _write_yaml(value: Any, **options: Any) -> str:
    options.setdefault("default_flow_style", None)
    try:
        text: str = yaml.dump(to_plain(value), Dumper=_Dumper, **options)
    except yaml.YAMLError as error:
        raise SaltTemplateError(str(error)) from error
    return text.removesuffix("\n").removesuffix("\n...")


def _read_yaml(text: Any) -> Any:
    try:
        return yaml.load(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, TypeError, ValueError) as error:
        raise SaltTemplateError(str(error)) from error
