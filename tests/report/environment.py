"""The environment of pages, made once: to compile its templates takes longer than to write pages."""

import functools

from pillarbook import report

page_environment = functools.cache(report.page_environment)
