"""Values that are never secret, for any key: public keys, fingerprints, checksums."""

import re

PUBLIC_KEYS = re.compile(
    r"(?:\A|\s)(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d+|sk-[\w-]+@openssh\.com)"
    r"(?:-cert-v\d+@openssh\.com)?\s+AAAA"
    r"|\A\s*AAAA(?:[BC]3NzaC1|E2VjZHNh|G|I|Hn)[A-Za-z0-9+/]{20}"
    r"|-----BEGIN (?:[A-Z0-9]+ )*(?:CERTIFICATE(?: REQUEST)?|PUBLIC KEY(?: BLOCK)?|CRL"
    r"|PARAMETERS)-----"
    r"|---- BEGIN SSH2 PUBLIC KEY ----"
    r"|\A\s*age1[0-9a-z]{50,}"
    r"|\A\s*[UAONCX][A-Z2-7]{55}\s*\Z"
    r"|\A\s*[xyz]pub[1-9A-HJ-NP-Za-km-z]{100,112}\s*\Z"
    r"|\A\s*untrusted comment: \w+ public key"
)
"""A public key, a certificate, parameters; maybe with text before it."""
SIGNS = ("AAAA", "----", "age1", "comment", "pub")
"""Each public key except that of NATS contains one of these."""
NATS = 56
"""The length of a public key of NATS, which has no other mark than length and alphabet."""
FINGERPRINT = re.compile(
    r"\A(?:SHA256:[A-Za-z0-9+/]{43}=?|MD5(?::[0-9a-f]{2}){16}"
    r"|(?:sha(?:1|224|256|384|512)|md5|blake2b?)[-:=][A-Za-z0-9+/=_-]{20,}"
    r"|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5,}|(?:[0-9A-F]{4}\s+){4,}[0-9A-F]{4}"
    r"|0x[0-9A-Fa-f]{8,40}|[0-9A-F]{40}|[0-9A-F]{16}|[0-9A-F]{8})\Z",
)
"""The short form of a key or a file, as in gpg, ssh and package lists."""
UUID = re.compile(r"\A\{?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?\Z")
DEVICE = re.compile(
    r"(?:(?:dm-|mpath-|scsi-|wwn-|uuid-|nvme-)*(?:0x|naa\.|t10\.|eui\.)?)"
    r"(?:3?[2356][0-9a-f]{15}(?:[0-9a-f]{16})?|[0-9a-f]{16})(?:-part\d+)?\Z",
    re.IGNORECASE,
)
"""The SCSI id of a disk: NAA and EUI-64 in hexadecimal, as in multipath."""
DIGEST_LENGTHS = frozenset((32, 40, 56, 64, 96, 128))
"""Lengths in hexadecimal of MD5, SHA-1 (also a commit) and the SHA-2 family."""
HEX = re.compile(r"[0-9a-fA-F]+\Z")


def is_public_key(text: str) -> bool:
    """Say whether a text is or contains a public key or a certificate."""
    has_sign = any(sign in text for sign in SIGNS)
    return (has_sign or len(text) == NATS) and PUBLIC_KEYS.search(text) is not None


def is_fingerprint(text: str) -> bool:
    """Say whether a text is the fingerprint of a key or a file."""
    return FINGERPRINT.match(text.strip()) is not None


def is_digest(text: str) -> bool:
    """Say whether a text has the form of a checksum, a commit, a UUID or the id of a disk."""
    bare = text.strip()
    is_hex = len(bare) in DIGEST_LENGTHS and HEX.match(bare) is not None
    if is_hex or UUID.match(bare) is not None or DEVICE.match(bare) is not None:
        return True
    return is_fingerprint(bare)
