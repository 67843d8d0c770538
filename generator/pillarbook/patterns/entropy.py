"""Values that look random, and so are likely secrets whatever their key is.

The measure: a text is cut into runs, each of digits, of small letters (with a capital before
them), of capitals, or of one other sign. What people write has long runs (``Amazon Linux 2``);
drawn characters change their kind at almost every step. A text is random where its runs are
shorter on average than ``MAX_RUNS`` allows for its kind, and few of its characters repeat.
It is one word, of ``SHORTEST_WORD`` characters at least, or of ``SHORTEST_MIXED`` with other
signs in it. What has the form of something else (a digest, a path, a host name, a version) is not
looked at, nor what is base64 of known binary or of plain text.
"""

import re
from collections import Counter

from pillarbook.model import KeyPath
from pillarbook.patterns.base64_values import look_inside
from pillarbook.patterns.key_names import split_words
from pillarbook.patterns.plain_words import PATH
from pillarbook.patterns.public_values import is_digest, is_public_key
from pillarbook.patterns.references import is_reference
from pillarbook.patterns.word_sets import word_set

RANDOM = "looks random"
# These numbers separate drawn texts from names; docs/decisions/0014 says on which strings they
# were measured.
SHORTEST_MIXED = 10
SHORTEST_WORD = 20
SHORTEST_HEX = 24
HEX_KEYS = frozenset((32, 48, 64, 96, 128))
"""Hexadecimal digits of keys of 128 to 512 bits; 40 are those of a commit or a fingerprint."""
# Protects time, too: the tests below take a step for each character, of values that are anybody's.
MAX_LENGTH = 4096
"""Characters; what is longer is a file, and judged by what it holds."""
MAX_MIXED = 128
MAX_RUNS = 2.4
MAX_RUNS_OF_ONE_CASE = 3.0
MAX_RUNS_MIXED = 2.2
LEAST_DISTINCT = 0.5
"""Share of characters, of up to 32, that have to be different ones."""
RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|.")
WORD = re.compile(r"[A-Za-z0-9+/_-]+={0,2}\Z")
MIXED = re.compile(r"[!-~]+\Z")
PARTS = re.compile(r"[-_/+]")
SEPARATORS = re.compile(r"[-_./+]")
NAMED_KEY = re.compile(r"[\w-]{1,64}:[A-Za-z0-9+/]{43}=\Z")
"""A key of 256 bits with its name, as MinIO has it."""
HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
"""Small or large letters; people who mix them write names."""
OTHER = re.compile(r"[^A-Za-z0-9]")
UUID_PART = re.compile(r"/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=/)")
"""A UUID within a path, as clouds name what they hold."""
DIGEST = re.compile(r"sha(?:256|384|512)[-=][\"']?[A-Za-z0-9+/]+={0,2}")
"""A checksum in base64 within a text, as the headers of a web server have it."""
PIECE = re.compile(r"(?:\A|(?<=[\s,;|\"']))[A-Za-z0-9]{32,64}={0,2}(?=[\s,;|\"']|\Z)")
"""A long word that stands among others: the token in a line of a table."""
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
"""Words of keys, at any height, whose values look random and are known to all."""
PUBLIC_PAIRS = word_set("site_key publishable_key browser_key")
"""Ends of a value's own key that say so of keys for browsers."""
NAMING_WORDS = word_set(
    "id ids kid name names sid uid gid zone arn bucket host hosts url node nodes instance instances"
    " shard shards member members volume volumes snapshot snapshots subnet subnets dashboard panel"
    " trace traceparent ulid ksuid nanoid sct ikey"
)
"""Last words of a value's own key that say the same."""


def looks_random(text: str) -> bool:
    """Say whether a text alone, whatever its key, looks drawn by chance."""
    bare = text.strip()
    if not SHORTEST_MIXED <= len(bare) <= MAX_LENGTH or is_digest(bare) or is_public_key(bare):
        return False
    if PATH.match(bare) or is_reference(bare):
        return False
    bare = UUID_PART.sub("/", bare)
    if WORD.match(bare):
        return len(bare) >= SHORTEST_WORD and _is_random_word(bare)
    if any(map(_is_random_piece, PIECE.findall(DIGEST.sub("", bare)))):
        return True
    if "\n" in bare:
        inside = look_inside(bare)
        return inside is not None and inside.text is None and not inside.is_public
    return len(bare) <= MAX_MIXED and bool(MIXED.match(bare)) and _is_random_mixed(bare)


def _is_random_piece(piece: str) -> bool:
    """Say whether a long word within a text is random; of one case it would be a checksum."""
    return not (piece.islower() or piece.isupper()) and _is_random_word(piece)


def is_drawn(word: str) -> bool:
    """Say whether a shorter word looks drawn by chance, of letters of both cases and digits."""
    kinds = (str.islower, str.isupper, str.isdigit)
    is_mixed = word.isalnum() and all(any(map(kind, word)) for kind in kinds)
    return is_mixed and _mean_run(word) <= MAX_RUNS and _are_distinct(word, 32)


def is_bare_key(text: str) -> bool:
    """Say whether a text is a key in hexadecimal, or a name and one in base64.

    Under another name it would be a checksum, or a public key.
    """
    bare = text.strip()
    if NAMED_KEY.match(bare):
        return True
    return len(bare) in HEX_KEYS and HEX.match(bare) is not None and _are_distinct(bare, 16)


def is_public_name(path: KeyPath) -> bool:
    """Say whether the keys of a value say that it may look random and be no secret."""
    names = [key for key in path if isinstance(key, str)]
    if not names:
        return False
    own = split_words(names[-1])
    if own and (own[-1] in NAMING_WORDS or "_".join(own[-2:]) in PUBLIC_PAIRS):
        return True
    return any(word in PUBLIC_WORDS for name in names for word in split_words(name)[-2:])


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
    """Return how many characters a run of one kind has on average."""
    return len(text) / len(RUN.findall(text))


def _are_distinct(text: str, alphabet: int) -> bool:
    return len(set(text)) >= LEAST_DISTINCT * min(len(text), alphabet)
