"""Placeholders for secret texts: other letters and digits, everything else unchanged.

A placeholder of shape ``LONG`` differs in everything that a template could test: its length, its
first letter, all other letters, and the set of its letters and digits. A placeholder of shape
``ALIKE`` has the length of the secret, for templates that fail with any other length.
"""

import base64
import binascii
import enum
import json
import random
import re
import string
from collections.abc import Callable
from typing import Any

from pillarbook.model.long_integers import MAX_DIGITS

KEPT = re.compile(r"-----(?:BEGIN|END) [A-Z0-9 ]+-----|\A(?:NACL|ENC)\[")
"""Text that marks the format; without it a parser could not read the rest, so it is kept."""
RUN = re.compile(r"[^\W\d_]+|[0-9]+")
"""A run of letters, or of digits."""
PAIR = re.compile(r"([ \t]*(?:- )?[\w.-]+[ \t]*(?:: |[:=]))(.*)")
"""A line with a key and a value; the key is kept."""
BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")
HEX = re.compile(r"(?:[0-9a-f]{2}){4,}|(?:[0-9A-F]{2}){4,}")
DIVISORS = (2, 3, 5, 7)
"""Numbers and lengths also differ from the secret's by their remainders modulo these."""
GROWTH = (31, 37, 41, 43, 47, 53)
"""Usual numbers of additional characters in a placeholder; none is a multiple of a divisor."""
FAR = str.maketrans(
    string.ascii_letters + string.digits,
    "".join(map(chr, (*range(0x561, 0x57B), *range(0x531, 0x54B), *range(0x57B, 0x585)))),
)
"""Armenian letters, capital for capital. Digits become letters, since `int` reads any digits."""
NO_TEXT = (b"\xff", b"\xc0", b"\x80")
"""Bytes that no UTF-8 text begins with; they differ in the bits that base64 encodes first."""
# If a draw has the first or last character of its secret, or a remainder of its number, a template
# that tests this would see no difference, so it is drawn again. The limits end the loop for a
# secret that leaves no other choice.
MAX_DRAWS = 100
FEW_DRAWS = 20
# A secret PEM block or JSON document is smaller. Longer text is data that no parser has to accept.
MAX_FORM = 65_536
"""Characters; the format of a longer text is not determined."""


class Shape(enum.Enum):
    """How a placeholder resembles its secret."""

    LONG = "long"
    """The format of the secret, another length, none of its letters."""
    ALIKE = "alike"
    """Format and length of the secret, a letter for each letter and a digit for each digit."""


def placeholder_for_text(text: str, shape: Shape, draw: random.Random) -> str:
    """Return a placeholder for a secret text."""
    if len(text) <= MAX_FORM:
        for make in (_of_json, _of_pairs, _of_base64):
            made = make(text, shape, draw)
            if made is not None:
                return made
    return _of_words(text, shape, draw)


def in_far_letters(made: str) -> str:
    """Return a placeholder in letters that secrets hardly have, if its format allows this."""
    is_form = made.strip()[:1] in ("{", "[") or KEPT.search(made) or "\n" in made.strip()
    return made if is_form else made.translate(FAR)


def _of_json(text: str, shape: Shape, draw: random.Random) -> str | None:
    """Return a JSON document with the same keys and other values."""
    if text.strip()[:1] not in ("{", "["):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return json.dumps(map_values(data, lambda one: _of_value(one, shape, draw)))


def map_values(data: Any, change: Callable[[Any], Any]) -> Any:
    """Return plain data with each scalar changed; keys stay."""
    if isinstance(data, dict):
        return {key: map_values(item, change) for key, item in data.items()}
    if isinstance(data, list):
        return [map_values(item, change) for item in data]
    return change(data)


def _of_value(value: Any, shape: Shape, draw: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return placeholder_for_number(value, shape, draw)
    return placeholder_for_text(value, shape, draw) if isinstance(value, str) and value else value


def _of_pairs(text: str, shape: Shape, draw: random.Random) -> str | None:
    """Return lines of keys and values with the same keys."""
    lines = text.split("\n")
    pairs = [PAIR.fullmatch(line) for line in lines]
    named = sum(pair is not None for pair in pairs)
    if named < 2 or any(line.strip() and not pair for line, pair in zip(lines, pairs, strict=True)):
        return None
    made = [
        pair.group(1) + _of_words(pair.group(2), shape, draw) if pair and pair.group(2) else line
        for line, pair in zip(lines, pairs, strict=True)
    ]
    return "\n".join(made)


def _of_base64(text: str, shape: Shape, draw: random.Random) -> str | None:
    """Return base64 of a placeholder for the decoded text, if the whole text is base64."""
    bare = text.strip()
    is_word = bare.isalpha() or bare.isdigit() or HEX.fullmatch(bare) is not None
    if len(bare) % 4 or is_word or not BASE64.fullmatch(bare):
        return None
    try:
        content = base64.b64decode(bare, validate=True)
    except binascii.Error:
        return None
    made = bare
    # A base64 character has only six bits, so different bytes may give the same one. If the format
    # of the content fixes these bytes, no draw differs.
    for _ in range(FEW_DRAWS):
        made = base64.b64encode(placeholder_for_bytes(content, shape, draw)).decode()
        is_padded = shape is Shape.ALIKE and bare.endswith("=")
        if made[0] != bare[0] and (made[-1] != bare[-1] or is_padded):
            break
    return text.replace(bare, made)


def placeholder_for_bytes(content: bytes, shape: Shape, draw: random.Random) -> bytes:
    """Return a placeholder for secret bytes; it is text if they are."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        more = draw.randrange(5, 17) if shape is Shape.LONG else 0
        made = draw.randbytes(len(content) + more)
        return draw.choice(NO_TEXT) + made[1:]
    return placeholder_for_text(text, shape, draw).encode() if text else content


def placeholder_for_number(number: int, shape: Shape, draw: random.Random) -> int:
    """Return a placeholder for a secret number: the same sign and none of its digits.

    The last digit may be any digit but the secret's last one, so that the remainders can differ.
    """
    old = str(abs(number))
    count = min(len(old) + (draw.randrange(2, 4) if shape is Shape.LONG else 0), MAX_DIGITS)
    others = [one for one in string.digits if one not in old]
    if not others or others == ["0"]:
        others = [one for one in string.digits if one != old[0]]
    last = [one for one in string.digits if one != old[-1]]
    made = abs(number)
    for _ in range(MAX_DRAWS):
        if all(made % divisor != abs(number) % divisor for divisor in DIVISORS):
            break
        first = draw.choice([one for one in others if one != "0"] if count > 1 else last)
        body = draw.choices(others, k=max(count - 2, 0))
        made = int("".join((first, *body, draw.choice(last) if count > 1 else "")))
    return -made if number < 0 else made


def _of_words(text: str, shape: Shape, draw: random.Random) -> str:
    """Return a text with other letters and digits; all other characters stay."""
    words = _Words(text, shape, draw)
    made = []
    at = 0
    for kept in KEPT.finditer(text):
        made += [RUN.sub(words.of_run, text[at : kept.start()]), kept.group()]
        at = kept.end()
    made.append(RUN.sub(words.of_run, text[at:]))
    grown = "".join(made)
    if shape is Shape.LONG or not words.is_changed:
        grown = _grow(grown, text, draw)
    return grown


def _grow(made: str, text: str, draw: random.Random) -> str:
    """Return a longer placeholder whose first and last characters differ from the secret's."""
    bare = text.strip()
    is_form = KEPT.search(text) or "\n" in bare
    if not bare or (is_form and made != text):
        return made
    kind = string.digits if bare.isdigit() else string.ascii_letters
    others = [one for one in kind if one not in text] or list(kind)
    start = made.index(made.strip())
    head, body, tail = made[:start], made.strip(), made[start + len(made.strip()) :]
    if body[0] == bare[0]:
        body = draw.choice(others) + body
    least = len(body) + (body[-1] == bare[-1]) - len(bare)
    growth = draw.choice([one for one in GROWTH if one >= least] or [_next_growth(least)])
    more = [draw.choice(others) for _ in range(growth + len(bare) - len(body))]
    return head + body + "".join(more) + tail


def _next_growth(least: int) -> int:
    return next(n for n in range(least, least + 210) if all(n % one for one in DIVISORS))


class _Words:
    """Draws the letters and digits of one text."""

    def __init__(self, text: str, shape: Shape, draw: random.Random) -> None:
        self.is_changed = False
        self._shape = shape
        self._draw = draw
        used = set(text.lower())
        is_hex = HEX.fullmatch(text.strip()) is not None
        letters = "abcdef" if is_hex else string.ascii_lowercase
        self._is_hex_of_capitals = is_hex and text.isupper()
        self._letters = [one for one in letters if one not in used] or list(letters)
        self._digits = [one for one in string.digits if one not in used] or list(string.digits)
        self._is_hex = is_hex
        self._letters_missing = shape is Shape.LONG
        self._digits_missing = shape is Shape.LONG

    def of_run(self, run: "re.Match[str]") -> str:
        self.is_changed = True
        old = run.group()
        made = self._digits_for(old) if old[0] in string.digits else self._letters_for(old)
        while made == old:  # the text uses all characters of the kind
            made = made[1:] + made[:1] if len(set(made)) > 1 else self._other_than(made)
        return made

    def _letters_for(self, old: str) -> str:
        made = [self._draw.choice(self._letters) for _ in old]
        if self._shape is Shape.ALIKE or self._is_hex:
            made = [
                one.upper() if was.isupper() else one for one, was in zip(made, old, strict=True)
            ]
        else:
            made = [one.upper() if self._draw.random() < 0.3 else one for one in made]
        if self._shape is Shape.ALIKE:
            return "".join(made)
        count = self._draw.randrange(2, 6)
        more = [self._draw.choice(self._letters) for _ in range(2 * count)]
        if self._letters_missing and not self._is_hex:
            more += [*self._letters, *map(str.upper, self._letters)]
            self._draw.shuffle(more)
            self._letters_missing = False
        made += [one.upper() for one in more] if self._is_hex_of_capitals else more
        return "".join(made)

    def _digits_for(self, old: str) -> str:
        made = [self._draw.choice(self._digits) for _ in old]
        if self._shape is Shape.LONG:
            made += [self._draw.choice(self._digits) for _ in range(2 * self._draw.randrange(1, 3))]
            if self._digits_missing:
                rest = list(self._digits) if len(self._digits) % 2 == 0 else self._digits[1:]
                self._draw.shuffle(rest)
                made += rest
                self._digits_missing = False
        if made[0] == "0" and old[0] != "0":
            made[0] = next((one for one in self._digits if one not in ("0", old[0])), "1")
        return "".join(made)

    def _other_than(self, made: str) -> str:
        kind = string.digits if made[0] in string.digits else string.ascii_lowercase
        others = [one for one in kind if one != made[0].lower()]
        return self._draw.choice(others) * len(made)
