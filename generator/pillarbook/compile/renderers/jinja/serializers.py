"""Salt's tags and filters that turn text into data and data into text.

Source: Salt ``salt/utils/jinja.py`` (``SerializerExtension``, ``tojson``).
"""

import itertools
import json
import marshal
import pprint
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import yaml
from jinja2 import Environment, TemplateRuntimeError, nodes
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from pillarbook.compile.renderers.jinja.linemap import is_literal
from pillarbook.compile.renderers.jinja.literals import name_of
from pillarbook.compile.renderers.jinja.plain_data import decode, to_plain
from pillarbook.compile.renderers.jinja.printing import dump_yaml, finalize_output
from pillarbook.compile.renderers.jinja.undefined import hand_on_undefined
from pillarbook.compile.renderers.source_text import Line
from pillarbook.compile.renderers.yaml_loader import load_plain

if TYPE_CHECKING:
    from pillarbook.compile.renderers.jinja.template_secrets import NamedValues

Filter = Callable[..., Any]


class SerializerExtension(Extension):
    """The tags ``load_*``, ``import_*`` and ``profile``, and the filters that serialize.

    The environment gets the attribute ``parsed_texts``. If several environments share this object,
    the same text is parsed only once. If the environment has no ``finalize``, it becomes
    ``finalize_output``.
    """

    tags = {  # noqa: RUF012 (as Jinja declares it)
        "import_json",
        "import_text",
        "import_yaml",
        "load_json",
        "load_text",
        "load_yaml",
        "profile",
    }

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        environment.extend(parsed_texts=ParsedTexts())
        environment.filters.update(serializer_filters())
        environment.filters.update(
            load_json=hand_on_undefined(self._load_json),
            load_yaml=hand_on_undefined(self._load_yaml),
        )
        if environment.finalize is None:
            environment.finalize = finalize_output

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        """Parse one of the tags."""
        tag = parser.stream.current.value
        if tag == "profile":
            return self._parse_profile(parser)
        if tag.startswith("import_"):
            return self._parse_import(parser, tag)
        return self._parse_load(parser, tag)

    def _parse_profile(self, parser: Parser) -> list[nodes.Node]:
        line = next(parser.stream).lineno
        parser.stream.expect("name:as")
        label = parser.parse_expression()
        body = parser.parse_statements(("name:endprofile",), drop_needle=True)
        return [nodes.ExprStmt(label, lineno=line), *body]  # nobody reads the measured time

    def _parse_import(self, parser: Parser, tag: str) -> list[nodes.Node]:
        imported = parser.parse_import()
        line = imported.lineno
        module = nodes.Name(imported.target, "load", lineno=line)
        target = nodes.Name(imported.target, "store", lineno=line)
        loaded = (tag.replace("import_", "load_"), True, *_stem_of(imported.template))
        return [imported, self._named(target, module, loaded, line)]

    def _parse_load(self, parser: Parser, tag: str) -> list[nodes.Node]:
        line = next(parser.stream).lineno
        parser.stream.expect("name:as")
        target = parser.parse_assign_target()
        name = "_" + parser.free_identifier().name
        body = parser.parse_statements(("name:endload",), drop_needle=True)
        call = nodes.Call(nodes.Name(name, "load", lineno=line), [], [], None, None, lineno=line)
        return [
            nodes.Macro(name, [], [], body, lineno=line),
            self._named(target, call, (tag, all(map(is_text, body))), line),
        ]

    def _named(
        self, target: nodes.Expr, value: nodes.Expr, loaded: tuple[Any, ...], line: int
    ) -> nodes.Assign:
        """Return a node that assigns loaded data to a name, and records it."""
        names = [nodes.Const(name, lineno=line) for name in (*loaded, *name_of(target))]
        return nodes.Assign(
            target, self.call_method("load", [value, *names], lineno=line), lineno=line
        )

    def load(self, value: Any, tag: str, is_text: bool, *names: Any) -> Any:
        """Return the data that a tag loads and assigns to a name."""
        if isinstance(value, TemplateModule):
            is_text = is_literal(value._body_stream)  # noqa: SLF001 (what came from where)
        try:
            data = self.environment.filters[tag](value)
        except TemplateRuntimeError as error:
            from pillarbook.compile.renderers.jinja.serializers import (  # noqa: PLC0415 (on use)
                note_loaded,
            )

            note_loaded(error, value, is_text=is_text)
            raise
        return self._take(names, data, tag, load_text(value), is_computed=not is_text)

    def _take(
        self, names: tuple[Any, ...], data: Any, tag: str, text: Any, *, is_computed: bool = True
    ) -> Any:
        named: NamedValues | None = getattr(self.environment, "named", None)
        if named is None:
            return data
        return named.take_loaded(names, data, (tag, text), is_computed=is_computed)

    def _load_json(self, value: Any) -> Any:
        return self._take((), load_json(value), "load_json", load_text(value))

    def _load_yaml(self, value: Any) -> Any:
        text = load_text(value)
        if isinstance(text, bytes):
            text = text.decode()
        if not isinstance(text, str):
            raise TypeError("a string or stream input is required")
        parsed: ParsedTexts = self.environment.parsed_texts  # type: ignore[attr-defined]
        try:
            return self._take((), parsed.load_yaml(text), "load_yaml", text)
        except yaml.YAMLError as error:
            raise TemplateRuntimeError(f"Encountered error loading yaml: {error}") from error


def _stem_of(file: nodes.Expr) -> tuple[str, ...]:
    """Return the name of an imported file, since ``passwords.yml`` is a name of secrets."""
    is_written = isinstance(file, nodes.Const) and isinstance(file.value, str)
    return (PurePosixPath(file.value).stem,) if is_written else ()  # type: ignore[attr-defined] # as it says itself


def is_text(node: nodes.Node) -> bool:
    """Say whether a node is output without expressions."""
    return isinstance(node, nodes.Output) and all(
        isinstance(part, nodes.TemplateData) for part in node.nodes
    )


def serializer_filters() -> dict[str, Filter]:
    """Return the filters that need no environment: all except ``load_yaml``."""
    filters: dict[str, Filter] = {
        "combinations": itertools.combinations,
        "combinations_with_replacement": itertools.combinations_with_replacement,
        "compress": itertools.compress,
        "dict_to_sls_yaml_params": dict_to_sls_yaml_params,
        "json": format_json,
        "load_json": load_json,
        "load_text": load_text,
        "permutations": itertools.permutations,
        "product": itertools.product,
        "python": format_python,
        "tojson": tojson,
        "xml": _format_xml,
        "yaml": format_yaml,
        "zip": zip,
        "zip_longest": itertools.zip_longest,
    }
    return {name: hand_on_undefined(function) for name, function in filters.items()}


def format_json(value: Any, sort_keys: bool = True, indent: Any = None) -> Markup:
    """Return JSON with sorted keys and as little escaping as JSON allows."""
    text = json.dumps(to_plain(value), ensure_ascii=False, sort_keys=sort_keys, indent=indent)
    return Markup(text.strip())  # noqa: S704 (marked as Salt marks it; nothing here is HTML)


def tojson(value: Any, indent: Any = None, **options: Any) -> str:
    """Return JSON that is safe in HTML, keys in their order; options are ``json.dumps``'s."""
    options.setdefault("ensure_ascii", True)
    if indent is not None:
        options["indent"] = indent
    text = json.dumps(to_plain(value), **options)
    for character in "<>&'":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _format_xml(value: Any) -> Markup:
    from pillarbook.compile.renderers.jinja.xml_text import format_xml  # noqa: PLC0415 (rare, slow)

    return format_xml(value)


def format_yaml(value: Any, flow_style: Any = True) -> Markup:
    """Return YAML, keys sorted, on one line unless ``flow_style`` is off."""
    return Markup(dump_yaml(value, flow_style=flow_style))  # noqa: S704 (as format_json)


def format_python(value: Any) -> Markup:
    """Return a value as Python writes it, on several lines if it is long."""
    return Markup(pprint.pformat(to_plain(value)).strip())  # noqa: S704 (as format_json)


def dict_to_sls_yaml_params(value: Any, flow_style: Any = False) -> Markup:
    """Return a mapping as the list of one-key mappings that a state takes, in YAML."""
    return format_yaml([{key: item} for key, item in value.items()], flow_style=flow_style)


def load_json(value: Any) -> Any:
    """Return what a JSON text says.

    Raises:
        TemplateRuntimeError: It is no JSON.
    """
    text = load_text(value)
    try:
        return json.loads(text)
    except (ValueError, TypeError, AttributeError) as error:
        raise TemplateRuntimeError(f"Unable to load json from {text}") from error


def load_text(value: Any) -> Any:
    """Return the text of an imported template; other values unchanged."""
    return str(value) if isinstance(value, TemplateModule) else value


class ParsedTexts:
    """YAML texts that templates load; each is parsed once, and every caller gets a copy."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}
        self._packed: dict[str, bytes] = {}

    def load_yaml(self, text: str) -> Any:
        """Return the data of a YAML text by Salt's rules, in new objects.

        Raises:
            yaml.YAMLError: In PyYAML's words.
            TypeError: It is not text.
        """
        if text.__class__ is not str:  # PyYAML refuses subclasses such as Markup as well
            return decode(load_plain(text))
        packed = self._packed.get(text)
        if packed is not None:
            return marshal.loads(packed)  # noqa: S302 (packed below, by this process)
        loaded = self._loaded[text] if text in self._loaded else load_plain(text)
        decoded = decode(loaded)
        if text not in self._loaded:
            try:
                self._packed[text] = marshal.dumps(decoded)  # bytes, which are copied quickest
            except ValueError:  # other types
                self._loaded[text] = loaded
        return decoded


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
