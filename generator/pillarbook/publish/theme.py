"""The entry point that tells MkDocs where the theme lies.

MkDocs takes the folder of whatever the entry point loads, by its ``__file__``. A module would have
to lie among the theme's files, and be importable both from a wheel and from a checkout, where
``templates/`` is outside the package. An object with that one attribute serves both.

Source: MkDocs ``mkdocs/utils/__init__.py`` (``get_theme_dir``).
"""

from dataclasses import dataclass

from pillarbook.report.templates import template_root


@dataclass(frozen=True)
class ThemeLocation:
    """What MkDocs asks of a theme's module."""

    __file__: str
    """Path of a file in the theme's folder."""


# Where the theme is, and why it is not a package: docs/decisions/0002.
location = ThemeLocation(str(template_root() / "theme" / "mkdocs_theme.yml"))
