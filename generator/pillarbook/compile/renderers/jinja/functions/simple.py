"""Functions that depend only on their arguments and the clock.

Source: Salt ``salt/modules/test.py``, ``logmod.py``, ``hashutil.py``, ``mod_random.py``,
``network.py``, ``status.py`` (``time_``), ``system.py``; ``salt/utils/sdb.py`` (``sdb_get``).
"""

import datetime as dt
import hashlib
import ipaddress
import random
import re
from typing import Any

from pillarbook.compile.renderers.jinja.filters import digests, lists
from pillarbook.compile.renderers.jinja.filters.text import to_bytes
from pillarbook.compile.renderers.jinja.function_errors import (
    SaltFunctionError,
    SaltTemplateError,
    UnansweredCallError,
)
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionModule

_OFFSET = re.compile(r"([+-])?(\d\d)(\d\d)$")
START = "sdb://"


class Test(FunctionModule):
    """The module ``test``, without functions that depend on the machine."""

    def ping(self) -> bool:
        """Return True."""
        return True

    def true_(self) -> bool:
        """Return True: ``test.true``."""
        return True

    def false_(self) -> bool:
        """Return False: ``test.false``."""
        return False

    def echo(self, text: Any) -> Any:
        """Return what it is given."""
        return text

    def outputter(self, data: Any) -> Any:
        """Return what it is given."""
        return data

    def arg(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        """Return what it is called with."""
        return {"args": arguments, "kwargs": options}

    def version(self) -> str:
        """Return the version of the reference Salt."""
        return "3008.3"


class Log(FunctionModule):
    """The module ``log``; nothing is written anywhere."""

    def debug(self, message: Any) -> bool:  # noqa: ARG002
        """Return True."""
        return True

    info = warning = error = critical = exception = debug


class HashUtil(FunctionModule):
    """The module ``hashutil``, for text."""

    def digest(self, instr: Any, checksum: str = "md5") -> str:
        """Return a text's digest: ``md5``, ``sha256`` or ``sha512``."""
        functions = {
            "md5": digests.md5_digest,
            "sha256": digests.sha256_digest,
            "sha512": digests.sha512_digest,
        }
        if checksum not in functions:
            raise SaltFunctionError(f"Hash func '{checksum}' is not supported.")
        return functions[checksum](instr)

    base64_b64encode = staticmethod(digests.base64_b64encode)
    base64_b64decode = staticmethod(digests.base64_b64decode)
    md5_digest = staticmethod(digests.md5_digest)
    sha256_digest = staticmethod(digests.sha256_digest)
    sha512_digest = staticmethod(digests.sha512_digest)
    hmac_signature = staticmethod(digests.hmac_signature)
    hmac_compute = staticmethod(digests.hmac_compute)


class Random(FunctionModule):
    """The module ``random``: functions that are not random, and those that have a seed."""

    def rand_int(self, start: Any = 1, end: Any = 10, seed: Any = None) -> int:
        """Return a number from ``start`` to ``end``."""
        if seed is None:
            raise _unseeded()
        return random.Random(seed).randint(start, end)  # noqa: S311 (Salt's own result)

    def seed(self, range: Any = 10, hash: Any = None) -> int:  # noqa: A002 (Salt's names)
        """Return a number below ``range``, always the same for a minion or a ``hash``."""
        seed = self._context.grains["id"] if hash is None else hash
        return random.Random(seed).randrange(range)  # noqa: S311 (Salt's own result)

    def sample(self, value: Any, size: Any, seed: Any = None) -> list[Any]:
        """Return some members."""
        if seed is None:
            raise _unseeded()
        return lists.sample(value, size, seed)

    def shuffle(self, value: Any, seed: Any = None) -> list[Any]:
        """Return all members in another order."""
        if seed is None:
            raise _unseeded()
        return lists.shuffle(value, seed)

    def hash(self, value: Any, algorithm: str = "sha512") -> str:
        """Return a text's digest."""
        if algorithm not in hashlib.algorithms_guaranteed:
            raise SaltTemplateError("You must specify a valid algorithm.")
        return hashlib.new(algorithm, to_bytes(value), usedforsecurity=False).hexdigest()


def _unseeded() -> UnansweredCallError:
    return UnansweredCallError("without a seed, so its result depends on chance", "give it a seed")


class Network(FunctionModule):
    """The module ``network``: functions that compute with addresses.

    Functions that read the machine need declared answers.
    """

    def ip_in_subnet(self, ip_addr: Any, cidr: Any) -> bool:
        """Say whether one of the addresses is in a network; False if it is not a network."""
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


class Status(FunctionModule):
    """The module ``status``: its only function that needs no more than the time."""

    def time_(self, format: str = "%A, %d. %B %Y %I:%M%p") -> str:  # noqa: A002 (Salt's name)
        """Return the time in a format: ``status.time``."""
        return self._context.now().strftime(format)


class System(FunctionModule):
    """The module ``system``: the functions of it that tell the time."""

    def get_system_time(self, utc_offset: str | None = None) -> str:
        """Return the time of the day."""
        return self._shifted(utc_offset).strftime("%I:%M:%S %p")

    def get_system_date_time(self, utc_offset: str | None = None) -> str:
        """Return date and time."""
        return self._shifted(utc_offset).strftime("%Y-%m-%d %H:%M:%S")

    def get_system_date(self, utc_offset: str | None = None) -> str:
        """Return the date."""
        return self._shifted(utc_offset).strftime("%a %m/%d/%Y")

    def _shifted(self, utc_offset: str | None) -> dt.datetime:
        """Return the time in a time zone."""
        if utc_offset is None:
            return self._context.now()
        found = _OFFSET.match(utc_offset)
        if found is None:
            raise SaltFunctionError("Invalid UTC offset")
        sign, hours, minutes = found.groups()
        distance = dt.timedelta(hours=int(hours), minutes=int(minutes))
        return self._context.now() - distance if sign == "-" else self._context.now() + distance


class Sdb(FunctionModule):
    """The module ``sdb``."""

    def get(self, uri: Any, strict: Any = False) -> Any:
        """Return what is no URI, or has no key, as it is.

        Of a profile that the options lack, Salt returns the URI, too. But here the master may have
        it in a file that the repository does not have.

        Raises:
            UnansweredCallError: Only the database knows.
            SaltTemplateError: It has no key, and must have one.
        """
        if not (isinstance(uri, str) and uri.startswith(START)):
            return uri
        if uri.removeprefix(START).partition("/")[2]:
            raise UnansweredCallError("with a URI of a database")
        if strict:
            raise SaltTemplateError(
                "SDB uri must have a profile name as a first part of the uri before the /"
            )
        return uri
