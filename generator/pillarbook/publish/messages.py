"""Prints the messages of MkDocs like those of pillarbook: one line each, with a place."""

import logging
import re
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
import jinja2

from pillarbook.diagnostics import PillarbookError
from pillarbook.model import KeyPath, Position
from pillarbook.publish.configuration import Configuration
from pillarbook.publish.engine import ENGINE

_ABOUT_AN_OPTION = re.compile(r"Config value '(?P<key>[^']*)': (?P<what>.*)", re.DOTALL)
"""Source: MkDocs ``mkdocs/config/base.py`` (``load_config``)."""
_FRAMES = re.compile(r"\n(?:  File .*\n(?:    .*\n)*)+")
"""Source: MkDocs ``mkdocs/config/config_options.py`` (``MarkdownExtensions``)."""
_REMEDIES = {
    "For internal use only.": "MkDocs sets this option itself, so remove it; options of a Markdown "
    "extension belong below its name in `markdown_extensions`",
}
"""Source: MkDocs ``mkdocs/config/config_options.py`` (``Private``), which has no more text."""
_DOCS_DIR = ": docs_dir: "
_FOLLOWS = "should not be within the 'docs_dir'"
"""MkDocs' message for ``site_dir`` after a ``docs_dir`` that contains everything."""
_LOGGERS = (ENGINE, "pillarbook.publish")


class Messages(logging.Handler):
    """Prints warnings and keeps errors, which end the build anyway."""

    def __init__(self, configurations: Sequence[Configuration]) -> None:
        super().__init__(logging.WARNING)
        self._configurations = configurations
        self.errors: list[str] = []
        """The errors so far."""
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Print or keep one message."""
        text = self._locate(record.getMessage())
        if record.levelno >= logging.ERROR:
            if not (_FOLLOWS in text and any(_DOCS_DIR in one for one in self.errors)):
                self.errors.append(text)
        elif text not in self._said:  # a second build of a site repeats all messages
            self._said.add(text)
            click.echo(f"{record.levelname.lower()}: {text}", err=True)

    def _locate(self, text: str) -> str:
        found = _ABOUT_AN_OPTION.fullmatch(text)
        if found is None:
            return text
        position = find_option(self._configurations, (found["key"],))
        what = _FRAMES.sub(" ", found["what"]) or "MkDocs cannot use this value"
        return f"{position}: {found['key']}: {_REMEDIES.get(what, what)}"


def find_option(configurations: Sequence[Configuration], path: KeyPath) -> Position:
    """Return the line of an option: in the first file that has its first key, else at the top."""
    holding = [one for one in configurations if path[0] in one.data] or configurations
    return holding[0].position_of(path)


@contextmanager
def reporting(configurations: Sequence[Configuration]) -> Iterator[Messages]:
    """Show the messages of MkDocs and the plugin, each once."""
    messages = Messages(configurations)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.addHandler(messages)
        logger.propagate = False
    try:
        yield messages
    finally:
        for logger, propagate in zip(loggers, before, strict=True):
            logger.removeHandler(messages)
            logger.propagate = propagate


class TemplateFaultError(PillarbookError):
    """A template of the theme cannot be rendered."""

    def __init__(self, error: jinja2.TemplateError) -> None:
        super().__init__(f"{_find_place(error)}: {error.message or type(error).__name__}")


def _find_place(error: jinja2.TemplateError) -> str:
    """Return the file and line of the template that an error comes from."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"{error.filename or error.name or 'a template'}:{error.lineno}"
    # The frames of Jinja have the file names of the templates.
    places = [
        f"{frame.filename}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.endswith(".py") and not frame.filename.startswith("<")
    ]
    return places[-1] if places else "a template"
