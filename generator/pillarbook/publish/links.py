"""Checks that every link of a finished site has a target, and that ids are unique.

Absolute URLs are not checked. Each page is read once; only hashes of its ids are kept.
"""

import html
import os
import posixpath
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from pillarbook.diagnostics import PillarbookError

MAX_NAMED = 3
"""The most faults that a message names."""
_LEADS_AWAY = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_TOP = frozenset({b"", b"top"})
ELSEWHERE = b".*"
"""The end of an id for all rows below a key, which are on another page."""


@dataclass(frozen=True, slots=True)
class LinkFault:
    """A link without a target, or an id that occurs twice."""

    page: str
    """The page's path in the site."""
    link: str
    """The link as written there, or ``#`` and the id that occurs twice."""
    why: str
    """What is wrong with it."""

    def __str__(self) -> str:
        return f"{self.page}: '{self.link}': {self.why}"


class DeadLinksError(PillarbookError):
    """A site has links without a target."""

    def __init__(self, faults: Sequence[LinkFault]) -> None:
        many = "a link is" if len(faults) == 1 else f"{len(faults):,} links are"
        named = "; ".join(map(str, faults[:MAX_NAMED]))
        more = "; and more" if len(faults) > MAX_NAMED else ""
        super().__init__(
            f"nothing is published, because the build is strict and {many} broken: {named}{more}"
        )


@dataclass(frozen=True, slots=True)
class _Target:
    """The target of a link."""

    file: str
    """A file's path in the site."""
    fragment: bytes
    """The id in it."""


def check_links(folder: Path, base_path: str = "/") -> tuple[LinkFault, ...]:
    """Return the links without a target and the ids that a page has twice, page by page."""
    checker = _Checker(frozenset(_list_files(folder)), base_path.rstrip("/") + "/")
    for page in sorted(checker.files):
        if page.endswith(".html"):
            checker.read(page, (folder / page).read_bytes())
    return tuple(sorted(checker.finish(), key=lambda fault: (fault.page, fault.link)))


def _list_files(folder: Path) -> Iterator[str]:
    for here, _, names in os.walk(folder):
        inside = os.path.relpath(here, folder).replace(os.sep, "/")
        yield from (names if inside == "." else (f"{inside}/{name}" for name in names))


class _Checker:
    """Reads one page after the other; the result is complete after all."""

    def __init__(self, files: frozenset[str], base_path: str) -> None:
        self.files = files
        self._base_path = base_path
        self._faults: list[LinkFault] = []
        self._ids: dict[str, array[int]] = {}
        # By folder and link: relative links are the same from every page of a folder, and the
        # navigation repeats them on each.
        self._resolved: dict[tuple[str, bytes], _Target | str | None] = {}
        self._asked: dict[tuple[str, bytes], tuple[str, bytes]] = {}

    def read(self, page: str, content: bytes) -> None:
        """Read a page: check everything that can be checked at once, and keep the rest."""
        markup = read_markup(content)
        ids = set(markup.ids)
        if len(ids) < len(markup.ids):
            self._report_twice(page, markup.ids)
        self._ids[page] = array("q", map(hash, ids))
        here = posixpath.dirname(page)
        for link in markup.links:
            if link[:1] != b"#":
                self._follow(page, here, link)
            elif link[1:] not in ids and not _is_among(link[1:], ids):
                self._report(page, link, f"the page has no id '{_shown(link[1:])}'")

    def finish(self) -> list[LinkFault]:
        """Return all faults, after every page was read."""
        wanted: dict[str, list[tuple[bytes, str, bytes]]] = {}
        for (file, fragment), (page, link) in self._asked.items():
            wanted.setdefault(file, []).append((fragment, page, link))
        for file, places in wanted.items():
            if file not in self._ids:
                continue  # HTML does not define fragments of other files
            known = _Hashed(frozenset(self._ids[file]))
            for fragment, page, link in places:
                if fragment not in known and not _is_among(fragment, known):
                    self._report(page, link, f"{file} has no id '{_shown(fragment)}'")
        return self._faults

    def _follow(self, page: str, here: str, link: bytes) -> None:
        known = (here, link)
        if known not in self._resolved:
            self._resolved[known] = self._resolve(here, link)
        found = self._resolved[known]
        if isinstance(found, str):
            self._report(page, link, found)
        elif found is not None:
            self._asked.setdefault((found.file or page, found.fragment), (page, link))

    def _resolve(self, here: str, link: bytes) -> "_Target | str | None":
        """Return the target of a link, its fault, or None if it needs no check.

        A target without a file is on the page itself.
        """
        text = link.decode("utf-8", "replace").strip()
        if _LEADS_AWAY.match(text):
            return None
        address, _, fragment = text.partition("#")
        path = address.partition("?")[0]
        file = ""
        if path:
            if path.startswith("/"):
                if not (path + "/").startswith(self._base_path):
                    return None
                here, path = "", path[len(self._base_path) :] or "."
            file = _locate(here, path)
            if file not in self.files:
                return f"there is no {file}"
        wanted = fragment.encode()
        return _Target(file, wanted) if wanted.lower() not in _TOP else None

    def _report(self, page: str, link: bytes, why: str) -> None:
        self._faults.append(LinkFault(page, _shown(link), why))

    def _report_twice(self, page: str, ids: Sequence[bytes]) -> None:
        for one, times in Counter(ids).items():
            if times > 1:
                self._report(page, b"#" + one, "the page has this id more than once")


class _Hashed:
    """A set of texts, of which only the hashes are kept."""

    def __init__(self, hashes: frozenset[int]) -> None:
        self._hashes = hashes

    def __contains__(self, text: object) -> bool:
        return hash(text) in self._hashes


def _is_among(fragment: bytes, ids: "set[bytes] | _Hashed") -> bool:
    """Say whether a fragment leads to one of some ids, or to the top.

    Source: HTML standard, "find a potential indicated element": as written, else percent-decoded.
    A page also says what is below a key elsewhere (``report/page_parts.py``).
    """
    bare = fragment.partition(b":~:")[0]  # only the browser uses the rest
    if bare.lower() in _TOP or bare in ids or unquote_to_bytes(bare) in ids:
        return True
    return bare.partition(b".")[0] + ELSEWHERE in ids


def _locate(here: str, path: str) -> str:
    """Return the file of a relative path; ``..`` at its start leads out of the site."""
    decoded = unquote(path)
    file = posixpath.normpath(posixpath.join(here, decoded))
    if decoded.endswith("/") or posixpath.basename(decoded) in {".", ".."}:
        file = posixpath.normpath(posixpath.join(file, "index.html"))
    return file


def _shown(text: bytes) -> str:
    return text.decode("utf-8", "replace")


_RAW_TEXT = rb"(?i:script|style|textarea|title|xmp|iframe|noembed|noframes)"
_ATTRIBUTES = rb"""(?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+|(?=>))|["'])*+"""
_TAGS = re.compile(
    rb"""
    # Most tags have no attributes, or one that does not matter, and end here; raw text does not.
    <(?!(?!s[ct]|te|ti|xm|if|no|[A-Z])[/a-zA-Z0-9]++(?:\ (?:class|scope)="[^"]*+")?+>)
    (?: (?!RAW_TEXT[\s/>]) [a-zA-Z][^\s/>]*+ [\s/] (ATTRIBUTES) >
      | (RAW_TEXT)(?=[\s/>]) (ATTRIBUTES) > .*? (?: </(?i:\2)(?=[\s/>]) | \Z )
      | !-- (?: -?> | .*? (?: --!?> | \Z ) )
      | [!?][^>]*+ >
      | / (?: [^a-zA-Z>][^>]*+ > | [a-zA-Z][^\s/>]*+ [\s/]++ (?!>) ATTRIBUTES > )
    )""".replace(b"ATTRIBUTES", _ATTRIBUTES).replace(b"RAW_TEXT", _RAW_TEXT),
    re.VERBOSE | re.DOTALL,
)
_ATTRIBUTE = re.compile(
    rb"""
    (?: ((?i:id|href|src)) | [^\s/>=][^\s/>=]*+ ) (?![^\s/>=])
    (?: \s*+ = \s*+ (?: "([^"]*+)" | '([^']*+)' | ([^\s>"'][^\s>]*+) ) )?
    [\s/]*+""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Markup:
    """The ids and links of a page, as bytes of UTF-8 without character references."""

    ids: list[bytes]
    """Every id, as often as it occurs."""
    links: set[bytes]
    """The values of ``href`` and ``src``."""


def read_markup(page: bytes) -> Markup:
    """Return the ids and links of a page, fast enough for ten thousand pages.

    Two regular expressions replace a parser: the first goes from tag to tag and skips comments,
    scripts and other raw text, the second goes from attribute to attribute. They respect quotes, so
    text that looks like an attribute is ignored, and so is a ``>`` in a value.

    Source: HTML standard, "Tokenization".
    """
    # A `>` outside of quotes ends a tag, so it separates the attributes of two tags.
    attributes = b">".join([here or raw for here, _, raw in _TAGS.findall(page)])
    ids: list[bytes] = []
    links: set[bytes] = set()
    for name, double, single, bare in _ATTRIBUTE.findall(attributes):
        if not name:
            continue
        value = double or single or bare
        if b"&" in value:
            value = html.unescape(value.decode("utf-8", "replace")).encode("utf-8", "replace")
        if len(name) > 2:
            links.add(value)
        elif value:
            ids.append(value)
    return Markup(ids, links)
