"""The clear values of secrets, and the tokens that stand for them.

A token says ``same source`` and ``changed``, never the value, its length or a hash that can be
guessed. ``secret_sources`` says what a token is made of.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.redact.secret_sources import TEXT, SecretSource, canonical
from pillarbook.redact.tokens import TokenKey

if TYPE_CHECKING:
    from pillarbook.redact.secret_forms import SoughtForms

TEMPLATE = "template"
"""The first key of the path of a secret that a template holds under a name of its own."""
PathRank: TypeAlias = tuple[bool, bool, bool, int, tuple[str, ...]]
"""What puts the paths of a secret in order; the least one names it."""


class SecretStore:
    """Numbers distinct secrets; never shows one.

    Args:
        key: What tokens are keyed with; without it random bytes.
        equality: Whether equal values have equal tokens wherever they come from.
    """

    def __init__(self, key: bytes | None = None, *, equality: bool = False) -> None:
        self._equality = equality
        self.key = TokenKey(key)
        """What tokens are made with."""
        # Not limited: as many as there are secrets, of which none is ever let go.
        self.sought: dict[int, SoughtForms] = {}
        """What is looked for of each secret, by place: made by ``sought_at``, for all searches."""
        self.sought_by_value: dict[bytes, SoughtForms] = {}
        """The same by value: whoever has the public key may encrypt one value a thousand times."""
        # Only grows: a line that was secret in any compile is so on the page of its file.
        self.lines: set[tuple[str, int]] = set()
        """Lines of files of which a value was redacted, on any minion."""
        # By both, so that a token says nothing about equal values of other sources
        # (docs/decisions/0022). Never let go: numbers are in use for as long as the run.
        self.places: dict[tuple[bytes, bytes], int] = {}
        """The place numbers by content and source."""
        self._values: list[Any] = []
        self._sources: list[SecretSource] = []
        # One object for each secret and reason, whatever number of leaves it replaces.
        self._redacted: dict[tuple[str, int], Redacted] = {}
        self._here: dict[bytes, int] = {}
        self._here_tokens: list[str] = []
        self._paths: list[tuple[PathRank, KeyPath]] = []
        self._tokens: list[str] = []

    def __repr__(self) -> str:
        """Return how many there are."""
        return f"SecretStore({len(self._values)} secrets)"

    def __len__(self) -> int:
        return len(self._values)

    def place(
        self, value: Any, path: KeyPath = (), *, is_copy: bool = False, source: SecretSource = TEXT
    ) -> int:
        """Return the place number of a clear value; equal ones of one type and source have one.

        Args:
            value: The value.
            path: The keys that lead to it. Of several, one of a pillar before one of a template,
                and the shortest and first of those, names the secret, whatever comes first.
            is_copy: Whether it is secret for being another's copy, so that its path names it only
                where no other does.
            source: Where it comes from.
        """
        if self._equality and source.kind == "opened":
            source = TEXT
        content = canonical(value)
        known = (content, source.content)
        place = self.places.get(known)
        rank = (is_copy, not path, is_held(path), len(path), tuple(map(str, path)))
        if place is None:
            place = self.places[known] = len(self._values)
            self._paths.append((rank, path))
            self._sources.append(source)
            self._tokens.append(self.key.digest(source.content or content))
            self._values.append(value)  # last: who counts the values in a thread finds the rest
        elif rank < self._paths[place][0]:
            self._paths[place] = (rank, path)
        return place

    def know(self, earlier: "SecretStore") -> None:
        """Take the secrets of an earlier run, but for what was made of others."""
        for place, value in enumerate(earlier.clear_values()):
            if not earlier.is_copy(place):
                self.place(value, earlier.path_of(place), source=earlier.source_of(place))

    def token(self, place: int) -> str:
        """Return the token of a place, or of ``Redacted.here``: 16 hexadecimal digits."""
        return self._tokens[place] if place >= 0 else self._here_tokens[~place]

    def token_in(self, name: str, place: int) -> str:
        """Return what stands for a secret in a name, which is a source of its own."""
        if self._sources[place].kind != "opened":
            return self._tokens[place]
        return self.key.digest(b"\0name:" + name.encode("utf-8", "surrogatepass"))

    def redacted(self, reason: str, place: int) -> Redacted:
        """Return what stands for the secret of a place."""
        known = self._redacted.get((reason, place))
        if known is None:
            here = self._number_here(self._sources[place].here)
            known = self._redacted[reason, place] = Redacted(reason, place, here)
        return known

    def _number_here(self, content: bytes) -> int | None:
        if not content:
            return None
        number = self._here.get(content)
        if number is None:
            number = self._here[content] = ~len(self._here_tokens)
            self._here_tokens.append(self.key.digest(b"\0here:" + content))
        return number

    @property
    def has_opened(self) -> bool:
        """Whether there are secrets that nobody can read in the tree."""
        return any(source.kind == "opened" for source in self._sources)

    def source_of(self, place: int) -> SecretSource:
        """Return where the secret of a place comes from."""
        return self._sources[place]

    def may_name(self, place: int) -> bool:
        """Say whether a copy may say of which secret it is one.

        To say so of a secret that was opened would tell who guessed it which one he guessed.
        """
        return self._sources[place].kind != "opened" and not self.is_copy(place)

    def path_of(self, place: int) -> KeyPath:
        """Return the keys that name the secret of a place."""
        return self._paths[place][1]

    def named(self) -> tuple[object, ...]:
        """Return what names each secret; another object where another path names it since."""
        return tuple(self._paths)

    def is_copy(self, place: int) -> bool:
        """Say whether a place holds nothing but what was made of other secrets."""
        return self._paths[place][0][0]

    def order_of(self, place: int) -> bytes:
        """Return what puts places in an order that is the same whichever was first."""
        return canonical(self._values[place]) + b"\0" + self._sources[place].content

    def value_of(self, place: int) -> Any:
        """Return the clear value of a place."""
        return self._values[place]

    def clear_values(self) -> Iterator[Any]:
        """Yield every clear value, for whoever makes sure that none gets out."""
        yield from self._values


def is_held(path: KeyPath) -> bool:
    """Say whether a path is that of a secret which a template holds, so that a pillar's is better.

    A pillar may have such a key as well; then another path names its secrets where there is one.
    """
    return path[:1] == (TEMPLATE,)


def text_of(value: Any) -> str | None:
    """Return a secret as text; None where it has none, or is a word such as true."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None
