"""One large tree of the shape of public ones: 300 SLS files, 113 minions of about 1,400 leaves.

Three quarters of the files are plain YAML, with gpg or without; a hundred import the same YAML file
of 200 leaves, some of them for what they print of each minion alone, through macros that are three
imports deep.
"""

from pathlib import Path

from benchmarks.wild_draft import Draft
from benchmarks.wild_pieces import split_words

MINIONS = 113
SITES = ("ams", "fra", "lon", "nyc", "sgp")
FAMILIES = {"Debian": ("Debian", "Ubuntu"), "RedHat": ("CentOS", "Rocky")}
ENVIRONMENTS = ("prod", "dev")
ROLES = split_words("web api db cache queue mail dns proxy metrics logs build backup")
LETTERS = "abcdefghijkl"
COMMON = ("plain",) * 17 + ("light",) * 8 + ("importer",) * 14 + ("own",) * 3 + ("sealed",) * 2
BY_ROLE = ("importer", "importer", "importer", "importer", "importer", "plain", "own", "opened")
BY_SITE = ("plain", "light", "importer", "sealed")
ASKING = ("vault", "runner", "mined", "clock") * 5
"""Files that ask what no repository can answer."""


def write_large(
    out: Path, *, seed: int = 1, minions: int = MINIONS, keys: bool = True, asking: bool = False
) -> None:
    """Write the tree.

    The first minions are the same whatever their number. Without ``keys`` to the PGP messages,
    these stay as they are; with ``asking``, all minions get files that ask Vault, runners, the mine
    and the clock.
    """
    draft = Draft(f"{seed}:large")
    draft.take("large/libraries")
    draft.files["pillar/base/data/network.yaml"] = _network(draft)
    draft.master["gpg_keydir"] = "gpgkeys" if keys else "no-keys"
    draft.master["gpg_decrypt_must_succeed"] = keys
    names = [_put(draft, kind, f"common.{kind}{at}") for at, kind in enumerate(COMMON)]
    if asking:
        names += [_put(draft, kind, f"asking.{kind}{at}") for at, kind in enumerate(ASKING)]
    draft.give(names, env="base")
    for role in ROLES:
        names = [_put(draft, kind, f"{role}.{kind}{at}") for at, kind in enumerate(BY_ROLE)]
        names.append(_put(draft, "role", f"{role}.init"))
        _put(draft, "plain", f"{role}.tuning")
        draft.give([*names[:-1], role], f"G@roles:{role}", env="base")
    for site in SITES:
        names = [_put(draft, kind, f"sites.{site}.{kind}{at}") for at, kind in enumerate(BY_SITE)]
        draft.give(names, f"site:{site}", match="grain", env="base")
    for family in FAMILIES:
        _put(draft, "plain", f"{family.lower()}.defaults")
    for environment in ENVIRONMENTS:
        _put(draft, "light", f"shared.{environment}")
    for number in range(minions):
        draft.minions.update([_declare(number)])
    _fill_up(draft)
    draft.write(out)


def _put(draft: Draft, kind: str, name: str) -> str:
    """Write an SLS of a kind, and return its name."""
    path = name.replace(".", "/") + ".sls"
    key = name.replace(".", "_")
    draft.take(f"large/{kind}", path=path, n=key, letter=draft.rng.choice(LETTERS))
    return name


def _fill_up(draft: Draft) -> None:
    """Give single hosts SLS files of their own until there are 300, top file not counted."""
    have = sum(path.endswith(".sls") for path in draft.files)
    for number in range(300 - have):
        minion, _ = _declare(number)
        host = minion.partition(".")[0]
        values = {"path": f"hosts/{host}.sls", "n": f"hosts_{host}", "name": f"hosts.{host}"}
        draft.take("large/host", id=host, **values)


def _declare(number: int) -> tuple[str, dict[str, object]]:
    """Return a minion's id and entry."""
    role, site = ROLES[number % len(ROLES)], SITES[number // 2 % len(SITES)]
    family = tuple(FAMILIES)[number % 3 == 0]
    environment = ENVIRONMENTS[number % 5 == 0]
    domain = f"{site}.example.net"
    host = f"{role}{number:03d}"
    grains = {
        "host": host,
        "domain": domain,
        "fqdn": f"{host}.{domain}",
        "fqdn_ip4": [f"10.{SITES.index(site)}.{number}.9"],
        "site": site,
        "environment": environment,
        "roles": [role, "base"],
        "os": FAMILIES[family][number % 2],
        "os_family": family,
        "num_cpus": 2 + number % 4 * 2,
        "mem_total": 3_900 * (1 + number % 7),
    }
    return f"{host}.{domain}", {"grains": grains}


def _network(draft: Draft) -> str:
    """Return the file that is imported a hundred times."""
    rng = draft.rng
    lines = ["# Everything about the network, in one place.", "ports:"]
    lines += [
        f"  {letter}{name}: {rng.randint(1024, 9999)}" for letter in LETTERS for name in "xyz"
    ]
    lines.append("sites:")
    for at, site in enumerate(SITES):
        lines += [f"  {site}:", f"    gateway: 10.{at}.0.1"]
        lines += [f"    resolvers: [10.{at}.0.53, 10.{at}.1.53]", "    vlans:"]
        lines += [f"      - {{id: {100 + vlan}, name: {site}-{vlan}}}" for vlan in range(8)]
    lines.append("hosts:")
    lines += [
        f"  {letter}{number}: {{address: 10.9.{number}.{at}, monitored: yes}}"
        for at, letter in enumerate(LETTERS)
        for number in range(3)
    ]
    return "\n".join(lines) + "\n"
