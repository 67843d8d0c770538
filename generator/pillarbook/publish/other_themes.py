"""Adds the files that the report's pages need to sites with another theme."""

from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

from pillarbook.publish.navigation import show_as_text
from pillarbook.report.templates import template_root

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FOLDER = "assets/pillarbook"
"""The folder of these files."""
STYLES = ("css/fragments.css",)
"""The styles of the report's own HTML; the theme has those of the frame."""
SCRIPTS = tuple(
    f"js/{name}.js" for name in ("values", "lists", "filter", "sort", "rows", "breaks", "top")
)
"""The scripts of the report's own HTML, in the order of loading."""


def is_own_theme(config: "MkDocsConfig") -> bool:
    """Say whether a site has pillarbook's theme, or a theme that is based on it."""
    own = (template_root() / "theme").resolve()
    return any(Path(folder).resolve() == own for folder in config.theme.dirs)


def announce_files(config: "MkDocsConfig") -> None:
    """Let the pages of a site in another theme load the files that the report needs.

    Such a theme prints the site's name as HTML, so it is escaped here.
    """
    config.site_name = show_as_text(config.site_name)
    config.extra_css = [*config.extra_css, *map(_place, STYLES)]
    config.extra_javascript = [*config.extra_javascript, *map(_place, SCRIPTS)]


def add_files(files: "Files", config: "MkDocsConfig") -> None:
    """Add the files of ``announce_files`` to the files of a site."""
    for name in (*STYLES, *SCRIPTS):
        known = files.get_file_from_path(_place(name))
        if known is not None:
            files.remove(known)
        source = template_root() / "theme" / name
        files.append(File.generated(config, _place(name), abs_src_path=str(source)))


def _place(name: str) -> str:
    return f"{FOLDER}/{name.rpartition('/')[2]}"
