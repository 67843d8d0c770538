"""Salt's own filters, tests and globals, by the names in templates.

Only deterministic ones have a result: no random values, no requests to the network or the machine.
``file_filters`` makes those that read files, ``date_filters`` those that may need the time, and
``SerializerExtension`` those that serialize.

Source: Salt ``salt/utils/decorators/jinja.py``, ``salt/utils/templates.py``.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from pillarbook.compile.renderers.jinja.filters import digests, lists, mappings, network, text
from pillarbook.compile.renderers.jinja.filters.files import file_filters
from pillarbook.compile.renderers.jinja.function_errors import (
    SaltTemplateError,
    UnansweredFilterError,
    UnansweredGlobalError,
)

__all__ = ["file_filters", "salt_filters", "salt_globals", "salt_tests"]


UNANSWERED_FILTERS = (
    *("dns_check", "gen_mac", "get_uid", "http_query", "rand_str", "random_hash"),
    *("random_str", "which"),
)
"""Filters of Salt 3006 to 3008 whose result changes between runs or machines."""
UNANSWERED_GLOBALS = ("lipsum", "show_full_context")
"""Globals without a result; they are there, because a template can ask for them."""


def salt_filters() -> dict[str, Callable[..., Any]]:
    """Return Salt's filters by name; ``min``, ``max`` and ``unique`` replace Jinja's own."""
    return {
        **digests.FILTERS,
        **lists.FILTERS,
        **mappings.FILTERS,
        **network.FILTERS,
        **text.FILTERS,
        **{name: partial(_refuse, name) for name in UNANSWERED_FILTERS},
    }


def _refuse(name: str, *_arguments: Any, **_options: Any) -> NoReturn:
    raise UnansweredFilterError(name)


class UnansweredGlobal:
    """A global function without a result."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *_arguments: Any, **_options: Any) -> NoReturn:
        """Refuse the call."""
        raise UnansweredGlobalError(self._name)

    def __repr__(self) -> str:
        return f"<function {self._name}>"


def salt_tests() -> dict[str, Callable[..., Any]]:
    """Return Salt's tests by name."""
    return {"equalto": text.is_equal, "list": lists.is_list, "match": text.matches}


def salt_globals() -> dict[str, Any]:
    """Return the names that every template has, in addition to its variables."""
    return {
        **{name: UnansweredGlobal(name) for name in UNANSWERED_GLOBALS},
        "ifelse": ifelse,
        "odict": OrderedDict,
        "raise": jinja_raise,
    }


def jinja_raise(msg: Any) -> NoReturn:
    """Stop the render: ``raise`` in a template."""
    raise SaltTemplateError(str(msg))


def ifelse(*arguments: Any, **_options: Any) -> Any:
    """Return the only argument; with more arguments, Salt's global fails, and so does this.

    ``salt['match.ifelse']`` works.

    Source: Salt ``salt/modules/match.py`` (``ifelse``), used outside the loader.
    """
    if len(arguments) % 2 == 0:
        raise SaltTemplateError("The ifelse function must have an odd number of arguments!")
    if len(arguments) > 1:
        raise NameError("name '__context__' is not defined")
    return arguments[0]
