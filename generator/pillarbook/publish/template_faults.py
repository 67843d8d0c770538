"""Faults in the templates of a theme, with their place."""

import traceback

import jinja2

from pillarbook.diagnostics import PillarbookError


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
