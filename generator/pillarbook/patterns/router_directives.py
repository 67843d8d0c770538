"""Finds secrets in configurations of routers, switches and firewalls.

Between the directive and the value may be a word or number for the format of the value: ``password
7 ...``, ``secret sha512 ...``, ``pre-shared-key ascii-text ...``. The formats in which such devices
store passwords (``$9$...``) are in ``password_hashes``.
"""

import re
from dataclasses import dataclass

from pillarbook.patterns.late_pattern import compile_late

_B = r"[ \t]+"
"""White space in a line."""
_LINE = r"^[^\S\n]*+(?:\d+:)?"
"""The start of a line."""
_REST = r"[^\n]{0,200}?[ \t]"
"""Other words of the line."""
_HOW = (
    r"(?:\d{1,2}|ENC|cipher|irreversible-cipher|simple|plaintext|cleartext|clear-?text|ascii-text"
    r"|ascii|hexadecimal|hex|hash|sha-?\d+|md5|scrypt|unencrypted|encrypted)"
)
"""The format of the value that follows."""
_VALUE = r"(\"[^\"\n]+\"|'[^'\n]+'|[^\s;\"'{}\[\]]+)"
_CODED = rf"(?:{_HOW}{_B}){{0,2}}(?!(?:{_HOW}|level)(?:\s|\Z)){_VALUE}"
"""A value, maybe with its format before it."""
_CHOSEN = rf"(?:{_HOW}{_B}){{1,2}}(?=\S*(?-i:[^\sa-z])){_VALUE}"
"""A value with its format before it; a word in lower case may belong to a sentence."""
_NO_VALUE = (
    r"(?!(?:authentication|encryption|login|logins|rotation|policy|expiry|aging|recovery|prompt"
    r"|complexity|protection|format|history|minimum-\w+|min-\w+|manager|operator|level)(?:\s|\Z))"
)
"""Words after ``password`` that are settings, or the next word of a sentence."""
_NAMED = r"(?:password|passwd|secret|key|key-string|psk|wpa-psk|psksecret|passphrase)"
_END = rf"(?:{_B}encrypted)?[ \t;]*$"


@dataclass(frozen=True, slots=True)
class Directive:
    """The text around a secret value."""

    signs: tuple[str, ...]
    """Each such text contains one of these, in lower case."""
    pattern: "re.Pattern[str]"
    """A pattern whose group is the value."""
    also: tuple[str, ...] = ()
    """Each such text contains one of these, too; empty if ``signs`` are rare enough."""


def directive(signs: str, pattern: str, flags: int = re.IGNORECASE, *, also: str = "") -> Directive:
    """Return a row of a table.

    ``signs`` are words in lower case, with spaces between them. In the pattern, ``^`` and ``$``
    match at lines. A text must contain one of the words in ``also``.
    """
    late = compile_late(pattern, re.MULTILINE | flags)
    return Directive(tuple(signs.split()), late, tuple(also.split()))


ROUTER_DIRECTIVES = (
    # logins: Cisco, Arista, Huawei, HP
    directive(
        "enable",
        rf"{_LINE}enable{_B}(?:algorithm-type{_B}\S+{_B})?(?:secret|password){_B}"
        rf"(?:level{_B}\d+{_B})?{_NO_VALUE}{_CODED}{_END}",
    ),
    directive(
        "user",
        rf"{_LINE}(?:local-)?user(?:name)?{_B}(?!(?:and|or)\s)\S+{_B}(?:{_REST})?"
        rf"(?:secret|password){_B}{_NO_VALUE}{_CODED}",
    ),
    directive("passwd", rf"{_LINE}passwd{_B}{_VALUE}{_B}encrypted"),
    directive(
        "password",
        rf"{_LINE}password{_B}(?:manager|operator){_B}(?:user-name{_B}\S+{_B})?{_HOW}{_B}{_VALUE}",
    ),
    directive(
        " 0 4 5 6 7 8 9 enc sha cipher simple text",
        rf"{_LINE}(?:{_REST})?{_NAMED}{_B}(?:level{_B}\d+{_B})?{_CHOSEN}",
        also="password passwd secret key psk passphrase",
    ),
    # neighbours and peers
    directive("neighbor", rf"\bneighbor{_B}\S+{_B}password{_B}{_CODED}"),
    directive("chap pap", rf"\bppp{_B}(?:chap|pap){_B}(?:{_REST})?password{_B}{_CODED}"),
    directive(
        "key-string message-digest-key",
        rf"\b(?:key-string|message-digest-key{_B}\d+{_B}md5){_B}{_CODED}",
    ),
    directive(
        "authentication-key",
        rf"\bauthentication-key{_B}(?:\d+{_B}(?:md5|sha\w*|cmac\S*){_B})?{_CODED}",
    ),
    directive("isakmp", rf"\bcrypto{_B}isakmp{_B}key{_B}{_CODED}{_B}(?:address|hostname)"),
    directive(
        "pre-shared",
        rf"\bpre-shared-(?:key|secret){_B}(?:(?:local|remote|address{_B}\S+{_B}key){_B})?{_CODED}{_END}",
    ),
    directive(
        "tacacs radius server-private",
        rf"\b(?:(?:tacacs|radius)(?:-server)?|server-private)\b{_REST}key{_B}{_CODED}",
    ),
    directive(
        "tacacs radius",
        rf"\b(?:tacacs|radius){_B}server{_B}\S+\s*\n(?:[ \t][^\n]*\n){{0,9}}?[ \t]+key{_B}{_CODED}",
    ),
    # SNMP
    directive(
        "community",
        rf"{_LINE}(?:set{_B}\S{{0,20}}{_B}?)?snmp-(?:server|agent){_B}community{_B}"
        rf"(?:(?:read|write){_B})?{_CODED}",
    ),
    directive("snmp-server", rf"\bsnmp-server{_B}host{_B}{_REST}version{_B}(?:1|2c){_B}{_VALUE}"),
    directive("community", rf"{_LINE}set{_B}(?:service{_B})?snmp{_B}community{_B}{_VALUE}"),
    directive(
        "snmp", rf"\bsnmp\b[^{{}}\n]{{0,99}}\{{[^{{}}]{{0,500}}?\bcommunity{_B}{_VALUE}\s*\{{"
    ),
    directive(
        "snmp-server", rf"\bsnmp-server{_B}user{_B}{_REST}auth{_B}(?:md5|sha\S*){_B}{_VALUE}"
    ),
    directive(
        "snmp-server",
        rf"\bsnmp-server{_B}user{_B}{_REST}priv{_B}(?:aes(?:[ \t-]*\d+)?|3?des){_B}{_VALUE}",
    ),
    # statements of Junos and VyOS
    directive(
        "set",
        rf"{_LINE}set{_B}{_REST}(?:secret|(?:authentication|privacy|plaintext|encrypted)-password"
        rf"|psksecret){_B}{_CODED}{_END}",
    ),
    directive("set", rf"{_LINE}set{_B}psksecret{_B}{_CODED}{_END}"),
)
"""Each pattern finds a value."""
QUOTED = r"(\"[^\"\n]+\"|'[^'\n]+')"
"""A text in quotes, including the quotes."""
