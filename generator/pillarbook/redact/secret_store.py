"""The clear values of secrets, and their tokens.

Tokens show whether two secrets have the same source, and whether a secret has changed. They never
show the value, its length or a hash that can be guessed. ``secret_sources`` decides how a token is
made.
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
"""The first key in the path of a secret that is written in a template."""
PathRank: TypeAlias = tuple[bool, bool, bool, int, tuple[str, ...]]
"""The sort key for the paths of a secret; the smallest one names the secret."""


class SecretStore:
    """Gives each distinct secret an id; never shows a secret.

    Without a ``key``, tokens have random bytes. With ``equality``, equal values have equal tokens,
    independent of their source.
    """

    def __init__(self, key: bytes | None = None, *, equality: bool = False) -> None:
        self._equality = equality
        self.key = TokenKey(key)
        """The key for tokens."""
        # Never emptied: it has as many entries as there are secrets.
        self.sought: dict[int, SoughtForms] = {}
        """Forms and hashes by secret id; ``sought_at`` adds them, and all searches use them."""
        self.sought_by_value: dict[bytes, SoughtForms] = {}
        """Forms and hashes by value: with the public key, anyone can encrypt a value many times."""
        # Only grows: a line that was secret in any compile is hidden on the page of its file.
        self.lines: set[tuple[str, int]] = set()
        """Lines of files whose values were redacted for any minion."""
        # By value and source, so that a token says nothing about equal values from other sources
        # (docs/decisions/0022). Never emptied: ids are used to the end of the run.
        self.secret_ids: dict[tuple[bytes, bytes], int] = {}
        """Secret ids by value and source."""
        self._values: list[Any] = []
        self._sources: list[SecretSource] = []
        # One object for each reason and secret id, to save memory.
        self._redacted: dict[tuple[str, int], Redacted] = {}
        self._here: dict[bytes, int] = {}
        self._here_tokens: list[str] = []
        self._paths: list[tuple[PathRank, KeyPath]] = []
        self._tokens: list[str] = []

    def __repr__(self) -> str:
        """Return the number of secrets."""
        return f"SecretStore({len(self._values)} secrets)"

    def __len__(self) -> int:
        return len(self._values)

    def add(
        self, value: Any, path: KeyPath = (), *, is_copy: bool = False, source: SecretSource = TEXT
    ) -> int:
        """Add a clear value and return its secret id; equal values of one source have one id.

        Args:
            value: The value.
            path: The keys that lead to it. If a secret has several paths, the order of the calls
                does not matter: a path in a pillar goes before one in a template, then a shorter
                one before a longer one, then the alphabet decides.
            is_copy: Whether the value is secret only as a copy of another secret; then its path
                is used only if there is no other.
            source: The source of the value.
        """
        if self._equality and source.kind == "opened":
            source = TEXT
        content = canonical(value)
        known = (content, source.content)
        secret_id = self.secret_ids.get(known)
        rank = (is_copy, not path, is_held(path), len(path), tuple(map(str, path)))
        if secret_id is None:
            secret_id = self.secret_ids[known] = len(self._values)
            self._paths.append((rank, path))
            self._sources.append(source)
            self._tokens.append(self.key.digest(source.content or content))
            self._values.append(value)  # last, because other threads read `len(self)`
        elif rank < self._paths[secret_id][0]:
            self._paths[secret_id] = (rank, path)
        return secret_id

    def know(self, earlier: "SecretStore") -> None:
        """Add the secrets of an earlier run, without copies."""
        for secret_id, value in enumerate(earlier.clear_values()):
            if not earlier.is_copy(secret_id):
                self.add(value, earlier.path_of(secret_id), source=earlier.source_of(secret_id))

    def token(self, secret_id: int) -> str:
        """Return the token of a secret id, or of ``Redacted.here``: 16 hexadecimal digits."""
        return self._tokens[secret_id] if secret_id >= 0 else self._here_tokens[~secret_id]

    def token_in(self, name: str, secret_id: int) -> str:
        """Return the token that replaces a secret in a name; each name is a source of its own.

        A copy has no token in a name, as it may become known later than the name.
        """
        if self.may_name(secret_id):
            return self._tokens[secret_id]
        return self.key.digest(b"\0name:" + name.encode("utf-8", "surrogatepass"))

    def redacted(self, reason: str, secret_id: int) -> Redacted:
        """Return the object that replaces a secret."""
        known = self._redacted.get((reason, secret_id))
        if known is None:
            here = self._number_here(self._sources[secret_id].here)
            known = self._redacted[reason, secret_id] = Redacted(reason, secret_id, here)
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

    def source_of(self, secret_id: int) -> SecretSource:
        """Return the source of a secret."""
        return self._sources[secret_id]

    def may_name(self, secret_id: int) -> bool:
        """Say whether the reason for a copy may name this secret.

        It may not name a decrypted secret: somebody who adds a guess would see that it is right.
        """
        return self._sources[secret_id].kind != "opened" and not self.is_copy(secret_id)

    def path_of(self, secret_id: int) -> KeyPath:
        """Return the key path that names a secret."""
        return self._paths[secret_id][1]

    def named(self) -> tuple[object, ...]:
        """Return an object for each secret, which is replaced if another path names the secret."""
        return tuple(self._paths)

    def is_copy(self, secret_id: int) -> bool:
        """Say whether a value is secret only as a copy of another secret."""
        return self._paths[secret_id][0][0]

    def order_of(self, secret_id: int) -> bytes:
        """Return a sort key for a secret that does not depend on the order of the run."""
        return canonical(self._values[secret_id]) + b"\0" + self._sources[secret_id].content

    def value_of(self, secret_id: int) -> Any:
        """Return the clear value of a secret."""
        return self._values[secret_id]

    def clear_values(self) -> Iterator[Any]:
        """Yield every clear value, for code that searches output for them."""
        yield from self._values


def is_held(path: KeyPath) -> bool:
    """Say whether a path is that of a secret in a template; a path in a pillar goes before it.

    A pillar may also have such a top-level key; its paths then count as those of a template.
    """
    return path[:1] == (TEMPLATE,)
