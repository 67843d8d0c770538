"""Decides which secrets are looked for in all texts.

A text that equals a secret is not always the secret. If a password is ``admin`` or ``1234``, hiding
each ``admin`` and each ``1234`` would make a report unreadable and protect nothing. So a secret
whose text may occur anywhere by chance is redacted only at its own path. All others are looked for
in each value, name, message and file.

A text is distinctive by its characters:

- from 6 on, if it is mixed: letters with digits or signs between them (``s3cr3t``,
  ``Tr0ub4dor&3``), but not a word with one or two digits after it (``web01``, ``debian-12``);
- from 8 on, if letters and digits alternate in a part of it (``aB3:xY9-kk``);
- from 8 on, if it is not a word: many consonants, capitals in odd places (``xkqzvbnm``), three or
  more digits after it (``teapot418``);
- from 12 on, if it has several words (``correct-horse``);
- from 16 on in any case, unless it has the form of something else.

Never distinctive are common words and passwords, names of secrets (``admin_password``) and notes
(``FILL_THIS_IN``) instead of them, numbers of up to 7 digits, dates, versions, addresses, host
names, paths, and the names of the secret's own keys.
"""

import re

from pillarbook.model import KeyPath
from pillarbook.patterns.key_names import kind_of_name
from pillarbook.patterns.plain_words import is_plain_word, is_to_fill_in
from pillarbook.patterns.word_sets import word_set

# The number of characters from which copies of a secret are looked for, by its content: a shorter
# text is a word that occurs everywhere (docs/decisions/0014).
SHORTEST_MIXED = 6
SHORTEST_ODD = 8
SHORTEST_WORDS = 12
SHORTEST_ANY = 16
SHORTEST_NUMBER = 8
MAX_COMMON = 250
"""Characters; no name is longer."""
LEAST_DIGITS = 4
"""The number of different digits in a number that nobody writes by chance."""
MAX_CONSONANTS = 5
"""The most consonants in a row in a word of a language."""
COMMON = word_set(
    "administrator anonymous changeit changeme changethis default disabled dragon example foobar"
    " guest guestguest hello123 iloveyou internal letmein localhost master monkey network p@ssw0rd"
    " pa55word pa55w0rd passw0rd password passphrase postgres postgresql private production public"
    " qwerty qwerty123 qwertyuiop rabbitmq readonly replication replicator root rootroot secret"
    " service staging system test1234 trustno1 ubuntu unknown username vagrant welcome zabbix"
    " abc123 abcd1234 admin123 root123 test123 utf8mb4 x86_64 ipv4 ipv6 sha256 sha512"
)
"""Common words in passwords or configurations, in lower case."""
NAMED = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d+)?\Z"  # a host
    r"|[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}\Z"  # an e-mail address
    r"|(?:\d{1,3}\.){3}\d{1,3}(?::\d+|/\d+)?\Z"  # IPv4
    r"|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:/\d+)?\Z"  # IPv6, MAC
    r"|[a-z][a-z0-9+.-]*://[a-z0-9.-]+(?::\d+)?(?:/[a-z._-]*)*\Z"  # a URL of words
    r"|(?:/[A-Za-z._-]+\d?)+/?\Z"  # a path of words
    r"|v?\d+(?:\.\d+)+(?:[-+~.][a-z0-9.+~-]{0,40})?\Z",  # a version
    re.IGNORECASE,
)
"""Texts with a form of their own, which occur in many places of a report."""
DATE = re.compile(
    r"(?:19|20)\d\d[-/.]?(?:0\d|1[0-2])[-/.]?(?:[0-2]\d|3[01])"
    r"(?:[T ]?\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\Z"
)
WORD_AND_NUMBER = re.compile(r"(?:[a-z]+|[A-Z][a-z]*|[A-Z]+)(?:[-_.]?(?P<number>\d{1,4}))?\Z")
"""``hunter2``, ``web-01``, ``Debian12``."""
MAX_DIGITS = 2
"""The most digits after a word that only number it."""
PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9\s]")
NAME = re.compile(r"[a-z]+(?:_[a-z]+){1,2}\Z|[A-Z]+(?:_[A-Z]+){1,2}\Z")
"""Words as in the name of a variable."""
JOINS = re.compile(r"[-_.:/@\s]+")
CONSONANTS = re.compile(rf"[^aeiouy]{{{MAX_CONSONANTS},}}")
NEVER = re.compile(
    r"(\S)\1*\Z|(?:0?123456789?0?|abcdefgh\w*|12345678\d*|87654321)\Z", re.IGNORECASE
)


def is_distinctive(text: str, path: KeyPath = ()) -> bool:
    """Say whether a text is so rare that each occurrence is the secret."""
    bare = text.strip()
    if len(bare) > MAX_COMMON:
        return True
    if len(bare) < SHORTEST_MIXED or _is_common(bare, path):
        return False
    if bare.isdigit():
        return len(bare) >= SHORTEST_NUMBER and len(set(bare)) >= LEAST_DIGITS
    return _is_rare(bare)


def _is_rare(bare: str) -> bool:
    """Say whether nobody writes a text by chance."""
    if len(bare) >= SHORTEST_ANY:
        return True
    word = WORD_AND_NUMBER.match(bare)
    if word is not None:
        letters = bare.rstrip("0123456789-_.").lower()  # if they are no word of a language:
        is_odd = len(word["number"] or "") > MAX_DIGITS or CONSONANTS.search(letters) is not None
        return len(bare) >= SHORTEST_ODD and is_odd
    parts = JOINS.split(bare)
    if any(map(_is_mixed, parts)) or (len(bare) >= SHORTEST_ODD and any(map(is_mingled, parts))):
        return True
    return len(bare) >= (SHORTEST_ODD if bare.isalpha() else SHORTEST_WORDS)


def _is_common(bare: str, path: KeyPath) -> bool:
    """Say whether a text is a word, a form or a name that others also have."""
    lower = bare.lower()
    if lower in COMMON or is_plain_word(bare) or NEVER.match(bare) or DATE.match(bare):
        return True
    if NAMED.match(bare) or is_to_fill_in(bare):
        return True
    if NAME.match(bare) and kind_of_name(bare) is not None:
        return True
    return any(lower == str(key).lower() for key in path)


def _is_mixed(part: str) -> bool:
    """Say whether a text without separators changes between letters, digits and signs."""
    if len(part) < SHORTEST_MIXED or WORD_AND_NUMBER.match(part) or part.isalpha():
        return False
    return len(PIECE.findall(part)) > 2 or not part.isalnum()


def is_mingled(part: str) -> bool:
    """Say whether letters and digits alternate, unlike in a word with a number."""
    is_plain = part.isalpha() or part.isdigit() or WORD_AND_NUMBER.match(part) is not None
    return len(part) > 1 and not is_plain
