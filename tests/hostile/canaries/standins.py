"""Ways that no search finds: what a template makes of a secret that it reads."""

from collections.abc import Mapping

STANDINS: Mapping[str, str] = {
    "as it is": "s",
    "upper": "s | upper",
    "lower": "s | lower",
    "swapped": "s.swapcase()",
    "reversed": "s | reverse",
    "sliced": "s[1:-1]",
    "begin": "s[:9]",
    "end": "s[-9:]",
    "every other": "s[::2] ~ s[1::2]",
    "spread": 's | list | join(".")',
    "replaced": 's | replace("a", "4") | replace("e", "3") | replace("1", "l")',
    "list": "s | list",
    "rot": 's | replace(s[:2], "") ~ s[:2]',
    "base64 of half": "s[:12] | base64_encode",
    "hash of half": "s[:12] | sha256",
}
"""Expressions of Jinja; ``s`` is the secret."""
