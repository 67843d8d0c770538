"""Values and keys as HTML.

A value is shown as one would write it in YAML: text as it is, unless YAML would take it for
something else or the eye would miss a part of it; then it is quoted. All text is escaped here.
"""

import json
import re
from collections.abc import Callable, Hashable
from functools import lru_cache
from html import escape
from typing import Any, TypeAlias

from markupsafe import Markup

from pillarbook.model import to_tagged
from pillarbook.patterns.references import is_reference
from pillarbook.redact.redacted_pillar import Redacted

TokenOf: TypeAlias = Callable[[int], str]
"""Gives the token of the secret with a place number."""

MAX_LINES = 12
"""Lines of a text that stand open; a longer one is folded."""
MAX_CHARACTERS = 1_200
"""Characters of a text that stand open."""
FOLDED = ' class="long" tabindex="0"'
"""Attributes of what is folded; the keyboard must reach it where it scrolls."""

_INVISIBLE = re.compile(
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
_FLAGS = re.VERBOSE | re.IGNORECASE | re.DOTALL
_NO_TEXT_AS_KEY = re.compile(_OTHER_SCALAR, _FLAGS)
_NO_TEXT_IN_YAML = re.compile(f"{_OTHER_SCALAR}{_SYNTAX}", _FLAGS)


def show_value(value: Any, token: TokenOf) -> str:
    """Return a value as HTML; of a secret its reason and token.

    Args:
        value: A scalar, an empty mapping or list, or ``Redacted``.
        token: Gives tokens of secrets.
    """
    if isinstance(value, str):
        return _show_text(value)
    if isinstance(value, Redacted):
        why = escape(make_visible(value.reason))
        mark = f"<code>{escape(token(value.place))}</code>"
        return f'<span class="secret">redacted: {why} {mark}</span>'
    if isinstance(value, bool) or value is None:
        return f'<code class="other">{json.dumps(value)}</code>'
    if isinstance(value, int | float):
        return f'<code class="other">{_show_number(value)}</code>'
    text = _as_json(to_tagged(value))
    folded = ' long" tabindex="0' if _fold(text) else ""
    return f'<code class="other{folded}">{escape(text)}</code>'


def show_key(key: Hashable) -> str:
    """Return a key as HTML."""
    if isinstance(key, str):
        return _show_key_text(key)
    return escape(make_visible(json.dumps(to_tagged(key))))


# A function of the text. Keys are shared by all minions of a role, values are not, so only keys are
# kept.
@lru_cache(maxsize=50_000)
def _show_key_text(text: str) -> str:
    if not text or _NO_TEXT_AS_KEY.fullmatch(text):
        return escape(_as_json(text))
    return escape(make_visible(text))


def make_visible(text: str) -> str:
    r"""Return text whose invisible characters are written out, as in ``\u202e``."""
    return _INVISIBLE.sub(lambda found: _as_json(found.group())[1:-1], text)


def write_prose(text: str) -> Markup:
    """Return a sentence as HTML; what stands between backticks is code, as in the guide."""
    parts = enumerate(make_visible(text).split("`"))
    return Markup().join(
        Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in parts
    )


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
    text = json.dumps(value, ensure_ascii=False)
    return text if not _INVISIBLE.search(text) else json.dumps(value)
