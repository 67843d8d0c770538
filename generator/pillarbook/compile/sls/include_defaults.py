"""The ``defaults`` of an include, which Salt passes as keyword arguments.

Source: Salt ``salt/pillar/__init__.py`` (``render_pstate``) and ``salt/template.py``
(``compile_template``).
"""

from collections.abc import Mapping
from typing import Any

FUNCTION = "compile_template()"
OWN_KEYWORD = "_pillar_rend"
"""The keyword argument that Salt adds to the defaults."""
OWN_ARGUMENTS = frozenset(
    {"template", "renderers", "default", "blacklist", "whitelist", "saltenv", "sls"}
)
"""The arguments that Salt passes by position."""

DROPPED = frozenset({"env", "input_data"})
"""Names that renderers do not get: an old name of ``saltenv``, and an argument of Salt."""


def refuse_defaults(defaults: Any) -> str | None:
    """Return why Salt cannot pass the defaults; None if it can.

    The text is Python's, for the first error that Python finds. Salt checks neither file nor
    renderer before, so any SLS is lost, even an empty one.
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
    """Return the defaults that an SLS can read."""
    if DROPPED.isdisjoint(defaults):
        return defaults
    return {name: value for name, value in defaults.items() if name not in DROPPED}
