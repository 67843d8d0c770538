"""The Jinja environment that Salt renders pillar with.

Source: Salt ``salt/utils/templates.py`` (``render_jinja_tmpl``) and ``salt/utils/jinja.py``
(``SaltCacheLoader``).
"""

import posixpath
import pprint
import types
import zlib
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

import jinja2.defaults
from jinja2 import Template, TemplateNotFound, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment

from pillarbook.compile.renderers.jinja.evaluations import Evaluations
from pillarbook.compile.renderers.jinja.filters.dates import Now, date_filters, has_no_clock
from pillarbook.compile.renderers.jinja.linemap import PlacedTemplate
from pillarbook.compile.renderers.jinja.naming_environment import NamingEnvironment
from pillarbook.compile.renderers.jinja.plain_data import to_plain
from pillarbook.compile.renderers.jinja.salt_names import (
    file_filters,
    salt_filters,
    salt_globals,
    salt_tests,
)
from pillarbook.compile.renderers.jinja.serializers import SerializerExtension
from pillarbook.compile.renderers.jinja.template_secrets import NamedValues
from pillarbook.compile.renderers.jinja.tree_files import TreeFiles
from pillarbook.compile.renderers.jinja.undefined import (
    EXCUSING_FILTERS,
    EXCUSING_TESTS,
    LenientUndefined,
    SaltUndefined,
)
from pillarbook.roots.tree_interface import FoundFile

_KINDS: tuple[type[Any], ...] = (str, int, float, bool, dict, list, tuple)
_FORMATS = ("format", "format_map")
"""Methods that Jinja checks by itself, because they can read attributes."""
_METHODS: Mapping[type[Any], frozenset[str]] = {
    kind: frozenset(name for name in dir(kind) if name[0] != "_" and name not in _FORMATS)
    for kind in _KINDS
}
"""The attributes that an object of exactly this type allows."""
_OF_DICT = frozenset(dir(dict))


class QuickSandbox(SandboxedEnvironment):
    """A sandbox with the same results as Jinja's own.

    Jinja makes about twenty checks for each attribute and each call. For a plain ``dict``,
    ``list``, text or number, the results are known in advance.
    """

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute of an object, or its member, or an undefined value."""
        kind = type(obj)
        methods = _METHODS.get(kind)
        if methods is not None:
            if attribute in methods:
                return getattr(obj, attribute)
            if kind is dict and attribute not in _OF_DICT and attribute in obj:
                return obj[attribute]
        return super().getattr(obj, attribute)

    def call(self, context: Context, called: Any, /, *arguments: Any, **options: Any) -> Any:
        """Call a function for a template."""
        if type(called) is types.BuiltinMethodType and type(called.__self__) in _METHODS:
            options.pop("_block_vars", None)
            options.pop("_loop_vars", None)
            return called(*arguments, **options)
        return super().call(context, called, *arguments, **options)


FindFile = Callable[[str], FoundFile | None]
"""Finds the file of an import by its path in the roots, or by an absolute path."""


class SaltEnvironment(NamingEnvironment, QuickSandbox):
    """Jinja with Salt's tags, filters, tests and globals; used for one render at a time."""

    def __init__(self, arguments: Mapping[str, Any], *, allow_undefined: bool) -> None:
        extensions = ["jinja2.ext.do", "jinja2.ext.loopcontrols", SerializerExtension]
        undefined = LenientUndefined if allow_undefined else SaltUndefined
        # Jinja's optimizer costs more time than it saves: most templates are rendered a few times.
        own = {"undefined": undefined, "extensions": extensions, "optimized": False}
        super().__init__(**{**own, **arguments})
        self.filters.update(salt_filters())
        self.filters.update(file_filters(lambda: self._trees))
        self.filters.update(date_filters(lambda: self._now))
        self.filters.update(pprint=_print_pretty, random=_pick)
        self.filters.update(EXCUSING_FILTERS)
        self.tests.update(salt_tests())
        self.tests.update(EXCUSING_TESTS)
        self.globals.update(salt_globals())
        self._own_globals = dict(self.globals)
        self._templates: dict[tuple[str, str], PlacedTemplate] = {}
        self._sources: dict[tuple[str, str], PlacedTemplate] = {}
        self._imports: dict[str, PlacedTemplate] = {}
        self._find: FindFile = lambda _: None
        self._trees: TreeFiles | None = None
        self._now: Now = has_no_clock
        self.imported: dict[str, tuple[str, str]] = {}
        """By full path, the shown name and the text of each file that the current render
        imported."""

    def begin(
        self,
        variables: Mapping[str, Any],
        find: FindFile,
        *,
        now: Now = has_no_clock,
        trees: TreeFiles | None = None,
        named: NamedValues | None = None,
        evaluations: Evaluations | None = None,
    ) -> None:
        """Begin a render; forget the imports and variables of the last one."""
        self._now, self._trees, self.named = now, trees, named
        self.evaluations = evaluations
        # One environment serves all minions of a run. Salt makes one for each render, so the next
        # template must not see globals of this one.
        self.globals.clear()
        self.globals.update(self._own_globals)
        self.globals.update(variables)
        self._imports.clear()
        self.imported.clear()
        self._find = find

    def finish_evaluations(self) -> Evaluations | None:
        """Return the reads of pure expressions; None if other parts of a template used them, too.

        A variable with the name of a secret is collected with its value, so it counts as such a
        use.
        """
        made, named = self.evaluations, self.named
        if made is None or not made.is_complete:
            return None
        free = {one.expression.pure.target for one in made.made} - {None}
        if free and any(not free.isdisjoint(one.names) for one in self._imports.values()):
            return None
        return None if named is not None and named.watches(free) else made

    def leaves_alone(self, source: str) -> bool:
        """Say whether a text has no Jinja syntax, so that it renders to itself."""
        marks = (self.block_start_string, self.variable_start_string, self.comment_start_string)
        prefixes = (self.line_statement_prefix, self.line_comment_prefix)
        if any(prefixes) or self.keep_trailing_newline or self.newline_sequence != "\n":
            return False
        return not any(mark in source for mark in (*marks, "\r"))

    def template(self, source: str, shown: str) -> PlacedTemplate:
        """Return the compiled template of a file's text; equal files share it."""
        # By text and shown file, since origins and errors contain the file. Globals are set before
        # each render, so the compiled template has no data of a minion.
        key = (source, shown)
        if key not in self._templates:
            self._templates[key] = self.make_template(source, shown)
        made = self._templates[key]
        return self.take_part(made, key, lambda: self.make_template(source, shown))

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals themselves, which a render replaces in place; a ChainMap is slow."""
        return super().make_globals(d) if d else self.globals

    def _load_template(
        self,
        name: str,
        globals: MutableMapping[str, Any] | None,  # noqa: A002 (Jinja's name)
    ) -> Template:
        """Return an imported template; a name is looked up once in a render, as in Salt."""
        template = self._imports.get(name)
        if template is None:
            template = self._import(name)
            self._imports[name] = template
        if globals:
            template.globals = self.make_globals(globals)
        return template

    def _import(self, name: str) -> PlacedTemplate:
        found = self._find(self._resolve(name))
        if found is None:
            raise TemplateNotFound(name)
        source = found.content.decode("utf-8")
        self.imported[found.full] = (found.shown, source)
        key = (found.full, found.digest)
        template = self._sources.get(key)
        if template is None:
            template = self._sources[key] = self.make_template(
                source, found.shown, name, found.full
            )
        template = self.take_part(
            template, key, lambda: self.make_template(source, found.shown, name, found.full)
        )
        template._module = None  # noqa: SLF001 (what the last render's import left there)
        template.globals = self.make_globals(None)
        return template

    def _resolve(self, name: str) -> str:
        """Return the path of an import; later relative imports are relative to it."""
        path = name
        relative = name.split("/", 1)[0] in (".", "..")
        if relative:
            if "tpldir" not in self.globals:
                raise TemplateNotFound(name)
            path = posixpath.normpath(f"{self.globals['tpldir']}/{name}")
            if path.split("/", 1)[0] == "..":
                raise TemplateNotFound(name)
        folder = str(self.globals["tpldir"]) if relative else posixpath.dirname(path)
        self.globals.update(
            tplfile=name if relative else path,
            tpldir=folder or ".",
            tpldot=folder.replace("/", "."),
        )
        return path


def _print_pretty(value: Any) -> str:
    return pprint.pformat(to_plain(value))


@pass_context
def _pick(context: Context, values: Any) -> Any:
    """Return the same one of the values each time, since random values have no meaning here."""
    if not len(values):
        return context.environment.undefined("No random item, sequence was empty.")
    return values[zlib.crc32(repr(values).encode()) % len(values)]


def environment_arguments(
    options: Mapping[str, Any], *, is_sls: bool, header: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments of the environment for the options.

    The option ``jinja_sls_env`` is for SLS files, ``jinja_env`` for other files. ``header`` are the
    options in the file's own ``#jinja2:`` line.
    """
    configured = options.get("jinja_sls_env" if is_sls else "jinja_env")
    asked = dict(configured) if isinstance(configured, Mapping) else {}
    if options.get("jinja_trim_blocks"):
        asked["trim_blocks"] = True
    if options.get("jinja_lstrip_blocks"):
        asked["lstrip_blocks"] = True
    known = {**asked, **header}
    return {
        name.lower(): value
        for name, value in known.items()
        if hasattr(jinja2.defaults, name.upper())
    }
