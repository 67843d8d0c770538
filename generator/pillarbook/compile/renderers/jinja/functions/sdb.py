"""``sdb.get`` for URIs without a key; Salt returns them as they are.

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

    def __init__(self, _context: FunctionContext) -> None:
        pass

    def get(self, uri: Any, strict: Any = False) -> Any:
        """Return what is no URI, or has no key, as it is.

        Of a profile that the options lack, Salt returns the URI, too. But here the master may have
        it in a file that the repository does not have.

        Raises:
            UnansweredCallError: Only the database knows.
            SaltTemplateError: It has no key, and must have one.
        """
        if not (isinstance(uri, str) and uri.startswith(START)):
            return uri
        if uri.removeprefix(START).partition("/")[2]:
            raise UnansweredCallError("with a URI of a database")
        if strict:
            raise SaltTemplateError(
                "SDB uri must have a profile name as a first part of the uri before the /"
            )
        return uri
