"""Finds the possible names and functions of a module of the tree, without running it.

Source: Salt ``salt/loader/lazy.py`` (``_process_virtual``, ``_load_module``).
"""

import ast
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pillarbook.roots.tree_interface import FoundFile


@dataclass(frozen=True)
class ModuleFile:
    """One file, or one package, that Salt's loader would load."""

    found: FoundFile
    """The file; ``__init__.py`` of a package."""

    @cached_property
    def stem(self) -> str:
        """The name of the file without its ending; for a package, of its folder."""
        return stem_of(self.found.path)

    @cached_property
    def text(self) -> str:
        """Its text."""
        return self.found.text

    @cached_property
    def _tree(self) -> ast.Module:
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module([], [])

    @cached_property
    def names(self) -> frozenset[str]:
        """The possible names of the module; several only if ``__virtual__`` computes them.

        ``__virtualname__`` counts only if there is a function ``__virtual__``.
        """
        functions = (one for one in self._tree.body if isinstance(one, ast.FunctionDef))
        virtual = next((one for one in functions if one.name == "__virtual__"), None)
        aliases = self._texts("__virtual_aliases__")
        if virtual is None:
            return frozenset({self.stem, *aliases})
        declared = self._texts("__virtualname__")
        if declared:
            return frozenset({*declared, *aliases})
        returned = {text for node in ast.walk(virtual) for text in _returned(node)}
        return frozenset({self.stem, *returned, *aliases})

    @cached_property
    def functions(self) -> frozenset[str]:
        """The names of its functions, as templates would call them."""
        renamed = self._renamed()
        defined = (node.name for node in self._tree.body if isinstance(node, ast.FunctionDef))
        return frozenset(renamed.get(name, name) for name in defined if not name.startswith("_"))

    def _value(self, name: str) -> ast.expr | None:
        for node in self._tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=given)], value=value) if given == name:
                    return value
                case _:
                    continue
        return None

    def _texts(self, name: str) -> list[str]:
        value = self._value(name)
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
        return [text for one in parts for text in _text(one)]

    def _renamed(self) -> dict[str, str]:
        value = self._value("__func_alias__")
        if not isinstance(value, ast.Dict):
            return {}
        pairs = zip(value.keys, value.values, strict=True)
        return {old: new for key, item in pairs for old in _text(key) for new in _text(item)}


def stem_of(path: str) -> str:
    """Return the name of a module's file without its ending; for a package, of its folder."""
    return posixpath.basename(path.removesuffix("/__init__.py").removesuffix(".py"))


def _text(node: ast.expr | None) -> list[str]:
    """Return the text of a literal; nothing for other expressions."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case _:
            return []


def _returned(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Return(value=ast.Constant(value=str(text))):
            yield text
        case _:
            return
