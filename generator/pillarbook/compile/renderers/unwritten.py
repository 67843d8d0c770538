"""Messages about errors in a file that may have read a secret.

A template that reads a pillar can compute anything from a secret: a file name, a key, a message. So
a message about its error contains only words that the files contain.
"""

import builtins
import re
from collections.abc import Collection, Iterable

from jinja2 import TemplateNotFound

from pillarbook.compile.renderers.error_words import is_word_of, word_render_error
from pillarbook.compile.renderers.jinja.function_errors import SaltTemplateError
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.syntax_words import KINDS, WORDS

COMPUTED = "..."
"""Replaces text that no file contains."""
OWN_WORDS = "it raises an error with a computed text"
NO_FILE = "a file with a computed name is missing"
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_TYPES = frozenset((*dir(builtins), "NoneType", "Undefined", "OrderedDict", "SerializerExtension"))
_KNOWN = _TYPES | WORDS | KINDS
_HARMLESS = re.compile(r"\W*|\w{1,3}|[\w.]+ object|(?:<class ')?salt\.[\w.]+(?: object)?")


def hide_unwritten(error: RenderError, sources: Iterable[str]) -> None:
    """Remove computed text from an error."""
    written = "\0".join(sources)
    error.clean = _word(error, written)
    error.quotes_secret = True
    if error.subject is not None and error.subject not in written:
        if _are_words_of(written, error.subject_words):
            written += f"\0{error.subject}"
        else:
            error.subject = error.missing = error.help = None
    if not _are_words_of(written, error.subject_words):
        error.subject_words = ()
    if error.told is not None:
        error.told = keep_written(error.told, written)
    if error.help is not None and keep_written(error.help, written) != error.help:
        error.help = None


def _are_words_of(written: str, words: Collection[str]) -> bool:
    """Say whether a file contains each of some words, as in ``salt['vault']['read']``."""
    return bool(words) and all(is_word_of(written, word) for word in words)


def keep_written(text: str, written: str) -> str:
    """Return a text with quoted words replaced that are not in the file.

    Types, and words of Jinja, are kept.
    """

    def keep(found: "re.Match[str]") -> str:
        quoted = found[1] or found[2] or ""
        if quoted in _KNOWN or quoted in written or _HARMLESS.fullmatch(quoted):
            return found[0]
        return f"'{COMPUTED}'"

    return _QUOTED.sub(keep, text)


def _word(error: RenderError, written: str) -> str:
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    if str(cause) not in written:
        if isinstance(cause, SaltTemplateError):
            return OWN_WORDS
        if isinstance(cause, TemplateNotFound):
            return NO_FILE
    return keep_written(word_render_error(error), written)
