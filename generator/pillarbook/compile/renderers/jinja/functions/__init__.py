"""The functions that templates call as ``salt['grains.get']``."""

from pillarbook.compile.renderers.jinja.functions.loader import Functions

__all__ = ["Functions"]
