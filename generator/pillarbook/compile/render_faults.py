"""Diagnostics of files that cannot be rendered.

A template that reads a pillar can compute anything from a secret: a file name, a key, a message. So
a message about its error contains only words that the files contain.
"""

import builtins
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from jinja2 import TemplateNotFound

from pillarbook.compile.reads import MISSING, Answer, Question
from pillarbook.compile.renderers.ciphertext import name_sealed
from pillarbook.compile.renderers.error_words import is_word_of, word_render_error
from pillarbook.compile.renderers.jinja.function_errors import SaltTemplateError
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.syntax_words import KINDS, WORDS
from pillarbook.diagnostics import Diagnostic, Severity, new_diagnostic
from pillarbook.model import Position
from pillarbook.patterns.ciphertexts import GIT_CRYPT
from pillarbook.roots.tree_interface import FoundFile

MAX_GRAINS = 5
"""The most grains that a remedy names."""
_OF_TEMPLATES = ("jinja-error", "yaml-error")
_EARLY_PILLAR = (
    "; a pillar SLS can read only the pillar of `ext_pillar_first` and of the command line"
)
VARIABLE = "Jinja variable "
"""How Salt's words for an undefined name begin."""
SEALED = frozenset(("sealed-sls", "git-crypt"))
"""Rules for files that are sealed as a whole."""
COMPUTED = "..."
"""Replaces text that no file contains."""
OWN_WORDS = "it raises an error with a computed text"
NO_FILE = "a file with a computed name is missing"
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_TYPES = frozenset((*dir(builtins), "NoneType", "Undefined", "OrderedDict", "SerializerExtension"))
_KNOWN = _TYPES | WORDS | KINDS
_HARMLESS = re.compile(r"\W*|\w{1,3}|[\w.]+ object|(?:<class ')?salt\.[\w.]+(?: object)?")


def name_render(sls: str, *, is_state: bool) -> str:
    """Return what messages call a file; ``sls`` is empty for a top file."""
    if is_state:
        return f"the state SLS '{sls}'" if sls else "the top file of the states"
    return f"SLS '{sls}'" if sls else "the top file"


def diagnose(error: RenderError, found: FoundFile, what: str) -> Diagnostic:
    """Return the diagnostic of a render that failed.

    ``what`` is the description of the file: ``SLS 'web.nginx'``.
    """
    _word_too_deep(error)
    file, line = error.place or (found.shown, None)
    if error.told is not None and file != found.shown:
        what = "an imported file"  # the same for all that import it
    clean = first_line(word_render_error(error))
    fault = new_diagnostic(
        error.rule,
        _word(error, what, clean),
        Position(file or found.shown, line),
        related=() if error.related is None else (Position(*error.related),),
        missing=error.missing,
        remedy=error.help,
    )
    # The rule may be a warning in other places, but here the file is lost.
    is_sealed = error.rule in SEALED
    return fault if is_sealed else replace(fault, severity=Severity.ERROR)


def explain_fault(
    error: RenderError,
    found: FoundFile,
    answers: Callable[[], Mapping[Question, Answer]],
    *,
    is_state: bool,
) -> None:
    """Report ciphertext as sealed, and say which pillar or grains a file may lack.

    ``answers`` returns what the render asked.
    """
    word_sealed(error, found)
    if error.missing is not None and error.missing[0] == "key" and not is_state:
        error.help = f"{error.help}{_EARLY_PILLAR}"
    if error.rule not in _OF_TEMPLATES:
        return
    source = found.text
    if is_state and error.missing is None and str(error).startswith(VARIABLE):
        # A function may have made a mapping of defaults and of a key that the pillar lacks.
        keys = (key for key in _absent("pillar", answers()) if is_word_of(source, key))
        error.missing = next((("key", key) for key in keys), None)
    if error.help is not None:
        return
    from pillarbook.compile.renderers.common_mistakes import find_mistake  # noqa: PLC0415 (rare)

    names = dict.fromkeys(name for name in _absent("grains", answers()) if is_word_of(source, name))
    file, line = error.place or (None, None)
    line = line if file == found.shown else None
    mistake = find_mistake(first_line(word_render_error(error)), source, line)
    if mistake is not None and not names:
        error.help = mistake
    if names:
        some = ", ".join(f"'{name}'" for name in [*names][:MAX_GRAINS])
        error.help = f"it reads grains that are not declared: {some}; declare them if it needs them"


def _absent(name: str, answers: Mapping[Question, Answer]) -> Iterator[str]:
    """Yield the grains, or keys of the pillar, that a render asked for and a minion lacks."""
    for question, answer in answers.items():
        view, what, path = (*question, None, None)[:3]
        is_absent = answer == MISSING if what == "get" else what == "has" and answer is False
        if view == name and is_absent and isinstance(path, tuple) and len(path) == 1:
            yield str(path[0])


def word_sealed(error: RenderError, found: FoundFile) -> None:
    """Report a file that is ciphertext as a whole as sealed, and not as malformed."""
    kind = name_sealed(found.content)
    if kind is None or error.rule in SEALED:
        return
    error.rule, error.place = "sealed-sls", (found.shown, None)
    error.told, error.help = f"is {kind}, and is not decrypted", None
    if found.content.startswith(GIT_CRYPT):
        error.rule = "git-crypt"
        error.help = "unlock the repository with git-crypt, or leave the file encrypted"


def _word_too_deep(error: RenderError) -> None:
    """Report a text that is too deep for Python as over a limit, in any renderer.

    Salt's renderers are recursive as well, and fail with Python's words.
    """
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, RecursionError):
        cause = cause.__cause__
    if cause is not None:
        error.rule, error.told = (
            "limit-exceeded",
            "does not render: it has too many nested levels or calls",
        )


def _word(error: RenderError, what: str, clean: str) -> str:
    if error.rule == "missing-grain" and error.subject is not None:
        return f"{what} reads the grain '{error.subject}', which is not declared"
    if error.rule == "missing-grain":
        return f"{what} reads a part of a grain that is not declared; its name is computed"
    if error.told is not None:
        return f"{what} {error.told}"
    if error.rule == "duplicate-key" and error.subject is not None:
        first = "" if error.related is None else f", first at {Position(*error.related)}"
        if error.subject_words:
            both = " and ".join(f"'{text}'" for text in error.subject_words)
            return f"{what} has the keys {both} in one mapping, which are the same key{first}"
        return f"{what} has the key '{error.subject}' twice in one mapping{first}"
    # Salt's lead is for the name of a variable, and this error begins with a file.
    reason = clean.removeprefix(VARIABLE) if clean.startswith(f"{VARIABLE}the template") else clean
    return f"{what} does not render: {reason}"


def first_line(text: str) -> str:
    """Return the first line of an error, without the source lines that Salt quotes below it."""
    lines = [line.strip() for line in text.split("; line ", 1)[0].splitlines() if line.strip()]
    return " ".join(lines[:4]) if lines else "no reason given"


def unknown_renderer(found: FoundFile, name: str) -> Diagnostic:
    """Return the diagnostic of a file that names a renderer which Salt does not have."""
    return new_diagnostic(
        "unknown-renderer",
        f"Salt does not know the renderer '{name}', and treats the file as empty",
        Position(found.shown, 1),
        remedy="correct the first line of the file, or the `renderer` option",
    )


def hide_unwritten(error: RenderError, sources: Iterable[str]) -> None:
    """Remove computed text from an error."""
    written = "\0".join(sources)
    error.clean = _hide_words(error, written)
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


def _hide_words(error: RenderError, written: str) -> str:
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    if str(cause) not in written:
        if isinstance(cause, SaltTemplateError):
            return OWN_WORDS
        if isinstance(cause, TemplateNotFound):
            return NO_FILE
    return keep_written(word_render_error(error), written)
