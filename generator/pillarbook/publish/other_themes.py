"""What the report's pages need of their own theme, for sites that have another."""

from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

from pillarbook.publish.navigation import show_as_text
from pillarbook.report.templates import template_root

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FOLDER = "assets/pillarbook"
"""Where the files go."""
STYLES = ("css/fragments.css",)
"""The styles of what the report writes; those of the frame are the theme's own."""
SCRIPTS = tuple(f"js/{name}.js" for name in ("values", "lists", "filter", "sort", "rows", "breaks"))
"""The scripts of what the report writes, in the order to load them."""


def is_own_theme(config: "MkDocsConfig") -> bool:
    """Say whether a site has pillarbook's theme, or one that is made from it."""
    own = (template_root() / "theme").resolve()
    return any(Path(folder).resolve() == own for folder in config.theme.dirs)


def announce_files(config: "MkDocsConfig") -> None:
    """Let the pages of a site in another theme load what the report needs.

    Such a theme prints the site's name as it is; here it is made to be text.
    """
    config.site_name = show_as_text(config.site_name)
    config.extra_css = [*config.extra_css, *map(_place, STYLES)]
    config.extra_javascript = [*config.extra_javascript, *map(_place, SCRIPTS)]


def add_files(files: "Files", config: "MkDocsConfig") -> None:
    """Add what ``announce_files`` has announced to the files of a site."""
    for name in (*STYLES, *SCRIPTS):
        known = files.get_file_from_path(_place(name))
        if known is not None:
            files.remove(known)
        source = template_root() / "theme" / name
        files.append(File.generated(config, _place(name), abs_src_path=str(source)))


def _place(name: str) -> str:
    return f"{FOLDER}/{name.rpartition('/')[2]}"
