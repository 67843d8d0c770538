"""The ipcidr matcher: an address or a network against the ``ipv4`` and ``ipv6`` grains."""

import ipaddress
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeAlias

from pillarbook.compile.matchers.subject import MatcherError, Subject

_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


def match_ipcidr(target: Any, subject: Subject) -> bool:
    """Match a minion's addresses.

    An address is searched in the grain in its compressed form; if the grain is a text, a part of it
    is enough. A network with host bits is invalid and matches nothing.

    Raises:
        MatcherError: The grain is not a container, or one of its items is not an address.

    Source: Salt ``salt/matchers/ipcidr_match.py``, ``salt/utils/network.py`` (``in_subnet``).
    """
    wanted = _parse_target(target)
    if wanted is None:
        return False
    try:
        declared = subject.grains[f"ipv{wanted.version}"]
    except KeyError:
        return False
    try:
        if isinstance(wanted, ipaddress.IPv4Address | ipaddress.IPv6Address):
            return str(wanted) in declared
        return _has_member(wanted, declared)
    except (TypeError, ValueError) as error:
        raise MatcherError(f"{type(error).__name__}: {error}") from error


def find_version(target: str) -> int | None:
    """Return the IP version of the grain for an address or network: 4 or 6; None if invalid."""
    wanted = _parse_target(target)
    return None if wanted is None else wanted.version


def _has_member(network: _Network, declared: Any) -> bool:
    if declared is None:
        # Salt would use the addresses of the master's machine, which nobody has declared
        return False
    addresses = declared if isinstance(declared, list | tuple) else (declared,)
    return any(
        (_parse_text(one) if isinstance(one, str) else ipaddress.ip_address(one)) in network
        for one in addresses
    )


# By the text, which determines the result. A minion has few addresses, and each target with a
# subnet tests all of them.
_parse_text = lru_cache(maxsize=8192)(ipaddress.ip_address)


# `typed`, because 1 and True are equal in a dict but different addresses in Salt.
@lru_cache(maxsize=8192, typed=True)
def _parse_target(target: Any) -> _Address | _Network | None:
    """Return the address or network; numbers and packed bytes are valid addresses."""
    with suppress(ValueError, TypeError):
        return ipaddress.ip_address(target)
    with suppress(ValueError, TypeError):
        return ipaddress.ip_network(target)
    return None
