"""The program that builds the site: MkDocs, or its fork ProperDocs if MkDocs is not installed.

ProperDocs has the same modules under another name, and gives them MkDocs' name as well; so
everything else in this package imports ``mkdocs``. Why: docs/decisions/0035.
"""

import logging
import sys
from importlib import import_module
from importlib.util import find_spec

from pillarbook.diagnostics import PillarbookError


class NoEngineError(PillarbookError):
    """Neither MkDocs nor ProperDocs is installed."""

    def __init__(self) -> None:
        super().__init__(
            "neither MkDocs nor ProperDocs is installed; run: pip install 'mkdocs>=1.6,<2'"
        )


def load_engine() -> str:
    """Let ``import mkdocs`` work, and return the name of the package behind it.

    The command `properdocs` has already put its own modules in MkDocs' place, whatever else is
    installed.

    Raises:
        NoEngineError: There is no such package.
    """
    if "mkdocs" not in sys.modules and find_spec("mkdocs") is None:
        if find_spec("properdocs") is None:
            raise NoEngineError
        import_module("properdocs.replacement")
    return import_module("mkdocs").__name__


ENGINE = load_engine()
"""The package's own name, which its loggers and the frames of its functions have."""
ENGINE_LOG = logging.getLogger(ENGINE)
"""The parent of all its loggers."""
