"""The environment of pages, made once: to compile its templates takes longer than to write pages."""

import functools

from pillarbook.report import templates

page_environment = functools.cache(templates.page_environment)
