"""The short way through the sandbox gives and refuses what Jinja's own does."""

from typing import Any

import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from pillarbook.compile.renderers.jinja.environment import QuickSandbox

DATA: dict[str, Any] = {
    "d": {"a": 1, "items": 2, "_x": 3, "__class__": 4, "format": 5, 1: "one"},
    "t": "a-{0}",
    "l": [3, 1, 2],
    "n": 5,
    "s": {1, 2},
}
EXPRESSIONS = (
    "d.a",
    "d.items",
    "d.items()",
    "d.format",
    "d._x",
    "d['_x']",
    "d.__class__",
    "d['__class__']",
    "d.missing",
    "d.get('a')",
    "d.keys() | list",
    "d.__init__",
    "t.upper()",
    "t.format(7)",
    "t.format(d)",
    "'{0.__class__}'.format(t)",
    "'{0.__class__}'.format_map({'0': t})",
    "'{a.__class__}'.format_map({'a': t})",
    "t['format']('{}')",
    "t.__class__",
    "t.__class__.__mro__",
    "t.missing",
    "t.split('-')",
    "t.encode().decode",
    "l.index(1)",
    "l.index(9)",
    "l.append(4) or l",
    "l.sort() or l",
    "l.pop",
    "l.__len__",
    "n.bit_length()",
    "n.real",
    "n.__class__",
    "s.union([3]) | list",
    "range(3) | list",
    "range(99999999)",
    "dict(a=1).a",
    "''.join(['x', t])",
    "t.join",
    "l.clear.__self__",
    "d.update({'b': 2}) or d.b",
    "d.fromkeys([1])",
    "'%s' | format(t)",
)


def answer(kind: type[SandboxedEnvironment], expression: str) -> tuple[str, str]:
    environment = kind(undefined=StrictUndefined)
    copies = {
        name: value if isinstance(value, int | str) else value.copy()
        for name, value in DATA.items()
    }
    template = "{% for once in [1] %}{{ " + expression + " }}{% endfor %}"
    try:
        return "prints", environment.from_string(template).render(copies)
    except Exception as error:  # noqa: BLE001 (any exception is to be the same)
        return type(error).__name__, str(error)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_gives_what_it_gives_in_jinjas_own_sandbox(expression: str) -> None:
    own = answer(SandboxedEnvironment, expression)
    quick = answer(QuickSandbox, expression)
    if own[0] == "prints" and " at 0x" in own[1]:
        assert quick[1].split(" at 0x")[0] == own[1].split(" at 0x")[0]
    else:
        assert quick == own
