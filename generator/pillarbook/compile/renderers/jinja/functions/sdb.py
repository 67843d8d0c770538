"""``sdb.get`` for URIs that lead to no database; Salt returns them as they are.

Source: Salt ``salt/utils/sdb.py`` (``sdb_get``).
"""

from typing import Any

from pillarbook.compile.renderers.jinja.function_errors import (
    SaltTemplateError,
    UnansweredCallError,
)
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionContext

START = "sdb://"


class Sdb:
    """The module ``sdb``."""

    def __init__(self, context: FunctionContext) -> None:
        self._context = context

    def get(self, uri: Any, strict: Any = False) -> Any:
        """Return what is no URI, or has no key or profile, as it is.

        Raises:
            UnansweredCallError: Only the database knows.
            SaltTemplateError: It leads nowhere, and must not.
        """
        if not (isinstance(uri, str) and uri.startswith(START)):
            return uri
        name, _, key = uri.removeprefix(START).partition("/")
        if not key:
            why = "SDB uri must have a profile name as a first part of the uri before the /"
        elif self._has_profile(name):
            raise UnansweredCallError("with a URI of a database")
        else:
            why = "The profile of an SDB uri is not in the options"
        if strict:
            raise SaltTemplateError(why)
        return uri

    def _has_profile(self, name: str) -> bool:
        if self._context.on_minion:  # its own options may have it
            return True
        opts = self._context.master_opts
        profile = opts.get(name) or opts.get("pillar", {}).get(name, {})
        return "driver" in profile
