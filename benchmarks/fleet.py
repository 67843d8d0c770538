"""Write a fleet of any size, for measurements: a pillar tree, a master file and an inventory.

    python benchmarks/fleet.py OUT --minions 10000 [--format yaml|json] [--seed 1]

40 roles, 6 sites, 3 environments and 110 SLS files, whatever the number of minions; a minion gets
about 9 SLS files and 270 leaves, all of them without an error. The same arguments give the same
bytes, and the first minions of a large fleet are those of a small one with the same seed.
"""

import argparse
import json
import random
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, Literal, get_args

InventoryFormat = Literal["yaml", "json"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ROLES = _words(
    "web api db cache queue search mail dns ntp proxy bastion ci registry metrics logs tracing "
    "backup files ldap vpn kafka zookeeper consul vault etcd compute render batch ingest billing "
    "orders catalog stock shipping reviews payments sessions images jobs gateway"
)
SITES = ("ams", "hel", "fra", "lon", "nyc", "sgp")
ENVIRONMENTS = ("base", "staging", "prod")
CLUSTERS = ("blue", "green", "canary")
SIZES = ("small", "large")
TEAMS = ("platform", "shop", "data", "security")
GROUPS = {"edge": ROLES[0:12:4], "data": ROLES[2:30:8], "compute": ROLES[25:40:5]}

_TEXTS = Path(__file__).parent / "fleet_tree"
_FLAVOURS = ("plain", "plain", "grains", "plain", "macros")
_PACKAGES = _words("curl jq htop rsync tmux vim git lsof strace tcpdump unzip wget gnupg screen")
_OPTIONS = _words(
    "backlog batch_size buffer_kb cache_ttl checkpoint compression connect_timeout deadline "
    "depth drain_seconds fanout flush_interval grace heartbeat idle_timeout keepalive lease "
    "linger max_body max_clients max_retries min_spare nodelay page_size pool_size prefetch "
    "queue_length rate_limit read_timeout reserve retry_delay ring_size sample_rate segment "
    "shards slow_log snapshot spill stripe sweep threads ttl verify watermark window write_timeout"
)
_PEOPLE = _words("alice benoit chiyo dmitri elena farid grace hiro")
_WORDS = _words("amber basil cedar delta ember fjord grove heron iris juniper karst lotus maple")


@dataclass(frozen=True, slots=True)
class System:
    """An operating system as grains describe it."""

    os: str
    """The ``os`` grain."""
    family: str
    """The ``os_family`` grain."""
    release: str
    """The ``osrelease`` grain; its first part is the major release."""


_SYSTEMS = (
    System("Debian", "Debian", "12.7"),
    System("Ubuntu", "Debian", "24.04"),
    System("Rocky", "RedHat", "9.4"),
)


def write_fleet(
    out: Path, *, minions: int, inventory_format: InventoryFormat = "yaml", seed: int = 1
) -> None:
    """Write a fleet into ``out``, which is made where it does not exist.

    ``out`` gets ``master``, ``pillar/``, ``fleet.json`` (what was asked for) and ``minions.yml`` or
    ``minions.json``. Another ``seed`` gives another fleet of the same shape.
    """
    out.mkdir(parents=True, exist_ok=True)
    for path, text in tree_files(seed).items():
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    (out / "fleet.json").write_text(json.dumps({"minions": minions, "seed": seed}) + "\n")
    declared = {"minions": dict(declare_minions(minions, seed))}
    if inventory_format == "json":
        (out / "minions.json").write_text(json.dumps(declared, indent=1) + "\n")
    else:
        (out / "minions.yml").write_text("\n".join(_yaml_lines(declared)) + "\n")


def write_sample(out_dir: Path, sample_dir: Path, count: int) -> None:
    """Write the tree of a fleet again, with its first ``count`` minions only.

    Roles, sites and environments are drawn anew for each minion, so the first ones are a fair
    sample. The result is a case folder as the real Salt's timing wants it. ``sample_dir`` gets
    ``master``, ``pillar/`` and ``minions.yml``; all minions where the fleet has fewer.
    """
    fleet = json.loads((out_dir / "fleet.json").read_text())
    sample_dir.mkdir(parents=True, exist_ok=True)
    shutil.copytree(out_dir / "pillar", sample_dir / "pillar", dirs_exist_ok=True)
    shutil.copyfile(out_dir / "master", sample_dir / "master")
    declared = dict(declare_minions(min(count, fleet["minions"]), fleet["seed"]))
    text = "\n".join(_yaml_lines({"minions": declared})) + "\n"
    (sample_dir / "minions.yml").write_text(text)


def declare_minions(count: int, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield ``(id, entry)`` for each minion, entries shaped as in an inventory."""
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        environment = rng.choices(ENVIRONMENTS, weights=(15, 25, 60))[0]
        grains = _grains(rng, number, environment)
        entry: dict[str, Any] = {"pillarenv": environment, "grains": grains}
        if rng.random() < 0.3:
            entry["saltenv"] = environment
        yield grains["fqdn"], entry


def _grains(rng: random.Random, number: int, environment: str) -> dict[str, Any]:
    """Return about 25 grains; mappings and lists among them, each with a few members."""
    # Squared, so that there are many of the first roles and few of the last.
    role = ROLES[int(len(ROLES) * rng.random() ** 2)]
    roles = [role, rng.choice(ROLES)] if rng.random() < 0.15 else [role]
    site = rng.choices(SITES, weights=(30, 20, 20, 12, 12, 6))[0]
    system = rng.choices(_SYSTEMS, weights=(50, 20, 30))[0]
    cpus = rng.choice((2, 4, 4, 8, 8, 16, 32))
    address = f"10.{10 + SITES.index(site)}.{number // 250 % 250}.{number % 250 + 1}"
    host = f"{role}{number:05d}"
    domain = f"{site}.{environment}.fleet.example"
    grains: dict[str, Any] = {
        "host": host,
        "domain": domain,
        "fqdn": f"{host}.{domain}",
        "site": site,
        "env": environment,
        "team": rng.choice(TEAMS),
        "roles": list(dict.fromkeys(roles)),
        "os": system.os,
        "os_family": system.family,
        "osrelease": system.release,
        "osmajorrelease": int(system.release.split(".")[0]),
        "kernel": "Linux",
        "kernelrelease": f"6.1.0-{rng.randint(18, 26)}-amd64",
        "cpuarch": "x86_64",
        "num_cpus": cpus,
        "mem_total": cpus * 3990,
        "virtual": rng.choice(("kvm", "kvm", "physical")),
        "ipv4": ["127.0.0.1", address],
        "ip4_interfaces": {"lo": ["127.0.0.1"], "eth0": [address]},
        "dns": {"nameservers": [f"10.{10 + SITES.index(site)}.0.53"], "search": [domain]},
        "disks": ["vda", "vdb", "vdc"][: rng.randint(1, 3)],
        "locale_info": {"defaultlanguage": "en_US", "defaultencoding": "UTF-8", "timezone": "UTC"},
        "serialnumber": f"{rng.getrandbits(48):012X}",
        "rack": f"{rng.choice('ABCD')}{rng.randint(1, 9)}",
    }
    if rng.random() < 0.2:
        grains["cluster"] = rng.choice(CLUSTERS)
    return grains


def tree_files(seed: int) -> dict[str, str]:
    """Return the text of every file but the inventory, by its path below the fleet's folder."""
    rng = random.Random(f"{seed}:tree")
    base = "pillar/base"
    files = {
        "master": _text("master", _nodegroups()),
        f"{base}/map.jinja": _text("map.jinja"),
        f"{base}/data/ports.yaml": _ports(),
        f"{base}/data/people.yaml": _people(rng),
        f"{base}/common/init.sls": _text("common.sls", {"settings": _settings(rng, 18, 4)}),
        f"{base}/common/users.sls": _text("users.sls"),
        f"{base}/identity.sls": _text("identity.sls"),
        "pillar/staging/debug.sls": _extra(rng, "debug", "staging"),
        "pillar/staging/fixtures.sls": _extra(rng, "fixtures", "staging"),
    }
    for index, site in enumerate(SITES):
        values = {"site": site, "net": f"10.{10 + index}", "settings": _settings(rng, 16, 4)}
        files[f"{base}/sites/{site}.sls"] = _text("site.sls", values)
    for kind, names in (("hardware", SIZES), ("groups", GROUPS), ("clusters", CLUSTERS)):
        files |= {f"{base}/{kind}/{name}.sls": _extra(rng, kind, name) for name in names}
    for environment in ENVIRONMENTS:
        files |= _environment_files(rng, environment)
    for name in ("backup", "compliance", "freeze", "cdn", "audit"):
        values = {"name": name, "armor": _armor(rng), "settings": _settings(rng, 8, 4)}
        files[f"pillar/prod/{name}.sls"] = _text("prod-only.sls", values)
    for index, role in enumerate(ROLES):
        files |= _role_files(rng, role, index)
    return files


def _text(name: str, values: Mapping[str, object] | None = None) -> str:
    """Return a text of ``fleet_tree/``, its ``$names`` filled in where values are given."""
    text = (_TEXTS / name).read_text(encoding="utf-8")
    return text if values is None else Template(text).substitute(values)


def _extra(rng: random.Random, kind: str, name: str) -> str:
    return _text("extra.sls", {"kind": kind, "name": name, "settings": _settings(rng, 14, 4)})


def _environment_files(rng: random.Random, environment: str) -> dict[str, str]:
    """Return what each environment has of its own, under the same names."""
    values = {
        "environment": environment,
        "level": {"base": "debug", "staging": "info", "prod": "warning"}[environment],
        "secret": _secret(rng),
        "settings": _settings(rng, 14, 4),
    }
    folder = f"pillar/{environment}"
    return {
        f"{folder}/top.sls": _top(environment),
        f"{folder}/environment.sls": _text("environment.sls", values),
        f"{folder}/alerting.sls": _text("alerting.sls", values),
    }


def _role_files(rng: random.Random, role: str, index: int) -> dict[str, str]:
    """Return a role's two SLS files: itself and the service that it includes."""
    values = {
        "role": role,
        "port": 8000 + index,
        "secret": _secret(rng),
        "weight": rng.randint(1, 9),
        "packages": ", ".join(rng.sample(_PACKAGES, 5)),
    }
    flavour = _FLAVOURS[index % len(_FLAVOURS)]
    limits = _settings(rng, 9, 6 if flavour == "macros" else 4)
    body = _text(f"role-{flavour}.sls", values | {"limits": limits})
    own = values | {"settings": _settings(rng, 26, 4), "body": body.rstrip()}
    service = values | {"settings": _settings(rng, 24, 2)}
    return {
        f"pillar/base/roles/{role}/init.sls": _text("role.sls", own),
        f"pillar/base/roles/{role}/service.sls": _text("service.sls", service),
    }


def _settings(rng: random.Random, count: int, indent: int) -> str:
    """Return ``count`` lines ``option: value``, for a line that is indented already."""
    lines = [f"{option}: {_scalar(rng)}" for option in rng.sample(_OPTIONS, count)]
    return ("\n" + " " * indent).join(lines)


def _scalar(rng: random.Random) -> str:
    return rng.choice(
        (
            str(rng.randint(1, 9000)),
            rng.choice(("true", "false", "yes", "no")),
            f"{rng.choice(_WORDS)}-{rng.randint(1, 99)}",
            f"'{rng.randint(1, 90)}s'",
            f"{rng.randint(1, 99) / 10}",
        )
    )


def _secret(rng: random.Random) -> str:
    return f"bench-only-{rng.getrandbits(64):016x}"


def _armor(rng: random.Random) -> str:
    """Return what looks like a PGP message, for a literal block that is indented by four."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    body = ["".join(rng.choices(letters, k=64)) for _ in range(5)]
    lines = ["-----BEGIN PGP MESSAGE-----", "", *body, "-----END PGP MESSAGE-----"]
    return "\n".join(f"    {line}" if line else "" for line in lines)


def _ports() -> str:
    return "".join(
        f"{role}: {{public: {8000 + n}, admin: {9000 + n}}}\n" for n, role in enumerate(ROLES)
    )


def _people(rng: random.Random) -> str:
    """Return accounts by name; each may be on all machines or on those of one team."""
    return "".join(
        f"{name}:\n  uid: {2000 + number}\n  team: {TEAMS[number % len(TEAMS)]}\n"
        f"  groups: [ops, {rng.choice(_WORDS)}]\n  everywhere: {str(number % 2 == 0).lower()}\n"
        f"  key: ssh-ed25519 {_secret(rng)} {name}@fleet.example\n"
        for number, name in enumerate(_PEOPLE)
    )


def _nodegroups() -> dict[str, str]:
    return {
        group: " or ".join(f"G@roles:{role}" for role in roles) for group, roles in GROUPS.items()
    }


def _top(environment: str) -> str:
    """Return the environment's own top file: by glob, grain, compound, pcre and nodegroup."""
    targets: list[tuple[str, str, list[str]]] = [("*", "", ["common", "identity", "environment"])]
    targets += [(f"site:{site}", "grain", [f"sites.{site}"]) for site in SITES]
    targets += [(f"roles:{role}", "grain", [f"roles.{role}"]) for role in ROLES]
    targets += [(group, "nodegroup", [f"groups.{group}"]) for group in GROUPS]
    targets += [(f"cluster:{name}", "grain", [f"clusters.{name}"]) for name in CLUSTERS]
    targets += [
        ("G@num_cpus:2 and G@virtual:kvm", "compound", ["hardware.small"]),
        (
            "G@num_cpus:32 or ( G@num_cpus:16 and not G@virtual:kvm )",
            "compound",
            ["hardware.large"],
        ),
        (r"^(web|api|db)\d+\.", "pcre", ["alerting"]),
    ]
    if environment == "staging":
        targets += [
            ("G@team:shop and *.ams.*", "compound", ["debug"]),
            ("db*", "glob", ["fixtures"]),
        ]
    if environment == "prod":
        targets += [
            ("db*", "glob", ["backup"]),
            ("vault*", "glob", ["audit"]),
            ("G@team:security and G@os_family:RedHat", "compound", ["compliance"]),
            ("roles:pay.*", "grain_pcre", ["freeze"]),
            ("N@edge and G@site:ams", "compound", ["cdn"]),
        ]
    lines = [f"{environment}:"]
    for target, match, names in targets:
        lines.append(f"  '{target}':")
        lines += [f"    - match: {match}"] if match else []
        lines += [f"    - {name}" for name in names]
    return "\n".join(lines) + "\n"


def _yaml_lines(value: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Yield block YAML; PyYAML's own dumper needs a minute for 10,000 minions."""
    for key, item in value.items():
        if isinstance(item, Mapping):
            yield f"{indent}{key}:"
            yield from _yaml_lines(item, indent + "  ")
        elif isinstance(item, list):
            yield f"{indent}{key}:"
            yield from (f"{indent}- {_yaml_scalar(member)}" for member in item)
        else:
            yield f"{indent}{key}: {_yaml_scalar(item)}"


def _yaml_scalar(value: str | int) -> str:
    if isinstance(value, str) and not re.fullmatch(r"[A-Za-z][\w.-]*|\d+\.\d+\.\d+\S*", value):
        return f"'{value}'"
    return str(value)


def main() -> None:
    """Read the command line and write the fleet."""
    parser = argparse.ArgumentParser(description="Write a generated fleet into a folder.")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--minions", type=int, default=10_000)
    parser.add_argument("--format", choices=get_args(InventoryFormat), default="yaml")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    write_fleet(args.out, minions=args.minions, inventory_format=args.format, seed=args.seed)


if __name__ == "__main__":
    main()
