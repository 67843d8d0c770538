"""The interface of external pillars: their input, their result, and how Salt calls them."""

from collections.abc import Callable, Mapping, Sequence
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
from pillarbook.compile.renderers.yaml_reuse import ParsedDocuments
from pillarbook.model import MapNode, Node, Origin, Position
from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.file_access import Files, MayEnter
from pillarbook.roots.tree_interface import FoundFile

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; YAML of a larger file would exceed the limit of nodes."""
Result = TypeVar("Result")
PillarRecorder = Callable[[Mapping[Any, Any], Sequence[FoundFile]], None]
"""Takes a pillar that templates were given, and the templates."""


class Compiler(Protocol):
    """Compiles more pillar for the same minion, for external pillars that are trees of SLS."""

    def compile(self, roots: Roots, saltenv: str, pillarenv: str | None) -> MapNode:
        """Return the minion's pillar for other roots, without external pillars.

        The same trees must always be the same object. Without a ``pillarenv``, all are merged.

        Raises:
            RenderError: Salt stops that compile; with its words.
        """

    def merge(self, base: MapNode, update: MapNode) -> MapNode:
        """Merge by the options, independent of the default renderer.

        Raises:
            RenderError: Salt cannot merge the data.
        """


class DiagnosticRecorder(Protocol):
    """Notes diagnostics that are not a failure."""

    def __call__(
        self, code: str, message: str, *, remedy: str | None = None, lacks: bool = True
    ) -> None:
        """Note a diagnostic at the line of the option that names the external pillar.

        With ``lacks``, a value is missing because of it, so the outcome is ``partial``.
        """


class LookupRecorder(Protocol):
    """Notes the files that an external pillar looks up."""

    def __call__(self, path: Path, *, deep: bool = False) -> None:
        """Note a file with its content, a folder with its names, or a path that does not exist.

        With ``deep``, all names below the folder count.
        """


class TextRenderer(Protocol):
    """Renders a text that is not an SLS."""

    def __call__(self, content: bytes, path: Path, options: Mapping[str, Any]) -> Node:
        """Return the result of a text; a leaf if it is text.

        ``options`` replace master options of the compile, such as ``renderer``.

        Raises:
            RenderError: It cannot be rendered.
        """


@dataclass(frozen=True, slots=True)
class ExtPillarContext:
    """One minion at the point where external pillars run."""

    name: str
    """The name in the option ``ext_pillar``."""
    minion_id: str
    """The minion's id."""
    pillar: MapNode
    """The pillar compiled so far."""
    visible: MapNode
    """The pillar of the SLS files, without external pillars: Salt's ``__pillar__``."""
    grains: Mapping[Any, Any]
    """The minion's grains."""
    opts: Mapping[Any, Any]
    """The options that Salt passes; ``id`` is the master's."""
    salt: Any
    """The functions."""
    options: Mapping[str, Any]
    """The options of this compile, which templates must not get."""
    position: Position
    """The line of the option that names the external pillar."""
    folder: Path
    """The master file's folder."""
    resolve: Callable[[str], Path]
    """Maps a path of the configuration with ``paths:``; raises RenderError if it must not be
    read."""
    map_url: Callable[[str], Path | None]
    """Returns the path to which ``paths:`` maps a URL; None if it has no such URL."""
    may_read: Callable[[Path], bool]
    """Says whether a path with its links followed may be read."""
    may_enter: MayEnter
    """Says whether a folder may be listed."""
    read_bytes: Callable[[Path, int], bytes]
    """Returns the first bytes of a file; raises RenderError if it must not be read."""
    shown: Callable[[Path], str]
    """Returns the name of a file as it is shown."""
    limits: Limits
    """The limits of a render."""
    decryptor: Decryptor
    """Decrypts PGP messages."""
    watch: Callable[[str], AbstractContextManager[None]]
    """Returns a guard that applies the limits to a named render, and raises LimitExceeded."""
    files: Files
    """The source of all files."""
    note_file: LookupRecorder
    """Notes each lookup of a file or folder, also for cached content."""
    describe: DiagnosticRecorder
    """Notes diagnostics that are not a failure."""
    compiler: Compiler
    """Compiles more pillar for the minion."""
    render: TextRenderer
    """Renders a text."""
    matches: Callable[[Any], bool]
    """Says whether a compound target matches the minion; a malformed one does not."""
    place_of: Callable[..., Position | None]
    """Returns the position of a key in the options: ``place_of('nodegroups', 'web')``."""
    parsed: ParsedDocuments | None = None
    """The YAML documents that the run has parsed; None if nothing is cached."""
    placeholders: PlaceholderViews | None = None
    """Returns placeholders for the secrets in data that the external pillar reads itself."""
    named: NamedValues | None = None
    """Collects the secrets in its templates; None if everything is revealed."""
    note_read: NoteRead = lambda _path: None
    """Notes a pillar key that is read, if the pillar has placeholders."""
    note_pillar: PillarRecorder = lambda _data, _files: None
    """Takes the pillar that templates were given, and those that may have changed it in place."""
    may_read_git: Callable[[Path], bool] = lambda _path: False
    """Like ``may_read``, for code that reads the files of a git repository itself."""

    @property
    def sls(self) -> str:
        """The SLS name in origins."""
        return f"ext_pillar:{self.name}"

    @property
    def place(self) -> Line:
        """Its place in the master file."""
        return self.position.file, self.position.line

    def new_origin(self, place: Line, value: Any) -> Origin:
        """Return the origin of a value that is set at a line."""
        return Origin(place[0], place[1], self.sls, None, value)

    def read(self, path: str) -> SourceText:
        """Return the text of a file that the configuration names.

        Relative paths are relative to the master file's folder; absolute ones are mapped by
        ``paths:``.

        Raises:
            RenderError: It must not or cannot be read, or is not UTF-8.
        """
        return self.read_file(self.resolve(path))

    def read_file(self, full: Path) -> SourceText:
        """Return the text of a file at a path from ``resolve``.

        Raises:
            RenderError: It cannot be read, or is not UTF-8.
        """
        self.note_file(full)
        shown = self.shown(full)
        try:
            text = _read(full, shown, self).decode()
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
        """Return plain data as nodes that all have one origin.

        Without ``place``, it is the line of the option that names the external pillar.

        Raises:
            RenderError: The data has a value that a pillar cannot have.
        """
        return from_python(
            data, ValuePlaces(self.new_origin(place or self.place, None)), self.limits
        )


def _read(full: Path, shown: str, context: ExtPillarContext) -> bytes:
    """Return the content of a regular file; to read a pipe or a device might never end."""
    files = context.files
    if files.exists(full) and not files.is_file(full) and not files.is_dir(full):
        raise _word(f"{shown} is no file", None)
    content = context.read_bytes(full, LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise _word(f"{shown} has more than {LARGEST_FILE // 1024**2} MiB", None)
    return content


def _word(message: str, place: Line | None) -> RenderError:
    worded = RenderError(message, place)
    worded.clean = message
    return worded


class QuietFailure(RenderError):  # noqa: N818 (what it is to Salt)
    """A failure that Salt only logs: ``_errors`` has no entry for it."""

    def __init__(
        self, message: str, place: Line | None = None, *, rule: str = "ext-pillar-error"
    ) -> None:
        super().__init__(message, place, rule=rule)


class ExtPillar(Protocol):
    """An external pillar: a function, or an object that caches what it reads."""

    def __call__(self, context: ExtPillarContext, config: Any) -> Node | None:
        """Return a minion's data; if it is not a mapping, Salt stops the compile.

        ``config`` is the value of its name in the options.

        Raises:
            RenderError: With Salt's words, as they follow ``Failed to load ext_pillar``.
            QuietFailure: It returns nothing, and Salt only logs this.
        """


@dataclass(frozen=True, slots=True)
class Registered:
    """An external pillar, and how it is called."""

    run: ExtPillar
    """The external pillar."""
    joins_pillar: bool = False
    """Whether the result contains the given pillar, with the values that were overridden."""
    is_compile: bool = False
    """Whether it compiles SLS files, whose renders are cached and limited one by one."""
    reads_pillar: bool = False
    """Whether the result may depend on the pillar, given or own."""
    renders_with: str | None = None
    """The setting that turns on templates, whose functions read the pillar."""
    runs_command: bool = False
    """Whether it runs a command, whose result may differ the next time."""
    changes_pillar: bool = False
    """Whether the result is the given pillar, changed in place."""

    def may_read_pillar(self, config: Any) -> bool:
        """Say whether the result may depend on the pillar with a configuration."""
        if self.reads_pillar or self.renders_with is None:
            return self.reads_pillar
        return not isinstance(config, dict) or config.get(self.renders_with) is True


def call_as_salt(
    function: Callable[..., Result], minion_id: str, pillar: Any, config: Any
) -> Result:
    """Call a function with the minion, the pillar, and the configuration as arguments.

    A mapping is passed by name, a list by position, any other value as one argument.

    Raises:
        TypeError: The function does not take these arguments; with Python's words.

    Source: Salt ``salt/pillar/__init__.py`` (``_external_pillar_data``).
    """
    if isinstance(config, dict):
        return function(minion_id, pillar, **config)
    if isinstance(config, list):
        return function(minion_id, pillar, *config)
    return function(minion_id, pillar, config)


def read_arguments(function: Callable[..., Result], config: Any) -> Result:
    """Return the result of a function for a configuration; it takes Salt's arguments.

    Raises:
        RenderError: It does not take these arguments; with Salt's words, which are Python's.
    """
    try:
        return call_as_salt(function, "", None, config)
    except TypeError as error:
        raise RenderError(str(error)) from error
