"""The result of a render of one file."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from pillarbook.compile.misses import Misses
from pillarbook.compile.project import FileRead
from pillarbook.compile.reads import Answer, Question
from pillarbook.compile.renderers.jinja.template_secrets import NamedValue, TemplateLiterals
from pillarbook.compile.renderers.render_context import MetMessage
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import Node


# Never changed; not frozen, because each minion has some of its own (docs/decisions/0004).
@dataclass(slots=True, eq=False)
class RenderResult:
    """The result of a render, and everything that it depends on."""

    tree: Node | None
    """The data; None if the render failed."""
    message: str | None
    """Salt's words for the failure, without the surrounding sentence."""
    diagnostics: tuple[Diagnostic, ...]
    """Diagnostics of it, without minions."""
    questions: Mapping[Question, Answer]
    """The questions of the render, with the answers."""
    files: tuple[FileRead, ...]
    """The files that it looked up, beginning with the file itself."""
    sealed: bool = False
    """Whether the file is ciphertext as a whole and was not decrypted."""
    begun: bool = True
    """Whether the render began; a refused one says nothing about other minions."""
    messages: tuple[MetMessage, ...] = ()
    """The PGP messages that it decrypted, or tried to."""
    decrypted: bool = False
    """Whether templates saw decrypted text, or ciphertext that was not decrypted."""
    functions: frozenset[str] = frozenset()
    """The functions that templates called."""
    recorded: bool = True
    """Whether questions were recorded."""
    scope: int = 0
    """The number of its options and roots."""
    foreign: bool = False
    """Whether the failure is another exception that Salt passes on."""
    misses: Misses = field(default_factory=dict)
    """The recorded reads of values that the minion does not have."""
    named: tuple[NamedValue, ...] = ()
    """The secrets in its templates, with the names of their variables."""
    literals: tuple[TemplateLiterals, ...] = ()
    """The literals in its templates."""
    sls: str = ""
    """The SLS name; empty for a top file."""
    printed: Mapping[str, int] | None = None
    """By file, the lines that printed text, as a bit set; None if unknown."""
    unanswered: tuple[Diagnostic, ...] = ()
    """Those of calls without an answer, if it is rendered with unknown values."""
    called: tuple[str, ...] = ()
    """Calls in words, with the function first, that have an unknown answer."""
    has_unknown: bool = False
    """Whether some of its values are unknown."""
    template: object = None
    """One object for renders with the same branches; None if it is not repeated."""
    decided: tuple[Answer, ...] = ()
    """What was read to choose these branches; other files may choose others for other answers."""

    @property
    def kind(self) -> Hashable:
        """A key that equals that of renders which differ only in printed values.

        It holds as long as one of them exists.
        """
        return id(self.template or self), self.decided
