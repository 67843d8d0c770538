"""The forms in which a secret is looked for: quoted, encoded, reversed, its lines and its words.

The redactor and the leak gate look for the same forms, so the gate finds nothing that the redactor
has redacted. A form is a sequence of bytes. Of a long form, only a distinctive part is looked for.
"""

import base64
import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias
from urllib.parse import unquote

from yaml.emitter import Emitter

from pillarbook.model.limited_cache import recall
from pillarbook.model.scalar_texts import text_of
from pillarbook.patterns.bidi_controls import BIDI_CONTROL, BIDI_CONTROLS
from pillarbook.patterns.distinctive import is_distinctive, is_mingled
from pillarbook.patterns.embedded import find_embedded, passwords_in
from pillarbook.patterns.key_names import kind_of_name
from pillarbook.patterns.late_pattern import compile_late
from pillarbook.patterns.password_hashes import hashes_in
from pillarbook.patterns.token_patterns import tokens_in
from pillarbook.redact.secret_hashes import starts_of_hashes
from pillarbook.redact.secret_sources import canonical
from pillarbook.redact.secret_store import SecretStore

FormKind: TypeAlias = Literal["text", "encoded", "hash"]
"""The kind of form: the text (in any quoting), an encoding, or a hash."""
SHORTEST_LINE = 12
"""Characters; a shorter line of a secret is not looked for by itself."""
WORD = re.compile(r"[^\W_]+")
# Words are looked for in all pages, and words of prose are in every page.
MAX_WORDS = 12
"""If a text has more words, it is prose or a file, and its words are not looked for."""
SHORTEST_WORD = 8
"""Characters; a shorter word of a secret occurs elsewhere by chance."""
SHORTEST_ENCODED = 8
"""Characters; a shorter encoded text occurs elsewhere by chance."""
WINDOW = 32
"""The number of bytes of a long form that are looked for."""
QUOTES = b"\"'"
FOCUS = 16
"""The number of characters that are rated together to find the most distinctive part."""
WRAPPED = (64, 76)
"""Usual line lengths of wrapped base64; one line of each is looked for."""
ARMOR = re.compile(r"-----(?:BEGIN|END) [^\n]*-----|[A-Z][A-Za-z-]*: [^\n]*")
"""The first, last and header lines of a key or message in ASCII armor."""
SETTING = re.compile(r"([A-Za-z][\w.-]*)[ \t]*[=:][ \t]*(\S.*)\Z")
URL_PASSWORD = re.compile(r"://[^\s/:@]*:([^\s/@]+)@")
MAX_WRITTEN = 10_000
"""Characters; the YAML form of a longer text is not made, but its lines are looked for."""
UNSAFE_IN_YAML = re.compile(r'["\\\x85\u2028\u2029\ufeff]|[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd]')
UNSAFE_IN_SHOWN_YAML = compile_late(f"{UNSAFE_IN_YAML.pattern}|[{BIDI_CONTROLS}]")
"""As the YAML of pillars is written."""
UNSAFE_IN_ASCII_YAML = re.compile(r'["\\]|[^\x20-\x7e]')
UNSAFE_IN_URL = tuple(
    re.compile(f"[^A-Za-z0-9_.~{safe}-]") for safe in ("/", "", "", "/:@?&=+,;!*'()")
)
"""Characters that are percent-encoded in a path, in any part, in a query and in a whole URL."""
QUERY = 2
"""The index of the query, in which a space is written as a plus sign."""
UNSAFE_IN_SHELL = re.compile(r"([^A-Za-z0-9_@%+=:,./-])")
UNSAFE_IN_DOUBLE_QUOTES = re.compile(r'([$`"\\])')
UNSAFE_IN_HTML = re.compile("[&<>\"']")
UNSAFE_IN_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+.!|<>~-])")


@dataclass(frozen=True, slots=True)
class SecretForm:
    """One form of a secret."""

    part: bytes
    """The bytes that are looked for."""
    kind: FormKind
    """The kind of form."""
    whole: bytes
    """The whole form."""
    start: int
    """The index of the part in the whole form."""
    any_case: bool = False
    """Whether upper and lower case are equal."""

    def __repr__(self) -> str:
        """Return the kind, never the text."""
        return f"Form({self.kind})"


@dataclass(frozen=True, slots=True, eq=False)
class SoughtForms:
    """All forms and hashes of one secret; one object for equal values in a store."""

    forms: tuple[SecretForm, ...]
    """The forms, without hashes."""
    hashes: tuple[bytes, ...]
    """The first characters of each hash."""


def sought_of(value: Any) -> SoughtForms:
    """Return the forms and hashes of a clear value."""
    hashed = hashed_of(value)
    hashes = () if hashed is None else tuple(starts_of_hashes(hashed))
    return SoughtForms(tuple(forms_of(value)), hashes)


def sought_at(store: SecretStore, secret_id: int) -> SoughtForms:
    """Return the forms and hashes of a secret in a store; the store caches them."""
    sought = store.sought.get(secret_id)
    if sought is None:
        value = store.value_of(secret_id)
        content = canonical(value)
        sought = recall(store.sought_by_value, content, lambda: sought_of(value))
        store.sought[secret_id] = sought
    return sought


def forms_of(value: Any) -> Iterator[SecretForm]:
    """Yield the forms of a secret; none for a value that may occur elsewhere by chance.

    Hashes are in ``secret_hashes.py``.
    """
    seen: set[bytes] = set()
    focus = _focus_of(value)
    tells_in_any_case = is_distinctive((text_of(value) or "").lower())
    for whole, kind in _all_forms(value, focus):
        if whole and whole not in seen:
            seen.add(whole)
            part, start = _find_window(whole, focus)
            any_case = kind == "text" and tells_in_any_case
            yield SecretForm(part, kind, whole, start, any_case)


def _all_forms(value: Any, focus: float) -> Iterator[tuple[bytes, FormKind]]:
    raw, text = _as_bytes(value), text_of(value)
    if raw is None:
        return
    if text is None:
        yield raw, "text"
        yield from ((form, "encoded") for form in _encodings(raw, focus))
        return
    if not is_distinctive(text):
        return
    bare = text.strip()
    for each in dict.fromkeys((text, bare)):
        for form in _quotings(each):
            yield _to_bytes(form), "text"
    yield _to_bytes(bare[::-1]), "text"
    for line in (*lines_of(bare), *_passwords(bare), *words_of(bare)):
        yield from ((_to_bytes(form), "text") for form in _quotings(line))
    for coded in {raw, raw.strip()}:
        yield from ((form, "encoded") for form in _encodings(coded, focus))


def hashed_of(value: Any) -> bytes | None:
    """Return the bytes to hash; None if hashes of the value are not looked for."""
    text = text_of(value)
    return _as_bytes(value) if text is None or is_distinctive(text) else None


def _as_bytes(value: Any) -> bytes | None:
    if isinstance(value, bytes):
        return value if len(value) >= SHORTEST_ENCODED else None
    text = text_of(value)
    return None if text is None else _to_bytes(text)


def _to_bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def lines_of(text: str) -> Iterator[str]:
    """Yield the distinctive lines of a text; none if it has one line only.

    If a text contains passwords, only lines with a password or with a distinctive word count: the
    others are directives that every file of that kind has.
    """
    if "\n" not in text:
        return
    passwords = tuple(_secrets_within(text))
    for line in text.splitlines():
        bare = line.strip()
        is_long = len(bare) >= SHORTEST_LINE and is_distinctive(bare)
        if not is_long or ARMOR.fullmatch(bare) or _is_common_setting(bare):
            continue
        if (
            not passwords
            or any(word in bare for word in passwords)
            or any(map(_is_odd_word, WORD.findall(bare)))
        ):
            yield bare


def _secrets_within(text: str) -> Iterator[str]:
    """Yield the passwords, tokens and hashes in a text."""
    if len(text) <= MAX_WRITTEN:
        yield from filter(None, passwords_in(text))
        yield from tokens_in(text)
        yield from hashes_in(text)


def _is_common_setting(line: str) -> bool:
    """Say whether a line sets an ordinary name to an ordinary value: ``user = backup``."""
    found = SETTING.match(line)
    return found is not None and kind_of_name(found[1]) is None and not is_distinctive(found[2])


def words_of(text: str) -> Iterator[str]:
    """Yield the distinctive words of a text of one line: those with both letters and digits.

    Yields nothing for a command, a URL or a setting, because most of its words are not secret.
    """
    words = WORD.findall(text) if "\n" not in text else ()
    if not 1 < len(words) <= MAX_WORDS or find_embedded(text) is not None:
        return
    yield from filter(_is_odd_word, words)


def _is_odd_word(word: str) -> bool:
    """Say whether a word is long and distinctive, and has both letters and digits."""
    return len(word) >= SHORTEST_WORD and is_mingled(word) and is_distinctive(word)


def _passwords(text: str) -> Iterator[str]:
    """Yield the passwords in a text, in URLs and in other formats."""
    yield from filter(is_distinctive, passwords_in(text) if len(text) <= MAX_WRITTEN else ())
    for found in URL_PASSWORD.finditer(text):
        for password in {found[1], unquote(found[1])}:
            if is_distinctive(password):
                yield password


def _quotings(text: str) -> Iterator[str]:
    """Yield a text as HTML, JSON, URLs, shells, YAML, Markdown and Python write it."""
    yield text
    if text.isalnum() and text.isascii():
        return
    in_json = dict.fromkeys((json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]))
    yield from in_json
    yield from (json.dumps(form, ensure_ascii=False)[1:-1] for form in in_json)
    yield from (form.replace("/", "\\/") for form in in_json)
    yield from map(_for_script, in_json)
    yield repr(text)[1:-1]
    if len(text) <= MAX_WRITTEN and not (text.isascii() and text.isprintable()):
        yield from _in_yaml(text)
    for form in dict.fromkeys((text, *in_json, repr(text)[1:-1])):
        yield from _in_html(form)
    yield from _in_url(text)
    yield text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    yield text.replace("'", "'\"'\"'")
    yield text.replace("'", "'\\''")
    yield text.replace("'", "''")
    yield text.replace('"', '""')
    for unsafe in (UNSAFE_IN_SHELL, UNSAFE_IN_DOUBLE_QUOTES, UNSAFE_IN_MARKDOWN):
        yield unsafe.sub(r"\\\1", text)
    yield text.replace("\r\n", "\n")


def _in_html(text: str) -> Iterator[str]:
    """Yield a text as the common writers of HTML and XML escape it."""
    if UNSAFE_IN_HTML.search(text) is None:
        return
    bare = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    yield bare
    yield html.escape(text)
    yield bare.replace('"', "&#34;").replace("'", "&#39;")
    yield bare.replace('"', "&quot;").replace("'", "&#39;")
    yield bare.replace('"', "&quot;").replace("'", "&apos;")
    yield bare.replace('"', "&quot;")


def _in_yaml(text: str) -> Iterator[str]:
    """Yield a text as YAML writes it in double quotes, on one line.

    Source: PyYAML ``yaml/emitter.py`` (``write_double_quoted``). PyYAML itself takes a hundred
    times as long, because it tests each character for all styles.
    """
    yield UNSAFE_IN_YAML.sub(_escape_in_yaml, text)
    yield UNSAFE_IN_ASCII_YAML.sub(_escape_in_yaml, text)
    if BIDI_CONTROL.search(text):
        yield UNSAFE_IN_SHOWN_YAML.sub(_escape_in_yaml, text)


def _escape_in_yaml(found: "re.Match[str]") -> str:
    sign = found[0]
    if sign in Emitter.ESCAPE_REPLACEMENTS:
        return f"\\{Emitter.ESCAPE_REPLACEMENTS[sign]}"
    code = ord(sign)
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def _for_script(text: str) -> str:
    """Return JSON as it is escaped in a ``<script>`` of a page."""
    for sign in "<>&'":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _in_url(text: str) -> Iterator[str]:
    """Yield a text as the parts of a URL encode it, with upper and with lower case digits."""
    raw = _to_bytes(text).decode("latin-1")
    for number, unsafe in enumerate(UNSAFE_IN_URL):
        for form in (lambda found: f"%{ord(found[0]):02X}", lambda found: f"%{ord(found[0]):02x}"):
            written = unsafe.sub(form, raw)
            yield written.replace("%20", "+") if number == QUERY else written


def _encodings(raw: bytes, focus: float) -> Iterator[bytes]:
    """Yield the base64 of bytes at any offset in the encoded data, and their hex."""
    for before in range(3):
        coded = base64.b64encode(bytes(before) + raw).rstrip(b"=")
        begin = -(-before * 8 // 6)
        end = (before + len(raw)) * 8 // 6
        inner = coded[begin:end]
        if len(inner) >= SHORTEST_ENCODED:
            yield inner
            yield inner.translate(bytes.maketrans(b"+/", b"-_"))
    whole = base64.b64encode(raw)
    middle = round(len(whole) * focus)
    for width in WRAPPED:
        if len(whole) > width:
            line = middle // width * width
            yield whole[max(line, middle - WINDOW // 2) : line + width][:WINDOW]
    in_hex = raw.hex().encode()
    if len(in_hex) >= SHORTEST_ENCODED:
        yield in_hex
        yield in_hex.upper()


def _focus_of(value: Any) -> float:
    """Return the position of the most distinctive part of a long value, from 0.0 to 1.0.

    If the value contains a password, that is the part. Otherwise it is the part with the most
    changes between upper case, lower case and digits: the password of a URL, not the host; the
    content of a key, not its first line. If that is equal, letters and digits go before quotes.
    """
    text = text_of(value) or ""
    last = len(text) - FOCUS
    if last <= 0:
        return 0.5
    password = next(_secrets_within(text), None) if len(text) > WINDOW else None
    if password is not None:
        return (text.find(password) + len(password) / 2) / len(text)
    changes = [_class_of(one) != _class_of(other) for one, other in pairwise(text)]
    words = [sign.isalnum() for sign in text]

    def rank(start: int) -> tuple[int, int, int]:
        end = start + FOCUS
        return sum(changes[start:end]), sum(words[start:end]), -abs(2 * start - last)

    return (max(range(0, last + 1, FOCUS // 4), key=rank) + FOCUS / 2) / len(text)


def _class_of(sign: str) -> str:
    """Return the class of a character: ``digit``, ``capital`` or ``other``."""
    if sign.isdigit():
        return "digit"
    return "capital" if sign.isupper() else "other"


def _find_window(form: bytes, focus: float) -> tuple[bytes, int]:
    """Return the part of a form that is looked for, and its index in the form.

    Quotes at its ends are removed: JSON and YAML put quotes around texts that are not secret, so
    the leak gate would find a part there that the redactor cannot find in the text itself.
    """
    middle = round(len(form) * focus)
    start = max(0, min(middle - WINDOW // 2, len(form) - WINDOW))
    part = form[start : start + WINDOW]
    if len(form) > WINDOW and part.strip(QUOTES):
        start += len(part) - len(part.lstrip(QUOTES))
        part = part.strip(QUOTES)
    return part, start
