"""Explains the calls in a template that have no answer, for any template engine."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from jinja2 import Environment, TemplateError, nodes

from pillarbook.compile.renderers.jinja.function_errors import (
    UnansweredCallError,
    UnansweredFilterError,
    UndeclaredClockError,
    UnknownExistenceError,
)
from pillarbook.compile.renderers.jinja.functions.known_functions import is_known, nearest_function
from pillarbook.compile.renderers.jinja.functions.loader import name_looked_for
from pillarbook.compile.renderers.jinja.undefined import MissingValueError
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.undeclared import (
    ANY,
    NO_ANSWER,
    NOT_IN_SALT,
    RULE,
    WrittenCall,
    describe_clock,
    describe_unanswered,
    find_call,
    names_secret,
)
from pillarbook.model import KeyPath
from pillarbook.model.unknown import COMPUTED_FUNCTION


def explain_call(
    worded: RenderError,
    error: MissingValueError | UnansweredCallError,
    environment: Environment,
    source: str,
    line: int | None,
) -> None:
    """Name the function without an answer, if an error of a template is about one."""
    if _explain_other(worded, error, environment, source):
        return
    if isinstance(error, MissingValueError):
        name, why, remedy = name_looked_for(error.owner, error.name), None, None
    else:
        name, why, remedy = error.name, error.why, error.remedy
    if name is not None:
        call = find_call(read_calls(environment, source), source, line, name)
        if isinstance(error, UnansweredCallError) and error.is_written:
            call = WrittenCall(name)
        if why is None and call is not None and not is_known(call.name):
            near = nearest_function(call.name)
            why, remedy = NOT_IN_SALT, "correct the name"
            if near is not None:
                remedy += f", if you mean '{near}'"
        describe_unanswered(worded, call, why, remedy)
    elif why is not None:
        worded.rule, worded.told = "outside-reach", f"uses a filter {why}"
        worded.help = "map the path with `paths:` in mkdocs.yml"


def _explain_other(
    worded: RenderError, error: Exception, environment: Environment, source: str
) -> bool:
    """Word an error that is about no call, and say whether it is one."""
    if isinstance(error, UndeclaredClockError):
        describe_clock(worded)
    elif isinstance(error, UnansweredFilterError):
        worded.rule, worded.told = RULE, f"uses the {error.kind} '{error.filter}' {error.why}"
        worded.help = error.remedy or "use a value from the inventory's grains or `pillar`"
    elif isinstance(error, UnknownExistenceError):
        call = find_call(read_calls(environment, source), source, None, error.function)
        describe_unanswered(worded, call)
        asked = f"the function '{call.name}'" if call is not None else COMPUTED_FUNCTION
        worded.told = f"asks whether {asked} exists, {NO_ANSWER}"
    else:
        return False
    return True


def read_calls(environment: Environment, source: str) -> list[WrittenCall]:
    """Return the calls of functions in a template, however they are spelled.

    ``salt['vault.read']('x')``, ``salt.vault.read('x')`` and ``salt['vault'].read('x')`` are the
    same, also if a variable has ``salt``, a module or a function as its value. A call of a function
    whose name is computed, as in ``salt[pillar.x]('y')``, has no name.
    """
    named = getattr(environment, "named", None)
    is_secret = (lambda _path, _value: False) if named is None else named.is_secret
    # Each minion for which a file fails asks again.
    known = getattr(environment, "written_calls", {})
    key = source, None if named is None else named.rules
    if key not in known:
        try:
            known[key] = list(_read(environment.parse(source), is_secret))
        except (TemplateError, RecursionError):
            known[key] = []
    calls: list[WrittenCall] = known[key]
    return calls


def _read(tree: nodes.Template, is_secret: Callable[[KeyPath, Any], bool]) -> Iterator[WrittenCall]:
    from pillarbook.compile.renderers.jinja.functions.chosen_names import (  # noqa: PLC0415 (on use)
        read_choices,
    )

    def hides(name: str, text: Any) -> bool:
        return names_secret(name) or is_secret((name,), text)

    chosen = read_choices(tree, hides)
    variables: dict[str, str | None] = {}
    texts: dict[str, set[Any]] = {}
    for given in tree.find_all(nodes.Assign):
        if isinstance(given.target, nodes.Name):
            name, value = given.target.name, given.node
            is_computed = _is_computed(value, variables)
            variables[name] = ANY if is_computed else _name(value, variables)
            text = value.value if isinstance(value, nodes.Const) else None
            texts.setdefault(name, set()).add(None if hides(name, text) else text)
    _put_texts(tree, texts)
    for call in tree.find_all(nodes.Call):
        is_computed = _is_computed(call.node, variables)
        called = _name(call.node, variables) or ""
        if is_computed:
            yield replace(_write("", call), choices=_choices(call.node, chosen))
        elif "." in called:
            yield _write(called, call)


def _put_texts(tree: nodes.Template, texts: Mapping[str, set[Any]]) -> None:
    """Put the only text of a variable where the variable is an index."""
    for node in tree.find_all(nodes.Getitem):
        if isinstance(node.arg, nodes.Name) and len(texts.get(node.arg.name, ())) == 1:
            (text,) = texts[node.arg.name]
            node.arg = node.arg if text is None else nodes.Const(text)


def _write(name: str, call: nodes.Call) -> WrittenCall:
    """Return a call with the arguments that are literals."""
    args = () if call.dyn_args is not None else tuple(_literal(one) for one in call.args)
    kwargs = {one.key: _literal(one.value) for one in call.kwargs}
    return WrittenCall(name, args, kwargs, call.lineno)


def _choices(node: nodes.Node, chosen: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the functions that ``salt[f]`` may be."""
    match node:
        case nodes.Getitem(node=nodes.Name(), arg=nodes.Name(name=variable)):
            return chosen.get(variable, frozenset())
        case _:
            return frozenset()


def _name(node: nodes.Node, variables: Mapping[str, str | None]) -> str | None:
    """Return the dotted name that is read from a variable; empty for the variable itself."""
    if isinstance(node, nodes.Name):
        return variables.get(node.name, "")
    if isinstance(node, nodes.Getattr):
        part: Any = node.attr
    elif isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
        part = node.arg.value
    else:
        return None
    before = _name(node.node, variables)
    if before is None or not isinstance(part, str):
        return None
    return f"{before}.{part}" if before else part


def _is_computed(node: nodes.Node, variables: Mapping[str, str | None]) -> bool:
    """Say whether a computed name finds a function or a module of Salt."""
    has_computed = False
    while isinstance(node, nodes.Getattr | nodes.Getitem | nodes.Call):
        if not isinstance(node, nodes.Getattr):
            given = node.arg if isinstance(node, nodes.Getitem) else next(iter(node.args), None)
            has_computed = has_computed or not isinstance(given, nodes.Const | None)
        node = node.node
    if not isinstance(node, nodes.Name):
        return False
    known = variables.get(node.name)
    is_root = known is not None or node.name in ("salt", "__salt__")
    return known == ANY or (has_computed and is_root)


def _literal(node: nodes.Expr) -> Any:
    """Return a literal's value; for a concatenated text, a glob of its literal parts."""
    match node:
        case nodes.Const():
            value = node.value
        case nodes.List() | nodes.Tuple():
            value = [_literal(item) for item in node.items]
        case nodes.Dict():
            pairs = [(_literal(pair.key), _literal(pair.value)) for pair in node.items]
            value = {key: item for key, item in pairs if isinstance(key, str)}
        case nodes.Concat():
            value = _glob([_literal(part) for part in node.nodes])
        case nodes.Add():
            value = _glob([_literal(node.left), _literal(node.right)])
        case _:
            value = ANY
    return value


def _glob(parts: list[Any]) -> str:
    texts = [part if isinstance(part, str) else ANY for part in parts]
    return "".join(texts).replace(ANY * 2, ANY)
