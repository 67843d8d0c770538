"""Values that cannot be known without a live Salt."""

import secrets
from dataclasses import dataclass, field

from pillarbook.model.origin import Position
from pillarbook.model.tree import Leaf, Node

# Drawn for each run, so that no text of a tree begins so, by chance or on purpose.
STAND_IN = f"pbu{secrets.token_hex(12)}"
"""How the texts begin that stand for unknown values in a render; no output may hold it."""

COMPUTED_FUNCTION = "a function with a computed name"
"""The source of an answer whose function may be named by a secret."""
SECRET_STORES = frozenset(("gpg", "keyring", "pass", "sdb", "vault"))
"""Execution modules whose answers are secrets."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A scalar, list or mapping of which only the source is known.

    In a compiled tree it is the value of a leaf. It is equal to another one if both have the same
    source, which says nothing about the values themselves.
    """

    sources: tuple[str, ...]
    """The calls that it is made of, each with its literal arguments: ``vault.read secret/x``."""
    may_miss: bool = field(default=False, compare=False)
    """Whether there may be nothing in its place."""
    untried: bool = field(default=False, compare=False)
    """Whether it is unknown only because not all of what may come out was tried."""
    moves: bool = field(default=False, compare=False)
    """Whether its key may be in another place, also if another value replaces it."""
    shape: str | None = field(default=None, compare=False)
    """What is known of it if it is a text, with ``*`` for what is not."""
    ciphertext: str | bytes | None = field(default=None, compare=False)
    """Its ciphertext, if it is a value of the pillar that is not decrypted."""
    secret: object = field(default=None, compare=False)
    """In a redacted pillar the ``Redacted`` of what is secret, although it is not known."""

    @property
    def store(self) -> str | None:
        """The execution module of the first secret store that it is read from: ``vault``."""
        modules = (source.partition(".")[0] for source in self.sources)
        return next(filter(SECRET_STORES.__contains__, modules), None)

    def __str__(self) -> str:
        missing = ", may be missing" if self.may_miss else ""
        untried = ", not tried out" if self.untried else ""
        return f"unknown ({', '.join(self.sources)}{missing}{untried})"

    def joined(self, *others: "Unknown") -> "Unknown":
        """Return what depends on all of them."""
        every = (self, *others)
        sources = dict.fromkeys(source for one in every for source in one.sources)
        untried, moves = any(one.untried for one in every), any(one.moves for one in every)
        return Unknown(tuple(sources), untried=untried, moves=moves)


def function_of(source: str) -> str:
    """Return the function of a source, without its arguments."""
    return source if source == COMPUTED_FUNCTION else source.partition(" ")[0]


class UnknownKey(str):
    """Stands for a key that is not known: ``<unknown 1>``. Its value is not known either."""

    __slots__ = ()


def unknown_of(node: Node | None) -> Unknown | None:
    """Return what stands for an unknown value; None if it is known."""
    if isinstance(node, Leaf) and node.value.__class__ is Unknown:
        unknown: Unknown = node.value
        return unknown
    return None


class UnprovenUnknown(BaseException):
    """More may hang on an unknown value than is marked; compile without unknown values.

    A signal rather than an error: nothing that handles errors may catch it.
    """

    def __init__(
        self, sls: str = "", place: Position | None = None, sources: tuple[str, ...] = ()
    ) -> None:
        super().__init__()
        self.sls = sls
        """The SLS that uses it; empty if it is a merge."""
        self.place = place
        """What depends on it there; None if unclear."""
        self.sources = sources
        """The calls that it is made of; empty if unclear."""
