"""What an external pillar is handed, what it gives, and how Salt calls it."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import yaml

from pillarbook.compile.limits import Limits
from pillarbook.compile.placeholder_views import NoteRead, PlaceholderViews
from pillarbook.compile.renderers.jinja.template_secrets import NamedValues
from pillarbook.compile.renderers.python_data import ValuePlaces, from_python
from pillarbook.compile.renderers.render_context import Decryptor
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml_loader import BadValueError, load_tree
from pillarbook.model import MapNode, Node, Origin, Position
from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.file_access import Files

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; nothing that YAML could make of more would be within its limits."""
Result = TypeVar("Result")


class Compiler(Protocol):
    """Compiles more pillar for the same minion, for external pillars that are trees of SLS."""

    def compile(self, roots: Roots, saltenv: str, pillarenv: str | None) -> MapNode:
        """Return what the minion gets of other roots, without external pillars.

        Args:
            roots: The roots; the same trees always come as one object.
            saltenv: The environment that templates see.
            pillarenv: The environment that is pinned; None if all count.

        Raises:
            RenderError: Salt breaks that compile off; with its words.
        """
        ...

    def merge(self, base: MapNode, update: MapNode) -> MapNode:
        """Merge as the options say, whatever the default renderer is.

        Raises:
            RenderError: Data that Salt cannot merge.
        """
        ...


class DiagnosticRecorder(Protocol):
    """Takes diagnostics besides a failure."""

    def __call__(
        self, code: str, message: str, *, remedy: str | None = None, lacks: bool = True
    ) -> None:
        """Note a diagnostic at the line of the options that names the external pillar.

        ``lacks``: the minion's pillar lacks something because of it, and is ``partial``.
        """
        ...


class LookupRecorder(Protocol):
    """Takes what an external pillar looks at."""

    def __call__(self, path: Path, *, deep: bool = False) -> None:
        """Note a file with its content, a folder with the names in it, or an empty path.

        ``deep``: all names below the folder count, not only those in it.
        """
        ...


class TextRenderer(Protocol):
    """Renders a text that is no SLS."""

    def __call__(self, content: bytes, path: Path, options: Mapping[str, Any]) -> Node:
        """Return what a text gives; a text as a leaf.

        ``options`` replace master options of the compile: ``renderer`` and the like.

        Raises:
            RenderError: It does not render.
        """
        ...


@dataclass(frozen=True, slots=True)
class ExtPillarContext:
    """One minion at the point where external pillars run."""

    name: str
    """The name under which the options ask for the external pillar."""
    minion_id: str
    """The minion's id."""
    pillar: MapNode
    """What is compiled so far."""
    visible: MapNode
    """What the SLS files gave, without external pillars: Salt's ``__pillar__``."""
    grains: Mapping[Any, Any]
    """The minion's grains."""
    opts: Mapping[Any, Any]
    """The options as Salt hands them over; ``id`` is the master's."""
    salt: Any
    """The functions."""
    options: Mapping[str, Any]
    """The options of this compile; not to be handed to templates."""
    position: Position
    """Where the options ask for the external pillar."""
    folder: Path
    """The master file's folder."""
    resolve: Callable[[str], Path]
    """Maps a path of the configuration through ``paths:``; a RenderError where out of reach."""
    map_url: Callable[[str], Path | None]
    """Gives where ``paths:`` says that a URL lies here; None if it says nothing of it."""
    may_read: Callable[[Path], bool]
    """Says whether a path with its links followed may be read."""
    shown: Callable[[Path], str]
    """How a file is shown."""
    limits: Limits
    """What one render may take."""
    decryptor: Decryptor
    """What opens PGP messages."""
    watch: Callable[[str], AbstractContextManager[None]]
    """Makes a guard that holds what is named to the limits; a LimitExceeded for what breaks one."""
    files: Files
    """Where files are read from."""
    note_file: LookupRecorder
    """Records each file looked for and each folder listed, every time that they count."""
    describe: DiagnosticRecorder
    """Takes diagnostics besides a failure."""
    compiler: Compiler
    """Compiles more pillar for the minion."""
    render: TextRenderer
    """Renders a text."""
    matches: Callable[[Any], bool]
    """Says whether a compound target matches the minion; one that is malformed does not."""
    place_of: Callable[..., Position | None]
    """Gives the position of a key of the options: ``place_of('nodegroups', 'web')``."""
    placeholders: PlaceholderViews | None = None
    """What an external pillar that reads its own data is shown instead of secrets there."""
    named: NamedValues | None = None
    """Takes what its templates hold under names of secrets; None if everything is revealed."""
    note_read: NoteRead = lambda _path: None
    """Records what is read of the pillar, if placeholders are shown."""
    may_read_git: Callable[[Path], bool] = lambda _path: False
    """Says the same as ``may_read`` for what reads the files of a git repository itself."""

    @property
    def sls(self) -> str:
        """What origins have for an SLS name."""
        return f"ext_pillar:{self.name}"

    def new_origin(self, place: Line, value: Any) -> Origin:
        """Return the origin of a value at a place."""
        return Origin(place[0], place[1], self.sls, None, value)

    def read(self, path: str) -> SourceText:
        """Return the text of a file that the configuration names.

        Relative paths count from the master file's folder; absolute ones go through ``paths:``.

        Raises:
            RenderError: It is out of reach, cannot be read, or is not UTF-8.
        """
        return self.read_file(self.resolve(path))

    def read_file(self, full: Path) -> SourceText:
        """Return the text of a file that ``resolve`` gave.

        Raises:
            RenderError: It cannot be read, or is not UTF-8.
        """
        self.note_file(full)
        shown = self.shown(full)
        try:
            text = _read(full, shown, self.files).decode()
        except OSError as error:
            raise _word(f"{shown} cannot be read: {error.strerror}", None) from error
        except UnicodeDecodeError as error:
            raise _word(f"{shown} is not UTF-8", (shown, 1)) from error
        return SourceText.of_file(text.replace("\r\n", "\n").replace("\r", "\n"), shown)

    def load_yaml(self, source: SourceText) -> Node | None:
        """Return a YAML text as nodes, each from its own line; None for an empty text.

        Raises:
            RenderError: It is not YAML.
        """
        shown = source.locate(0)[0] if source.segments else ""
        try:
            return load_tree(source, self.new_origin, self.limits, kind="plain")
        except (yaml.YAMLError, BadValueError, RecursionError) as error:
            mark = getattr(error, "problem_mark", None)
            offset = min(mark.index if mark else 0, max(len(source.text) - 1, 0))
            problem = getattr(error, "problem", None) or type(error).__name__
            place = source.locate(offset) if source.segments else (shown, None)
            worded = RenderError(str(error), place)
            worded.clean = f"{shown} is not YAML: {problem}"
            raise worded from error

    def to_nodes(self, data: Any, place: Line | None = None) -> Node:
        """Return plain data as nodes that all come from one place.

        Without ``place`` that is the line of the options that asks for the external pillar.

        Raises:
            RenderError: A value that a pillar cannot have.
        """
        file, line = place or (self.position.file, self.position.line)
        return from_python(data, ValuePlaces(self.new_origin((file, line), None)), self.limits)


def _read(full: Path, shown: str, files: Files) -> bytes:
    """Return what a file holds; reading a pipe or a device might never end."""
    if files.exists(full) and not files.is_file(full) and not files.is_dir(full):
        raise _word(f"{shown} is no file", None)
    content = files.read(full, LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise _word(f"{shown} has more than {LARGEST_FILE // 1024**2} MiB", None)
    return content


def _word(message: str, place: Line | None) -> RenderError:
    worded = RenderError(message, place)
    worded.clean = message
    return worded


class QuietFailure(RenderError):  # noqa: N818 (what it is to Salt)
    """A failure that the external pillar tells the log only: ``_errors`` has no entry for it."""

    def __init__(
        self, message: str, place: Line | None = None, *, rule: str = "ext-pillar-error"
    ) -> None:
        super().__init__(message, place, rule=rule)


class ExtPillar(Protocol):
    """One external pillar: a function, or an object that keeps what it read."""

    def __call__(self, context: ExtPillarContext, config: Any) -> Node | None:
        """Return a minion's data: a mapping, or Salt breaks the compile off.

        ``config`` is the value of its name in the options.

        Raises:
            RenderError: With Salt's words, as they follow ``Failed to load ext_pillar``.
            QuietFailure: It gives nothing, and Salt has no words for that.
        """
        ...


@dataclass(frozen=True, slots=True)
class Registered:
    """An external pillar, and how it is run."""

    run: ExtPillar
    """The external pillar."""
    joins_pillar: bool = False
    """Whether what it gives holds the pillar that it was handed, and what of it gave way."""
    is_compile: bool = False
    """Whether it compiles SLS files: these are kept and guarded one by one, and it is not."""
    reads_pillar: bool = False
    """Whether what it gives may depend on the pillar that it was handed, or on its own."""
    runs_command: bool = False
    """Whether it runs a command, which may give something else the next time."""
    changes_pillar: bool = False
    """Whether what it gives is the pillar that it was handed, changed in place."""


def call_as_salt(
    function: Callable[..., Result], minion_id: str, pillar: Any, config: Any
) -> Result:
    """Call a function with the minion, the pillar, and the configuration as arguments.

    A mapping gives arguments by name, a list by position, all else is one argument.

    Raises:
        TypeError: The function does not take them; with Python's words.

    Source: Salt ``salt/pillar/__init__.py`` (``_external_pillar_data``).
    """
    if isinstance(config, dict):
        return function(minion_id, pillar, **config)
    if isinstance(config, list):
        return function(minion_id, pillar, *config)
    return function(minion_id, pillar, config)


def read_arguments(function: Callable[..., Result], config: Any) -> Result:
    """Return what a function makes of a configuration; it has the arguments of Salt's.

    Raises:
        RenderError: It does not take them; with Salt's words, which are Python's.
    """
    try:
        return call_as_salt(function, "", None, config)
    except TypeError as error:
        raise RenderError(str(error)) from error
