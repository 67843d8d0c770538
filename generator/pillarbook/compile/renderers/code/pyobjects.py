"""The ``pyobjects`` renderer: Python whose calls make states.

It is made for states; for pillar data, only ``include`` is useful. Salt knows the state modules
that load on the master. Here, each capitalized name that the code does not set is a state module.

Source: Salt ``salt/renderers/pyobjects.py``.
"""

import ast
import builtins
import posixpath
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

from pillarbook.compile.renderers.code.code_globals import CodeGlobals
from pillarbook.compile.renderers.code.pyobjects_states import (
    Extended,
    Registry,
    SaltObject,
    StateFactory,
    make_map,
)
from pillarbook.compile.renderers.code.running import (
    compile_code,
    run_code,
    take_constants,
    take_result,
)
from pillarbook.compile.renderers.json import name_type
from pillarbook.compile.renderers.python_data import GivenBy as Origins
from pillarbook.compile.renderers.python_data import ValuePlaces
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.model import KeyPath

FROM = re.compile(r"^\s*from\s+(salt://.*)\s+import (.*)$")
IMPORT = re.compile(r"^\s*import\s+(salt://.*)$")
CAPITAL = re.compile(r"(?=[A-Z])")


def render(context: RenderContext, data: Rendered, _argline: str) -> Rendered:
    """Return the states that the code makes.

    Raises:
        RenderError: The code raises an exception.
    """
    if not isinstance(data, SourceText):
        raise RenderError(f"'{name_type(data)}' object has no attribute 'readlines'")
    given = CodeGlobals.to(context)
    registry = Registry(context.path)
    script = _Script(context, given, registry)
    run_code(context, given, lambda: script.run(data.text), named=False)
    places = _Places(context, data, registry.lines)
    return take_result(registry.data(), context, given, places, data)


class _Script:
    """The code of one SLS, and of the files of the state tree that it imports."""

    def __init__(self, context: RenderContext, given: CodeGlobals, registry: Registry) -> None:
        self._context = context
        self._registry = registry
        self._given: dict[str, Any] = {
            "include": registry.include,
            "extend": Extended,
            "Map": make_map(given.salt),
            "salt": SaltObject(given.salt),
            **given.dunders(),
            "__sls__": context.sls,
        }
        for name in ("pillar", "grains", "mine", "config"):
            self._given.setdefault(name, _search_late(given.salt, f"{name}.get"))

    def run(self, text: str) -> None:
        """Run the code."""
        self._registry.enabled = False
        code, names = self._prepare(text, self._context.path)
        self._registry.enabled = True
        exec(compile_code(code, self._context.path), names)  # noqa: S102 (it is trusted)

    def _prepare(self, text: str, path: str) -> tuple[str, dict[str, Any]]:
        """Return code without its imports of files, and its names, including the imported ones."""
        lines: list[str] = []
        imported: dict[str, Any] = {}
        for line in text.splitlines():
            match = FROM.match(line) or IMPORT.match(line)
            if match is not None:
                imported.update(self._import(*match.groups()))
            lines.append("" if match is not None else line)
        code = "\n".join(lines)
        take_constants(self._context, code)
        factories = {
            name: StateFactory(self._registry, _module_of(name)) for name in _free_names(code, path)
        }
        return code, {**factories, **self._given, **imported}

    def _import(self, address: str, wanted: str | None = None) -> Iterator[tuple[str, Any]]:
        path = address.strip().removeprefix("salt://")
        found = self._context.template.find_state(path, self._context.saltenv)
        if found is None:
            raise ImportError(f"Could not find the file '{address.strip()}'")
        code, names = self._prepare(found.content.decode("utf-8"), found.full)
        exec(compile_code(code, found.full), names)  # noqa: S102 (it is trusted)
        if wanted is None:
            yield posixpath.splitext(posixpath.basename(path))[0], SimpleNamespace(**names)
            return
        for entry in wanted.split(","):
            name, _, alias = (part.strip() for part in entry.partition(" as "))
            if name not in names:
                raise ImportError(f"'{name}' was not found in '{address.strip()}'")
            yield alias or name, names[name]


def _search_late(functions: Any, name: str) -> Callable[..., Any]:
    """Return a function that is searched when it is called."""

    def call(*arguments: Any, **options: Any) -> Any:
        return functions[name](*arguments, **options)

    return call


class _Places(ValuePlaces):
    """The position of each state: the line of code that made it."""

    def __init__(self, context: RenderContext, data: SourceText, lines: dict[Any, int]) -> None:
        self._context = context
        self._lines = lines
        self._secret_of_all = data.secret_at(0, len(data.text))
        origin = context.new_origin((context.shown, 1), None)
        super().__init__(origin, secret=self._secret_of_all)

    def find(self, path: KeyPath, value: Any) -> Origins:
        """Return the line that made the id at the beginning of a path."""
        line = self._lines.get(path[0], 1) if path else 1
        secret = None if value is None else self._secret_of_all
        return (self._context.new_origin((self._context.shown, line), value),), secret


def _free_names(code: str, path: str) -> set[str]:
    """Return the capitalized names that code uses and does not set."""
    nodes = list(ast.walk(ast.parse(code, path)))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    used = {node.id for node in names if isinstance(node.ctx, ast.Load) and node.id[:1].isupper()}
    return used - {name for name in used if hasattr(builtins, name)}


def _module_of(name: str) -> str:
    """Return the state module for a name: ``pkg`` for ``Pkg``."""
    return "_".join(part.lower() for part in CAPITAL.split(name) if part)
