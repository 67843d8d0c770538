"""Loads a module of the tree like Salt's loader: runs it, and calls its ``__virtual__``.

Source: Salt ``salt/loader/lazy.py`` (``_load_module``, ``_process_virtual``).
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pillarbook.compile.renderers.code.outline import ModuleFile
from pillarbook.compile.renderers.code.running import compile_code


@dataclass(frozen=True, slots=True)
class LoadedModule:
    """A module that was run."""

    names: tuple[str, ...]
    """Its names."""
    functions: Mapping[str, Callable[..., Any]]
    """Its functions, as templates call them."""


def load_module(file: ModuleFile, dunders: Mapping[str, Any]) -> LoadedModule | None:
    """Run a module; return None if its ``__virtual__`` refuses to load.

    ``dunders`` are the names that Salt's loader gives its modules, ``__salt__`` and the like.

    Raises:
        Exception: Any exception of the module; its ``__virtual__`` may raise any exception.
    """
    names: dict[str, Any] = {"__name__": file.stem, "__file__": file.found.full, **dunders}
    exec(compile_code(file.text, file.found.full), names)  # noqa: S102 (it is trusted)
    begin = names.get("__init__")
    if inspect.isfunction(begin):
        begin(dunders["__opts__"])
    called = _virtual_name(names, file.stem)
    if called is None:
        return None
    aliases = names.get("__virtual_aliases__", ())
    return LoadedModule((called, *aliases), dict(_functions(names)))


def _virtual_name(names: Mapping[str, Any], stem: str) -> str | None:
    """Return the name of a module; None if it refuses to load."""
    virtual = names.get("__virtual__")
    if not inspect.isfunction(virtual):
        return stem
    try:
        answer = virtual()
    except MemoryError:
        raise
    # `__virtual__` is code of the tree.
    except Exception:  # noqa: BLE001 (Salt takes any for a no)
        return None
    if isinstance(answer, tuple):
        answer = answer[0]
    if not answer:
        return None
    called = names.get("__virtualname__", answer)
    return stem if called is True else str(called)


def _functions(names: Mapping[str, Any]) -> list[tuple[str, Callable[..., Any]]]:
    """Return the functions of a module: its own ones, and partial ones."""
    offered = names.get("__load__", names.get("__all__", list(names)))
    renamed = names.get("__func_alias__", {})
    return [
        (renamed.get(name, name), names[name])
        for name in offered
        if not name.startswith("_") and name in names and _is_own(names[name], names)
    ]


def _is_own(value: Any, names: Mapping[str, Any]) -> bool:
    if isinstance(value, partial):
        return True
    return inspect.isfunction(value) and value.__globals__ is names
