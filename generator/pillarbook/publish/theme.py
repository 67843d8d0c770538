"""The entry point by which MkDocs finds the theme.

MkDocs loads the entry point and uses the folder of its ``__file__``. A module would have to be in
the folder of the theme, and be importable both from a wheel and from a checkout, where
``templates/`` is outside the package. An object with only this attribute works in both cases.

Source: MkDocs ``mkdocs/utils/__init__.py`` (``get_theme_dir``).
"""

from dataclasses import dataclass

from pillarbook.report.templates import template_root


@dataclass(frozen=True)
class ThemeLocation:
    """The attribute that MkDocs reads of a theme's module."""

    __file__: str
    """Path of a file in the theme's folder."""


# Where the theme is, and why it is not a package: docs/decisions/0002.
location = ThemeLocation(str(template_root() / "theme" / "mkdocs_theme.yml"))
