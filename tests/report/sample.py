"""A small book made by hand: what the pages are tested with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import KeyPath, Position
from pillarbook.redact.model import (
    Redacted,
    RedactedLeaf,
    RedactedOrigin,
    RedactedPillar,
    TargetVerdict,
)

KEY_TEXT = """\
-----BEGIN CERTIFICATE-----
MIIBszCCAVmgAwIBAgIUQm9va3MgYXJlIHdlbGNvbWUwCgYIKoZIzj0EAwIwEjEQ
MA4GA1UEAwwHZXhhbXBsZTAeFw0yMDAxMDEwMDAwMDBaFw0zMDAxMDEwMDAwMDBa
-----END CERTIFICATE-----
"""


@dataclass
class SampleBook:
    """A book whose pillars are given."""

    pillars: Mapping[str, RedactedPillar]
    faults: tuple[Diagnostic, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    site_name: str = "Sample"
    asked: list[str] = field(default_factory=list)
    closed: bool = False

    @property
    def minions(self) -> Sequence[str]:
        return list(self.pillars)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.faults

    def pillar(self, minion: str) -> RedactedPillar:
        self.asked.append(minion)
        return self.pillars[minion]

    def grains(self, minion: str) -> Mapping[str, Any]:
        return {"id": minion, **self.facts}

    def diagnostics_of(self, minion: str) -> Sequence[Diagnostic]:
        return [fault for fault in self.faults if minion in fault.minions]

    def token(self, place: int) -> str:
        return f"{place:04x}-token"

    def close(self) -> None:
        self.closed = True


def origin(value: Any, file: str = "pillar/base/app.sls", line: int | None = 3) -> RedactedOrigin:
    return RedactedOrigin(file, line, file.rpartition("/")[2].removesuffix(".sls"), "base", value)


def leaf(path: KeyPath, value: Any, *overridden: RedactedOrigin) -> RedactedLeaf:
    return RedactedLeaf(path, value, (*overridden, origin(value)))


def pillar(minion: str, *leaves: RedactedLeaf, **changes: Any) -> RedactedPillar:
    fields: dict[str, Any] = {
        "outcome": "ok",
        "data": {},
        "errors": (),
        "raises": None,
        "targets": (),
        "pillarenv": None,
        "saltenv": None,
        "revealed": False,
    }
    return RedactedPillar(minion=minion, leaves=leaves, **(fields | changes))


def make_book() -> SampleBook:
    """Return a book with every outcome, secrets, overrides, lists and texts of several lines."""
    common = (
        leaf(("ntp", "servers", 0), "ntp1.example.com"),
        leaf(("ntp", "servers", 1), "ntp2.example.com"),
        leaf(("ntp", "iburst"), True),
    )
    web = (
        leaf(
            ("nginx", "workers"),
            8,
            origin(2, "pillar/base/defaults/web.sls", 4),
            origin("auto", "pillar/staging/site/frankfurt/web.sls", 117),
        ),
        leaf(("nginx", "sites", "shop.example.com", "listen"), "0.0.0.0:443"),
        leaf(("nginx", "sites", "shop.example.com", "certificate"), KEY_TEXT),
        leaf(("nginx", "sites", "shop.example.com", "upstreams"), []),
        leaf(("nginx", "port"), "8080"),
    )
    database = (
        leaf(("postgres", "host"), "db1.example.com"),
        leaf(
            ("postgres", "password"),
            Redacted("gpg renderer", 7),
            origin(Redacted("key names a password", 9), "pillar/base/database.sls", 12),
        ),
        leaf(("postgres", "options"), {}),
    )
    targets = (
        TargetVerdict("*", "glob", "base", "pillar/base/top.sls", 2, True, ("common", "ntp")),
        TargetVerdict(
            "G@roles:web and not E@^old-",
            "compound",
            "base",
            "pillar/base/top.sls",
            5,
            True,
            ("nginx",),
        ),
        TargetVerdict("roles:db", "grain", "base", "pillar/base/top.sls", 9, False, ("postgres",)),
    )
    return SampleBook(
        {
            "web1.example.com": pillar(
                "web1.example.com",
                *common,
                leaf(("motd",), "Welcome to production"),
                *web,
                *database,
                targets=targets,
            ),
            "Web2": pillar("Web2", *common, *web, targets=targets, pillarenv="staging"),
            "db1": pillar(
                "db1",
                *common,
                *database,
                outcome="partial",
                errors=("Specified SLS 'private.keys' in environment 'base' is not available",),
                targets=targets,
            ),
            "old1": pillar(
                "old1", outcome="failed", raises="Pillar render error: \n  Tab at line 3"
            ),
            "spare": pillar("spare", outcome="empty", targets=targets[2:]),
        },
        faults=(
            Diagnostic(
                code="missing-sls",
                severity=Severity.ERROR,
                message="The SLS private.keys is in no root of the environment base.",
                position=Position("pillar/base/top.sls", 10),
                minions=("db1",),
                help="Add pillar/base/private/keys.sls, or declare where it lies in paths.",
            ),
            Diagnostic(
                code="missing-grain",
                severity=Severity.WARNING,
                message="The grain datacenter is read and declared for no minion.",
                position=Position("pillar/base/nginx.sls", 1),
                path=("nginx", "workers"),
                minions=("web1.example.com", "Web2", "db1", "spare"),
                related=(Position("pillar/base/ntp.sls", 3),),
            ),
        ),
        facts={
            "os": "Debian",
            "roles": ["web", "edge"],
            "mem_total": 16005,
            "ip4_interfaces": {"lo": []},
        },
    )
