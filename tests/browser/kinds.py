"""The kinds of page that a site has, found by a walk over it."""

import re
from collections.abc import Callable
from pathlib import Path

OUTCOMES = ("ok", "partial", "failed", "empty")
KINDS = (
    "home",
    "minions",
    *(f"minion-{outcome}" for outcome in OUTCOMES),
    "minion-states",
    "environments",
    "pair",
    "changes",
    "group",
    "states",
    "state-sls",
    "keys",
    "key-top",
    "key",
    "sls-index",
    "sls",
    "targets",
    "minion-group",
    "secrets",
    "diagnostics",
    "guide",
    "rules",
    "not-found",
)
_FIXED = {
    "index.html": "home",
    "secrets.html": "secrets",
    "diagnostics.html": "diagnostics",
    "environments/index.html": "environments",
    "changes/index.html": "changes",
    "states/index.html": "states",
    "sls/index.html": "sls-index",
    "404.html": "not-found",
}
_PATTERNS = (
    (r"minions/.+~states\.html", "minion-states"),
    (r"minions/index(~\d+)?\.html", "minions"),
    (r"environments/.+--.+\.html", "pair"),
    (r"changes/\d+\.html", "group"),
    (r"states/.+/.+\.html", "state-sls"),
    (r"keys/index(~\d+)?\.html", "keys"),
    (r"keys/[^~]+(~\d+)?\.html", "key-top"),
    (r"keys/.+\.html", "key"),
    (r"sls/.+/.+\.html", "sls"),
    (r"targets(~\d+)?\.html", "targets"),
    (r"groups/.+\.html", "minion-group"),
    (r"rules/.*", "rules"),
)


def pages_by_kind(site: Path) -> dict[str, list[str]]:
    """Return the addresses of a site's pages by their kind, the largest page of a kind first."""
    pages = sorted(site.rglob("*.html"), key=lambda page: (-page.stat().st_size, page))
    kinds: dict[str, list[str]] = {}
    for page in pages:
        address = page.relative_to(site).as_posix()
        kinds.setdefault(kind_of(address, page.read_text), []).append(address)
    return kinds


def kind_of(address: str, read: Callable[[], str]) -> str:
    """Return the kind of a page, by its address and, for a minion, its outcome."""
    if address in _FIXED:
        return _FIXED[address]
    for pattern, kind in _PATTERNS:
        if re.fullmatch(pattern, address):
            return kind
    if address.startswith("minions/"):
        outcome = re.search(r'class="mark (\w+)"', read())
        return f"minion-{outcome[1]}" if outcome else "minion"
    return "guide"
