"""Write pillar trees of the shape of public ones, and say what no compile can make a value of.

    python -m benchmarks.wild OUT [--profile broken] [--seed 1] [--size 12]
    python -m benchmarks.wild OUT --profile large [--minions 113]
    python -m benchmarks.wild OUT --profile asking [--minions 113]
    python -m benchmarks.wild OUT --profile roles [--minions 100]

A tree is put together from pieces, each of which is one habit of pillar authors
(``wild_pieces.py``). The same arguments give the same bytes.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from benchmarks.wild_draft import BASE, Draft, Planted
from benchmarks.wild_large import write_large
from benchmarks.wild_pieces import piece_names
from benchmarks.wild_roles import write_roles

from pillarbook import open_session

SYSTEMS = (("Debian", "Debian", 12), ("Ubuntu", "Debian", 24), ("Rocky", "RedHat", 9))
ENVIRONMENTS = ("dev", "prod")


@dataclass(frozen=True, slots=True)
class Profile:
    """A kind of tree."""

    folders: tuple[str, ...]
    """Folders of pieces that are drawn from, each as often as it is named."""
    pieces: tuple[str, ...] = ()
    """Pieces that are always there."""
    without: tuple[str, ...] = ()
    """Pieces that are never drawn."""
    master: Mapping[str, Any] = field(default_factory=dict)
    """Master options."""
    pinned: bool = False
    """Whether minions have environments of their own."""


_ENVIRONMENTS = "top/environments"
_SOUND = ("yaml", "jinja", "include", "top")
_ROOTS = {
    "base": ["pillar/local", BASE],
    "dev": ["pillar/dev", BASE],
    "__env__": ["pillar/__env__"],
}
PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "bare": Profile(
            _SOUND,
            master={"pillar_roots": _ROOTS, "gpg_keydir": "gpgkeys"},
        ),
        "tidy": Profile(("yaml", "yaml", "jinja"), without=("jinja/absolute",)),
        "formulas": Profile(
            ("jinja", "jinja", "include", "top"),
            without=(_ENVIRONMENTS,),
            master={
                "pillar_roots": {"base": ["pillar/local", BASE]},
                "pillar_source_merging_strategy": "smart",
            },
        ),
        "environments": Profile(
            ("top", *_SOUND),
            pieces=(_ENVIRONMENTS, "top/two-roots"),
            master={
                "pillar_roots": _ROOTS,
                "pillarenv_from_saltenv": True,
                "pillar_merge_lists": True,
                "env_order": ["base", "dev", "prod"],
            },
            pinned=True,
        ),
        "secrets": Profile(
            ("secret", "secret", "yaml", "include"),
            pieces=("secret/opened", "secret/foreign"),
            master={"gpg_keydir": "gpgkeys"},
        ),
        "lenient": Profile(
            ("secret", "jinja"),
            pieces=("secret/opened", "secret/foreign"),
            without=("jinja/absolute",),
            master={"gpg_keydir": "gpgkeys", "gpg_decrypt_must_succeed": False},
        ),
        "keyless": Profile(
            ("secret", "jinja", "yaml"),
            pieces=("secret/foreign",),
            without=("secret/opened",),
            master={"gpg_keydir": "no-keys"},
        ),
        "broken": Profile(
            ("broken", "broken", *_SOUND),
            pieces=("broken/missing", "broken/functions"),
            without=(_ENVIRONMENTS,),
            master={"pillar_merge_lists": True},
        ),
    }
)
"""Each kind of tree by its name."""

ASKING = "asking"
"""The tree of which many values cannot be known here."""
_LARGE: Mapping[str, Callable[..., None]] = MappingProxyType(
    {"large": write_large, ASKING: partial(write_large, asking=True), "roles": write_roles}
)


def write_wild(
    out: Path, *, profile: str, seed: int = 1, size: int = 12, pieces: Iterable[str] = ()
) -> tuple[Planted, ...]:
    """Write a tree into a folder and return what was planted in it.

    ``out`` gets ``master``, ``minions.yml``, ``mkdocs.yml`` and ``pillar/``; ``profile`` is a name
    of ``PROFILES``; ``size`` is how many pieces to draw, besides those given.
    """
    kind = PROFILES[profile]
    draft = Draft(f"{seed}:{profile}")
    draft.master.update(json.loads(json.dumps(dict(kind.master))))
    for number in range(draft.rng.randint(2, 4)):
        draft.minions.update([_declare(draft, number, pinned=kind.pinned)])
    if kind.pinned:
        draft.top_key["prod"] = "{{ saltenv }}"
    pool = [
        piece
        for folder in kind.folders
        for piece in piece_names(folder)
        if piece not in kind.without
    ]
    drawn = [draft.rng.choice(pool) for _ in range(size)]
    for piece in (*pieces, *kind.pieces, *drawn):
        draft.take(piece)
    if kind.master.get("gpg_decrypt_must_succeed") is False:
        draft.planted = [one for one in draft.planted if one.code != "undecryptable"]
    return draft.write(out)


def _declare(draft: Draft, number: int, *, pinned: bool) -> tuple[str, dict[str, Any]]:
    """Return a minion's id and entry."""
    rng = draft.rng
    role = ("web", "db", "mail")[number % 3]
    site = rng.choice(("ams", "fra", "lon"))
    system, family, release = rng.choice(SYSTEMS)
    domain = f"{site}.example.net"
    host = f"{role}{number // 3 + 1}"
    grains = {
        "host": host,
        "domain": domain,
        "fqdn": f"{host}.{domain}",
        "site": site,
        "environment": rng.choice(ENVIRONMENTS),
        "roles": [role, "common"],
        "os": system,
        "os_family": family,
        "osmajorrelease": release,
        "num_cpus": rng.choice((2, 4, 8)),
        "mem_total": 3_900,
        "virtual": "kvm",
        "ipv4": ["127.0.0.1", f"10.0.0.{number + 1}"],
        "ec2": {"local_ipv4": f"10.0.0.{number + 1}", "tags": {"Name": host}},
        "layers": {"soe": "standard", "apps": ["x"]},
    }
    entry: dict[str, Any] = {"grains": grains}
    if pinned and rng.random() < 0.7:
        entry["saltenv" if rng.random() < 0.5 else "pillarenv"] = rng.choice(ENVIRONMENTS)
    return f"{host}.{domain}", entry


def describe_exact(tree: Path) -> str:
    """Return how many values of a tree are known without a live Salt."""
    with open_session(tree / "mkdocs.yml") as session:
        pillars = [session.compile(minion) for minion in session.minions()]
    values = sum(len(one.leaves) for one in pillars)
    unknown = sum(one.unknown for one in pillars)
    failing = sum(one.outcome not in ("ok", "empty") for one in pillars)
    return (
        f"{len(pillars)} minions, {failing} with errors; {values - unknown:,} of {values:,} values"
        f" exact ({(values - unknown) / values:.1%})"
    )


def main() -> None:
    """Read the command line, write the tree and print what was planted in it."""
    parser = argparse.ArgumentParser(description="Write a generated pillar tree into a folder.")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--profile", choices=[*PROFILES, *_LARGE], default="broken")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=12, help="pieces to draw")
    parser.add_argument("--minions", type=int, help="of the large tree and that of roles")
    asked = parser.parse_args()
    if asked.profile in _LARGE:
        some = {} if asked.minions is None else {"minions": asked.minions}
        _LARGE[asked.profile](asked.out, seed=asked.seed, **some)
        if asked.profile == ASKING:
            print(describe_exact(asked.out))
        return
    for one in write_wild(asked.out, profile=asked.profile, seed=asked.seed, size=asked.size):
        print(f"{one.file}:{one.line or 1}: {one.code}")


if __name__ == "__main__":
    main()
