"""Placeholders for secrets, for a second compile that shows which values depend on secrets.

In one run, a secret has the same placeholder everywhere; in several runs, if they use the same
token key.
"""

import datetime as dt
import hashlib
import random
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pillarbook.compile.renderers.ciphertext import MESSAGE, as_sent, open_messages
from pillarbook.compile.renderers.gpg_keyring import Keyring
from pillarbook.compile.renderers.nacl import MESSAGE as NACL_MESSAGE
from pillarbook.compile.renderers.nacl import OpenBox
from pillarbook.compile.renderers.render_context import Decryptor
from pillarbook.model import KeyPath, Node
from pillarbook.model.scalar_texts import COMPOUND
from pillarbook.patterns.ciphertexts import BEGIN
from pillarbook.redact.given_placeholders import GivenPlaceholders, as_printed
from pillarbook.redact.placeholder_texts import (
    PAIR,
    Shape,
    in_far_letters,
    placeholder_for_bytes,
    placeholder_for_number,
    placeholder_for_text,
)
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_sources import canonical

WHITE = re.compile(r"\s+")
Secret = bytes
"""Identifies a secret: by value and type, or by message if it was decrypted."""
HELD = b"held:"
"""The prefix for secrets that are written in templates."""
OPENED = b"opened:"
"""The prefix for secrets that were decrypted."""
MAX_TREES = 200_000
"""The most trees that are cached; then the cache is emptied."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which secrets are replaced, for a compile that does not replace all."""

    chosen: frozenset[Secret]
    """The known secrets that are replaced."""
    known: frozenset[Secret]
    """The known secrets."""
    others: bool
    """Whether unknown secrets are replaced."""

    def takes(self, secret: Secret) -> bool:
        """Say whether a secret is replaced."""
        if secret.startswith(HELD):
            return secret in self.chosen
        return secret in self.chosen or (self.others and secret not in self.known)


def identify_held(value: Any) -> Secret:
    """Return the identity of a secret that is written in a template.

    It differs from the identity of a pillar secret with the same text: otherwise, somebody who
    writes a guess into a template could see whether a decrypted secret equals it.
    """
    return HELD + identify(value)


def identify_opened(source: bytes) -> Secret:
    """Return the identity of a secret that was decrypted.

    It depends on the message and not on the value: otherwise, somebody who adds a guess, as plain
    text or encrypted, could see from a reason that names the secret whether the guess is right. The
    source is the key path if there is no message.
    """
    return OPENED + hashlib.sha256(source).digest()


def identify(value: Any) -> Secret:
    """Return the identity of a secret, by its value.

    Line feeds at the end of a text and white space in a message do not count.
    """
    if isinstance(value, str) and BEGIN in value:
        return canonical(WHITE.sub("", value))
    if isinstance(value, str | bytes):
        bare = value.rstrip("\n" if isinstance(value, str) else b"\n")  # type: ignore[arg-type]
        text = bare.decode("utf-8", "surrogateescape") if isinstance(bare, bytes) else bare
        return canonical(text)
    return canonical(value)


def is_ciphertext(value: Any) -> bool:
    """Say whether a value contains a PGP message, or is a NaCl message."""
    if isinstance(value, bytes):
        return BEGIN.encode() in value
    if not isinstance(value, str):
        return False
    return BEGIN in value or (value.startswith("NACL[") and NACL_MESSAGE.search(value) is not None)


@dataclass(slots=True)
class SecretPlaceholders:
    """Placeholders of one kind; implements ``compile.placeholder_views.PlaceholderViews``."""

    rules: Rules
    """Decide what is secret."""
    key: bytes
    """The key of the random generator."""
    shape: Shape
    """How the placeholders resemble the secrets."""
    sealed: bool
    """Whether there are no keys for decryption, so that templates see ciphertext."""
    choice: Choice | None = None
    """Which secrets are replaced; None for all."""
    # By node and path, since what is secret depends on both. Equal trees stay one object, so that
    # the second compiles can share nodes and a memo.
    trees: dict[tuple[Node, KeyPath], Node] = field(default_factory=dict)
    """Trees with placeholders, by the clear tree and its path."""
    written: frozenset[str] = frozenset()
    """Texts that are replaced in every template that contains them."""
    given: GivenPlaceholders = field(default_factory=GivenPlaceholders)
    """The placeholders that templates were given so far."""
    real: set[Secret] = field(default_factory=set)
    """The secrets in the pillars of the compile without placeholders."""
    _opened: dict[str, Secret] = field(default_factory=dict)
    """The decrypted secrets by the text of their placeholders."""

    def trim(self) -> None:
        """Empty the caches that have reached their limit."""
        if len(self.trees) > MAX_TREES:
            self.trees.clear()

    def of_leaf(self, path: KeyPath, value: Any, mark: str | None, *, is_read: bool = False) -> Any:
        """Return what a template reads for a leaf: a placeholder, or the value if it is no secret.

        A secret that the compile without placeholders does not have was computed from a
        placeholder. Its own placeholder gets letters that no secret has, since other letters could
        be those of the first secret again.

        If there are keys, ciphertext stays, because a template may still decrypt it. A value that
        the compiler marks was decrypted to a placeholder already.
        """
        if is_ciphertext(value):
            return self._reseal(value) if self.sealed else value
        if mark is not None or self.rules.find_reason(path, value) is None:
            return value
        is_made_of_one = is_read and bool(self.real) and identify(value) not in self.real
        return self.of_value(value, apart=is_made_of_one)

    def members(
        self, path: KeyPath, items: Mapping[Any, Any] | Sequence[Any]
    ) -> Iterator[tuple[KeyPath, Any]]:
        """Yield the members of a mapping or list, each with the path that the rules judge."""
        return self.rules.members(path, items)

    def of_held(self, path: KeyPath, value: Any) -> Any:
        """Return the placeholder for a literal in a template; the literal if it is no secret."""
        if is_ciphertext(value):
            return self._reseal(value) if self.sealed else value
        if value not in self.written and self.rules.find_reason(path, value) is None:
            return value
        pair = PAIR.fullmatch(value) if isinstance(value, str) else None
        secret = identify_held(value)
        if pair is None or not pair[2] or value in self.written:
            return self.of_value(value, secret)
        if self.choice is not None and not self.choice.takes(secret):
            return value
        # The literal may be read as YAML later, so its key stays.
        return f"{pair[1]}{self._make(pair[2], self._drawer(secret))}"

    def of_data(self, path: KeyPath, data: Any, *, all_secret: bool = False) -> Any:
        """Return plain data with its secrets replaced; the same object if there are none.

        If ``all_secret``, every scalar is secret, whatever the rules say.
        """
        if isinstance(data, dict):
            members = self.rules.members(path, data)
            made: Any = {
                key: self.of_data(asked, item, all_secret=all_secret)
                for key, (asked, item) in zip(data, members, strict=True)
            }
            return data if all(made[key] is item for key, item in data.items()) else made
        if isinstance(data, list | tuple):
            items = [
                self.of_data(asked, item, all_secret=all_secret)
                for asked, item in self.rules.members(path, data)
            ]
            same = all(new is item for new, item in zip(items, data, strict=True))
            return data if same else type(data)(items)
        if all_secret and data not in (None, ""):
            return self.of_value(data)
        return self.of_leaf(path, data, None)

    def of_value(self, value: Any, secret: Secret | None = None, *, apart: bool = False) -> Any:
        """Return the placeholder for a secret; the value itself if it is not to be replaced.

        A placeholder is not replaced again, whether it is the whole value or a part of it. Without
        a ``secret``, its identity is that by value. ``apart`` asks for letters that secrets hardly
        have.
        """
        secret = secret or identify(value)
        if self.given.holds(value) or (self.choice is not None and not self.choice.takes(secret)):
            return value
        parts = list(self.given.split(value)) if isinstance(value, str) else []
        if len(parts) > 1:
            made: Any = "".join(text if known else self._of_part(text) for text, known in parts)
        else:
            made = self._make(value, self._drawer(secret))
        if apart and isinstance(made, str) and self.shape is Shape.LONG:
            made = in_far_letters(made)
        self.given.add(made)
        return made

    def _of_part(self, text: str) -> str:
        """Return the placeholder for the text before or after another placeholder."""
        made: str = self._make(text, self._drawer(identify(text))) if text.strip() else text
        return made

    def of_message(self, clear: bytes, message: bytes) -> bytes:
        """Return the placeholder for a decrypted text; line feeds at its end stay."""
        bare = clear.rstrip(b"\n")
        if not bare:
            return clear
        secret = identify_opened(message)
        made: bytes = self.of_value(bare, secret)
        self._opened[as_printed(made)] = secret
        return made + clear[len(bare) :]

    def opened_secret(self, value: Any) -> Secret | None:
        """Return the decrypted secret whose placeholder a value is; None if it is none."""
        return self._opened.get(as_printed(value))

    def of_ciphertext(self, message: str) -> str:
        """Return another message with letters around it: no clear text begins like a message."""
        made: str = self.of_value(message)
        if made == message:
            return message
        draw = self._drawer(identify(message) + b" ends")
        ends = ["".join(draw.choices(string.ascii_letters, k=count)) for count in (5, 8)]
        return f"{ends[0]}{made}{ends[1]}"

    def _reseal(self, value: Any) -> Any:
        if isinstance(value, str) and BEGIN in value:
            return MESSAGE.sub(lambda found: self.of_ciphertext(found.group()), value)
        return self.of_value(value)

    def _drawer(self, secret: Secret) -> random.Random:
        content = self.shape.value.encode() + b":" + secret
        seed = hashlib.blake2b(content, key=self.key, digest_size=32).digest()
        return random.Random(seed)  # noqa: S311 (the seed is keyed, and nothing of it is published)

    def _make(self, value: Any, draw: random.Random) -> Any:
        shape = self.shape
        if isinstance(value, str):
            return placeholder_for_text(value, shape, draw) if value else value
        if isinstance(value, bytes):
            return placeholder_for_bytes(value, shape, draw)
        if isinstance(value, COMPOUND):
            return type(value)(self._make(item, draw) for item in value)
        return value if value is None else _other_scalar(value, shape, draw)


def _other_scalar(value: Any, shape: Shape, draw: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return placeholder_for_number(value, shape, draw)
    if isinstance(value, float):
        return value * draw.uniform(3, 70) + draw.uniform(1, 9)
    if isinstance(value, dt.date):
        days = dt.timedelta(draw.randrange(1, 28) if shape is Shape.ALIKE else 400)
        return value - days if value.year > dt.MINYEAR + 1 else value + days
    return value


@dataclass(slots=True)
class PlaceholderDecryptor:
    """Decrypts messages and returns placeholders for their texts, or for sealed messages."""

    real: Decryptor
    """Decrypts the messages."""
    placeholders: SecretPlaceholders
    """The placeholders."""

    @property
    def sealed(self) -> bool:
        """Whether there are no keys, so that every message stays sealed."""
        return self.real.sealed

    def decrypt_text(self, text: str | bytes) -> tuple[str | bytes, bool]:
        """Return a text with its messages replaced, and whether it had any.

        Raises:
            RenderError: A message cannot be decrypted, and the options say that it must be.
        """
        if not self.sealed:
            return open_messages(text, self.decrypt_message)
        text, held = self.real.decrypt_text(text)
        if isinstance(text, str) and held:
            text = MESSAGE.sub(lambda found: self.placeholders.of_ciphertext(found.group()), text)
        return text, held

    def decrypt_message(self, message: bytes) -> bytes:
        """Return the placeholder for the text of a message; for a sealed one, another message.

        Raises:
            RenderError: The message cannot be decrypted, and the options say that it must be.
        """
        clear = self.real.decrypt_message(message)
        if self.sealed or clear == as_sent(message):
            return self.placeholders.of_ciphertext(clear.decode("utf-8", "replace")).encode()
        return self.placeholders.of_message(clear, message)

    def prefetch(self, texts: Iterable[str | bytes]) -> None:
        """Decrypt all messages of some texts at once."""
        self.real.prefetch(texts)

    def read_keyring(self) -> Keyring | None:
        """Return the keys for decryption."""
        return self.real.read_keyring()


def placeholder_box(real: OpenBox, placeholders: SecretPlaceholders) -> Callable[[str], bytes]:
    """Return a function that decrypts a NaCl message and returns a placeholder for its text."""
    return lambda message: placeholders.of_message(real(message), message.encode())
