"""Functions that compute with addresses; those that ask the machine have to be declared.

Source: Salt ``salt/modules/network.py``.
"""

import ipaddress
from typing import Any

from pillarbook.compile.renderers.jinja.functions.function_context import FunctionContext


class Network:
    """The module ``network``."""

    def __init__(self, _context: FunctionContext) -> None:
        pass

    def ip_in_subnet(self, ip_addr: Any, cidr: Any) -> bool:
        """Say whether an address, or any of some, is in a network; False where it is none."""
        try:
            network = ipaddress.ip_network(cidr)
        except ValueError:
            return False
        addresses = ip_addr if isinstance(ip_addr, list | tuple) else [ip_addr]
        return any(ipaddress.ip_address(address) in network for address in addresses)

    def is_private(self, ip_addr: Any) -> bool:
        """Say whether an address is a private one."""
        return ipaddress.ip_address(ip_addr).is_private

    def is_loopback(self, ip_addr: Any) -> bool:
        """Say whether an address is the machine's own."""
        return ipaddress.ip_address(ip_addr).is_loopback

    def reverse_ip(self, ip_addr: Any) -> str:
        """Return the name under which DNS has an address."""
        return ipaddress.ip_address(ip_addr).reverse_pointer

    def calc_net(self, ip_addr: Any, netmask: Any = None) -> str:
        """Return the network that an address with a prefix length or netmask is in."""
        address = ip_addr if netmask is None else f"{ip_addr}/{netmask}"
        return str(ipaddress.ip_network(address, strict=False))

    def convert_cidr(self, cidr: Any) -> dict[str, str]:
        """Return a network's address, netmask and broadcast address."""
        network = ipaddress.ip_network(self.calc_net(cidr))
        return {
            "network": str(network.network_address),
            "netmask": str(network.netmask),
            "broadcast": str(network.broadcast_address),
        }
