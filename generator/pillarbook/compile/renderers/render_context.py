"""What a renderer is handed, and what it hands on."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.gpg_keyring import Keyring
from pillarbook.compile.renderers.pgp_recipients import Recipients
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml_reuse import ParsedDocuments
from pillarbook.model import KeyPath, Node, Origin

Rendered: TypeAlias = SourceText | Node
"""Text for the next renderer of the pipe, or data."""


class Decryptor(Protocol):
    """Turns ciphertext into clear text, or leaves it sealed."""

    @property
    def sealed(self) -> bool:
        """Whether it leaves every message as it is."""
        ...

    def decrypt_text(self, text: str | bytes) -> tuple[str | bytes, bool]:
        """Return a text with its PGP messages decrypted, and whether it held any.

        Bytes that are UTF-8 become text; clear text that is not becomes bytes.

        Raises:
            RenderError: A message that cannot be decrypted, where Salt makes that an error.
        """
        ...

    def decrypt_message(self, message: bytes) -> bytes:
        """Return what one PGP message holds, with the line feeds at its end.

        Raises:
            RenderError: It cannot be decrypted, where Salt makes that an error.
        """
        ...

    def prefetch(self, texts: Iterable[str | bytes]) -> None:
        """Decrypt all messages of some texts at once, so that asking for each is quick."""
        ...

    def read_keyring(self) -> Keyring | None:
        """Return the keys that it has; None where none are in reach."""
        ...


@dataclass(frozen=True, slots=True)
class MetMessage:
    """A PGP message that was to be opened, whether it could be or not."""

    place: Line
    """File and line."""
    path: KeyPath | None
    """The keys that lead to it; None in a text that is not data yet."""
    recipients: Recipients
    """Whom it is for."""


@dataclass(slots=True, eq=False)
class RenderContext:
    """One file on its way through a render pipe, for one minion."""

    shown: str
    """The file as it is shown: relative to the repository."""
    path: str
    """The file's full path; ``tplpath`` in templates."""
    sls: str
    """Name of the SLS; empty for a top file."""
    saltenv: str
    """The environment it is rendered in."""
    options: Mapping[str, Any]
    """The options of this compile; not to be handed to templates."""
    limits: Limits
    """What the render may take."""
    decryptor: Decryptor
    """What opens ciphertext."""
    parsed: ParsedDocuments | None = None
    """The YAML documents that were parsed before; None keeps nothing."""
    template: Any = None
    """What the Jinja renderer needs besides: the minion's views and the loader of imports."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Variables from ``include: defaults:``."""
    renderers: "Mapping[str, Renderer]" = field(default_factory=dict)
    """The renderers that may be used, for those that call others."""
    is_pillar: bool = True
    """Whether it is a file of the pillar, rather than what one of its templates renders."""
    content: str = ""
    """The file's own text, for those that read it themselves."""
    messages: list[MetMessage] = field(default_factory=list)
    """The PGP messages that were to be opened; filled by those that do."""
    steps: tuple[str, ...] = ()
    """The renderers that it went through, once it has."""
    printed: dict[int, int] = field(default_factory=dict)
    """Which evaluation was printed, by the number of the segment; filled by Jinja."""
    evaluations: Any = None
    """What the pure expressions of templates read; None if other parts had a share in it."""
    document: SourceText | None = None
    """The text of the YAML document; filled by whoever reads it."""
    shows_decrypted: bool = False
    """Whether a template was given text that was decrypted, or that stays sealed."""

    def new_origin(self, place: Line, value: Any) -> Origin:
        """Return the origin of a value at a place of this file."""
        return Origin(place[0], place[1], self.sls, self.saltenv, value)


Renderer: TypeAlias = Callable[[RenderContext, Rendered, str], Rendered]
"""Takes the context, what the renderer before it gave, and the words after its name."""
