"""What code of the tree reads of a minion; each question is recorded, as for templates.

Unlike a template, code can test the types of its inputs, and pass them to encoders in C. So the
values in grains are plain copies, which count as read as a whole. If code has changed a copy, the
minion must be compiled without recording. Only grains, pillar and options themselves are our own
mappings, as they are Salt's own there.
"""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from pillarbook.compile.reads import Answer, View, fingerprint
from pillarbook.compile.renderers.jinja.function_errors import UnansweredCallError
from pillarbook.compile.renderers.jinja.functions.loader import (
    Module,
    has_function,
    is_salts_own,
    name_looked_for,
)
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.undeclared import NO_ANSWER
from pillarbook.compile.watched_data import ReadMapping, TemplateWrites


class MissingKeyError(KeyError):
    """A missing grain, option or function."""

    def __init__(self, kind: str, key: Any) -> None:
        super().__init__(key)
        self.kind = kind
        """``grains``, ``pillar``, ``opts`` or ``salt``."""


class MissingFunctionError(AttributeError):
    """A missing function, or module of functions."""

    def __init__(self, words: str, looked_for: str) -> None:
        super().__init__(words)
        self.looked_for = looked_for
        """Its name, or only the module's."""


MissingKeyError.__name__ = "KeyError"  # what code and messages call it
MissingFunctionError.__name__ = "AttributeError"


@dataclass(slots=True)
class HandedCopies:
    """The copies that code got, and whether it changed one."""

    recorded: bool
    """Whether reads are recorded; if not, code gets the minion's data itself."""
    _copies: list[tuple[Any, Answer]] = field(default_factory=list)
    _tried_to_write: bool = False

    @property
    def has_copies(self) -> bool:
        """Whether code got a copy of anything."""
        return bool(self._copies)

    def hand_out(self, value: Any) -> Any:
        """Return what code gets for a value that it reads."""
        if not self.recorded or not isinstance(value, Mapping | list | set):
            return value
        made = copy.deepcopy(value)
        self._copies.append((made, fingerprint(made)))
        return made

    def refuse(self) -> NoReturn:
        """Refuse a change.

        Raises:
            TemplateWrites: Always; if code catches it, ``settle`` raises it again.
        """
        self._tried_to_write = True
        raise TemplateWrites

    def settle(self) -> None:
        """Check whether code has changed its inputs.

        Raises:
            TemplateWrites: It has.
        """
        if self._tried_to_write or any(fingerprint(made) != was for made, was in self._copies):
            raise TemplateWrites


class GivenMapping(ReadMapping):
    """The grains, pillar or options for code.

    Its own storage has one meaningless item, because encoders in C believe an empty storage; for
    any other they call the methods.
    """

    def __init__(self, kind: str, data: Mapping[Any, Any], ledger: HandedCopies) -> None:
        super().__init__({"": None})
        self._pb_kind = kind
        self._pb_data: Any = data
        self._pb_ledger = ledger
        # By key, as long as this view lives: code may change a value, and must see the change when
        # it reads the value again.
        self._pb_known: dict[Any, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        if key not in self._pb_data:
            raise MissingKeyError(self._pb_kind, key)
        if not self._pb_ledger.recorded:
            return self._pb_data[key]
        if key not in self._pb_known:
            self._pb_known[key] = self._pb_ledger.hand_out(self._pb_data[key])
        return self._pb_known[key]

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, or the default."""
        return self[key] if key in self._pb_data else default

    def __contains__(self, key: object) -> bool:
        return key in self._pb_data

    def _pb_keys(self) -> list[Any]:
        return [*self._pb_data]

    def value(self) -> dict[Any, Any]:
        """Return the mapping as it is; Salt's has this method."""
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[Any, Any]:
        return copy.deepcopy(self.copy(), memo)

    def _pb_target(self) -> Any:
        """Return the mapping that may be changed."""
        return self._pb_ledger.refuse() if self._pb_ledger.recorded else self._pb_data

    def __setitem__(self, key: Any, value: Any) -> None:
        self._pb_target()[key] = value

    def __delitem__(self, key: Any) -> None:
        del self._pb_target()[key]

    def __ior__(self, other: Any) -> Any:
        self._pb_target().update(other)
        return self

    def update(self, *others: Any, **more: Any) -> None:
        """Change the minion's own data, if Salt allows it."""
        self._pb_target().update(*others, **more)

    def clear(self) -> None:
        """Remove everything from the minion's own data."""
        self._pb_target().clear()

    def popitem(self) -> Any:
        """Remove the last item from the minion's own data."""
        return self._pb_target().popitem()

    def pop(self, key: Any, *default: Any) -> Any:
        """Remove an item from the minion's own data."""
        return {}.pop(key, *default) if key not in self else self._pb_target().pop(key)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key; set the default if it is missing."""
        if key not in self:
            self[key] = default
        return self[key]


class GivenFunctions:
    """The functions for code."""

    def __init__(self, functions: Any, ledger: HandedCopies) -> None:
        self._functions = functions
        self._ledger = ledger

    def __getitem__(self, name: Any) -> Callable[..., Any]:
        try:
            function = self._functions[name]
        except KeyError as error:
            if name not in self:
                raise MissingKeyError("salt", name) from error
            return _unanswered(name)
        return self._wrap(function)

    def __getattr__(self, name: str) -> Any:
        if "." not in name and _is_everywhere(self._functions, name):
            return _Module(Module(self._functions, name), self)
        return _Module(_look_up(self._functions, name), self)

    def __contains__(self, name: object) -> bool:
        # Code cannot be run with unknown answers, so what only some masters have is missing.
        return has_function(self._functions, name) or (
            "." in str(name) and _is_everywhere(self._functions, name)
        )

    def get(self, name: Any, default: Any = None) -> Any:
        """Return a function by its name, or the default."""
        if name not in self:
            return default
        return self[name]

    def _wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            return self._ledger.hand_out(function(*arguments, **options))

        return call


class _Module:
    """The functions of one module, as attributes."""

    def __init__(self, module: Any, functions: GivenFunctions) -> None:
        self._module = module
        self._functions = functions

    def __getattr__(self, name: str) -> Any:
        full = name_looked_for(self._module, name)
        if full is not None and full in self._functions:
            return self._functions[full]
        return _look_up(self._module, name)


def _unanswered(name: str) -> Callable[..., NoReturn]:
    """Return a function that every master has, and that nothing answers here."""

    def refuse(*_arguments: Any, **_options: Any) -> NoReturn:
        error = UnansweredCallError(NO_ANSWER)
        error.name = name
        raise error

    return refuse


def _is_everywhere(functions: Any, name: object) -> bool:
    """Say whether every master has a function of Salt that is not here."""
    from pillarbook.compile.renderers.jinja.functions.known_functions import (  # noqa: PLC0415 (on use)
        loads_always,
    )

    return isinstance(name, str) and loads_always(name) and is_salts_own(functions, name)


def _look_up(owner: Any, name: str) -> Any:
    try:
        return getattr(owner, name)
    except AttributeError as error:
        looked_for = name_looked_for(owner, name)
        if looked_for is None or name.startswith("_"):
            raise
        raise MissingFunctionError(str(error), looked_for) from error


@dataclass(frozen=True, slots=True)
class CodeGlobals:
    """The names that code gets for a minion."""

    salt: GivenFunctions
    """The functions."""
    grains: GivenMapping
    """The grains."""
    pillar: GivenMapping
    """The pillar that SLS files see during rendering."""
    opts: GivenMapping
    """The options."""
    ledger: HandedCopies
    """The copies that code got."""

    @classmethod
    def of(cls, salt: Any, grains: Any, pillar: Any, opts: Any) -> "CodeGlobals":
        """Return the names for what a template would see."""
        ledger = HandedCopies(recorded=isinstance(grains, View))
        return cls(
            GivenFunctions(salt, ledger),
            GivenMapping("grains", grains, ledger),
            GivenMapping("pillar", pillar, ledger),
            GivenMapping("opts", opts, ledger),
            ledger,
        )

    @classmethod
    def to(cls, context: RenderContext) -> "CodeGlobals":
        """Return the names for the code of a render."""
        view = context.template
        return cls.of(view.salt, view.grains, view.pillar, view.opts)

    def dunders(self) -> dict[str, Any]:
        """Return the names that Salt's loader gives its modules."""
        return {
            "__salt__": self.salt,
            "__grains__": self.grains,
            "__pillar__": self.pillar,
            "__opts__": self.opts,
        }
