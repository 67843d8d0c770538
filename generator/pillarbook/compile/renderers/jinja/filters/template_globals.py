"""Functions that templates call by a bare name."""

from typing import Any, NoReturn

from pillarbook.compile.renderers.jinja.function_errors import SaltTemplateError


def raise_error(msg: Any) -> NoReturn:
    """Break the render off: ``raise`` in a template."""
    raise SaltTemplateError(str(msg))


def if_else(*arguments: Any, **_options: Any) -> Any:
    """Return the only argument; with more of them Salt's global fails, and so does this.

    ``salt['match.ifelse']`` is the one that works.

    Source: Salt ``salt/modules/match.py`` (``ifelse``), used outside the loader.
    """
    if len(arguments) % 2 == 0:
        raise SaltTemplateError("The ifelse function must have an odd number of arguments!")
    if len(arguments) > 1:
        raise NameError("name '__context__' is not defined")
    return arguments[0]
