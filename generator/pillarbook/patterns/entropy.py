"""Recognizes values that look random, and so are likely secrets for any key.

A text is split into runs of digits, of lower case letters (with a capital before them), of
capitals, or of one other sign. Texts by people have long runs (``Amazon Linux 2``); in random text,
almost every character begins a new run. A text is random if its runs are shorter on average than
``MAX_RUNS`` allows for its kind, and few of its characters repeat. It must be one word of at least
``SHORTEST_WORD`` characters, or ``SHORTEST_MIXED`` with other signs. Texts with the form of
something else (a digest, a path, a host name, a version) do not count, nor does base64 of known
binary formats or of plain text.
"""

import re
from collections import Counter
from functools import lru_cache

from pillarbook.model import KeyPath
from pillarbook.patterns.base64_values import look_inside
from pillarbook.patterns.key_names import MAX_NAMES, split_words
from pillarbook.patterns.plain_words import PATH
from pillarbook.patterns.public_values import is_digest, is_public_key
from pillarbook.patterns.references import is_reference
from pillarbook.patterns.word_sets import word_set

RANDOM = "looks random"
# These numbers separate random texts from names; docs/decisions/0014 describes the measurements.
SHORTEST_MIXED = 10
SHORTEST_WORD = 20
SHORTEST_HEX = 24
HEX_KEYS = frozenset((32, 48, 64, 96, 128))
"""The lengths of keys of 128 to 512 bits in hexadecimal; 40 is that of a commit or a
fingerprint."""
# Also protects time: the tests below take a step for each character, and anybody may write a value.
MAX_LENGTH = 4096
"""Characters; a longer text is a file, whose parts are judged."""
MAX_MIXED = 128
MAX_RUNS = 2.4
MAX_RUNS_OF_ONE_CASE = 3.0
MAX_RUNS_MIXED = 2.2
LEAST_DISTINCT = 0.5
"""The least share of different characters, among up to 32."""
RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|.")
WORD = re.compile(r"[A-Za-z0-9+/_-]+={0,2}\Z")
MIXED = re.compile(r"[!-~]+\Z")
PARTS = re.compile(r"[-_/+]")
SEPARATORS = re.compile(r"[-_./+]")
NAMED_KEY = re.compile(r"[\w-]{1,64}:[A-Za-z0-9+/]{43}=\Z")
"""A key of 256 bits after its name, as in MinIO."""
KEY_BYTES = re.compile(r"(?:[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{43}=)\Z")
"""A key of 128 or 256 bits in base64."""
UPPER = re.compile(r"[A-Z]")
HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
"""Lower or upper case; if both are mixed, people wrote it."""
OTHER = re.compile(r"[^A-Za-z0-9]")
UUID_PART = re.compile(r"/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=/)")
"""A UUID in a path, as clouds name objects."""
DIGEST = re.compile(r"sha(?:256|384|512)[-=][\"']?[A-Za-z0-9+/]+={0,2}")
"""A checksum in base64 in a text, as in headers of a web server."""
PIECE = re.compile(r"(?:\A|(?<=[\s,;|\"']))[A-Za-z0-9]{32,64}={0,2}(?=[\s,;|\"']|\Z)")
"""A long word between others: the token in a line of a table."""
SYNTAX = re.compile(r"[\\{}()\[\]<>|\"'`,;:]|%[A-Za-z].*%[A-Za-z]|\^.*\$|^[/~.@$%-]|\$$|==|&&")
"""Signs of expressions, paths, formats, lists and options."""
PUBLIC_WORDS = word_set(
    "checksum checksums digest digests hash hashes md5 sha sha1 sha256 sha384 sha512 sum sums"
    " commit rev revision ref uuid guid fingerprint fingerprints thumbprint thumbprints etag"
    " integrity serial public pub pubkey pubkeys publickey publickeys cert certs certificate"
    " certificates crt csr crl ca chain recipient recipients image images tag version versions arn"
    " ami signature dkim dnskey tlsa sshfp txt verification modulus logo icon favicon png jpg gif"
    " svg keyid known authorized wwn wwns wwid wwids wwpn wwnn naa eui lun luns multipath disk"
    " disks device devices partuuid machine iqn nvme peer peers verify"
)
"""Words in keys, at any depth, whose values look random but are public."""
PUBLIC_PAIRS = word_set("site_key publishable_key browser_key")
"""The last two words of a key for browsers, which is public."""
NAMING_WORDS = word_set(
    "id ids kid name names sid uid gid zone arn bucket host hosts url node nodes instance instances"
    " shard shards member members volume volumes snapshot snapshots subnet subnets dashboard panel"
    " trace traceparent ulid ksuid nanoid sct ikey"
)
"""The last words of a key whose value is public."""


def looks_random(text: str) -> bool:
    """Say whether a text looks random, independent of its key."""
    bare = text.strip()
    if not SHORTEST_MIXED <= len(bare) <= MAX_LENGTH or _is_other(bare):
        return False
    bare = UUID_PART.sub("/", bare)
    if WORD.match(bare):
        return len(bare) >= SHORTEST_WORD and _is_random_word(bare)
    # Most host names and addresses end here: without a capital letter, no line is random.
    has_lines = "\n" in bare
    if not has_lines and UPPER.search(bare) is None:
        return False
    if any(map(_is_random_piece, PIECE.findall(DIGEST.sub("", bare)))):
        return True
    if has_lines:
        inside = look_inside(bare)
        return inside is not None and inside.text is None and not inside.is_public
    return len(bare) <= MAX_MIXED and bool(MIXED.match(bare)) and _is_random_mixed(bare)


def _is_other(text: str) -> bool:
    """Say whether a text has the form of something else, or is a short word."""
    if len(text) < SHORTEST_WORD and WORD.match(text):  # first, because most texts are short words
        return True
    if is_digest(text) or is_public_key(text):
        return True
    return bool(PATH.match(text)) or is_reference(text)


def _is_random_piece(piece: str) -> bool:
    """Say whether a long word in a text is random; in only one case, it would be a checksum."""
    return not (piece.islower() or piece.isupper()) and _is_random_word(piece)


def is_drawn(word: str) -> bool:
    """Say whether a shorter word looks random: with digits, and letters of both cases."""
    kinds = (str.islower, str.isupper, str.isdigit)
    is_mixed = word.isalnum() and all(any(map(kind, word)) for kind in kinds)
    return is_mixed and _mean_run(word) <= MAX_RUNS and _are_distinct(word, 32)


def is_bare_key(text: str) -> bool:
    """Say whether a text is a key in hexadecimal or base64, or a name with a key in base64.

    With another key name, it would be a checksum or a public key.
    """
    bare = text.strip()
    if NAMED_KEY.match(bare) or KEY_BYTES.match(bare):
        return True
    return len(bare) in HEX_KEYS and HEX.match(bare) is not None and _are_distinct(bare, 16)


def is_public_name(path: KeyPath) -> bool:
    """Say whether the keys of a value show that it may look random without being secret."""
    names = [key for key in path if isinstance(key, str)]
    if not names:
        return False
    own = split_words(names[-1])
    if own and (own[-1] in NAMING_WORDS or "_".join(own[-2:]) in PUBLIC_PAIRS):
        return True
    return any(map(_has_public_word, names))


@lru_cache(MAX_NAMES)
def _has_public_word(name: str) -> bool:
    return not PUBLIC_WORDS.isdisjoint(split_words(name)[-2:])


def _is_random_word(word: str) -> bool:
    has_two_cases = not (word.islower() or word.isupper())
    part = SEPARATORS.sub("", word) if has_two_cases else max(PARTS.split(word), key=len)
    part = part.rstrip("=")
    if len(part) < SHORTEST_WORD or part.isdigit() or part.isalpha():
        return False
    if HEX.match(part):
        return len(part) > SHORTEST_HEX and _are_distinct(part, 16)
    most = MAX_RUNS if has_two_cases else MAX_RUNS_OF_ONE_CASE
    if not (_mean_run(part) <= most and _are_distinct(part, 32)):
        return False
    inside = look_inside(word)
    return inside is None or (inside.text is None and not inside.is_public)


def _is_random_mixed(text: str) -> bool:
    if SYNTAX.search(text):
        return False
    kinds = (str.islower, str.isupper, str.isdigit)
    if not all(any(map(kind, text)) for kind in kinds):
        return False
    others = Counter(OTHER.findall(text))
    if not others or max(others.values()) > 2 or not others.keys() - set("-_.+/=@"):
        return False
    return _mean_run(SEPARATORS.sub("", text)) <= MAX_RUNS_MIXED and _are_distinct(text, 32)


def _mean_run(text: str) -> float:
    """Return the mean length of a run."""
    return len(text) / len(RUN.findall(text))


def _are_distinct(text: str, alphabet: int) -> bool:
    return len(set(text)) >= LEAST_DISTINCT * min(len(text), alphabet)
