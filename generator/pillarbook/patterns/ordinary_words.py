"""Words that are harmless in every place.

The rules for secrets decide whether a value is secret. In text that no rule has judged (a comment,
a branch that no minion takes), only harmless words are shown: words of letters, small numbers,
names of hosts and files, versions, dates.
"""

import re

from pillarbook.patterns.distinctive import COMMON, DATE
from pillarbook.patterns.late_pattern import compile_late
from pillarbook.patterns.word_sets import word_set

LONGEST = 24
"""Letters; natural languages have few longer words."""
MAX_WORD_PARTS = 12
"""The most parts of a name; with more, it is a text or a key in groups."""
BRANDS = word_set(
    "RedHat CentOS AlmaLinux OracleLinux CloudLinux FreeBSD OpenBSD NetBSD MacOS openSUSE nginx"
    " PostgreSQL MySQL MariaDB GitHub GitLab OpenVPN WireGuard NetworkManager"
)
"""Names of systems and programs with unusual capitals or consonants."""
AROUND = "\"'`.,;:!?()[]{}<>*|&#=+~^\\/-_@%"
"""Signs around a word that do not belong to it."""
_SPLIT = re.compile(r"[-_.:/@+=,;|&()\[\]{}<>\"'`#*~?!\\%]+")
_LETTERS = re.compile(r"[a-z]+|[A-Z]+|[A-Z][a-z]+|[A-Z]{1,5}[a-z]{1,3}")
_NUMBER = re.compile(r"\d{1,5}|0x[0-9a-f]{1,4}|0[0-7]{3}")
_NUMBERED = re.compile(r"(?:[a-z]{1,16}|[A-Z]{1,12}|[A-Z][a-z]{1,15})\d{1,2}")
_VERSIONED = re.compile(r"[A-Z]{2,6}v\d{1,2}")
_UNIT = re.compile(r"\d{1,5}(?:[a-zA-Z]{1,2}|min|sec|day|days|bit|bits|px|th|st|nd|rd|ms|x\d{1,4})")
_MINGLED_SIGN = re.compile(r"[A-Za-z0-9][$!^~?][A-Za-z0-9]")
_ADDRESS = re.compile(r"[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}(?:/\d+)?")
_ODD = re.compile(r"[bcdfghjklmnpqrstvwxz]{6,}|(\w)\1{3,}", re.IGNORECASE)
_CAMEL = compile_late(r"[a-z][A-Z]|[A-Z][a-z]+[A-Z][a-z]")
_TITLED = re.compile(r"(?:\A|[-_.])[A-Z][a-z]+[-_.][A-Za-z]")


def is_ordinary(word: str, *, in_prose: bool = False) -> bool:
    """Say whether a word without spaces is harmless.

    The word has the signs around it. In a sentence, names such as PostgreSQL have capitals inside.
    """
    bare = word.strip(AROUND)
    if len(bare) <= 2 or bare in BRANDS or bare.lower() in COMMON:
        return True
    if _MINGLED_SIGN.search(bare):
        return False
    if not in_prose and (_CAMEL.search(bare) or _TITLED.search(bare)):
        return False
    if DATE.match(bare) or _ADDRESS.fullmatch(bare):
        return True
    parts = [part for part in _SPLIT.split(bare) if part]
    return len(parts) <= MAX_WORD_PARTS and all(_is_plain(part, in_prose) for part in parts)


def _is_plain(part: str, in_prose: bool) -> bool:
    """Say whether a part of a word is a word of letters, or a small number."""
    if part.lower() in COMMON:
        return True
    if not part.isascii():
        return part.isalpha() and len(part) <= LONGEST
    if part.isalpha():
        is_cased = in_prose or _LETTERS.fullmatch(part) is not None
        return len(part) <= LONGEST and is_cased and not _ODD.search(part)
    return any(form.fullmatch(part) for form in (_NUMBER, _NUMBERED, _VERSIONED, _UNIT))
