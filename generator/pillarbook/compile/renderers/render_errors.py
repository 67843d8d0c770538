"""Errors of a render, in Salt's words."""

from pillarbook.compile.renderers.source_text import Line

CONTEXT_LINES = 5
MARK = "    <======================"


class RenderError(Exception):
    """A file cannot be rendered; the text is Salt's."""

    def __init__(
        self,
        message: str,
        place: Line | None = None,
        *,
        rule: str = "render-error",
        foreign: bool = False,
    ) -> None:
        super().__init__(message)
        self.place = place
        """File and line, if known."""
        self.rule = rule
        """The rule of its diagnostic."""
        self.foreign = foreign
        """Whether Salt passes on an exception of Python or a library here; errors of states show
        this."""
        self.subject: str | None = None
        """The grain, function, file or pillar key that the error is about, if any."""
        self.subject_words: tuple[str, ...] = ()
        """The words of the subject, which a file may contain one by one: ``a``, ``b``."""
        self.missing: tuple[str, str] | None = None
        """What is missing, in the form of a diagnostic."""
        self.told: str | None = None
        """A message that replaces the usual one: ``calls 'x.y', which ...``."""
        self.clean: str | None = None
        """The error without quotes of the source; None if the text has no quotes."""
        self.quotes_secret = False
        """Whether the text may quote a decrypted value."""
        self.related: Line | None = None
        """Another related position, if any."""
        self.help: str | None = None
        """The remedy, if there is one."""

    def with_message_only(self, words: str) -> None:
        """Keep only the position of the error and these words, because the text is secret."""
        self.clean, self.quotes_secret = words, True
        self.subject = self.missing = self.told = self.help = self.related = None


class LimitExceeded(RenderError):  # noqa: N818 (a breach, named as the design names it)
    """A render exceeded a limit of time, output or nodes."""

    def __init__(self, message: str, place: Line | None = None) -> None:
        super().__init__(message, place, rule="limit-exceeded")


class UnknownRendererError(RenderError):
    """A renderer that Salt's loader refuses; then the file has no renderers."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The renderer '{name}' is unknown", rule="unknown-renderer")
        self.name = name
        """The renderer."""


def show_context(text: str, line: int) -> str:
    """Return up to five lines before and after a line, with the line marked.

    Source: Salt ``salt/utils/stringutils.py`` (``get_context``).
    """
    lines = text.splitlines()
    if line > len(lines):
        return text
    marked = line - 1
    first, last = max(0, marked - CONTEXT_LINES), min(len(lines), marked + CONTEXT_LINES + 1)
    shown = lines[first:last]
    shown[marked - first] += MARK
    head = ["---"] + (["[...]"] if first else [])
    tail = (["[...]"] if last < len(lines) else []) + ["---"]
    return "\n".join([*head, *shown, *tail])


def with_context(message: str, text: str, line: int | None) -> str:
    """Return a message followed by the line number and the lines around it, as Salt joins them.

    Source: Salt ``salt/exceptions.py`` (``SaltRenderError``).
    """
    if not line or not text:
        return message
    return f"{message}; line {line}\n\n{show_context(text, line)}"
