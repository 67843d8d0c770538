"""Filters about IP addresses, networks and hardware addresses.

Source: Salt ``salt/utils/network.py``.
"""

import ipaddress
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import GeneratorType
from typing import Any

_OPTIONS = {
    "global": "global",
    "link-local": "link_local",
    "linklocal": "link_local",
    "ll": "link_local",
    "link_local": "link_local",
    "loopback": "loopback",
    "lo": "loopback",
    "multicast": "multicast",
    "private": "private",
    "public": "global",
    "reserved": "reserved",
    "site-local": "site_local",
    "sl": "site_local",
    "site_local": "site_local",
    "unspecified": "unspecified",
}


def _is(address: Any, quality: str) -> bool:
    if quality == "global":
        return not address.is_private
    return bool(getattr(address, f"is_{quality}", False))  # IPv4 knows no site-local


def _read(value: Any, version: int, options: str | None = None) -> str | None:
    """Return an address or interface of a version as text, where it has all the qualities."""
    try:
        address: Any = ipaddress.ip_address(value)
    except ValueError:
        try:
            address = ipaddress.ip_interface(value)
        except ValueError:
            return None
    if address.version != version:
        return None
    words = [word.strip() for word in options.split(",")] if options else []
    asked = [quality for word, quality in _OPTIONS.items() if word in words]
    return str(address) if all(_is(address, quality) for quality in asked) else None


def is_ip_filter(value: Any, options: str | None = None) -> bool:
    """Say whether a text is an IP address, with or without a prefix length."""
    return is_ipv4_filter(value, options) or is_ipv6_filter(value, options)


def is_ipv4_filter(value: Any, options: str | None = None) -> bool:
    """Say whether a text is an IPv4 address, with or without a prefix length."""
    return _read(value, 4, options) is not None


def is_ipv6_filter(value: Any, options: str | None = None) -> bool:
    """Say whether a text is an IPv6 address, with or without a prefix length."""
    return _read(value, 6, options) is not None


def _select(value: Any, version: int, options: str | None) -> Any:
    if isinstance(value, str | bytes):
        return _read(value, version, options)
    if isinstance(value, list | tuple | GeneratorType):
        found = (_read(item, version, options) for item in value)
        return [address for address in found if address is not None]
    return None


def ipv4(value: Any, options: str | None = None) -> Any:
    """Return the IPv4 addresses of a list, or the one that a text is, else None.

    ``options`` are qualities that it must have, joined by commas; words that are none do not count.
    """
    return _select(value, 4, options)


def ipv6(value: Any, options: str | None = None) -> Any:
    """Return the IPv6 addresses of a list, or the one that a text is, else None."""
    return _select(value, 6, options)


def ipaddr(value: Any, options: str | None = None) -> Any:
    """Return the IP addresses of a list, IPv4 first, or the one that a text is, else None."""
    fours, sixes = ipv4(value, options), ipv6(value, options)
    return fours or sixes if fours is None or sixes is None else fours + sixes


_network = partial(ipaddress.ip_network, strict=False)


def _each(value: Any, options: Any, version: Any, compute: Callable[[str], Any]) -> Any:
    """Return what is computed of each address in a list, or of the one that a text is."""
    chosen = ipv4 if version == 4 else ipv6 if version == 6 else None
    select = chosen if version else ipaddr
    found = select(value, options) if select else None
    if not found:
        return None
    if isinstance(value, list | tuple | GeneratorType):
        return [compute(address) for address in found]
    return compute(found)


def ip_host(value: Any, options: str | None = None, version: int | None = None) -> Any:
    """Return an interface's address with its prefix length."""
    return _each(value, options, version, lambda address: str(ipaddress.ip_interface(address)))


def network_hosts(value: Any, options: str | None = None, version: int | None = None) -> Any:
    """Return the addresses that hosts of a network can have."""
    return _each(value, options, version, lambda one: [str(host) for host in _network(one).hosts()])


def network_size(value: Any, options: str | None = None, version: int | None = None) -> Any:
    """Return how many addresses a network has."""
    return _each(value, options, version, lambda one: _network(one).num_addresses)


def filter_by_networks(values: Any, networks: Any) -> Any:
    """Return the addresses that are in any of the networks; all of them if networks is None.

    Values are a list, or lists by interface name; networks have no host bits.
    """
    if networks is None:
        return values
    known = [ipaddress.ip_network(network) for network in networks]
    if isinstance(values, Mapping):
        return {name: _within(values[name], known) for name in values}
    if isinstance(values, Sequence):
        return _within(values, known)
    raise ValueError(f"Do not know how to filter a {type(values)}")


def _within(addresses: Any, networks: list[Any]) -> list[Any]:
    return [
        address
        for address in addresses
        for network in networks
        if ipaddress.ip_address(address) in network
    ]


def ipwrap(value: Any) -> Any:
    """Return IPv6 addresses in brackets, everything else as it is."""
    if isinstance(value, list | tuple):
        return [_bracket(item) for item in value]
    return _bracket(value)


def _bracket(value: Any) -> Any:
    if _read(value, 6) is None:
        return value
    return f"[{ipaddress.ip_address(str(value))}]"


def mac_str_to_bytes(text: str) -> bytes:
    """Return a hardware address, with or without separators, as six bytes."""
    if len(text) == 17:
        text = text.replace(text[2], "")
    elif len(text) != 12:
        raise ValueError("Invalid MAC address")
    return bytes(int(text[at : at + 2], 16) for at in range(0, 12, 2))


FILTERS: dict[str, Callable[..., Any]] = {
    "filter_by_networks": filter_by_networks,
    "ip_host": ip_host,
    "ipaddr": ipaddr,
    "ipv4": ipv4,
    "ipv6": ipv6,
    "ipwrap": ipwrap,
    "is_ip": is_ip_filter,
    "is_ipv4": is_ipv4_filter,
    "is_ipv6": is_ipv6_filter,
    "mac_str_to_bytes": mac_str_to_bytes,
    "network_hosts": network_hosts,
    "network_size": network_size,
}
