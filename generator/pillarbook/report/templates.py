"""Where the packaged templates lie, and the environment that page templates render in."""

from pathlib import Path

import jinja2
from markupsafe import Markup

from pillarbook.model import KeyPath, Position, format_path
from pillarbook.report.rows import write_place
from pillarbook.report.value_html import make_visible, write_prose


def template_root() -> Path:
    """Return the folder of templates: the packaged one, else the checkout's."""
    packaged = Path(__file__).parents[1] / "templates"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "templates"


def page_environment() -> jinja2.Environment:
    """Return the environment for page fragments; it escapes whatever is not marked as HTML."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_root() / "pages"),
        autoescape=True,
        # A misspelt name on a page is a fault of ours, and must not become an empty cell.
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        visible=make_visible, prose=write_prose, key_path=_join_path, place=_write_position
    )
    return environment


def _join_path(path: KeyPath) -> str:
    return make_visible(format_path(path))


def _write_position(position: Position | None) -> Markup:
    if position is None:
        return Markup()
    return Markup(write_place(position.file, position.line))  # noqa: S704 (write_place escapes)
