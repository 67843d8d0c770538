"""Where the packaged templates are, and the environment that page templates render in."""

from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec

import jinja2
from markupsafe import Markup

from pillarbook.model import KeyPath, Position, format_path
from pillarbook.model.phrases import count
from pillarbook.redact import secret_of
from pillarbook.redact.shown_access import ALL_GRAINS
from pillarbook.report.addresses import sls_address
from pillarbook.report.pictures import shorten
from pillarbook.report.places import write_fault, write_origin, write_place
from pillarbook.report.slug import slug
from pillarbook.report.value_html import (
    make_visible,
    show_difference,
    show_in_short,
    show_key,
    show_order,
    show_order_in_short,
    show_path,
    show_path_in_cell,
    show_value,
    write_prose,
)

P = ParamSpec("P")


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
        visible=make_visible,
        key_path=_join_path,
        count=count,
        shorten=shorten,
        prose=write_prose,
        position=_write_position,
        place=_as_html(write_place),
        fault=write_fault,
        origin=_as_html(write_origin),
        path=_as_html(show_path),
        cell_path=_as_html(show_path_in_cell),
        key=_as_html(show_key),
        value=_as_html(show_value),
        short=_as_html(show_in_short),
        difference=_as_html(show_difference),
        order=_as_html(show_order),
        short_order=_as_html(show_order_in_short),
        secret_of=secret_of,
    )
    environment.globals.update(ALL_GRAINS=ALL_GRAINS, sls_address=sls_address, slug=slug)
    return environment


def find_macro(templates: jinja2.Environment, name: str, file: str = "") -> Callable[..., Markup]:
    """Return a macro of the page templates, for what is written once and shown on many pages.

    ``file`` is its file without extension, if that has another name.
    """
    macro: Callable[..., Markup] = getattr(
        templates.get_template(f"{file or name}.html").module, name
    )
    return macro


def _as_html(write: Callable[P, str]) -> Callable[P, Markup]:
    """Return a function whose text counts as HTML; each of those that are given here escapes."""

    def write_html(*args: P.args, **kwargs: P.kwargs) -> Markup:
        return Markup(write(*args, **kwargs))  # noqa: S704 (see above)

    return write_html


def _join_path(path: KeyPath) -> str:
    return make_visible(format_path(path))


def _write_position(position: Position | None) -> Markup:
    if position is None:
        return Markup()
    return Markup(write_place(position.file, position.line))  # noqa: S704 (write_place escapes)
