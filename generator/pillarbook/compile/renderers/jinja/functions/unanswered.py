"""Explains calls of a template that have no answer, whichever its engine."""

from jinja2 import Environment

from pillarbook.compile.renderers.jinja.function_errors import (
    UnansweredCallError,
    UndeclaredClockError,
)
from pillarbook.compile.renderers.jinja.functions.loader import name_looked_for
from pillarbook.compile.renderers.jinja.template_calls import read_calls
from pillarbook.compile.renderers.jinja.undefined import MissingValueError
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.undeclared import describe_clock, describe_unanswered, find_call


def explain_call(
    worded: RenderError,
    error: MissingValueError | UnansweredCallError,
    environment: Environment,
    source: str,
    line: int | None,
) -> None:
    """Say which function has no answer, if an error of a template is about one."""
    if isinstance(error, UndeclaredClockError):
        describe_clock(worded)
        return
    if isinstance(error, MissingValueError):
        name, why, remedy = name_looked_for(error.owner, error.name), None, None
    else:
        name, why, remedy = error.name, error.why, error.remedy
    if name is not None:
        call = find_call(read_calls(environment, source), source, line, name)
        describe_unanswered(worded, name, call, why, remedy)
    elif why is not None:
        worded.rule, worded.told = "outside-reach", f"uses a filter {why}"
        worded.help = "map the path with `paths:` in mkdocs.yml"
