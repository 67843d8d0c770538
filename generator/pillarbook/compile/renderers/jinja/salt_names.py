"""Salt's own filters, tests and globals, under the names that templates use.

Only what is deterministic is here: nothing random, and nothing that asks the network or the
machine. Those that need a file are made by ``file_filters``, those that may need the time by
``date_filters``; those that serialize come with ``SerializerExtension``.

Source: Salt ``salt/utils/decorators/jinja.py``, ``salt/utils/templates.py``.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NoReturn

from pillarbook.compile.renderers.jinja.filters import (
    digests,
    lists,
    mappings,
    network,
    regexes,
    text,
)
from pillarbook.compile.renderers.jinja.filters.files import file_filters
from pillarbook.compile.renderers.jinja.function_errors import SaltTemplateError

__all__ = ["file_filters", "salt_filters", "salt_globals", "salt_tests"]


def salt_filters() -> dict[str, Callable[..., Any]]:
    """Return Salt's filters by name; ``min``, ``max`` and ``unique`` replace Jinja's own."""
    return {
        **digests.FILTERS,
        **lists.FILTERS,
        **mappings.FILTERS,
        **network.FILTERS,
        **regexes.FILTERS,
        **text.FILTERS,
    }


def salt_tests() -> dict[str, Callable[..., Any]]:
    """Return Salt's tests by name."""
    return {"equalto": regexes.is_equal, "list": lists.is_list, "match": regexes.matches}


def salt_globals() -> dict[str, Any]:
    """Return the names that every template has besides those of its context."""
    return {"ifelse": ifelse, "odict": OrderedDict, "raise": jinja_raise}


def jinja_raise(msg: Any) -> NoReturn:
    """Break the render off: ``raise`` in a template."""
    raise SaltTemplateError(str(msg))


def ifelse(*arguments: Any, **_options: Any) -> Any:
    """Return the only argument; with more of them Salt's global fails, and so does this.

    ``salt['match.ifelse']`` is the one that works.

    Source: Salt ``salt/modules/match.py`` (``ifelse``), used outside the loader.
    """
    if len(arguments) % 2 == 0:
        raise SaltTemplateError("The ifelse function must have an odd number of arguments!")
    if len(arguments) > 1:
        raise NameError("name '__context__' is not defined")
    return arguments[0]
