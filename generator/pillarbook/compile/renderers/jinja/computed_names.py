"""Says which expression of a template computed a name that is missing.

The name itself may be a secret. It is shown if it is a grain's value or a literal, and neither a
rule nor its form says that it may be secret. The expression is shown without its literals, except
names that it reads.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, TemplateError, nodes

from pillarbook.compile.renderers.error_words import DIGITS_OF_A_PLACE
from pillarbook.compile.renderers.jinja.template_secrets import NamedValues
from pillarbook.compile.renderers.jinja.undefined import MissingValueError
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.patterns.ordinary_words import is_ordinary

HIDDEN = "..."
"""Replaces a part of an expression that may be a value."""
MAX_CHARACTERS = 80
"""The longest expression that is shown."""
SUCH = re.compile(r" has no such (attribute|element)(:.*)?\Z", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_][\w.:-]{0,60}")
_GETTERS = ("grains.get", "salt['grains.get']", "salt.grains.get")
_GRAIN = re.compile(r"(?:grains|opts\.grains)(?:\.(\w+)|\['([\w:.-]+)'\])")
_GOT = re.compile(r"(?:grains|salt\.grains|salt\['grains)\.get(?:'\])?\('([\w.-]+)'\)")


@dataclass(frozen=True, slots=True)
class _Read:
    """A computed subscript: ``peers[grains['id']]``."""

    owner: str
    """The text of what is read."""
    key: str
    """The text of the subscript; a variable counts as the expression that it was set to."""
    subscript: str
    """The text of the subscript."""
    literal: tuple[str, str] | None
    """The variable and the text that it was set to, if the subscript is such a variable."""

    @property
    def text(self) -> str:
        """Return the expression."""
        return f"{self.owner}[{self.subscript}]"


def describe_computed_name(
    worded: RenderError,
    error: MissingValueError,
    environment: Environment,
    source: tuple[str, int | None],
    named: NamedValues | None,
    grains: Mapping[str, Any],
) -> None:
    """Add the expression to an error about a missing name that was computed, and a remedy.

    ``worded`` is the error, whose text has no name yet. ``source`` is the template and the line of
    the error in it. ``named`` knows which values are secret; None if that is not known.
    """
    if worded.clean is None or (such := SUCH.search(worded.clean)) is None:
        return
    reads = list(dict.fromkeys(_find_reads(environment, *source)))
    if len(reads) != 1:
        return
    (read,) = reads
    grain = _grain_of(read.key)
    name = _name_to_show(error.name, read.literal, named)
    if grain not in (None, "id"):  # the diagnostic has the minion's id
        name = _name_to_show(error.name, (grain, grains.get(grain)), named)
    if name is not None:
        worded.clean = f"{worded.clean[: such.start()]} has no {such[1]} '{name}'"
    worded.clean += f": {read.text}"
    if isinstance(error.owner, Mapping) and HIDDEN not in read.text:
        what = "the minion's id" if grain == "id" else "this key"
        worded.help = (
            f"add {what} to `{read.owner}`, or read it with a default:"
            f" `{read.owner}.get({read.subscript}, ...)`"
        )


def reveal_name(error: RenderError) -> None:
    """Show the missing name, because everything may be shown."""
    missing = error.__cause__
    if error.clean is None or not isinstance(missing, MissingValueError):
        return
    error.clean = SUCH.sub(
        lambda found: f" has no {found[1]} {missing.name!r}{found[2] or ''}", error.clean
    )


def _name_to_show(
    name: Any, given: tuple[str, Any] | None, named: NamedValues | None
) -> str | None:
    """Return the missing name if it is this grain or variable; None if it may be secret."""
    if not isinstance(name, str) or named is None or given is None or given[1] != name:
        return None
    is_secret = named.is_secret((given[0],), name) or not is_ordinary(name)
    return None if is_secret or "'" in name else name


def _grain_of(text: str) -> str | None:
    """Return the grain that an expression reads; None if it is anything else."""
    found = _GRAIN.fullmatch(text) or _GOT.fullmatch(text)
    return next((group for group in found.groups() if group), None) if found else None


def _find_reads(environment: Environment, source: str, line: int | None) -> Iterator[_Read]:
    """Yield the computed subscripts in the expressions that begin on a line."""
    try:
        tree = environment.parse(source)
    except (TemplateError, RecursionError):
        return
    bound = _find_bound(tree)
    for begun in tree.find_all(nodes.Expr):
        if begun.lineno != line:
            continue
        found = [begun] if isinstance(begun, nodes.Getitem) else []
        for one in (*found, *begun.find_all(nodes.Getitem)):
            if not isinstance(one.arg, nodes.Const | nodes.Slice) and one.ctx == "load":
                read = _read_of(one, bound)
                if len(read.text) <= MAX_CHARACTERS:
                    yield read


def _read_of(node: nodes.Getitem, bound: Mapping[str, nodes.Node]) -> _Read:
    given = bound.get(node.arg.name) if isinstance(node.arg, nodes.Name) else None
    literal = None
    if isinstance(node.arg, nodes.Name) and isinstance(given, nodes.Const):
        literal = node.arg.name, str(given.value)
    return _Read(_text(node.node), _text(given or node.arg), _text(node.arg), literal)


def _find_bound(tree: nodes.Template) -> dict[str, nodes.Node]:
    """Return the variables that are set once, with the expressions."""
    names = [one.name for one in tree.find_all(nodes.Name) if one.ctx != "load"]
    return {
        one.target.name: one.node
        for one in tree.find_all(nodes.Assign)
        if isinstance(one.target, nodes.Name) and names.count(one.target.name) == 1
    }


def _text(node: nodes.Node) -> str:
    """Return an expression as text, with ``HIDDEN`` for literals and for rare forms."""
    match node:
        case nodes.Name():
            text = node.name
        case nodes.Getattr():
            text = f"{_text(node.node)}.{node.attr}"
        case nodes.Getitem(arg=nodes.Const() as key):
            text = f"{_text(node.node)}[{_word_key(key.value)}]"
        case nodes.Getitem():
            text = f"{_text(node.node)}[{_text(node.arg)}]"
        case nodes.Call():
            text = f"{_text(node.node)}({_text_of_arguments(node)})"
        case nodes.Filter(node=nodes.Expr() as given):
            text = f"{_text(given)} | {node.name}" + (f"({HIDDEN})" if node.args else "")
        case _:
            text = HIDDEN
    return text


def _text_of_arguments(call: nodes.Call) -> str:
    match call.args:
        case [nodes.Const() as name] if _text(call.node) in _GETTERS:
            return _word_key(name.value)
    return HIDDEN if call.args or call.kwargs else ""


def _word_key(key: Any) -> str:
    """Return a literal between brackets, if it has the form of a name."""
    if isinstance(key, int) and len(str(key)) <= DIGITS_OF_A_PLACE:
        return str(key)
    return f"'{key}'" if isinstance(key, str) and _NAME.fullmatch(key) else HIDDEN
