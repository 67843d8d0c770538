"""Which of Salt's functions a variable of a template names, if only literals give it a value.

A file writes these names as they are, so they are no secrets: ``{% for f in ['network.fqdns'] %}``.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from jinja2 import nodes

from pillarbook.compile.renderers.jinja.functions.known_functions import is_known


def read_choices(
    tree: nodes.Template, hides: Callable[[str, str], bool]
) -> Mapping[str, frozenset[str]]:
    """Return the functions that variables of loops and arguments of macros name.

    A variable that may have any other value is left out. ``hides`` says whether a variable with a
    value is a secret.
    """
    given: dict[str, set[str | None]] = defaultdict(set)
    bound: set[int] = set()
    for target, texts in (*_read_loops(tree), *_read_macros(tree)):
        bound.add(id(target))
        given[target.name] |= texts
    for one in tree.find_all(nodes.Name):
        if one.ctx != "load" and id(one) not in bound:
            given[one.name].add(None)
    return {
        name: frozenset(text for text in texts if text is not None)
        for name, texts in given.items()
        if all(text is not None and is_known(text) and not hides(name, text) for text in texts)
    }


def _read_loops(tree: nodes.Template) -> Iterator[tuple[nodes.Name, set[str | None]]]:
    for loop in tree.find_all(nodes.For):
        if isinstance(loop.target, nodes.Name) and isinstance(loop.iter, nodes.List | nodes.Tuple):
            yield loop.target, set(map(_text, loop.iter.items))


def _read_macros(tree: nodes.Template) -> Iterator[tuple[nodes.Name, set[str | None]]]:
    """Yield the arguments of macros with the values that the calls in this template give them."""
    calls: dict[str, list[nodes.Call]] = defaultdict(list)
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name):
            calls[call.node.name].append(call)
    for macro in tree.find_all(nodes.Macro):
        for at, parameter in enumerate(macro.args):
            texts = {_argument(call, at, parameter.name) for call in calls[macro.name]}
            yield parameter, texts or {None}


def _argument(call: nodes.Call, at: int, name: str) -> str | None:
    if call.dyn_args is not None or call.dyn_kwargs is not None:
        return None
    named = (one.value for one in call.kwargs if one.key == name)
    given = call.args[at] if at < len(call.args) else next(named, None)
    return None if given is None else _text(given)


def _text(node: nodes.Node) -> str | None:
    return node.value if isinstance(node, nodes.Const) and isinstance(node.value, str) else None
