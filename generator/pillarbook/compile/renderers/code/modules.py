"""Execution modules in the tree: functions that templates call with ``salt[...]``.

Without trust they do not run, and a call reports that the tree has the function.

Source: Salt ``salt/loader/lazy.py`` (``_iter_files``, ``_load``).
"""

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.reads import View
from pillarbook.compile.renderers.code.code_calls import read_calls
from pillarbook.compile.renderers.code.code_globals import (
    CodeGlobals,
    GivenMapping,
    HandedCopies,
    MissingFunctionError,
    MissingKeyError,
)
from pillarbook.compile.renderers.code.loading import LoadedModule, load_module
from pillarbook.compile.renderers.code.outline import ModuleFile
from pillarbook.compile.renderers.code.record_opened import listen
from pillarbook.compile.renderers.code.running import find_missing_salt
from pillarbook.compile.renderers.jinja.function_errors import (
    SaltFunctionError,
    UnansweredCallError,
)
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionContext
from pillarbook.compile.renderers.undeclared import find_call
from pillarbook.compile.watched_data import WatchedDict, WatchedList, watched

Function = Callable[..., Any]
REFUSED = "which is in a module of the tree, and code of the tree needs trust"
REMEDY = "to run it, use `python: true` with --trust, or --python"


@dataclass(frozen=True, slots=True)
class ModuleFiles:
    """The modules of a tree; of several with one name, the first counts."""

    files: tuple[ModuleFile, ...] = ()
    """One for each name of a file."""
    python: bool = False
    """Whether their code may run."""

    def candidates(self, module: str) -> Iterator[ModuleFile]:
        """Yield the files that may be a module, the most likely first."""
        fitting = [file for file in self.files if module in file.names]
        yield from (file for file in fitting if file.stem == module)
        yield from (file for file in fitting if file.stem != module)


class TreeModules:
    """The modules of a tree for one render; each is loaded on first use."""

    def __init__(self, files: ModuleFiles, context: FunctionContext) -> None:
        self._files = files
        self._context = context
        self._loaded: dict[str, LoadedModule | Exception | None] = {}
        self._ledger = HandedCopies(recorded=False)
        self._dunders: dict[str, Any] = {}

    def bind(self, functions: Any) -> None:
        """Give modules the functions as ``__salt__``."""
        seen = self._context
        given = CodeGlobals.of(functions, seen.grains, seen.pillar, seen.master_opts)
        self._ledger, self._dunders = given.ledger, {**given.dunders(), "__context__": {}}
        if self._files.python:
            listen()

    def has_module(self, module: str) -> bool:
        """Say whether a module may have a name, without running it."""
        return any(True for _ in self._files.candidates(module))

    def replaces(self, module: str) -> bool:
        """Say whether a file of the tree replaces a module of Salt."""
        return any(file.stem == module for file in self._files.files)

    def find(self, name: str) -> Function | None:
        """Return a function, or a function that refuses the call; None if the tree has none."""
        module, _, function = name.partition(".")
        for file in self._files.candidates(module):
            if not self._files.python:
                if function in file.functions:
                    return _refuse(REFUSED, REMEDY)
                continue
            loaded = self._load(file)
            if isinstance(loaded, Exception):
                if function in file.functions:
                    return _refuse(
                        f"which is in a module of the tree that does not load ({_kind(loaded)})",
                        find_missing_salt(loaded),
                    )
            elif loaded is not None and module in loaded.names and function in loaded.functions:
                return self._wrap(loaded.functions[function], file)
        return None

    def _load(self, file: ModuleFile) -> LoadedModule | Exception | None:
        if file.stem not in self._loaded:
            try:
                with redirect_stdout(io.StringIO()):
                    self._loaded[file.stem] = load_module(file, self._dunders)
            except MemoryError:
                raise
            # Salt's loader logs such a module and continues without it. Calls of its functions then
            # have no answer, and this error is the reason.
            except Exception as error:  # noqa: BLE001 (whatever it is, it is not loaded)
                self._loaded[file.stem] = error
            except SystemExit as error:
                self._loaded[file.stem] = SaltFunctionError(f"exit({error.code})")
            self._ledger.settle()
        return self._loaded[file.stem]

    def _wrap(self, function: Function, file: ModuleFile) -> Function:
        def call(*arguments: Any, **options: Any) -> Any:
            given = [self._give(one) for one in arguments]
            named = {key: self._give(one) for key, one in options.items()}
            try:
                with redirect_stdout(io.StringIO()):
                    result = function(*given, **named)
            except SystemExit as error:
                raise SaltFunctionError("a module of the tree calls exit()") from error
            except ImportError as error:
                remedy = find_missing_salt(error)
                if remedy is None:
                    raise
                why = f"which is in a module of the tree, and fails ({_kind(error)})"
                raise UnansweredCallError(why, remedy) from error
            except (MissingFunctionError, MissingKeyError) as error:
                raise _name_call(error, file) from error
            finally:
                self._ledger.settle()
            return self._take(result)

        return call

    def _give(self, value: Any) -> Any:
        """Return an argument for code: a view becomes a copy, which counts as read as a whole."""
        if isinstance(value, View | WatchedDict | WatchedList):
            return self._ledger.hand_out(value)
        if isinstance(value, list | tuple) and any(_is_container(item) for item in value):
            return type(value)(self._give(item) for item in value)
        if isinstance(value, dict) and any(_is_container(item) for item in value.values()):
            return {key: self._give(item) for key, item in value.items()}
        return value

    def _take(self, result: Any) -> Any:
        """Return a result for a template, which may contain the minion's own data."""
        if isinstance(result, GivenMapping):
            result = result.copy()
        return watched(result) if self._ledger.has_copies else result


def _is_container(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)


def _refuse(why: str, remedy: str | None = None) -> Function:
    def refuse(*_arguments: Any, **_options: Any) -> Any:
        raise UnansweredCallError(why, remedy)

    return refuse


def _name_call(error: MissingFunctionError | MissingKeyError, file: ModuleFile) -> Exception:
    """Return the error for a function that a module calls but does not exist; others unchanged."""
    if isinstance(error, MissingFunctionError):
        name = error.looked_for
    elif error.kind == "salt":
        name = str(error.args[0])
    else:
        return error
    call = find_call(read_calls(file.text), file.text, None, name)
    if call is None:
        return error
    told = UnansweredCallError("through a module of the tree, and no answer is declared")
    told.name, told.is_written = call.name, True
    return told


def _kind(error: Exception) -> str:
    """Return the part of an error that may be shown: the names in it are of the code."""
    telling = isinstance(error, AttributeError | ImportError | NameError | SyntaxError)
    kind = type(error).__name__
    return f"{kind}: {error}" if telling else kind
