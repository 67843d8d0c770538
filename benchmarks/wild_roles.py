"""A tree of the shape of openSUSE's: a host's own SLS names its roles, and the top file reads it.

The top file is computed for each minion: it renders the file of the minion's id. Roles are plain
YAML, Jinja over data about all hosts, code (``#!py``), or have PGP messages; some functions have
declared answers.
"""

from pathlib import Path

from benchmarks.wild_draft import Draft
from benchmarks.wild_pieces import split_words

MINIONS = 100
SLS_PER_MINION = 3
COUNTRIES = ("cz", "de", "us")
SYSTEMS = (("Leap", 15), ("Leap Micro", 6), ("Tumbleweed", 2026))
VIRTUAL = ("kvm", "kvm", "kvm", "physical")
KINDS = ("plain", "jinja", "plain", "code", "jinja", "opened")
LETTERS = "adgmprst"
SERVICES = split_words(
    "mirror rsync wiki forum mail list proxy dns login build ci paste chat news photos progress "
    "redis galera pgsql elastic monitor logs backup vpn matrix"
)


def write_roles(out: Path, *, seed: int = 1, minions: int = MINIONS) -> None:
    """Write the tree; it has three SLS files for each minion, top file not counted.

    ``out`` gets ``master``, ``minions.yml``, ``mkdocs.yml`` and ``pillar/``.
    """
    draft = Draft(f"{seed}:roles")
    draft.master["gpg_keydir"] = "gpgkeys"
    draft.take("roles/base")
    roles = _write_services(draft, max(6, minions * 4 // 5))
    for virtual in dict.fromkeys(VIRTUAL):
        _put(draft, "part", f"virtual.{virtual}")
    for system, _ in SYSTEMS:
        _put(draft, "system", f"osfullname.{system.replace(' ', '_')}")
    clusters = [f"cluster{number}" for number in range(max(1, minions // 12))]
    for cluster in clusters:
        _put(draft, "part", f"cluster.{cluster}")
    hosts = [_declare(draft, number, roles, clusters) for number in range(minions)]
    draft.files["pillar/base/infra/hosts.yaml"] = "".join(hosts)
    _write_common(draft, minions * SLS_PER_MINION)
    draft.write(out)


def _put(draft: Draft, kind: str, name: str, **values: str) -> str:
    """Write an SLS of a kind, and return its name."""
    path, key = name.replace(".", "/") + ".sls", name.replace(".", "_")
    draft.take(f"roles/{kind}", path=path, n=key, letter=draft.rng.choice(LETTERS), **values)
    return name


def _write_services(draft: Draft, count: int) -> list[str]:
    """Write roles with their secrets, and return their names as minions name them."""
    roles = []
    for number in range(count):
        service, turn = SERVICES[number % len(SERVICES)], number // len(SERVICES)
        name = f"{service}.server{turn}" if number % 3 == 0 else f"{service}{turn}"
        kind = KINDS[number % len(KINDS)]
        secret = f"secrets.role.{name.replace('.', '_')}"
        _put(draft, kind, f"role.{name}", secret=secret)
        if kind in ("plain", "jinja"):
            _put(draft, "secret", secret)
        roles.append(name)
    return roles


def _declare(draft: Draft, number: int, roles: list[str], clusters: list[str]) -> str:
    """Declare a minion with its own SLS, and return its line of the file about all hosts."""
    rng = draft.rng
    country, (system, release) = rng.choice(COUNTRIES), rng.choice(SYSTEMS)
    host = f"{rng.choice(SERVICES)}{number}"
    virtual = VIRTUAL[number % len(VIRTUAL)]
    grains = {
        "host": host,
        "country": country,
        "osfullname": system,
        "osmajorrelease": release,
        "virtual": virtual,
        "num_cpus": rng.choice((2, 4, 16)),
        **({"cluster": rng.choice(clusters)} if number % 3 else {}),
    }
    minion = f"{host}.{country}.example.org"
    draft.minions[minion] = {"grains": grains}
    own = rng.sample(roles, rng.randint(0, 3))
    kind = "sealed" if number % 5 == 4 else "host"
    _put(draft, kind, f"id.{minion.replace('.', '_')}", roles=", ".join(own))
    return f"{host}: {{address: 10.0.{number}.2, country: {country}, virtual: {virtual}}}\n"


def _write_common(draft: Draft, wanted: int) -> None:
    """Write what all minions get, in as many files as are wanted in all."""
    have = sum(
        path.endswith(".sls") for path in draft.files
    )  # `common` itself in place of the top file
    names = [_put(draft, "part", f"common.part{at}") for at in range(max(1, wanted - have))]
    includes = "\n".join(f"  - {name}" for name in names)
    _put(draft, "common", "common.init", includes=includes)
