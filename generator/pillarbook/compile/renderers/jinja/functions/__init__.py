"""The functions that templates call as ``salt['grains.get']``."""

from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionContext
from pillarbook.compile.renderers.jinja.functions.loader import Functions

__all__ = ["FunctionContext", "Functions", "SaltFunctionError"]
