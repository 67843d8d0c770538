"""Jinja's own ways to handle a missing value; they note that its read is excused."""

from collections.abc import Callable
from typing import Any

from jinja2 import Undefined
from jinja2.filters import do_default
from jinja2.tests import test_defined, test_undefined

from pillarbook.compile.missing_reads import excuse_miss


def excusing_filters() -> dict[str, Callable[..., Any]]:
    """Return the filter ``default`` under both of its names."""
    return {"default": _default, "d": _default}


def excusing_tests() -> dict[str, Callable[..., Any]]:
    """Return the tests ``defined`` and ``undefined``."""
    return {"defined": _is_defined, "undefined": _is_undefined}


def _default(value: Any, default_value: Any = "", boolean: bool = False) -> Any:
    _excuse(value)
    return do_default(value, default_value, boolean)


def _is_defined(value: Any) -> bool:
    _excuse(value)
    return test_defined(value)


def _is_undefined(value: Any) -> bool:
    _excuse(value)
    return test_undefined(value)


def _excuse(value: Any) -> None:
    if isinstance(value, Undefined):
        excuse_miss(value._undefined_obj, value._undefined_name, value)  # noqa: SLF001 (no other way to know)
