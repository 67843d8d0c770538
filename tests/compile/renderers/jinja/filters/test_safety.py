"""What untrusted templates could try filters for."""

import pytest
from jinja2.exceptions import SecurityError
from tests.compile.renderers.jinja.stand_ins import Minion, render


@pytest.mark.parametrize(
    "expression",
    [
        "'' | method_call('__class__')",
        "'' | method_call('__getattribute__', '__class__')",
        "'{0.__class__}' | method_call('format', '')",
        "salt['grains.get'] | method_call('__init__', 'a', 1)",
        "salt['grains.get']._function",
        "salt.grains._functions",
        "salt._context.grains",
        "odict.__init__.__globals__",
    ],
)
def test_no_filter_or_function_leads_out_of_the_sandbox(expression: str) -> None:
    with pytest.raises(SecurityError, match="unsafe"):
        render(f"{{{{ {expression} }}}}", Minion())
