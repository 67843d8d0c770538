"""Recognizes hashes of passwords, against which passwords can be tried.

Sources: crypt(5); the LDAP schemes of RFC 2307 and OpenLDAP; the formats of Apache's htpasswd,
Django, MySQL, PostgreSQL, GRUB and routers.
"""

import re
from collections.abc import Iterator

from pillarbook.patterns.late_pattern import compile_late

PASSWORD_HASH = "password hash"  # noqa: S105 (a reason, not a password)
SHORTEST = 12
_CRYPT = (
    r"(?:1|2[abxy]?|5|6|7|y|gy|P|H|S|md5|sha1|apr1|scrypt|argon2[a-z]*|pbkdf2[a-z0-9-]*|8|9|14)"
)
HASHES = (
    compile_late(rf"\A\s*\${_CRYPT}\$\S{{8,}}\s*\Z"),
    # in a longer text, such as a line of /etc/shadow or of a htpasswd file
    compile_late(
        r"(?<![\w$])\$(?:1|2[abxy]|5|6|7|y|gy|apr1|argon2[a-z]+|scrypt|pbkdf2-sha\d+)"
        r"\$[\w./=,+-]{1,80}\$[\w./$+=]{8,}"
    ),
    # of routers, some of which can be turned back: Cisco and Junos, Huawei, H3C
    compile_late(r"(?<![\w$])\$(?:8|9|14)\$[\w./-]{6,}"),
    compile_late(r"(?<![\w$])\$(?:1[a-c]|c\$3|h\$6)\$\S{8,}|%[\^@$+]%#\S{8,}%[\^@$+]%#"),
    compile_late(r"(?<![\w$])\$2[abxy]\$\d\d\$[A-Za-z0-9./]{22,}"),
    compile_late(
        r"\{(?:SSHA|SHA|SMD5|MD5|CRYPT|SSHA\d+|SHA\d+|PBKDF2[A-Z0-9-]*|ARGON2|BLF-CRYPT"
        r"|(?:MD5|SHA\d+)-CRYPT)(?:\.HEX|\.b64)?\}[A-Za-z0-9+/$.=]{8,}",
        re.IGNORECASE,
    ),
    compile_late(r"(?m)^[^\s:]{1,64}:[^:\n]{1,100}:[0-9a-f]{32}[ \t]*\r?$"),  # htdigest
    compile_late(r"\A-(?:pbkdf2|hashed)-[0-9a-f]{32,}"),  # CouchDB
    compile_late(r"\A\*[0-9A-F]{40}\Z"),  # MySQL
    compile_late(r"\Amd5[0-9a-f]{32}\Z"),  # PostgreSQL
    compile_late(r"SCRAM-SHA-(?:1|256)\$\d+:\S{8,}"),
    compile_late(r"\b(?:pbkdf2_sha\d+|bcrypt(?:_sha256)?|argon2|scrypt)\$\S{20,}"),
    compile_late(r"\bgrub\.pbkdf2\.sha512\.\d+\.[0-9A-F.]{16,}"),
    compile_late(r"@ByteArray\([A-Za-z0-9+/]{20,}={0,2}:[A-Za-z0-9+/]{40,}"),  # qBittorrent
    compile_late(r"#jbcrypt:\$2\S{8,}"),
    compile_late(r"(?<![0-9A-Fa-f:])[0-9A-Fa-f]{32}:[0-9A-Fa-f]{32}(?![0-9A-Fa-f:])"),  # NT
)
SIGNS = compile_late(r"[$}*:#]|md5|pbkdf2")
"""Each hash contains one of these."""


def is_password_hash(text: str) -> bool:
    """Say whether a text is or contains the hash of a password."""
    if len(text) < SHORTEST or SIGNS.search(text) is None:
        return False
    return any(pattern.search(text) for pattern in HASHES)


def hashes_in(text: str) -> Iterator[str]:
    """Yield the hashes in a text."""
    if SIGNS.search(text) is not None:
        for pattern in HASHES:
            yield from (match[0] for match in pattern.finditer(text))
