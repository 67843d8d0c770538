"""Values for grains: what the tree holds for one, and the usual ones of a minion that is made up.

The usual ones go together: a minion of which a target says that it is CentOS gets the family of
CentOS. Addresses are those set aside for documentation.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from pillarbook.bootstrap.grain_reads import Lookup, NamePart, TemplateReads
from pillarbook.bootstrap.listing import read_config
from pillarbook.model.long_integers import read_integer
from pillarbook.roots.environment_roots import Roots

_FAMILIES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "Debian": ("Debian", "12", "bookworm"),
        "Ubuntu": ("Debian", "24.04", "noble"),
        "Raspbian": ("Debian", "12", "bookworm"),
        "CentOS": ("RedHat", "7", "Core"),
        "RedHat": ("RedHat", "9", "Plow"),
        "Rocky": ("RedHat", "9", "Blue Onyx"),
        "AlmaLinux": ("RedHat", "9", "Teal Serval"),
        "Fedora": ("RedHat", "41", ""),
        "Amazon": ("RedHat", "2023", ""),
        "SUSE": ("Suse", "15", ""),
        "Arch": ("Arch", "rolling", ""),
        "Gentoo": ("Gentoo", "2", ""),
        "Alpine": ("Alpine", "3", ""),
        "FreeBSD": ("FreeBSD", "14.1", ""),
        "OpenBSD": ("OpenBSD", "7.5", ""),
        "MacOS": ("MacOS", "14.5", ""),
        "Windows": ("Windows", "2022Server", ""),
    }
)
"""Family, release and code name of operating systems."""
_KERNELS: Mapping[str, str] = MappingProxyType(
    {"FreeBSD": "FreeBSD", "OpenBSD": "OpenBSD", "MacOS": "Darwin", "Windows": "Windows"}
)
_ADDRESS = "192.0.2.10"
_ADDRESS_6 = "2001:db8::10"
_ALIKE: Mapping[str, Any] = MappingProxyType(
    {
        "biosversion": "1.0",
        "cpu_model": "generic",
        "cpuarch": "x86_64",
        "cwd": "/",
        "default_interface": "eth0",
        "dns": {"nameservers": ["192.0.2.53"]},
        "fqdn_ip4": [_ADDRESS],
        "fqdn_ip6": [_ADDRESS_6],
        "gpus": [],
        "hwaddr_interfaces": {"eth0": "52:54:00:00:00:10", "lo": "00:00:00:00:00:00"},
        "init": "systemd",
        "ip4_gw": "192.0.2.1",
        "ip4_interfaces": {"eth0": [_ADDRESS], "lo": ["127.0.0.1"]},
        "ip6_interfaces": {"eth0": [_ADDRESS_6], "lo": ["::1"]},
        "ip_interfaces": {"eth0": [_ADDRESS, _ADDRESS_6], "lo": ["127.0.0.1", "::1"]},
        "ipv4": ["127.0.0.1", _ADDRESS],
        "ipv6": ["::1", _ADDRESS_6],
        "kernelrelease": "6.1.0",
        "locale_info": {"defaultlanguage": "en_US", "defaultencoding": "UTF-8"},
        "manufacturer": "QEMU",
        "master": "salt",
        "mem_total": 4096,
        "num_cpus": 2,
        "num_gpus": 0,
        "osarch": "amd64",
        "path": "/usr/sbin:/usr/bin:/sbin:/bin",
        "productname": "Standard PC",
        "ps": "ps -efHww",
        "pythonversion": [3, 11, 0, "final", 0],
        "saltversion": "3008.3",
        "saltversioninfo": [3008, 3],
        "selinux": {"enabled": False, "enforced": "Disabled"},
        "shell": "/bin/sh",
        "swap_total": 0,
        "systemd": {"version": "252", "features": ""},
        "virtual": "kvm",
    }
)
"""Grains that are alike for all minions that are made up."""


def usual_grain(name: str, minion: str, grains: Mapping[str, Any]) -> Any:
    """Return a plausible value of a grain that Salt finds out itself; None for any other."""
    named = _named_after(minion).get(name)
    if named is not None:
        return named
    system = _system(grains)
    return system[name] if name in system else _ALIKE.get(name)


def usual_system(grain: str, grains: Mapping[str, Any], named: Iterable[str | int]) -> Any:
    """Return the operating system, or the family, that a tree names most; None if it names none.

    A tree that only knows Ubuntu sets nothing for Debian. Systems other than Linux are usually the
    exception in a tree, and grains that are known decide.
    """
    linux = {name: family for name, (family, *_) in _FAMILIES.items() if name not in _KERNELS}
    known = {"os": {*linux}, "os_family": {*linux.values()}}.get(grain)
    deciding = ("os", "os_family", "osfinger", "oscodename", "kernel")
    if known is None or any(one in grains for one in deciding):
        return None
    found = [one for one in named if one in known]
    return found[0] if found and _system({})[grain] not in found else None


def _named_after(minion: str) -> dict[str, Any]:
    host, _, domain = minion.partition(".")
    domain = domain or "example.com"
    full = f"{host}.{domain}"
    return {
        "host": host,
        "localhost": host,
        "nodename": host,
        "domain": domain,
        "fqdn": full,
        "fqdns": [full],
    }


def _system(grains: Mapping[str, Any]) -> dict[str, Any]:
    """Return the grains of the operating system that goes with what is known of it."""
    name = str(grains.get("os") or "")
    if name not in _FAMILIES:
        name = next((one for one in _FAMILIES if _goes_with(one, grains)), "Debian")
    family, release, code = _FAMILIES[name]
    release = str(grains.get("osrelease") or release)
    major = release.partition(".")[0]
    return {
        "os": name,
        "os_family": family,
        "osfullname": name,
        "oscodename": code,
        "osrelease": release,
        "osmajorrelease": _number_or_text(major),
        "osrelease_info": [_number_or_text(part) for part in release.split(".")],
        "osfinger": f"{name}-{major if family == 'RedHat' else release}",
        "lsb_distrib_codename": code,
        "lsb_distrib_id": name,
        "lsb_distrib_release": release,
        "kernel": str(grains.get("kernel") or _KERNELS.get(name, "Linux")),
    }


def _number_or_text(part: str) -> int | str:
    number = read_integer(part)
    return part if number is None else number


def _goes_with(name: str, grains: Mapping[str, Any]) -> bool:
    """Say whether an operating system is one that the known grains may be of."""
    family, _, code = _FAMILIES[name]
    said = {
        "os_family": family,
        "oscodename": code,
        "kernel": _KERNELS.get(name, "Linux"),
    }
    told = [key for key in said if key in grains]
    if "osfinger" in grains:
        return str(grains["osfinger"]).startswith(f"{name}-")
    return bool(told) and all(str(grains[key]).lower() == said[key].lower() for key in told)


# Larger files are data sets, in which every word would look like a value.
MAX_TEXT = 1024 * 1024
"""Bytes of a data file that is looked into."""
MAX_VALUES = 50
"""Values that one place may tell."""


def list_candidates(
    reads: Iterable[TemplateReads], roots: Roots
) -> Iterator[tuple[str, str | int]]:
    """Yield grains and values that the tree has something for, as often as it does."""
    known: dict[NamePart | Lookup, list[str | int]] = {}
    for one in reads:
        for part in one.names:
            if part not in known:
                known[part] = [*_named(part, roots)][:MAX_VALUES]
            yield from ((part.grain, value) for value in known[part])
        for lookup in one.lookups:
            if lookup not in known:
                known[lookup] = [*_looked_up(lookup, roots)][:MAX_VALUES]
            yield from ((lookup.grain, value) for value in known[lookup])


def _named(part: NamePart, roots: Roots) -> Iterator[str | int]:
    """Yield what is in a grain's place in the names of files that are there."""
    for saltenv in roots.environments:
        names = (*(roots.available(saltenv) or ()), *roots.names(saltenv))
        found = dict.fromkeys(_between(name, part) for name in names)
        yield from (value for value in found if value)


def _between(name: str, part: NamePart) -> str:
    if not name.startswith(part.before):
        return ""
    rest = name[len(part.before) :]
    end = rest.find(part.after) if part.after else len(rest)
    value = rest[:end] if end > 0 else ""
    return value if not any(sign in value for sign in "./") else ""


def _looked_up(lookup: Lookup, roots: Roots) -> Iterator[str | int]:
    """Yield the keys of imported data that a grain chooses from."""
    for saltenv in roots.environments:
        found = roots.find(lookup.file, saltenv)
        if found is None or len(found.content) > MAX_TEXT:
            continue
        data = read_config(found.content.decode("utf-8", "replace"))
        for key in lookup.path:
            data = data.get(key) if isinstance(data, dict) else None
        if isinstance(data, dict):
            yield from (key for key in data if isinstance(key, str | int))
