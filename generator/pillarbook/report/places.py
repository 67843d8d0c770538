"""Places of files on a page: ``file:line``, with what reads the file, and links to it."""

import re
from collections.abc import Callable, Iterable
from html import escape, unescape
from typing import TypeAlias

from markupsafe import Markup

from pillarbook.redact.redacted_pillar import RedactedOrigin
from pillarbook.report.value_html import write_prose, write_text

LONG_NAME = 36
"""Characters of a file's name that a narrow column has room for."""
_PLACE = re.compile(
    r"<a\b[^>]*>.*?</a>"
    r'|<code(?P<base> class="base")?>(?P<file>[^<>:]+(?:<wbr>[^<>:]+)*)(?::(?P<line>\d+))?</code>'
    r"(?P<before> \(before\))?"
)
"""A place as ``write_place`` or ``write_line`` writes it, or a link."""
Address: TypeAlias = Callable[[str, int | None], str | None]
"""Gives the address of a file and a line; None if there is none."""


def write_place(file: str, line: int | None, *, is_base: bool = False) -> str:
    """Return ``file:line`` as HTML; a long one may break behind a slash.

    With ``is_base`` it is a line as an earlier revision has it, which a mark tells from today's.
    """
    name = write_text(file)
    if len(file) > LONG_NAME:
        name = name.replace("/", "/<wbr>")
    code = '<code class="base">' if is_base else "<code>"
    return f"{code}{name}:{line}</code>" if line is not None else f"{code}{name}</code>"


def write_fault(fault: str, *, is_base: bool = False) -> Markup:
    """Return a fault as HTML, with its file and line as a place."""
    place, colon, message = fault.partition(": ")
    file, _, line = place.rpartition(":")
    if not (colon and file and line.isdecimal()):
        return write_prose(fault)
    return Markup("{} {}").format(
        Markup(write_place(file, int(line), is_base=is_base)),  # noqa: S704 (escaped there)
        write_prose(message),
    )


def write_origin(origin: RedactedOrigin | None, address: str = "", *, is_base: bool = False) -> str:
    """Return the place that gave a value, with its environment and SLS; nothing for None.

    ``address`` is where its line is shown, empty for no link; ``is_base`` says whether it is a
    place of an earlier revision.
    """
    if origin is None:
        return ""
    place = write_place(origin.file, origin.line, is_base=is_base)
    return write_source(place, origin.sls, origin.saltenv, address)


def write_origins(origins: Iterable[RedactedOrigin], address: str = "") -> str:
    """Return the place that several origins share, with the environments and SLS of all."""
    first, *others = origins
    of_sls: dict[str | None, list[str]] = {}
    for one in (first, *others):
        of_sls.setdefault(one.sls, []).append(one.saltenv or "")
    named = [(sls, ", ".join(filter(None, dict.fromkeys(envs)))) for sls, envs in of_sls.items()]
    place = write_place(first.file, first.line)
    shown = [write_source(place, named[0][0], named[0][1] or None, address)]
    shown += [f"<small>{write_text(sls or '')}</small>" for sls, _ in named[1:]]
    return ", ".join(shown)


def write_source(place: str, sls: str | None, saltenv: str | None, address: str = "") -> str:
    """Return a place, which is HTML, with what reads its file and in which environment."""
    if address:
        place = f'<a href="{address}">{place}</a>'
    if sls is None:
        return place
    name = sls if saltenv is None else f"{saltenv}: {sls}"
    return f"{place} <small>{write_text(name)}</small>"


def link_places(html: str, address: Address, base_address: Address) -> str:
    """Return a finished fragment with its places linked.

    The places are those of ``write_place``; ``base_address`` is for lines of an earlier revision.
    """

    def link(found: "re.Match[str]") -> str:
        name, line = found["file"], found["line"]
        if name is None:  # a link, in which there can be no other
            return found[0]
        file = unescape(name.replace("<wbr>", ""))
        find = base_address if found["base"] or found["before"] else address
        to = find(file, None if line is None else int(line))
        if to is None:
            return found[0]
        before = found["before"] or ""
        return f'<a href="{escape(to)}">{found[0].removesuffix(before)}</a>{before}'

    return _PLACE.sub(link, html)


def link_rows(html: str, page: str) -> str:
    """Return a fragment whose links to rows of a pillar lead to another page.

    What minions share names the row only, because the page has another name for each of them.
    """
    # Text has no "<" of its own.
    return html.replace('<a href="#k-', f'<a href="{page}#k-')
