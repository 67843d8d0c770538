"""Values and keys as HTML.

A value is shown as one would write it in YAML: text as it is, unless YAML would take it for
something else or the eye would miss a part of it; then it is quoted. All text is escaped here.
"""

import difflib
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import islice
from typing import Any, TypeAlias

from markupsafe import Markup

from pillarbook.model import KeyPath, to_tagged
from pillarbook.model.phrases import and_more, count, count_alike
from pillarbook.model.unknown import Unknown
from pillarbook.patterns.late_pattern import compile_late
from pillarbook.patterns.references import is_reference
from pillarbook.redact.redacted_pillar import Redacted

TokenOf: TypeAlias = Callable[[int], str]
"""Gives the token of the secret with a place number."""

MAX_LINES = 12
"""Lines of a text that is shown in full; a longer one is folded."""
MAX_CHARACTERS = 1_200
"""Characters of a text that is shown in full."""
FOLDED = ' class="long" tabindex="0"'
"""Attributes of what is folded; the keyboard must reach it if it scrolls."""
LONG_PATH = 36
"""Characters of a path that a narrow column has room for."""
MAX_TREE_LINES = 200
"""Lines of one value, or of the difference of two, that a page shows."""
MAX_TREE_CHARACTERS = 20_000
"""Characters of the same."""
MAX_LINE = 2000
"""Characters of a line of it."""
MIN_MARKED = 40
"""Characters of a text of one line in which what differs is marked, if it is longer."""
MAX_KEYS = 30
"""Keys of a mapping that are named to show their order."""
MAX_SHORT = 120
"""Characters of a text in a narrow cell."""
MAX_SHORT_KEYS = 20
"""Keys of an order in a narrow cell."""

_INVISIBLE = compile_late(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Control characters, halves of surrogate pairs, and what changes the direction of text."""
_OTHER_SCALAR = r"""
    ~ | null | true | false | yes | no | on | off
    | [-+]? (?: \.[0-9_]+ | [0-9][0-9_]* (?: \.[0-9_]* )? ) (?: e[-+]?[0-9]+ )?
    | [-+]? [0-9][0-9_]* (?: :[0-5]?[0-9] )+ (?: \.[0-9_]* )?   # a number to the base of 60
    | [-+]? 0 [box] [0-9a-f_]+ | [-+]? \.inf | \.nan
    | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2} .*            # a date
"""
_SYNTAX = r"""
    | | \s.* | .*\s | = | <<                       # nothing, or space at an end
    | [\[\]{}"'#&*!|>%@`,] .* | [-?:](?:\s.*)?
"""
_WORDS = re.compile(r"\w+|\W")
_BARE_CODE = re.compile(r"\A<code>([^<]*)</code>\Z")
_OTHER_CODE = re.compile(r'\A<code class="other">([^<]*)</code>\Z')
_FLAGS = re.VERBOSE | re.IGNORECASE | re.DOTALL
_NO_TEXT_AS_KEY = compile_late(_OTHER_SCALAR, _FLAGS)
_NO_TEXT_IN_YAML = compile_late(f"{_OTHER_SCALAR}{_SYNTAX}", _FLAGS)


def show_value(value: Any, token: TokenOf) -> str:
    """Return a value as HTML; of a secret its reason and token."""
    if isinstance(value, str):
        return _show_text(value)
    if isinstance(value, Redacted):
        why = escape(make_visible(value.reason))
        mark = f"<code>{escape(token(value.secret_id))}</code>"
        return f'<span class="secret">redacted: {why} {mark}</span>'
    if isinstance(value, Unknown):
        return f'<span class="unknown">{escape(make_visible(str(value)))}</span>'
    if isinstance(value, bool) or value is None:
        return f'<code class="other">{json.dumps(value)}</code>'
    if isinstance(value, int | float):
        return f'<code class="other">{_show_number(value)}</code>'
    text = _as_json(to_tagged(value))
    folded = ' long" tabindex="0' if _fold(text) else ""
    return f'<code class="other{folded}">{escape(text)}</code>'


def show_in_cell(value: Any, token: TokenOf) -> str:
    """Return a value as HTML for a cell whose letters are those of code.

    A short text is bare there, and a number or the like in italics, which the style sheet takes for
    its colour.
    """
    return strip_code(show_value(value, token))


def strip_code(html: str) -> str:
    """Return what ``show_value`` gives without the element that says it is code."""
    return _BARE_CODE.sub(r"\1", _OTHER_CODE.sub(r"<i>\1</i>", html))


def show_key(key: Hashable) -> str:
    """Return a key as HTML."""
    if isinstance(key, str):
        return _show_key_text(key)
    return escape(make_visible(json.dumps(to_tagged(key))))


# A function of the text. Keys are shared by all minions of a role, values are not, so only keys are
# kept.
@lru_cache(maxsize=50_000)
def _show_key_text(text: str) -> str:
    if not text.strip() or _NO_TEXT_AS_KEY.fullmatch(text):
        return escape(_as_json(text))
    return escape(make_visible(text))


def make_visible(text: str) -> str:
    r"""Return text whose invisible characters are written out, as in ``\u202e``."""
    return _INVISIBLE.sub(_write_out, text)


def write_prose(text: str) -> Markup:
    """Return a sentence as HTML; what is between backticks is code, as in the guide."""
    parts = enumerate(make_visible(text).split("`"))
    return Markup().join(
        Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in parts
    )


def write_text(text: str) -> str:
    """Return text of a tree as HTML."""
    return escape(make_visible(text))


def write_code(text: str) -> str:
    """Return text of a tree as HTML code."""
    return f"<code>{write_text(text)}</code>"


def write_link(address: str, text: str) -> str:
    """Return text of a tree as a link to a page of the site."""
    return f'<a href="{address}">{write_text(text)}</a>'


def write_code_link(address: str, text: str) -> str:
    """Return text of a tree as code that is a link to a page of the site."""
    return f'<a href="{address}">{write_code(text)}</a>'


def show_path(path: KeyPath, positions: Iterable[int] = ()) -> str:
    """Return a path as HTML: a dim prefix and a bold leaf; a long one may break behind a colon."""
    above, last = _show_keys(path, positions)
    return f"<span>{above}</span><b>{last}</b>" if above else f"<b>{last}</b>"


def show_path_in_cell(path: KeyPath, positions: Iterable[int] = ()) -> str:
    """Return a path as HTML for a head cell of a row, whose letters are dim but for bold ones.

    ``positions`` says which of its places are list positions.
    """
    above, last = _show_keys(path, positions)
    return f"{above}<b>{last}</b>"


def _show_keys(path: KeyPath, positions: Iterable[int]) -> tuple[str, str]:
    keys = list(map(show_key, path))
    for place in positions:
        keys[place] = f"<i>{keys[place]}</i>"
    colon = ":<wbr>" if sum(map(len, keys)) > LONG_PATH else ":"
    return "".join(f"{key}{colon}" for key in keys[:-1]), keys[-1]


def show_order(keys: Iterable[Hashable]) -> str:
    """Return the keys of a mapping in their order."""
    names = [f"<code>{show_key(key)}</code>" for key in keys]
    return ", ".join(names[:MAX_KEYS]) + and_more(len(names) - MAX_KEYS)


def show_order_in_short(keys: Sequence[Hashable]) -> str:
    """Return the first keys of a mapping in their order, for a narrow cell."""
    shown = ", ".join(show_path((key,)) for key in keys[:MAX_SHORT_KEYS])
    return f"<small>in this order</small> {shown}{and_more(len(keys) - MAX_SHORT_KEYS)}"


def show_in_short(data: Any, token: TokenOf, position: int | None = None) -> str:
    """Return data for a narrow cell: of a mapping or list how many values it has."""
    if position is not None:
        return f"{show_in_short(data, token)} <small>at position {position}</small>"
    if isinstance(data, Mapping | list) and data:
        return f"<small>{count(_count_leaves(data), 'value')}</small>"
    if isinstance(data, str) and (len(data) > MAX_SHORT or "\n" in data[:-1]):
        line = data.partition("\n")[0][:MAX_SHORT]
        lines = data.rstrip("\n").count("\n") + 1
        size = f"{lines} lines" if lines > 1 else f"{len(data):,} characters"
        return f"{show_value(line, token)}… <small>{size}</small>"
    return show_value(data, token)


def _count_leaves(data: Any) -> int:
    if isinstance(data, Mapping) and data:
        return sum(map(_count_leaves, data.values()))
    return sum(map(_count_leaves, data)) if isinstance(data, list) and data else 1


def show_tree(data: Any, token: TokenOf) -> str:
    """Return any data, a mapping, a list or a text of several lines much as YAML has it."""
    if not is_tall(data):
        return _show_scalar(data, token)
    return _wrap("tree", _write_lines(data, token, ""))


def show_difference(before: str, after: str) -> str:
    """Return two texts as what went and what came, line by line."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=2, lineterm="")
    marks = {"-": "del", "+": "ins"}
    shown = (
        f"<{tag}>{text}</{tag}>" if (tag := marks.get(line[:1])) else text
        for line in islice(lines, 2, None)  # without the names of files
        for text in [_write_line(line)]
    )
    return _wrap("difference", shown)


def show_pair(before: Any, after: Any, token: TokenOf) -> tuple[str, str]:
    """Return two values; of long texts of one line, the words that differ are marked."""
    if not (_is_plain_line(before) and _is_plain_line(after)):
        return show_tree(before, token), show_tree(after, token)
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    same = count_alike(old, new)
    end = count_alike(old[same:][::-1], new[same:][::-1])
    return _mark_words(old, same, end, "del"), _mark_words(new, same, end, "ins")


def _is_plain_line(text: Any) -> bool:
    if not isinstance(text, str) or is_tall(text) or not MIN_MARKED < len(text) <= MAX_LINE:
        return False
    return _show_text(text) == f"<code{_fold(text)}>{escape(text)}</code>"


def _mark_words(words: Sequence[str], same: int, end: int, tag: str) -> str:
    last = len(words) - end
    begin, middle, rest = (
        escape("".join(some)) for some in (words[:same], words[same:last], words[last:])
    )
    marked = f"<{tag}>{middle}</{tag}>" if middle and (begin or rest) else middle
    return f"<code{_fold(''.join(words))}>{begin}{marked}{rest}</code>"


def is_tall(data: Any) -> bool:
    """Say whether data takes lines of its own: a text of several, or what has members."""
    if isinstance(data, str):
        return "\n" in data[:-1]
    return isinstance(data, Mapping | list) and bool(data)


def _wrap(css: str, lines: Iterator[str]) -> str:
    shown: list[str] = []
    length = 0
    for line in lines:
        if len(shown) == MAX_TREE_LINES or length > MAX_TREE_CHARACTERS:
            left = count(1 + sum(1 for _ in lines), "more line")
            shown.append(f"<small>… {left}, in the JSON</small>")
            break
        shown.append(line)
        length += len(line)
    folded = ' long" tabindex="0' if len(shown) > MAX_LINES else ""
    # HTML drops a line break that follows <pre> at once.
    text = "\n".join(shown)
    return f'<pre class="{css}{folded}">\n{text}</pre>'


def _write_lines(data: Any, token: TokenOf, indent: str) -> Iterator[str]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _write_entry(f"{indent}{show_key(key)}:", value, token, indent + "  ")
    elif isinstance(data, list):
        for value in data:
            yield from _write_entry(f"{indent}-", value, token, indent + "  ")
    else:
        yield from (indent + _write_line(line) for line in data.split("\n"))


def _write_entry(head: str, value: Any, token: TokenOf, indent: str) -> Iterator[str]:
    if not is_tall(value):
        yield f"{head} {_show_scalar(value, token)}"
        return
    yield f"{head} |" if isinstance(value, str) else head
    yield from _write_lines(value, token, indent)


def _write_line(line: str) -> str:
    return write_text(line[:MAX_LINE]) + _count_left(len(line) - MAX_LINE)


def _show_scalar(value: Any, token: TokenOf) -> str:
    if isinstance(value, str) and len(value) > MAX_LINE:
        return show_value(value[:MAX_LINE], token) + _count_left(len(value) - MAX_LINE)
    return show_value(value, token)


def _count_left(characters: int) -> str:
    if characters <= 0:
        return ""
    return f"<small>… {characters} more characters, in the JSON</small>"


def _show_text(text: str) -> str:
    if "\n" in text[:-1] and not _INVISIBLE.search(text):
        # HTML drops a line break that follows <pre> at once.
        return f"<pre{_fold(text)}>\n{escape(text)}</pre>"
    if "\n" in text or _INVISIBLE.search(text) or _NO_TEXT_IN_YAML.fullmatch(text):
        return f"<code{_fold(text)}>{escape(_as_json(text))}</code>"
    if is_reference(text):
        return f'<code class="reference">{escape(text)}</code>'
    return f"<code{_fold(text)}>{escape(text)}</code>"


def _fold(text: str) -> str:
    return FOLDED if len(text) > MAX_CHARACTERS or text.count("\n") > MAX_LINES else ""


def _show_number(value: float) -> str:
    text = str(value)
    return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(text, text)


def _as_json(value: Any) -> str:
    return make_visible(json.dumps(value, ensure_ascii=False))


def _write_out(invisible: "re.Match[str]") -> str:
    return json.dumps(invisible.group())[1:-1].replace("\x7f", "\\u007f")
