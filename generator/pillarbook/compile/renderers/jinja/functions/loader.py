"""The object ``salt`` of templates.

``salt['grains.get']``, ``salt.grains.get`` and ``salt['grains'].get`` are the same function.
Declared answers come first, then the functions of pillarbook; other names are missing, with Salt's
error.

Source: Salt ``salt/utils/templates.py`` (``AliasedLoader``), ``salt/loader/lazy.py``
(``LazyLoader``, ``LoadedMod``).
"""

import inspect
import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from pillarbook.compile.renderers.jinja.function_errors import (
    SaltFunctionError,
    UnknownExistenceError,
)
from pillarbook.compile.renderers.jinja.functions.config import Config
from pillarbook.compile.renderers.jinja.functions.cp import Cp
from pillarbook.compile.renderers.jinja.functions.declared_answers import find_declared
from pillarbook.compile.renderers.jinja.functions.defaults import Defaults
from pillarbook.compile.renderers.jinja.functions.files import File
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionContext
from pillarbook.compile.renderers.jinja.functions.grains import Grains
from pillarbook.compile.renderers.jinja.functions.match import Match
from pillarbook.compile.renderers.jinja.functions.mine import Mine, SaltUtil
from pillarbook.compile.renderers.jinja.functions.pillar import MinionPillar, Pillar
from pillarbook.compile.renderers.jinja.functions.simple import (
    HashUtil,
    Log,
    Network,
    Random,
    Sdb,
    Status,
    System,
    Test,
)
from pillarbook.compile.renderers.jinja.functions.slsutil import SlsUtil
from pillarbook.inventory.declared_functions import DeclaredFunction

if TYPE_CHECKING:
    from pillarbook.compile.renderers.code.modules import TreeModules

Function = Callable[..., Any]

_MODULES: Mapping[str, type[Any]] = {
    "config": Config,
    "cp": Cp,
    "defaults": Defaults,
    "file": File,
    "grains": Grains,
    "hashutil": HashUtil,
    "log": Log,
    "match": Match,
    "mine": Mine,
    "network": Network,
    "pillar": Pillar,
    "random": Random,
    "saltutil": SaltUtil,
    "sdb": Sdb,
    "slsutil": SlsUtil,
    "status": Status,
    "system": System,
    "test": Test,
}
_ON_MINION: Mapping[str, type[Any]] = {"pillar": MinionPillar}
"""Modules that have more functions for a minion that renders its states."""
_ALIASES = {
    "match.list": "list_",
    "status.time": "time_",
    "test.false": "false_",
    "test.true": "true_",
}
_COUNTS: tuple[tuple[str, Any], ...] = (
    (r"\d+(?= to \d| positional | w(?:as|ere) given)", lambda found: str(int(found[0]) - 1)),
    (r"(?<!to )\b1 positional arguments", "1 positional argument"),
    (r"\b0 positional argument\b", "0 positional arguments"),
    (r"\b1 were given", "1 was given"),
)
"""Replacements in Python's errors, which count the object of a method as an argument."""
_HIDDEN = frozenset(_ALIASES.values())


def list_functions() -> frozenset[str]:
    """Return the names of the functions that need no declared answer, as Salt has them."""
    renamed = {f"{name.partition('.')[0]}.{hidden}": name for name, hidden in _ALIASES.items()}
    names = (
        f"{module}.{name}"
        for module, kind in _MODULES.items()
        for name in dir(kind)
        if not name.startswith("_")
    )
    return frozenset(renamed.get(name, name) for name in names)


class Functions:
    """Finds functions by name; a template's ``salt``."""

    __slots__ = (
        *("__weakref__", "_asked_for", "_context", "_declared", "_found", "_modules", "_own"),
        "_refuses",
    )

    def __init__(
        self,
        context: FunctionContext,
        declared: Mapping[str, DeclaredFunction],
        own: "TreeModules | None" = None,
        *,
        refuses: bool = False,
    ) -> None:
        """Bind the functions to a minion.

        With ``refuses``, nothing says that a function is missing which some masters have.
        """
        self._refuses = refuses
        self._own = own
        self._asked_for: dict[str, None] = {}
        self._context = context
        self._declared = declared
        # By full name, also for functions that do not exist. Declared answers never change, so the
        # result for this minion stays valid as long as this object.
        self._found: dict[str, Function | None] = {}
        self._modules: dict[str, Any] = {}
        if own is not None:
            own.bind(self)

    def __getitem__(self, name: Any) -> Function:
        function = self._find(name) if isinstance(name, str) else None
        if function is None:
            raise KeyError(name)
        return function

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or "." in name:
            raise AttributeError(name)
        is_declared = any(full.startswith(f"{name}.") for full in self._declared)
        if name in _MODULES or is_declared or (self._own and self._own.has_module(name)):
            return Module(self, name)
        raise AttributeError(name)

    def __contains__(self, name: object) -> bool:
        return self._has(name) or (isinstance(name, str) and "." in name and self._is_in_salt(name))

    def __repr__(self) -> str:
        return "<salt.utils.templates.AliasedLoader object>"

    def get(self, name: Any, default: Any = None) -> Any:
        """Return a function by its name, or the default."""
        if name not in self:
            return default
        found = self._find(name)
        if found is None:
            raise UnknownExistenceError(name)
        return found

    def _has(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def _is_in_salt(self, name: str) -> bool:
        """Say whether a function, or a module, that is not here is in Salt.

        Which of them load depends on the master and its packages.
        """
        from pillarbook.compile.renderers.jinja.functions.known_functions import (  # noqa: PLC0415 (on use)
            is_known,
            known_functions,
            loads_always,
        )

        if loads_always(name):
            return True
        if self._refuses and (is_known(name) or name in known_functions()):
            raise UnknownExistenceError(name)
        return False

    def _find(self, name: str) -> Function | None:
        if name not in self._found:
            self._asked_for[name] = None
            own = self._find_undeclared(name)
            found = self._find_declared(name, own) or own
            self._found[name] = LoadedFunction(name, found) if found else None
        return self._found[name]

    def _find_declared(self, name: str, own: Function | None) -> Function | None:
        if name not in self._declared:
            return None
        context = self._context
        return find_declared(
            self._declared[name], lambda glob: context.id_matches("glob", glob), own
        )

    def _find_undeclared(self, name: str) -> Function | None:
        if self._own is None:
            return self._find_own(name)
        if self._own.replaces(name.partition(".")[0]):
            return self._own.find(name)
        return self._find_own(name) or self._own.find(name)

    def _find_own(self, name: str) -> Function | None:
        module, _, function = name.partition(".")
        function = _ALIASES.get(name, function) if function not in _HIDDEN else "_"
        if module not in _MODULES or function.startswith("_"):
            return None
        if module not in self._modules:
            own = _ON_MINION if self._context.on_minion else _MODULES
            self._modules[module] = own.get(module, _MODULES[module])(self._context)
        found: Function | None = getattr(self._modules[module], function, None)
        return found


class LoadedFunction:
    """A function that prints its name and shows nothing else."""

    __slots__ = ("_function", "_name")

    def __init__(self, name: str, function: Function) -> None:
        self._name = name
        self._function = function

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call it."""
        try:
            return self._function(*arguments, **options)
        except SaltFunctionError as error:
            error.name = error.name or self._name
            raise
        except TypeError as error:
            here = error.__traceback__
            if here is None or here.tb_next is not None:
                raise  # the call itself was valid, and the function failed
            raise TypeError(self._word_call(str(error))) from error

    def _word_call(self, words: str) -> str:
        """Return Python's error about a call with wrong arguments, as for a function of Salt.

        In Salt it is a function of a module; here it is a method, for which Python names the class
        and counts the object.
        """
        function = _ALIASES.get(self._name, self._name.partition(".")[2])
        words = re.sub(r"^[\w.]+(?=\(\) )", function, words)
        if not inspect.ismethod(self._function):
            return words
        for counted, as_function in _COUNTS:
            words = re.sub(counted, as_function, words)
        return words

    def __repr__(self) -> str:
        return f"<LoadedFunc name={self._name!r}>"


class Module:
    """The functions of one module, as attributes."""

    __slots__ = ("_functions", "_name")

    def __init__(self, functions: Functions, name: str) -> None:
        self._functions = functions
        self._name = name

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._functions[f"{self._name}.{name}"]
        except KeyError as error:
            raise AttributeError(name) from error

    def __repr__(self) -> str:
        return f"<LoadedMod module='salt.loaded.{self._name}'>"


def names_asked_for(functions: Any) -> frozenset[str]:
    """Return the names of the functions that were looked up."""
    return frozenset(functions._asked_for)  # noqa: SLF001 (a template must not see it)


def bind_grains_get(grains: Mapping[str, Any]) -> Function:
    """Return Salt's ``grains.get`` of some grains."""
    return LoadedFunction("grains.get", Grains(SimpleNamespace(grains=grains)).get)


def is_salts_own(functions: Any, name: str) -> bool:
    """Say whether a function is Salt's own: neither declared nor in the tree."""
    own, declared = functions._own, functions._declared  # noqa: SLF001 (likewise)
    return name not in declared and not (own and own.replaces(name.partition(".")[0]))


def name_looked_for(owner: Any, name: Any) -> str | None:
    """Return the missing function, or only its module, for an error.

    None if the owner is neither all functions nor a module.
    """
    if isinstance(owner, Functions):
        return str(name)
    if isinstance(owner, Module):
        return f"{owner._name}.{name}"  # noqa: SLF001 (a template must not see it)
    return None


def has_function(functions: Any, name: object) -> bool:
    """Say whether a function is here, also of one of which ``in`` refuses to say it."""
    found: bool = functions._has(name)  # noqa: SLF001 (a template must not see it)
    return found


def is_in_salt(owner: Any, name: str) -> bool:
    """Say whether Salt has a function that all functions or a module lack, as ``in`` does."""
    functions = owner._functions if isinstance(owner, Module) else owner  # noqa: SLF001 (as above)
    found: bool = functions._is_in_salt(name)  # noqa: SLF001 (as above)
    return found


# Jinja's errors about missing attributes contain the class of the object.
Functions.__module__, Functions.__name__ = "salt.utils.templates", "AliasedLoader"
LoadedFunction.__module__, LoadedFunction.__name__ = "salt.loader.lazy", "LoadedFunc"
Module.__module__, Module.__name__ = "salt.loader.lazy", "LoadedMod"
