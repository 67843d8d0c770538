"""What PyYAML makes of the values in a file that the user declares, and which of them it cannot."""

from typing import Any

import yaml
from yaml.constructor import ConstructorError

from pillarbook.model.long_integers import REFUSED, holds_long_integer

_CONSTRUCTION_FAULTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What PyYAML lets through of a text that is not what its tag, or its look, says."""


class UnreadableValueError(ConstructorError):
    """A scalar that cannot be read; the words never quote it."""

    def __init__(self, reason: str, mark: yaml.Mark | None) -> None:
        super().__init__(None, None, f"a value cannot be read: {reason}", mark)
        self.reason = reason
        """Why."""


class PlacedLoader(yaml.CSafeLoader):
    """PyYAML's safe loader, whose faults all have a place."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Return the value of a node.

        Raises:
            UnreadableValueError: It has none.
        """
        try:
            made = super().construct_object(node, deep=deep)
        except _CONSTRUCTION_FAULTS as error:
            raise UnreadableValueError(_word(error), node.start_mark) from error
        if isinstance(made, int) and holds_long_integer(made):
            raise UnreadableValueError(REFUSED, node.start_mark)
        return made


def _word(error: Exception) -> str:
    """Return what Python says, up to where it may quote the value."""
    if isinstance(error, ArithmeticError | ValueError):
        return str(error).partition(":")[0]
    return "it is not what its tag says"
