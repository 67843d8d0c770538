"""Finds the line of an error in data that a template loads: a file, or the text in a block."""

from collections.abc import Mapping

from jinja2.environment import TemplateModule

from pillarbook.compile.renderers.source_text import Line


def note_loaded(error: Exception, value: object, *, is_text: bool) -> None:
    """Note in an error what could not be loaded.

    ``value`` is an imported file, or the output of a block. If it ``is_text``, it is written as it
    is, so that its lines are those of the template.
    """
    cause = error.__cause__
    mark = getattr(cause, "problem_mark", None)
    line = getattr(cause, "lineno", 0) - 1 if mark is None else mark.line
    file = (value.__name__, str(value)) if isinstance(value, TemplateModule) else None
    error.loaded = file, line if is_text and line >= 0 else None  # type: ignore[attr-defined]


def place_in_loaded(
    error: Exception, at: Line, imported: Mapping[str, tuple[str, str]], *, trims: bool
) -> Line:
    """Return the position of an error, in the data that could not be loaded if there is some.

    ``at`` is the position of the tag, ``imported`` has the shown names of imported files by their
    full paths. If it ``trims``, the line feed after the tag is no part of the text.
    """
    file, line = getattr(error, "loaded", (None, None))
    if file is None:
        return at if line is None or at[1] is None else (at[0], at[1] + line + trims)
    name, text = file
    found = [one for full, one in imported.items() if f"/{full}".endswith(f"/{name}")]
    if not found:
        return at
    shown, source = found[-1]
    # A template may write a line more than once, or none of it.
    is_written_so = source.rstrip("\n") == text.rstrip("\n")
    return shown, line + 1 if line is not None and is_written_so else None
