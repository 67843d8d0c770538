"""The inputs and outputs of renderers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.gpg_keyring import Keyring
from pillarbook.compile.renderers.pgp_recipients import Recipients
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml_reuse import ParsedDocuments
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import KeyPath, Node, Origin

Rendered: TypeAlias = SourceText | Node
"""Text for the next renderer, or data."""


class Decryptor(Protocol):
    """Decrypts ciphertext, or leaves it sealed."""

    @property
    def sealed(self) -> bool:
        """Whether it leaves every message unchanged."""

    def decrypt_text(self, text: str | bytes) -> tuple[str | bytes, bool]:
        """Return a text with its PGP messages decrypted, and whether it had any.

        Bytes that are UTF-8 become text; clear text that is not UTF-8 becomes bytes.

        Raises:
            RenderError: A message cannot be decrypted, and Salt makes this an error.
        """

    def decrypt_message(self, message: bytes) -> bytes:
        """Return the clear text of one PGP message, with the line feeds at its end.

        Raises:
            RenderError: It cannot be decrypted, and Salt makes this an error.
        """

    def prefetch(self, texts: Iterable[str | bytes]) -> None:
        """Decrypt all messages of some texts at once, so that later calls are quick."""

    def read_keyring(self) -> Keyring | None:
        """Return its keys; None if there are none."""


@dataclass(frozen=True, slots=True)
class MetMessage:
    """A PGP message that was to be decrypted, with or without success."""

    place: Line
    """File and line."""
    path: KeyPath | None
    """The keys that lead to it; None if the text is not data yet."""
    recipients: Recipients
    """Its recipients."""


@dataclass(slots=True, eq=False)
class RenderContext:
    """The render of one file for one minion."""

    shown: str
    """The file as it is shown: relative to the repository."""
    path: str
    """The file's full path; ``tplpath`` in templates."""
    sls: str
    """Name of the SLS; empty for a top file."""
    saltenv: str
    """The environment of the render."""
    options: Mapping[str, Any]
    """The options of this compile, which templates must not get."""
    limits: Limits
    """The limits of the render."""
    decryptor: Decryptor
    """Decrypts ciphertext."""
    parsed: ParsedDocuments | None = None
    """The cache of parsed YAML documents; None for no cache."""
    template: Any = None
    """Other inputs of Jinja: the minion's views and the loader of imports."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Variables from ``include: defaults:``."""
    renderers: "Mapping[str, Renderer]" = field(default_factory=dict)
    """The renderers that may be used, for renderers that call others."""
    is_pillar: bool = True
    """Whether it is a file of the pillar, and not a nested render."""
    content: str = ""
    """The file's own text, for renderers that read it themselves."""
    messages: list[MetMessage] = field(default_factory=list)
    """The PGP messages that were to be decrypted; filled by renderers."""
    steps: tuple[str, ...] = ()
    """The names of its renderers, after it was rendered."""
    printed: dict[int, int] = field(default_factory=dict)
    """The number of the printed evaluation, by the number of the segment; filled by Jinja."""
    evaluations: Any = None
    """The reads of pure expressions; None if other parts of a template used them, too."""
    document: SourceText | None = None
    """The text of the YAML document; set by its renderer."""
    find_doubtful: Callable[[Node | None], tuple[Diagnostic, ...]] = lambda _: ()
    """Returns what is doubtful in the file if it renders to some data; set after a render."""
    shows_decrypted: bool = False
    """Whether a template got decrypted text, or ciphertext that was not decrypted."""

    def new_origin(self, place: Line, value: Any) -> Origin:
        """Return the origin of a value at a line of this file."""
        return Origin(place[0], place[1], self.sls, self.saltenv, value)


Renderer: TypeAlias = Callable[[RenderContext, Rendered, str], Rendered]
"""Takes the context, the result of the renderer before, and the words after its name."""
