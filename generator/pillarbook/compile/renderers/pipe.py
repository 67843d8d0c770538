"""The renderers of a file.

Source: Salt ``salt/template.py`` (``compile_template``, ``template_shebang``,
``check_render_pipe_str``).
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pillarbook.compile.renderers import gpg, json, nacl, yaml
from pillarbook.compile.renderers.code.custom import custom_renderers, refuse_code
from pillarbook.compile.renderers.code.outline import ModuleFile
from pillarbook.compile.renderers.jinja import render as jinja
from pillarbook.compile.renderers.render_context import RenderContext, Rendered, Renderer
from pillarbook.compile.renderers.render_errors import RenderError, UnknownRendererError
from pillarbook.compile.renderers.secret_marks import secret_leaf
from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.model import Leaf, MapNode, Node

OLD_NAMES = {
    "yaml_jinja": "jinja|yaml",
    "yaml_mako": "mako|yaml",
    "yaml_wempy": "wempy|yaml",
    "json_jinja": "jinja|json",
    "json_mako": "mako|json",
    "json_wempy": "wempy|json",
    "yamlex_jinja": "jinja|yamlex",
    "yamlexyamlex_mako": "mako|yamlexyamlex",
    "yamlexyamlex_wempy": "wempy|yamlexyamlex",
}
"""Joined names that Salt accepts as the whole first line."""

OF_DATA = frozenset(("gpg", "json", "msgpack", "nacl", "toml", "yaml", "yamlex"))
"""Renderers that only parse or decrypt their input."""
OF_TEXT = frozenset(("json", "toml", "yaml", "yamlex"))
"""Renderers that parse a text, after any other renderer."""
FIRST_ARGUMENTS = {
    "gpg": "gpg_data",
    "json": "json_data",
    "msgpack": "msgpack_data",
    "nacl": "nacl_data",
    "stateconf": "input",
    "toml": "sls_data",
    "yaml": "yaml_data",
    "yamlex": "sls_data",
}
"""Salt's names for the data argument of its renderers."""
_LATE = re.compile(r"(?!#!)\ufeff?(?:[ \t]*(?:#(?!!).*)?\r?\n)*[ \t]*#!([a-z][\w| \t-]*)")
"""Renderers behind a byte order mark, blank lines, comments or spaces."""
CLEAN = "the decrypted text has an error, which is not shown because it would quote the text"


@dataclass(frozen=True, slots=True)
class Pipe:
    """The renderers of a file, in order."""

    steps: tuple[tuple[str, str], ...]
    """Name and argument line of each."""
    refused: tuple[str, ...] = ()
    """Names that the blacklist or whitelist of the options refuses."""
    unknown: str | None = None
    """A name that Salt does not know; then there are no steps."""


def builtin_renderers(
    *,
    python: bool = False,
    more: Collection[str] = (),
    custom: Iterable[ModuleFile] = (),
    open_box: nacl.OpenBox | None = None,
) -> dict[str, Renderer]:
    """Return the renderers of a run; those that must not run are replaced by errors.

    ``more`` are names of renderers that Salt has removed, and that the user wants. ``custom`` are
    modules of the tree with renderers; they go before Salt's own. ``open_box`` decrypts the
    messages of ``nacl``; None leaves them sealed.
    """
    known: dict[str, Renderer] = {
        "jinja": jinja.render,
        "yaml": yaml.render,
        "json": json.render,
        "yamlex": _render_late("yamlex"),
        "gpg": gpg.render,
        "msgpack": _render_late("msgpack"),
        "nacl": nacl.Nacl(open_box),
        "stateconf": _render_late("stateconf"),
        "toml": _render_late("toml"),
    }
    for name in ("mako", "py", "pyobjects", *(("wempy",) if "wempy" in more else ())):
        known[name] = _render_late(f"code.{name}") if python else refuse_code(name)
    known.update(custom_renderers(custom, python=python))
    return known


def _render_late(module: str) -> Renderer:
    """Return a renderer whose module is loaded when a file uses it; few files do."""

    def render(context: RenderContext, data: Rendered, argline: str) -> Rendered:
        chosen: Renderer = import_module(f"pillarbook.compile.renderers.{module}").render
        return chosen(context, data, argline)

    return render


def choose_pipe(text: str, options: Mapping[str, Any], known: Mapping[str, Renderer]) -> Pipe:
    """Return the pipe of a file: that of its first line, or else the option ``renderer``."""
    line = text.split("\n", 1)[0]
    if line.startswith("#!") and not line.startswith("#!/"):
        return parse_pipe(line.strip()[2:], options, known)
    return parse_pipe(options.get("renderer"), options, known)


def find_late_shebang(
    text: str, options: Mapping[str, Any], known: Mapping[str, Renderer]
) -> int | None:
    """Return the line that names other renderers than a file has, where Salt does not read it."""
    found = _LATE.match(text)
    if found is None:
        return None
    late = parse_pipe(found[1], options, known)
    is_other = late.steps and late != choose_pipe(text, options, known)
    return text.count("\n", 0, found.start(1)) + 1 if is_other else None


def parse_pipe(words: Any, options: Mapping[str, Any], known: Mapping[str, Renderer]) -> Pipe:
    """Return the pipe for names such as ``jinja|yaml``.

    A renderer that the options refuse is left out; with an unknown one, there are no steps.
    """
    if words is None:
        return Pipe(())
    parts = [part.strip() for part in OLD_NAMES.get(words.strip(), words).split("|")]
    whitelist, blacklist = options.get("renderer_whitelist"), options.get("renderer_blacklist")
    steps: list[tuple[str, str]] = []
    refused: list[str] = []
    for part in parts:
        name, _, argline = part.partition(" ")
        if (whitelist and name not in whitelist) or (blacklist and name in blacklist):
            refused.append(name)
        elif name not in known:
            return Pipe((), tuple(refused), name)
        else:
            steps.append((name, argline.strip()))
    return Pipe(tuple(steps), tuple(refused))


def run_pipe(
    content: bytes, context: RenderContext, known: Mapping[str, Renderer]
) -> tuple[Node, Pipe]:
    """Return the data of a file, and its pipe.

    Raises:
        RenderError: With Salt's words.
    """
    text = _decode(content, context)
    empty = MapNode({}, (context.new_origin((context.shown, 1), {}),), kind="plain")
    if not text.strip():
        return empty, Pipe(())
    pipe = choose_pipe(text, context.options, known)
    context.content = text
    data: Rendered = SourceText.of_file(text, context.shown)
    before = ""
    for name, argline in pipe.steps:
        _refuse_step(name, argline, before, context)
        if name in OF_TEXT and isinstance(data, Leaf) and isinstance(data.value, str):
            data = _as_text(data)
        if name not in OF_DATA and isinstance(data, SourceText) and data.secret_stretches():
            context.shows_decrypted = True
        try:
            data = _run_step(known[name], context, data, argline)
        except UnknownRendererError as error:
            return empty, Pipe((), pipe.refused, error.name)
        before = name
    context.steps = tuple(name for name, _ in pipe.steps)
    if not pipe.steps:
        return empty, pipe
    if isinstance(data, SourceText):
        origin = context.new_origin((context.shown, 1), data.text)
        secret = data.secret_at(0, len(data.text))
        made = Leaf(data.text, (origin,))
        return (made if secret is None else secret_leaf(data.text, (origin,), secret)), pipe
    return data, pipe


def _refuse_step(name: str, argline: str, before: str, context: RenderContext) -> None:
    """Raise Python's error about a renderer that cannot be called.

    This happens if a default of the include has the name of Salt's first argument.
    """
    if (before, name) == ("gpg", "jinja") and argline != "-s":
        error = RenderError(
            "[Errno 2] No such file or directory: text that gpg gave is taken for a file name",
            (context.shown, 1),
        )
        error.help = "write `#!jinja|yaml|gpg`, so that gpg decrypts the values at the end"
        raise error
    if "self" in context.defaults:
        raise RenderError("LoadedFunc.__call__() got multiple values for argument 'self'")
    first = FIRST_ARGUMENTS.get(name)
    if first in context.defaults:
        raise RenderError(f"render() got multiple values for argument '{first}'")


def _as_text(leaf: Leaf) -> SourceText:
    """Return the text of a renderer as input for the next one."""
    origin = leaf.origins[-1]
    return SourceText(
        leaf.value, (Segment(0, origin.file, origin.line, verbatim=False, secret=leaf.secret),)
    )


def _run_step(renderer: Renderer, context: RenderContext, data: Rendered, argline: str) -> Rendered:
    """Run one renderer; its error about a decrypted text may quote the text."""
    try:
        return renderer(context, data, argline)
    except RenderError as error:
        trees = getattr(context.template, "trees", None)
        drew_secret = trees is not None and trees.secret is not None  # a template, as it rendered
        if drew_secret or (isinstance(data, SourceText) and data.secret_stretches()):
            error.with_message_only(CLEAN)
        raise


def _decode(content: bytes, context: RenderContext) -> str:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        place = (context.shown, content.count(b"\n", 0, error.start) + 1)
        worded = RenderError(str(error), place, rule="not-utf-8", foreign=True)
        worded.help = "save the file as UTF-8"
        raise worded from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
