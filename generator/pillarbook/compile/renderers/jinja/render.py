"""The ``jinja`` renderer.

Source: Salt ``salt/renderers/jinja.py``, ``salt/utils/templates.py``.
"""

import json
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from jinja2 import TemplateNotFound, TemplateSyntaxError, UndefinedError
from jinja2.exceptions import SecurityError, TemplateRuntimeError

from pillarbook.compile.missing_reads import grains_path_of, pillar_path_of
from pillarbook.compile.reads import Trace, View, fingerprint
from pillarbook.compile.renderers.error_words import word_exception
from pillarbook.compile.renderers.jinja.environment import SaltEnvironment, environment_arguments
from pillarbook.compile.renderers.jinja.evaluations import Evaluations
from pillarbook.compile.renderers.jinja.filters.dates import Now, has_no_clock
from pillarbook.compile.renderers.jinja.function_errors import (
    SaltFunctionError,
    UnansweredCallError,
)
from pillarbook.compile.renderers.jinja.functions.loader import is_salts_own
from pillarbook.compile.renderers.jinja.functions.unanswered import explain_call
from pillarbook.compile.renderers.jinja.linemap import render_with_map
from pillarbook.compile.renderers.jinja.template_secrets import NamedValues
from pillarbook.compile.renderers.jinja.tree_files import TreeFiles
from pillarbook.compile.renderers.jinja.undefined import MissingValueError, missing_value
from pillarbook.compile.renderers.jinja.unknown_answers import UnknownAnswers
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import (
    LimitExceeded,
    RenderError,
    show_context,
    with_context,
)
from pillarbook.compile.renderers.source_text import Line, Segment, SourceText
from pillarbook.compile.renderers.template_variables import template_variables
from pillarbook.compile.renderers.undeclared import describe_missing_grain, describe_missing_key
from pillarbook.roots.tree_interface import FoundFile

HEADER = "#jinja2:"
PYTHON_2: Mapping[str, str] = MappingProxyType(
    {
        "has_key": "KEY in MAPPING",
        "iteritems": "items",
        "iterkeys": "keys",
        "itervalues": "values",
    }
)
"""Methods of mappings that no Salt on Python 3 has, and what does the same."""
LINE_STARTS = re.compile(r"\A|\r\n|\r|\n")
"""The starts of lines, as Jinja counts them."""
TEMPLATE_FRAMES = ("top-level template code", "template", "<module>")
OWN_FILES = ("<template>", "<unknown>")
"""Jinja's names for the rendered file; all other files are code."""


@dataclass(slots=True)
class Environments:
    """Jinja environments by their arguments; kept to the end of the run."""

    made: dict[Any, SaltEnvironment] = field(default_factory=dict)

    def get(
        self,
        arguments: Mapping[str, Any],
        *,
        allow_undefined: bool,
        kind: type[SaltEnvironment] = SaltEnvironment,
    ) -> SaltEnvironment:
        """Return the environment with these arguments."""
        key = (kind, allow_undefined, fingerprint(arguments))
        if key not in self.made:
            self.made[key] = kind(arguments, allow_undefined=allow_undefined)
        return self.made[key]


@dataclass(slots=True, eq=False)
class TemplateView:
    """The inputs of the templates of one compile."""

    grains: Mapping[str, Any]
    """The minion's grains, as a view or a dict of the minion."""
    pillar: Mapping[str, Any]
    """The pillar that SLS files see during rendering."""
    opts: Mapping[str, Any]
    """The minion's options."""
    salt: Any
    """The functions."""
    environments: Environments
    """The cache of Jinja environments."""
    find_import: Callable[[str, str], FoundFile | None]
    """Finds a file by its path and environment."""
    find_state: Callable[[str, str], FoundFile | None] = lambda _path, _saltenv: None
    """Finds a file of the state tree by its path and environment."""
    now: Now = has_no_clock
    """Returns the current time; raises UndeclaredClockError if none is declared."""
    trees: TreeFiles | None = None
    """The files that filters may read; None for none."""
    named: NamedValues | None = None
    """Collects the secrets in templates; None if they are not needed."""
    answers: UnknownAnswers | None = None
    """The unknown answers of calls; None if such calls are errors."""
    trace: Trace | None = None
    """Collects the questions of the render; None if they are not needed."""


def render(context: RenderContext, data: Rendered, argline: str) -> SourceText:
    """Return the text of a template.

    Raises:
        RenderError: With Salt's words.
    """
    argline = context.defaults.get("argline", argline)
    if argline and argline != "-s":
        raise RenderError(f"Unknown renderer option: {argline}")
    if not isinstance(data, SourceText):
        raise RenderError("'collections.OrderedDict' object has no attribute 'read'", foreign=True)
    header, source, removed = _take_header(data.text)
    view: TemplateView = context.template
    environment = _choose_environment(context, source, header)
    variables = template_variables(context, view, proxy={}, from_str=False)
    variables.pop("argline", None)  # an argument, no variable
    # The option `context` may replace `grains` and the like.
    is_special = removed is not None or "context" in context.defaults
    if source is data.text and _is_settled(data, environment, context):
        return data
    environment.begin(
        variables,
        lambda path: view.find_import(path, context.saltenv),
        now=view.now,
        trees=view.trees,
        named=None if data.secret_stretches() else view.named,  # such a text is secret as a whole
        evaluations=None if is_special else _new_evaluations(view, variables),
    )
    try:
        rendered = render_with_map(
            environment.template(source, context.shown),
            variables,
            context.shown,
            removed_line=removed,
            limits=context.limits,
            printed=context.printed,
            note=None if view.answers is None else view.answers.path.print,
        )
    except MemoryError:
        raise
    except RenderError as error:
        if error.place is None and not isinstance(error, LimitExceeded):
            error.place = _place_of(error, environment, context, removed)[0]
        raise
    # A template may call methods of any value, so any exception is possible. Each gets Salt's words
    # and the template's line.
    except Exception as error:
        raise _worded(error, environment, context, source, removed) from error
    context.evaluations = environment.finish_evaluations()
    traced = trace_back(_end_with_newline(rendered, source), data)
    drawn = view.trees.hides if view.trees is not None else None
    secret = data.secret_at(0, len(data.text)) or drawn
    return traced if secret is None else traced.mark_secret(secret)


def _choose_environment(
    context: RenderContext, source: str, header: Mapping[str, Any]
) -> SaltEnvironment:
    view: TemplateView = context.template
    options, is_sls = context.options, context.sls != ""
    arguments = environment_arguments(options, is_sls=is_sls, header=header)
    allows = bool(options.get("allow_undefined"))
    if view.answers is None:
        return view.environments.get(arguments, allow_undefined=allows, kind=SaltEnvironment)
    from pillarbook.compile.renderers.jinja.unknown_environment import (  # noqa: PLC0415 (on use)
        UnknownEnvironment,
    )

    environment = view.environments.get(arguments, allow_undefined=allows, kind=UnknownEnvironment)
    assert isinstance(environment, UnknownEnvironment)  # noqa: S101 (made for them)
    environment.prepare(view.answers, source)
    return environment


def _new_evaluations(view: TemplateView, variables: Mapping[str, Any]) -> Evaluations | None:
    if view.trace is None:
        return None
    has_grains_get = is_salts_own(view.salt, "grains.get")
    return Evaluations(view.trace, variables, has_grains_get=has_grains_get)


def _is_settled(data: SourceText, environment: SaltEnvironment, context: RenderContext) -> bool:
    """Say whether a text renders to itself; most files of a pillar have no Jinja."""
    if len(data.text) > context.limits.output or data.secret_stretches():
        return False
    return environment.leaves_alone(data.text)


def _take_header(text: str) -> tuple[dict[str, Any], str, int | None]:
    """Return the options of a ``#jinja2:`` line, the text without it, and the line's number."""
    if HEADER not in text:
        return {}, text, None
    lines = text.splitlines(keepends=True)
    is_shebang = bool(lines) and lines[0].startswith("#!") and not lines[0].startswith("#!/")
    index = 1 if is_shebang else 0
    if index >= len(lines) or not lines[index].startswith(HEADER):
        return {}, text, None
    try:
        options = json.loads(lines[index][len(HEADER) :])
    except ValueError:
        return {}, text, None
    if not isinstance(options, dict):
        return {}, text, None
    del lines[index]
    return options, "".join(lines), index + 1


def _end_with_newline(rendered: SourceText, source: str) -> SourceText:
    """Add the last line feed, which Jinja removes."""
    if not source.endswith("\n"):
        return rendered
    last = rendered.segments[-1]
    line = None if last.line is None else last.line + rendered.text.count("\n", last.start)
    end = Segment(len(rendered.text), last.file, line, verbatim=True)
    return SourceText(rendered.text + "\n", (*rendered.segments, end))


def trace_back(rendered: SourceText, data: SourceText) -> SourceText:
    """Return a rendered text with lines of the file, if its template was itself rendered."""
    if len(data.segments) == 1 and data.segments[0].verbatim:
        return rendered
    places = [data.locate(match.end()) for match in LINE_STARTS.finditer(data.text)]
    own = data.segments[0].file
    traced: list[Segment] = []
    ends = [*(segment.start for segment in rendered.segments[1:]), len(rendered.text)]
    for segment, end in zip(rendered.segments, ends, strict=True):
        if segment.file != own or segment.line is None:
            traced.append(segment)
            continue
        for start, line in _lines_of(segment, rendered.text, end):
            file, at = places[min(line, len(places)) - 1]
            traced.append(Segment(start, file, at, verbatim=False))
    return SourceText(rendered.text, tuple(traced))


def _lines_of(segment: Segment, text: str, end: int) -> Iterator[tuple[int, int]]:
    """Yield the start and the number of each line of a segment."""
    assert segment.line is not None  # noqa: S101 (asked for those that have one)
    yield segment.start, segment.line
    if segment.verbatim:
        for number, match in enumerate(re.finditer("\n", text[segment.start : end]), 1):
            yield segment.start + match.end(), segment.line + number


def _worded(
    error: Exception,
    environment: SaltEnvironment,
    context: RenderContext,
    source: str,
    removed: int | None,
) -> RenderError:
    """Return a template's error in Salt's words, with its position."""
    place, file, line = _place_of(error, environment, context, removed)
    written = environment.imported[file][1] if file in environment.imported else source
    if written is source or file.endswith(context.sls.replace(".", "/")):
        message = with_context(f"{_lead(error)}{error}", source, line)
    else:
        context_lines = show_context(written, line) if line else written
        message = f"{_lead(error)}{error}\n{file}({line}):\n{context_lines}"
    if isinstance(error, TemplateRuntimeError):
        from pillarbook.compile.renderers.jinja.serializers import (  # noqa: PLC0415 (on use)
            place_in_loaded,
        )

        place = place_in_loaded(error, place, environment.imported, trims=environment.trim_blocks)
    worded = RenderError(message, place, rule="jinja-error")
    worded.clean = f"{_lead(error)}{word_exception(error, written)}"
    _explain(worded, error, context, written)
    if isinstance(error, MissingValueError):
        from pillarbook.compile.renderers.jinja.computed_names import (  # noqa: PLC0415 (on use)
            describe_computed_name,
        )

        view: TemplateView = context.template
        at = written, line
        describe_computed_name(worded, error, environment, at, view.named, view.grains)
    if isinstance(error, MissingValueError | UnansweredCallError):
        explain_call(worded, error, environment, written, line)
    return worded


def _place_of(
    error: Exception, environment: SaltEnvironment, context: RenderContext, removed: int | None
) -> tuple[Line, str, int]:
    """Return the position of an error, and Jinja's file and line.

    The line of the rendered file is counted without its ``#jinja2:`` line.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.name in TEMPLATE_FRAMES
        and (frame.filename in OWN_FILES or frame.filename in environment.imported)
    ]
    file, line = (frames[-1].filename, frames[-1].lineno or 0) if frames else ("", 0)
    if file in environment.imported:
        return (environment.imported[file][0], line or None), file, line
    shift = 1 if removed is not None and line >= removed else 0
    return (context.shown, line + shift or None), file, line


def _lead(error: Exception) -> str:
    if isinstance(error, UndefinedError):
        return "Jinja variable "
    if isinstance(error, TemplateRuntimeError | TemplateSyntaxError | SecurityError):
        return "Jinja syntax error: "
    if isinstance(error, SaltFunctionError):
        return "Problem running salt function in Jinja template: "
    return "Jinja error: "


def _explain(worded: RenderError, error: Exception, context: RenderContext, source: str) -> None:
    """Set rule, subject and remedy for the most common errors."""
    if isinstance(error, TemplateNotFound):
        worded.rule, worded.subject = "missing-import", str(error.name)
        worded.missing = ("file", worded.subject)
        worded.told = f"asks for the file '{error.name}', which does not exist"
        worded.help = (
            "add the file; for an absolute path of the master, map it with `paths:` in mkdocs.yml"
        )
    if isinstance(error, SaltFunctionError):
        worded.help = error.remedy
    missing = missing_value(error)
    if missing is None:
        return
    view: TemplateView = context.template
    name = worded.subject = str(missing.name)
    if name in PYTHON_2:
        worded.told = f"does not render: Jinja variable 'dict object' has no attribute '{name}'"
        worded.help = f"Python 3 has no `{name}`: write `{PYTHON_2[name]}`"
        return
    of_grains = _find_in_grains(missing.owner, view)
    if of_grains is not None:
        describe_missing_grain(worded, (*of_grains, missing.name), source)
    above = _find_in_pillar(missing.owner, view)
    if above is not None:
        describe_missing_key(worded, (*above, missing.name), source)


def _find_in_grains(owner: Any, view: TemplateView) -> tuple[Any, ...] | None:
    """Return the path of a mapping in the grains, with or without recording."""
    path = grains_path_of(owner)
    # To search a view would count as reading all of it; other mappings are copies.
    if path is not None or not isinstance(owner, Mapping) or isinstance(view.grains, View):
        return path
    return _path_to(owner, view.grains)


def _find_in_pillar(owner: Any, view: TemplateView) -> tuple[Any, ...] | None:
    """Return the path of a mapping in the pillar, with or without recording."""
    path = pillar_path_of(owner)
    if path is not None or not isinstance(owner, Mapping) or isinstance(view.grains, View):
        return path
    return _path_to(owner, view.pillar)


def _path_to(owner: Any, data: Any) -> tuple[Any, ...] | None:
    if data is owner:
        return ()
    # The data itself, so that the search does not count as a read of the pillar.
    for key, item in dict.items(data) if isinstance(data, dict) else ():
        path = _path_to(owner, item)
        if path is not None:
            return (key, *path)
    return None
