"""Recognizes ciphertext, whole or in a longer text.

Ciphertext is always secret, for any key and in spite of ``allow``, because its owner has encrypted
it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

BEGIN = "-----BEGIN PGP MESSAGE-----"
"""The first line of a PGP message in armor."""
GIT_CRYPT = b"\0GITCRYPT\0"
"""The first bytes of a file that git-crypt has locked."""
PGP_MESSAGE = "PGP message"
SOPS = "SOPS ciphertext"


@dataclass(frozen=True, slots=True)
class CiphertextForm:
    """A form of ciphertext."""

    reason: str
    """Why such a text is secret, as pages show it."""
    signs: tuple[str, ...]
    """Each such text contains one of these; they are searched first, because this is quick."""
    pattern: "re.Pattern[str] | None" = None
    """The pattern of such a text; None if a sign is enough."""

    def is_in(self, text: str) -> bool:
        """Say whether a text contains this form."""
        if not any(sign in text for sign in self.signs):
            return False
        return self.pattern is None or self.pattern.search(text) is not None


def one_of(forms: Iterable[CiphertextForm]) -> "re.Pattern[str]":
    """Return a pattern that finds any sign of some forms; most texts have none.

    At each position, the longest sign is found.
    """
    signs = {sign for form in forms for sign in form.signs}
    return re.compile(_any_of(sorted(signs)))


def _any_of(texts: Sequence[str]) -> str:
    """Return a regular expression for any of some sorted texts.

    What texts begin with alike is written once: of many texts side by side, each would be tried at
    each position, which takes four times as long.
    """
    branches: list[str] = []
    for first, same in groupby(filter(None, texts), key=lambda text: text[0]):
        branches.append(re.escape(first) + _any_of([text[1:] for text in same]))
    if "" not in texts and len(branches) == 1:
        return branches[0]
    ends = "?" if "" in texts else ""
    return f"(?:{'|'.join(branches)}){ends}" if branches else ""


CIPHERTEXTS = (
    CiphertextForm(PGP_MESSAGE, (BEGIN,)),
    CiphertextForm("NaCl box", ("NACL[",), re.compile(r"(?<!\w)NACL\[[^\]\s]")),
    CiphertextForm(SOPS, ("ENC[AES256_GCM,",)),
    CiphertextForm("eyaml ciphertext", ("ENC[",), re.compile(r"(?<!\w)ENC\[\s*[^\]\s]")),
    CiphertextForm(
        "Jasypt ciphertext", ("ENC(",), re.compile(r"(?<!\w)ENC\([A-Za-z0-9+/]{16,}={0,2}\)")
    ),
    CiphertextForm(
        "Vault transit ciphertext", ("vault:v",), re.compile(r"(?<![\w/])vault:v\d+:\S")
    ),
    CiphertextForm("Ansible Vault", ("$ANSIBLE_VAULT;",)),
    CiphertextForm(
        "age file",
        (
            "-----BEGIN AGE ENCRYPTED FILE-----",
            "age-encryption.org/v1",
            "YWdlLWVuY3J5cHRpb24ub3JnL3Yx",  # the same, in base64
        ),
        re.compile(
            r"-----BEGIN AGE|(?m:^age-encryption\.org/v1)(?:\r?\n|\Z)|(?<![A-Za-z0-9+/])YWdlLWVu"
        ),
    ),
    CiphertextForm(
        "git-crypt file",
        (GIT_CRYPT.decode(), "AEdJVENSWVBU"),
        re.compile(r"\A(?:\0GITCRYPT\0|\s*AEdJVENSWVBUA)"),
    ),
    CiphertextForm("CMS message", ("-----BEGIN CMS-----",)),
    CiphertextForm(
        "OpenSSL ciphertext",
        ("U2FsdGVkX1", "Salted__"),
        re.compile(r"\ASalted__|(?<![A-Za-z0-9+/])U2FsdGVkX1[89+/][A-Za-z0-9+/]{8,}"),
    ),
    CiphertextForm(
        "KMS ciphertext",
        ("AQICAH", "AQECAH"),
        re.compile(r"(?<![A-Za-z0-9+/])AQ[EI]CAH[A-Za-z0-9+/]{40,}"),
    ),
    CiphertextForm("Fernet token", ("gAAAAA",), re.compile(r"(?<![\w-])gAAAAA[\w-]{60,}={0,2}")),
)
SIGNS = one_of(CIPHERTEXTS)
ENCRYPTED = frozenset(form.reason for form in CIPHERTEXTS)
"""The reasons for ciphertext."""
SHORTEST = 6


def find_ciphertext(value: str | bytes) -> str | None:
    """Return the kind of ciphertext in a value (``PGP message``); None for none."""
    if len(value) < SHORTEST:
        return None
    text = value if isinstance(value, str) else value.decode("latin-1")
    if SIGNS.search(text) is None:
        return None
    return next((form.reason for form in CIPHERTEXTS if form.is_in(text)), None)


def is_sealed(reason: str) -> bool:
    """Say whether a reason is one for ciphertext, which a tree may contain.

    It is only known whether such a value has changed.
    """
    return reason in ENCRYPTED or reason.startswith(f"{PGP_MESSAGE} for ")
