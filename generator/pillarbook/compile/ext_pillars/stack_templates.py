"""The Jinja environment of PillarStack, and the files that it reads.

Source: Salt ``salt/pillar/stack.py`` (``_process_stack_cfg``).
"""

import re
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from jinja2 import Environment, Template, TemplateNotFound, TemplateSyntaxError

from pillarbook.compile.ext_pillars.interface import ExtPillarContext
from pillarbook.compile.renderers.jinja.linemap import PlacedTemplate
from pillarbook.compile.renderers.jinja.naming_environment import NamingEnvironment
from pillarbook.compile.renderers.jinja.serializers import SerializerExtension
from pillarbook.compile.renderers.jinja.template_secrets import NamedValues
from pillarbook.compile.renderers.jinja.undefined import LenientUndefined
from pillarbook.compile.renderers.source_text import Line
from pillarbook.compile.writes import may_change_pillar
from pillarbook.model.limited_cache import recall
from pillarbook.roots.tree_interface import FoundFile

_PLAIN = Environment()  # noqa: S701 (only divides texts into words)
NAMES_STACK = re.compile(r"\bstack\b")


@dataclass(frozen=True, slots=True)
class StackFile:
    """The content of a stack file."""

    full: Path
    """Its path."""
    shown: str
    """Its path as it is shown."""
    text: str
    """The text."""
    names_stack: bool
    """Whether an expression contains the name of the stack, so that the template may change it."""
    may_change_pillar: bool = False
    """Whether it may change the pillar, which it is given."""

    @staticmethod
    def full_path(folder: str, name: str) -> Path:
        """Return the path of a template.

        Raises:
            TemplateNotFound: The name leads out of the folder.

        Source: Jinja ``jinja2/loaders.py`` (``split_template_path``, ``FileSystemLoader``).
        """
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if ".." in parts:
            raise TemplateNotFound(name)
        return Path(folder, *parts)

    @classmethod
    def read(cls, full: Path, name: str, context: ExtPillarContext) -> Self:
        """Read a file.

        Raises:
            RenderError: It must not be read.
            TemplateNotFound: It cannot be read, or it is not a file.
            UnicodeDecodeError: It is not UTF-8.
        """
        if not context.files.is_file(full):
            depth = sum(part not in ("", ".") for part in name.split("/"))
            folder = context.shown(full.parents[depth - 1])
            raise TemplateNotFound(name, f"{name!r} not found in search path: {folder!r}")
        try:
            content = context.read_bytes(full, -1)
        except OSError as error:
            raise TemplateNotFound(name) from error
        text = content.decode().replace("\r\n", "\n").replace("\r", "\n")
        return cls(full, context.shown(full), text, _names_stack(text), may_change_pillar(text))


def _names_stack(text: str) -> bool:
    """Say whether an expression of a template may name the stack, and not only its text."""
    if NAMES_STACK.search(text) is None:
        return False
    try:
        return any(word == "stack" for _, kind, word in _PLAIN.lex(text) if kind == "name")
    except TemplateSyntaxError:
        return True  # the render says what is wrong


class StackEnvironment(NamingEnvironment):
    """Plain Jinja with ``do`` and Salt's serializers, for one folder and all minions."""

    def __init__(self) -> None:
        super().__init__(
            extensions=["jinja2.ext.do", SerializerExtension], undefined=LenientUndefined
        )
        self._own_globals = dict(self.globals)
        self._compiled: dict[tuple[str, str], PlacedTemplate] = {}
        self._files: dict[str, StackFile] = {}
        self._loaded: dict[str, PlacedTemplate] = {}
        self._read: Callable[[str], StackFile] | None = None

    def begin(
        self,
        variables: Mapping[str, Any],
        read: Callable[[str], StackFile],
        named: NamedValues | None,
    ) -> None:
        """Begin with a configuration and a minion; forget those before."""
        self.named = named
        # Templates may set globals. PillarStack makes a new environment for each configuration, so
        # nothing of the last minion may be left.
        self.globals.clear()
        self.globals.update(self._own_globals)
        self.globals.update(variables)
        self._loaded.clear()
        self._files.clear()
        self._read = read

    def file(self, name: str) -> StackFile:
        """Return the file of a template that was loaded."""
        return self._files[name]

    def shown(self, full: str) -> str | None:
        """Return the name of a loaded file as it is shown; None if it is not loaded."""
        return next((file.shown for file in self._files.values() if str(file.full) == full), None)

    def text_of(self, shown: str) -> str:
        """Return the text of a loaded file; empty if it is not loaded."""
        return next((file.text for file in self._files.values() if file.shown == shown), "")

    @property
    def sources(self) -> str:
        """The text of all loaded files."""
        return "\n".join(file.text for file in self._files.values())

    @property
    def names_stack(self) -> bool:
        """Whether a loaded template names the stack, so that it may have changed it."""
        return any(file.names_stack for file in self._files.values())

    @property
    def changers(self) -> list[FoundFile]:
        """The loaded templates that may have changed the pillar."""
        return [
            FoundFile(file.full.name, file.shown, str(file.full), file.text.encode(), "")
            for file in self._files.values()
            if file.may_change_pillar
        ]

    def find_write(self, name: str, key: Any, value: Any) -> Line:
        """Return the line on which a template most likely set a key of the stack to a value."""
        own = self._files[name]
        files = [own, *(file for file in self._files.values() if file is not own)]
        places = [
            ((str(value) not in line, str(key) not in line), file.shown, number)
            for file in files
            for number, line in enumerate(file.text.splitlines(), 1)
            if NAMES_STACK.search(line)
        ]
        if not places:
            return own.shown, None
        _, shown, line = min(places, key=lambda place: place[0])
        return shown, line

    def _load_template(
        self,
        name: str | Template,
        globals: MutableMapping[str, Any] | None,  # noqa: A002 (Jinja's name)
    ) -> Template:
        """Return a template by its name; loaded once for each configuration and minion."""
        if isinstance(name, Template):
            return name
        template = recall(self._loaded, name, lambda: self._load(name))
        if globals:
            template.globals.update(globals)
        return template

    def _load(self, name: str) -> PlacedTemplate:
        if self._read is None:
            raise TemplateNotFound(name)
        file = self._files[name] = self._read(name)
        key = (str(file.full), file.text)
        made = recall(self._compiled, key, lambda: self._make(file, name))
        template = self.take_part(made, key, lambda: self._make(file, name))
        template._module = None  # noqa: SLF001 (Jinja keeps what the last minion's import made)
        template.globals = self.make_globals(None)
        return template

    def _make(self, file: StackFile, name: str) -> PlacedTemplate:
        return self.make_template(file.text, file.shown, name, str(file.full))
