"""Values that cannot be known without a live Salt."""

import secrets
from dataclasses import dataclass

# Drawn for each run, so that no text of a tree begins so, by chance or on purpose.
STAND_IN = f"pbu{secrets.token_hex(12)}"
"""How the texts begin that stand for unknown values in a render; no output may hold it."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A scalar, list or mapping of which only the source is known.

    In a compiled tree it is the value of a leaf. It is equal to another one if both have the same
    source, which says nothing about the values themselves.
    """

    sources: tuple[str, ...]
    """The calls that it is made of, each with its literal arguments: ``vault.read secret/x``."""

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules of the functions that are called: ``vault``."""
        return tuple(source.partition(".")[0] for source in self.sources)

    def __str__(self) -> str:
        return f"unknown ({', '.join(self.sources)})"


class UnprovenUnknown(BaseException):
    """More may hang on an unknown value than is marked; compile without unknown values.

    A signal rather than an error: nothing that handles errors may catch it.
    """
