"""What is wrong with the structure of a top file, in words for its author.

Salt says only "Error encountered while rendering pillar top file", and ignores every top file.
"""

from collections.abc import Iterator

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.compile.renderers.yaml import is_falsy
from pillarbook.compile.top.tops import SETTINGS, is_doubtful, lacks_space
from pillarbook.diagnostics import Diagnostic, Severity, new_diagnostic
from pillarbook.model import Leaf, ListNode, MapNode, Node
from pillarbook.patterns.similar import find_similar

RULE = "top-shape"
IGNORED = "so Salt ignores every top file"
BELOW = "write `- SLS` below it for each SLS, or remove it"
BELOW_ENVIRONMENT = (
    "write its targets below the name of an environment, such as `base:`, without a dash"
)


def describe_refused(trees: list[tuple[str, Node | None]]) -> tuple[Diagnostic, ...]:
    """Return what is wrong with top files that Salt does not use, each with its environment."""
    found = tuple(_describe(trees))
    if found:
        return found
    tree = next(tree for _, tree in trees if tree is not None)
    message = f"the top file has a structure that Salt does not accept, {IGNORED}"
    return (_new(message, tree, "correct the values of `order`, or see Salt's documentation"),)


def _describe(trees: list[tuple[str, Node | None]]) -> Iterator[Diagnostic]:
    for environment, tree in trees:
        for name, body in tree.items.items() if isinstance(tree, MapNode) else ():
            if name == "include":
                continue
            if isinstance(body, MapNode):
                for expression, entries in body.items.items():
                    yield from describe_entries(expression, entries)
            elif (isinstance(body, Leaf) and body.value != "") or not is_falsy(body):
                yield _describe_body(name, body, is_environment=name == environment)


def break_off(tree: Leaf | ListNode) -> CompileBreaksOff:
    """Return the error with which Salt stops at a top file that is not a mapping."""
    kind = type(tree.value).__name__ if isinstance(tree, Leaf) else "list"
    words = f"AttributeError: '{kind}' object has no attribute 'items'"
    message = f"the top file has no environments, and Salt stops: {words}"
    return CompileBreaksOff(words, _new(message, tree, BELOW_ENVIRONMENT))


def _describe_body(name: object, body: Node, *, is_environment: bool) -> Diagnostic:
    if isinstance(body, Leaf) and body.value is None:
        message = f"the top file has no targets for the environment '{name}', {IGNORED}"
        return _new(message, body, "write targets below it, or remove it")
    what = f"{_kind_of(body)} in place of targets"
    message = f"the top file has {what} for the environment '{name}', {IGNORED}"
    if isinstance(body, ListNode) and any(isinstance(one, MapNode) for one in body.items):
        return _new(message, body, "remove the dashes before its targets")
    if is_environment:
        return _new(
            message, body, "write a target below it, such as `'*':`, and the list below that"
        )
    return _new(message, body, "if it is a target, write it below an environment, such as `base:`")


def describe_entries(expression: object, entries: Node) -> Iterator[Diagnostic]:
    """Yield what is wrong with the entries of a target."""
    target = f"for the target '{expression}'"
    if isinstance(entries, ListNode):
        for one in filter(is_doubtful, entries.items):
            yield _describe_entry(_entry_of(expression), one)
        return
    if isinstance(entries, MapNode):
        if entries.items:
            what = f"a mapping in place of a list of SLS {target}"
            message = f"the top file has {what}, so Salt takes each of its keys for an SLS"
            yield _new(message, entries, "write a dash before each SLS and setting")
        return
    if entries.value is None:
        yield _new(f"the top file has no list of SLS {target}, {IGNORED}", entries, BELOW)
    elif not isinstance(entries.value, str):
        what = f"{_kind_of(entries)} in place of a list of SLS"
        yield _new(f"the top file has {what} {target}, {IGNORED}", entries, BELOW)
    elif len(entries.value) > 1:
        what = f"a text in place of a list of SLS {target}"
        message = f"the top file has {what}, so Salt takes each of its characters for an SLS"
        yield _new(message, entries, "write a dash before the name of each SLS")


def describe_texts(expression: object, entries: Node) -> Iterator[Diagnostic]:
    """Yield what is wrong with the entries of a target of states that are text."""
    for one in () if isinstance(entries, Leaf) else entries.items:
        if isinstance(one, Leaf) and lacks_space(one):
            yield _describe_text(_entry_of(expression), one)


def _entry_of(expression: object) -> str:
    return f"an entry of the target '{expression}'"


def _describe_text(what: str, entry: Leaf) -> Diagnostic:
    name, _, value = str(entry.value).partition(":")
    message = f"{what} has no space after '{name}:', so Salt reads it as an SLS"
    return _new(message, entry, f"write `- {name}: {value}`")


def _describe_entry(what: str, entry: Node) -> Diagnostic:
    if isinstance(entry, Leaf) and isinstance(entry.value, str):
        return _describe_text(what, entry)
    if not isinstance(entry, MapNode):
        is_list = isinstance(entry, ListNode)
        remedy = "write one dash before each SLS" if is_list else "put the name of an SLS in quotes"
        message = f"{what} is {_kind_of(entry)}, which Salt ignores"
        return _new(message, entry, remedy, Severity.WARNING)
    name = next(name for name in entry.items if name not in SETTINGS)
    near = find_similar(str(name), SETTINGS)
    remedy = f"did you mean `{near}`?" if near else "write only the name of an SLS, without a colon"
    message = f"{what} has the setting '{name}', which Salt ignores"
    return _new(message, entry.items[name], remedy, Severity.WARNING)


def _kind_of(node: Node) -> str:
    if not isinstance(node, Leaf):
        return "a list"
    kinds = {"str": "a text", "bool": "a truth value", "int": "a number", "float": "a number"}
    return kinds.get(type(node.value).__name__, "a value")


def _new(message: str, node: Node, remedy: str, severity: Severity | None = None) -> Diagnostic:
    place = node.origins[-1].position
    return new_diagnostic(RULE, message, place, remedy=remedy, severity=severity)
