"""How Salt calls an external pillar with what stands under its name.

Source: Salt ``salt/pillar/__init__.py`` (``_external_pillar_data``).
"""

from collections.abc import Callable
from typing import Any, TypeVar

from pillarbook.compile.renderers.render_errors import RenderError

Result = TypeVar("Result")


def call_as_salt(
    function: Callable[..., Result], minion_id: str, pillar: Any, config: Any
) -> Result:
    """Call a function with the minion, the pillar, and the configuration as arguments.

    A mapping gives arguments by name, a list by position, all else is one argument.

    Raises:
        TypeError: The function does not take them; with Python's words.
    """
    if isinstance(config, dict):
        return function(minion_id, pillar, **config)
    if isinstance(config, list):
        return function(minion_id, pillar, *config)
    return function(minion_id, pillar, config)


def read_arguments(function: Callable[..., Result], config: Any) -> Result:
    """Return what a function makes of a configuration; it has the arguments of Salt's.

    Raises:
        RenderError: It does not take them; with Salt's words, which are Python's.
    """
    try:
        return call_as_salt(function, "", None, config)
    except TypeError as error:
        raise RenderError(str(error)) from error
