"""PillarStack: YAML files listed in a configuration, rendered with Jinja and merged.

Each file sees the result of the files before it, and chooses with ``__`` how it is merged. Jinja
has few additions of Salt here: ``do`` and the serializers. An undefined name prints nothing.

Source: Salt ``salt/pillar/stack.py``.
"""

import glob
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jinja2 import TemplateSyntaxError

from pillarbook.compile.ext_pillars.interface import ExtPillarContext
from pillarbook.compile.ext_pillars.stack_data import StackData
from pillarbook.compile.ext_pillars.stack_templates import StackEnvironment, StackFile
from pillarbook.compile.matchers import traverse
from pillarbook.compile.placeholder_views import NotedDict, with_placeholders
from pillarbook.compile.renderers.error_words import word_exception
from pillarbook.compile.renderers.jinja.function_errors import UnansweredCallError
from pillarbook.compile.renderers.jinja.functions.unanswered import explain_call
from pillarbook.compile.renderers.jinja.linemap import render_with_map
from pillarbook.compile.renderers.jinja.undefined import MissingValueError
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml import place_of_error
from pillarbook.compile.renderers.yaml_loader import load_plain, load_tree
from pillarbook.compile.watched_data import unwatched
from pillarbook.model import Leaf, MapNode, Node, Origin, plain
from pillarbook.model.limited_cache import recall

SLS = "ext_pillar:stack"
TEMPLATE_FRAMES = ("top-level template code", "template", "<module>")
ENVIRONMENT = "__env__"
OWN_ARGUMENTS = ("minion_id", "pillar")
"""The arguments that Salt passes to PillarStack, in addition to the selectors."""


class StackError(RenderError):
    """A stack file that cannot be rendered or parsed; Salt's words may quote its text."""

    def __init__(self, message: str, clean: str, place: Line) -> None:
        super().__init__(message, place, rule="ext-pillar-error")
        self.clean = clean
        """The message without quotes of the file."""


class PillarStack:
    """The external pillar; caches files and templates."""

    def __init__(self) -> None:
        # The caches depend on files only: contents, Jinja environments by folder, listings. A run
        # sees one version of the files, so nothing gets stale.
        self._files: dict[tuple[str, str], StackFile] = {}
        self._environments: dict[str, StackEnvironment] = {}
        self._listed: dict[tuple[str, str], StackEntry] = {}

    def __call__(self, context: ExtPillarContext, config: Any) -> MapNode:
        """Return the stack of one minion.

        Raises:
            RenderError: With Salt's words.
        """
        pillar = plain(context.pillar)
        if context.placeholders is not None:
            pillar = NotedDict(pillar, context.note_read)
        data = StackData()
        for name in select_configs(context, config, pillar):
            path = context.resolve(name)
            context.note_file(path)
            if context.files.is_file(path):
                try:
                    self._process(path, context, pillar, data)
                finally:  # the pillar stays changed, also if a later template fails
                    changers = self._environments[str(path.parent)].changers
                    if changers:
                        context.note_pillar(pillar, changers)
        return data.tree()

    def _process(
        self, path: Path, context: ExtPillarContext, pillar: dict[Any, Any], data: StackData
    ) -> None:
        """Merge the files that one configuration lists."""
        folder = str(path.parent)
        environment = recall(self._environments, folder, StackEnvironment)
        environment.begin(
            _variables(context, pillar, path),
            lambda name: self._read(folder, name, context),
            context.named,
        )
        with _worded(environment, context.shown(path)):
            text = self._render(environment, path.name, {}, context, data).text
        for item in parse_config(text):
            if (folder, item) not in self._listed:
                self._listed[folder, item] = find_files(folder, item, context)
            listed = self._listed[folder, item]
            context.note_file(listed.start, deep=listed.is_deep)
            for found, shown, name in listed.files:
                lead = f"Stack pillar template render error in {shown}:\n"
                with _worded(environment, shown, lead):
                    rendered = self._render(environment, name, {"ymlpath": found}, context, data)
                tree = _parse(rendered, shown, context)
                if isinstance(tree, MapNode):
                    data.merge(with_placeholders(tree, context.placeholders))

    def _read(self, folder: str, name: str, context: ExtPillarContext) -> StackFile:
        """Return a template file by its name in the configuration's folder."""
        # Noted before the lookup in the cache, so that each minion has a note of it.
        full = StackFile.full_path(folder, name)
        context.note_file(full)
        return recall(self._files, (folder, name), lambda: StackFile.read(full, name, context))

    def _render(
        self,
        environment: StackEnvironment,
        name: str,
        variables: dict[str, Any],
        context: ExtPillarContext,
        data: StackData,
    ) -> SourceText:
        template = environment.get_template(name)
        shown = environment.file(name).shown
        given = {"stack": data.content, **variables}
        rendered = render_with_map(template, given, shown, limits=context.limits)
        if environment.names_stack:

            def locate(key: Any, value: Any) -> Origin:
                file, line = environment.find_write(name, key, value)
                return Origin(file, line, SLS, None, value)

            data.absorb(locate)
        return rendered


def _variables(context: ExtPillarContext, pillar: dict[Any, Any], path: Path) -> dict[str, Any]:
    return {
        "__opts__": context.opts,
        "__salt__": context.salt,
        "__grains__": context.grains,
        "__stack__": {"traverse": traverse, "cfg_path": str(path)},
        "minion_id": context.minion_id,
        "pillar": pillar,
        "pillarenv": context.opts["pillarenv"],
    }


def _parse(rendered: SourceText, shown: str, context: ExtPillarContext) -> Node:
    if context.parsed is None:
        return _load(rendered, shown, context)
    return context.parsed.find(SLS, "", rendered, lambda: _load(rendered, shown, context))


def _load(rendered: SourceText, shown: str, context: ExtPillarContext) -> Node:
    try:
        tree = load_tree(rendered, _new_origin, context.limits, kind="plain")
    except (yaml.YAMLError, RecursionError) as error:
        lead = f"Stack pillar yaml parsing error in {shown}:\n"
        reason = word_exception(error)
        place: Line = (shown, None)
        if isinstance(error, yaml.YAMLError):
            place = place_of_error(rendered, error)
        raise StackError(
            f"{lead}{error}\n{rendered.text}", f"{shown} is not YAML: {reason}", place
        ) from error
    return Leaf(None, ()) if tree is None else tree


def _new_origin(place: Line, value: Any) -> Origin:
    return Origin(place[0], place[1], SLS, None, value)


@contextmanager
def _worded(environment: StackEnvironment, shown: str, lead: str = "") -> Iterator[None]:
    """Give an exception of a template Salt's words and a position."""
    try:
        yield
    except LimitExceeded:
        raise
    # Filters and methods of values are Python code; PillarStack itself catches everything here and
    # continues.
    except Exception as error:  # a template may raise any exception
        message = f'{lead}"{error}"' if lead else str(error)
        file, line = _place(error, environment, shown)
        clean = f"{file} does not render: {word_exception(error, environment.sources)}"
        worded = StackError(message, clean, (file, line))
        if isinstance(error, MissingValueError | UnansweredCallError):
            explain_call(worded, error, environment, environment.text_of(file), line)
        raise worded from error


def _place(error: Exception, environment: StackEnvironment, shown: str) -> Line:
    """Return the template and line that raised an error."""
    if isinstance(error, RenderError) and error.place is not None:
        return error.place
    if isinstance(error, TemplateSyntaxError):
        return environment.shown(error.filename or "") or shown, error.lineno
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.name in TEMPLATE_FRAMES
    ]
    file = environment.shown(frames[-1].filename) if frames else None
    return (file, frames[-1].lineno) if file is not None else (shown, None)


def select_configs(context: ExtPillarContext, config: Any, pillar: dict[Any, Any]) -> list[str]:
    """Return the paths of the configurations for this minion, in order.

    ``config`` is a path, a list of paths, or selectors: ``{"grains:os": {"Debian": path}}``.

    Raises:
        RenderError: The options are malformed; in Python's words, as Salt does not check them.
    """
    if not isinstance(config, dict):
        paths = config if isinstance(config, list) else [config]
        return [path for path in paths if _is_path(path)]
    if not all(isinstance(selector, str) for selector in config):
        raise RenderError("keywords must be strings")
    taken = next((name for name in config if name in OWN_ARGUMENTS), None)
    if taken is not None:
        raise RenderError(f"ext_pillar() got multiple values for argument '{taken}'")
    try:
        return list(_select(context, config, pillar))
    except (AttributeError, TypeError, ValueError) as error:
        raise RenderError(str(error)) from error


def _is_path(path: Any) -> bool:
    """Say whether an entry is a path; a number is a file descriptor that is not open."""
    if not isinstance(path, str | int):
        raise RenderError(
            f"stat: path should be string, bytes, os.PathLike or integer, not {type(path).__name__}"
        )
    return isinstance(path, str)


def _select(
    context: ExtPillarContext, selectors: dict[Any, Any], pillar: dict[Any, Any]
) -> Iterator[str]:
    opts = context.opts
    pillarenv = opts["pillarenv"] or opts["saltenv"] or "base"
    sources = {"pillar": pillar, "grains": context.grains, "opts": opts}
    for selector, given in selectors.items():
        kind, key = selector.split(":", 1)
        choices = given
        if ENVIRONMENT in given:
            choices = {
                (pillarenv if value == ENVIRONMENT else value): path
                for value, path in given.items()
            }
        if kind not in sources:
            raise RenderError(
                f'Unknown traverse option "{kind}", should be one of {sources.keys()}'
            )
        chosen = choices.get(unwatched(traverse(sources[kind], key, None)), [])
        for path in chosen if isinstance(chosen, list) else [chosen]:
            yield path.replace(ENVIRONMENT, pillarenv)


def parse_config(text: str) -> Iterator[str]:
    """Yield the paths that a rendered configuration lists: a YAML list, or else its lines.

    Raises:
        RenderError: An item of a YAML list is not text.
    """
    for item in _items(text):
        if not isinstance(item, str):
            raise RenderError(f"{type(item).__name__!r} object has no attribute 'strip'")
        if item.strip():
            yield item


def _items(text: str) -> list[Any]:
    try:
        listed = load_plain(text)
    except (yaml.YAMLError, RenderError, RecursionError, ValueError):
        return text.splitlines()
    return listed if isinstance(listed, list) else text.splitlines()


@dataclass(frozen=True, slots=True)
class StackEntry:
    """The files for a listed path or pattern."""

    start: Path
    """The path itself, or the folder in which the pattern is searched."""
    is_deep: bool
    """Whether the pattern also searches below that folder."""
    files: tuple[tuple[str, str, str], ...]
    """The files, sorted: the path, its name as it is shown, and its name for templates."""


def find_files(folder: str, item: str, context: ExtPillarContext) -> StackEntry:
    """Return the files for a listed path or pattern, relative to the configuration's folder.

    Raises:
        RenderError: The path must not be read.
    """
    joined = os.path.join(folder, item)  # noqa: PTH118 (a Path would drop a slash at the end)
    fixed = _fixed_part(joined)
    start = context.resolve(fixed)
    rest = joined[len(fixed) :]
    paths = sorted(_glob(start, rest, context))  # Salt's order
    return StackEntry(
        start,
        "/" in rest.lstrip("/"),
        tuple(
            (path, context.shown(Path(path)), Path(os.path.relpath(path, folder)).as_posix())
            for path in paths
        ),
    )


def _glob(start: Path, rest: str, context: ExtPillarContext) -> list[str]:
    below = rest.lstrip("/")
    if below:
        found = context.files.glob(below, start, context.may_enter)
        return [f"{start}/{name}" for name in found]
    if rest:  # a slash at the end means a folder
        return [f"{start}/"] if context.files.is_dir(start) else []
    return [str(start)] if context.files.exists(start) or context.files.is_link(start) else []


def _fixed_part(pattern: str) -> str:
    """Return the part of a pattern before its first wildcard; all of it if it has none."""
    if not glob.has_magic(pattern):
        return pattern.rstrip("/")
    parts = Path(pattern).parts
    plain = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    return str(Path(*parts[:plain]))
