"""Errors of a render, worded as Salt words them."""

from pillarbook.compile.renderers.source_text import Line

CONTEXT_LINES = 5
MARK = "    <======================"


class RenderError(Exception):
    """A file that does not render; the text is Salt's, the place is where to look."""

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
        """File and line, where known."""
        self.rule = rule
        """Code of the diagnostic that it becomes."""
        self.foreign = foreign
        """Whether Salt lets Python's or a library's exception through here; states word it so."""
        self.subject: str | None = None
        """The grain, function, file or pillar key that it is about, where it is about one."""
        self.subject_words: tuple[str, ...] = ()
        """The words that make up the subject, where a file may have them apart: ``a``, ``b``."""
        self.missing: tuple[str, str] | None = None
        """What the file looks for in vain, as a diagnostic has it."""
        self.told: str | None = None
        """What is said of the file in place of its not rendering: ``calls 'x.y', which ...``."""
        self.clean: str | None = None
        """The error in words that quote no source; None where the text itself quotes none."""
        self.quotes_secret = False
        """Whether the text itself may quote what was decrypted."""
        self.related: Line | None = None
        """Another place that has to do with it, where there is one."""
        self.help: str | None = None
        """What to do about it, where there is something to say."""

    def with_message_only(self, words: str) -> None:
        """Tell nothing of the error but where it is and these words: the text itself is secret."""
        self.clean, self.quotes_secret = words, True
        self.subject = self.missing = self.told = self.help = self.related = None


class LimitExceeded(RenderError):  # noqa: N818 (a breach, named as the design names it)
    """A render that took more than its share of time, output or nodes."""

    def __init__(self, message: str, place: Line | None = None) -> None:
        super().__init__(message, place, rule="limit-exceeded")


class UnknownRendererError(RenderError):
    """A renderer that Salt's loader does not have after all; it empties the pipe."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The renderer '{name}' is unknown", rule="unknown-renderer")
        self.name = name
        """The renderer."""


def show_context(text: str, line: int) -> str:
    """Return up to five lines either side of a line, the line itself marked.

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
