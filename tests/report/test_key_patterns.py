"""Which key paths are one pattern, and where their pages are."""

import pytest

from pillarbook.model import KeyPath
from pillarbook.report.key_patterns import KeyPatterns, page_name, row_address, top_page_name

MINIONS = ("web1.example.com", "mon.example.com", "db", "app7")


@pytest.mark.parametrize(
    ("path", "positions", "expected"),
    [
        (("nginx", "workers"), (), "nginx:workers"),
        (("ntp", "servers", 1), (2,), "ntp:servers:*"),
        (("ntp", 1), (), "ntp:1"),
        (("known", "web1.example.com", "port"), (), "known:*:port"),
        (("known", "web1"), (), "known:*"),
        (("known", "app7"), (), "known:*"),
        # A short name without a digit may be an ordinary key.
        (("known", "mon"), (), "known:mon"),
        (("known", "db"), (), "known:db"),
        (("web1.example.com",), (), "*"),
        (("users", "alice", "uid"), (), "users:*:uid"),
        (("app", "db_users", "alice"), (), "app:db_users:*"),
        (("users",), (), "users"),
        (("routes", "10.0.0.0/8"), (), "routes:*"),
        (("routes", "2001:db8::1"), (), "routes:*"),
        (("macs", "00:1b:44:11:3a:b7"), (), "macs:*"),
        (("mail", "a.b@example.com"), (), "mail:*"),
        (("disks", "0a1b2c3d-1111-2222-3333-444455556666"), (), "disks:*"),
        (("sysctl", "net.ipv4.ip_forward"), (), "sysctl:net.ipv4.ip_forward"),
        (("nginx", "http2"), (), "nginx:http2"),
        (("a", "deadbeef"), (), "a:deadbeef"),
        (("versions", "1.2.3"), (), "versions:1.2.3"),
    ],
)
def test_keys_that_vary_are_one_pattern(
    path: KeyPath, positions: tuple[int, ...], expected: str
) -> None:
    pattern = KeyPatterns(MINIONS).pattern_of(path, positions)
    assert ":".join(map(str, pattern.path)) == expected


def test_a_million_names_are_few_patterns() -> None:
    ids = [f"web{number:05}.ams.example.com" for number in range(1_000)]
    patterns = KeyPatterns(ids)
    paths = [
        path
        for one in ids
        for path in (("peers", one, "ip"), ("known", one), (one, "x"), ("n", one.partition(".")[0]))
    ]
    assert len({patterns.pattern_of(path).typed for path in paths}) == 4


@pytest.mark.parametrize(
    ("path", "positions", "top", "own"),
    [
        (("app", "workers"), (), "app.html#k-app.workers", "app~workers"),
        (("ntp", "servers", 0), (2,), "ntp.html#k-ntp.servers.*", "ntp~servers~_"),
        (("a b", "*"), (), None, None),
    ],
)
def test_addresses_of_plain_keys_can_be_read(
    path: KeyPath, positions: tuple[int, ...], top: str | None, own: str | None
) -> None:
    pattern = KeyPatterns(()).pattern_of(path, positions)
    assert top is None or row_address(pattern) == top
    assert own is None or page_name(pattern) == own
    assert (own is None) == ("~" in top_page_name(pattern))


def test_no_two_keys_share_a_page() -> None:
    paths: list[tuple[KeyPath, tuple[int, ...]]] = [
        (("a", "b"), ()),
        (("a:b",), ()),
        (("a~b",), ()),
        (("a", "b", "c"), ()),
        (("a", "b:c"), ()),
        (("a", "*"), ()),
        (("a", 0), (1,)),
        (("a", "_"), ()),
        (("a", 1), ()),
        (("a", "1"), ()),
        (("a", True), ()),
        (("a", "B"), ()),
        (("index", "2"), ()),
        (("index",), ()),
        (("*",), ()),
        ((80,), ()),
        (("80",), ()),
        (("[80]",), ()),
        (("[]",), ()),
        (("web1.example.com",), ()),
        (("a", "abcdefabcdef"), ()),
        (("users", "x"), ()),
    ]
    patterns = [KeyPatterns(MINIONS).pattern_of(*path) for path in paths]
    tops = {one.typed[:1]: top_page_name(one) for one in patterns}
    names = [*tops.values(), *(page_name(one) for one in patterns if len(one.path) > 1)]
    assert len(set(names)) == len(names)
    assert not {"index", "index~2"} & set(names)
    assert all(name == name.lower() and "*" not in name for name in names)
