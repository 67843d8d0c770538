"""What stands in for secrets in a compile that is repeated to see what depends on them.

The same secret has the same placeholder wherever it occurs, as long as one run lasts, or as the key
of the tokens is the same.
"""

import datetime as dt
import hashlib
import random
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pillarbook.compile.renderers.ciphertext import MESSAGE, as_sent, open_messages
from pillarbook.compile.renderers.gpg_keyring import Keyring
from pillarbook.compile.renderers.nacl import MESSAGE as NACL_MESSAGE
from pillarbook.compile.renderers.nacl import OpenBox
from pillarbook.compile.renderers.render_context import Decryptor
from pillarbook.model import KeyPath, Node
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
"""What stands for a secret: equal for equal values of one type."""
HELD = b"held:"
"""What the secrets of templates begin with."""
OPENED = b"opened:"
"""What those begin with that were decrypted."""
MAX_TREES = 200_000
"""Trees that are remembered before all are let go."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which secrets are replaced, where not all are."""

    chosen: frozenset[Secret]
    """Those of the known ones."""
    known: frozenset[Secret]
    """The known ones."""
    others: bool
    """Whether all that are not known are replaced, too."""

    def takes(self, secret: Secret) -> bool:
        """Say whether a secret is replaced."""
        if secret.startswith(HELD):
            return secret in self.chosen
        return secret in self.chosen or (self.others and secret not in self.known)


def identify_held(value: Any) -> Secret:
    """Return what stands for a secret that a template holds.

    It is another one than a secret of the pillar that has the same text: if that one was opened, to
    take them for one would tell who guesses it.
    """
    return HELD + identify(value)


def identify_opened(source: bytes) -> Secret:
    """Return what stands for a secret that was decrypted.

    It is made of the message and not of the value: if a secret and a guess that somebody adds, as
    plain text or encrypted, were one, a reason would name one for the other, and tell which guess
    is right.

    Args:
        source: The message, or the key path where there is none.
    """
    return OPENED + hashlib.sha256(source).digest()


def identify(value: Any) -> Secret:
    """Return what stands for a secret.

    Line feeds at the end of a text do not count, nor do white spaces in a message.
    """
    if isinstance(value, str) and BEGIN in value:
        return canonical(WHITE.sub("", value))
    if isinstance(value, str | bytes):
        bare = value.rstrip("\n" if isinstance(value, str) else b"\n")  # type: ignore[arg-type]
        text = bare.decode("utf-8", "surrogateescape") if isinstance(bare, bytes) else bare
        return canonical(text)
    return canonical(value)


def is_ciphertext(value: Any) -> bool:
    """Say whether a value holds a message of PGP, or is one of NaCl."""
    if isinstance(value, bytes):
        return BEGIN.encode() in value
    if not isinstance(value, str):
        return False
    return BEGIN in value or (value.startswith("NACL[") and NACL_MESSAGE.search(value) is not None)


@dataclass(slots=True)
class SecretPlaceholders:
    """Placeholders of one kind; implements ``compile.placeholder_views.PlaceholderViews``."""

    rules: Rules
    """What is secret."""
    key: bytes
    """What they are drawn with."""
    shape: Shape
    """How they resemble the secrets."""
    sealed: bool
    """Whether there are no keys, so that ciphertext is what readers are shown."""
    choice: Choice | None = None
    """Which secrets are replaced; None for all."""
    # By node and path, as what is secret depends on both. The second compiles share nodes, and so a
    # memo, only if equal trees stay one object.
    trees: dict[tuple[Node, KeyPath], Node] = field(default_factory=dict)
    """What trees became at their paths."""
    written: frozenset[str] = frozenset()
    """Texts that are replaced wherever a template spells them out."""
    given: GivenPlaceholders = field(default_factory=GivenPlaceholders)
    """What readers were shown so far."""
    real: set[Secret] = field(default_factory=set)
    """The secrets of the pillars that readers were shown without placeholders."""
    _opened: dict[str, Secret] = field(default_factory=dict)
    """The decrypted secrets by their placeholders."""

    def trim(self) -> None:
        """Empty the caches that have reached their limit."""
        if len(self.trees) > MAX_TREES:
            self.trees.clear()

    def of_leaf(self, path: KeyPath, value: Any, mark: str | None, *, is_read: bool = False) -> Any:
        """Return what is shown for a leaf: the value itself where it is no secret.

        What is in a pillar and is no secret without placeholders was made of one: it has none
        of its secret's letters, but what stands in for it might.

        With keys, ciphertext stays as it is, since it may still be opened; and what the compiler
        marks was made of placeholders already.
        """
        if is_ciphertext(value):
            return self._reseal(value) if self.sealed else value
        if mark is not None or self.rules.find_reason(path, value) is None:
            return value
        is_made_of_one = is_read and bool(self.real) and identify(value) not in self.real
        return self.of_value(value, apart=is_made_of_one)

    def members(self, path: KeyPath, items: Mapping[Any, Any]) -> Iterator[tuple[KeyPath, Any]]:
        """Yield the members of a mapping with the paths that they are asked for by."""
        return self.rules.members(path, items)

    def of_held(self, path: KeyPath, value: Any) -> Any:
        """Return what a template is given instead of what it holds."""
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
        return f"{pair[1]}{self._make(pair[2], self._drawer(secret))}"  # it may be read as YAML

    def of_data(self, path: KeyPath, data: Any, *, all_secret: bool = False) -> Any:
        """Return plain data with what is secret in it replaced; the data itself for nothing.

        Args:
            path: The path of the data.
            data: Mappings, lists and scalars.
            all_secret: Whether every scalar is secret, whatever the rules say.
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
                self.of_data((*path, index), item, all_secret=all_secret)
                for index, item in enumerate(data)
            ]
            same = all(new is item for new, item in zip(items, data, strict=True))
            return data if same else type(data)(items)
        if all_secret and data not in (None, ""):
            return self.of_value(data)
        return self.of_leaf(path, data, None)

    def of_value(self, value: Any, secret: Secret | None = None, *, apart: bool = False) -> Any:
        """Return what stands in for a secret; the value itself where that one is not replaced.

        Placeholders stay what they are, and where they are in a longer text.

        Args:
            value: The secret.
            secret: What stands for it, where that is not by its value.
            apart: Whether to take letters that no secret is likely to have.
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
        """Return what stands in for what is beside a placeholder."""
        made: str = self._make(text, self._drawer(identify(text))) if text.strip() else text
        return made

    def of_message(self, clear: bytes, message: bytes) -> bytes:
        """Return what stands in for the clear text of a message; line feeds at its end stay."""
        bare = clear.rstrip(b"\n")
        if not bare:
            return clear
        secret = identify_opened(message)
        made: bytes = self.of_value(bare, secret)
        self._opened[as_printed(made)] = secret
        return made + clear[len(bare) :]

    def opened_secret(self, value: Any) -> Secret | None:
        """Return which decrypted secret a value is the placeholder of; None if of none."""
        return self._opened.get(as_printed(value))

    def of_ciphertext(self, message: str) -> str:
        """Return another message, with letters around it, as no clear text begins like one."""
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
        if isinstance(value, set | frozenset):
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
    """Opens messages and gives placeholders for what they hold, or for sealed messages."""

    real: Decryptor
    """What opens them."""
    placeholders: SecretPlaceholders
    """The placeholders."""

    @property
    def sealed(self) -> bool:
        """Whether every message stays a message."""
        return self.real.sealed

    def decrypt_text(self, text: str | bytes) -> tuple[str | bytes, bool]:
        """Return a text with its messages replaced, and whether it held any.

        Raises:
            RenderError: A message that cannot be opened, where it must be.
        """
        if not self.sealed:
            return open_messages(text, self.decrypt_message)
        text, held = self.real.decrypt_text(text)
        if isinstance(text, str) and held:
            text = MESSAGE.sub(lambda found: self.placeholders.of_ciphertext(found.group()), text)
        return text, held

    def decrypt_message(self, message: bytes) -> bytes:
        """Return what stands in for what one message holds; another message where it stays.

        Raises:
            RenderError: It cannot be opened, and must be.
        """
        clear = self.real.decrypt_message(message)
        if self.sealed or clear == as_sent(message):
            return self.placeholders.of_ciphertext(clear.decode("utf-8", "replace")).encode()
        return self.placeholders.of_message(clear, message)

    def prefetch(self, texts: Iterable[str | bytes]) -> None:
        """Open all messages of some texts at once."""
        self.real.prefetch(texts)

    def read_keyring(self) -> Keyring | None:
        """Return the keys that open them."""
        return self.real.read_keyring()


def placeholder_box(real: OpenBox, placeholders: SecretPlaceholders) -> Callable[[str], bytes]:
    """Return what opens messages of NaCl, and gives placeholders for what they hold."""
    return lambda message: placeholders.of_message(real(message), message.encode())
