"""The ``defaults`` of an include, which Salt hands on as keyword arguments.

Source: Salt ``salt/pillar/__init__.py`` (``render_pstate``) and ``salt/template.py``
(``compile_template``).
"""

from collections.abc import Mapping
from typing import Any

FUNCTION = "compile_template()"
OWN_KEYWORD = "_pillar_rend"
"""What Salt gives by name beside the defaults."""
OWN_ARGUMENTS = frozenset(
    {"template", "renderers", "default", "blacklist", "whitelist", "saltenv", "sls"}
)
"""What Salt gives by position."""

DROPPED = frozenset({"env", "input_data"})
"""Names that no renderer gets to see: an old name of ``saltenv``, and an argument of Salt's own."""


def refuse_defaults(defaults: Any) -> str | None:
    """Return why Salt cannot hand defaults on; None if it can.

    The words are Python's, in the order in which Python looks. Salt looks for neither file nor
    renderer before, so this loses any SLS, an empty one too.
    """
    if not isinstance(defaults, Mapping):
        kind = type(defaults).__name__
        return f"salt.template.{FUNCTION} argument after ** must be a mapping, not {kind}"
    if OWN_KEYWORD in defaults:
        multiple = "got multiple values for keyword argument"
        return f"salt.template.{FUNCTION} {multiple} '{OWN_KEYWORD}'"
    if not all(isinstance(name, str) for name in defaults):
        return "keywords must be strings"
    taken = next((name for name in defaults if name in OWN_ARGUMENTS), None)
    return None if taken is None else f"{FUNCTION} got multiple values for argument '{taken}'"


def visible_defaults(defaults: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the defaults that an SLS gets to see."""
    if DROPPED.isdisjoint(defaults):
        return defaults
    return {name: value for name, value in defaults.items() if name not in DROPPED}
