"""Small fleets with secrets in SLS files that include each other, drawn from a seed."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from tests.support.fleets import write_files

from pillarbook.inventory.settings import Settings

SLS = "abcdef"
CONFIGURATION = """\
site_name: Drawn
docs_dir: pages
theme: {name: pillarbook}
plugins:
  - pillarbook: {master: master, inventory: minions.yml}
"""


@dataclass(frozen=True, slots=True)
class SecretFleet:
    """What a fleet is written from."""

    minions: dict[str, Any]
    """As the inventory has them."""
    top: dict[str, list[Any]]
    """The top file's targets."""
    files: dict[str, str]
    """The SLS files."""

    def write(self, folder: Path) -> Settings:
        """Write it, and return how it is opened."""
        write_files(
            folder,
            {
                "mkdocs.yml": CONFIGURATION,
                "master": yaml.safe_dump(
                    {
                        "pillar_roots": {"base": ["pillar"]},
                        "nodegroups": {"names": "L@web1,db1", "debs": "G@os:Debian and *1"},
                    }
                ),
                "minions.yml": yaml.safe_dump({"minions": self.minions}, sort_keys=False),
                "pillar/top.sls": yaml.safe_dump({"base": self.top}, sort_keys=False),
                **self.files,
            },
        )
        return Settings(
            master=folder / "master", inventory=(folder / "minions.yml",), folder=folder
        )


TARGETS: tuple[tuple[str, str | None], ...] = (
    ("*", None),
    ("web*", None),
    ("db1", None),
    ("G@os:Debian", None),
    ("os:Rocky", "grain"),
    ("role:d.*", "grain_pcre"),
    ("10.0.0.0/24", "ipcidr"),
    ("web1,mail1", "list"),
    ("names", "nodegroup"),
    ("debs", "nodegroup"),
    ("db* and G@os:Debian", None),
    ("not G@role:db", None),
    ("N@names or G@role:mail", None),
    ("web* and not web2 and P@os:D.*", None),
    ("G@id:web1", None),
    (".*[12]", "pcre"),
)


def draw_fleet(seed: int) -> SecretFleet:
    """Return a fleet; some of its secrets are equal, some each minion's own."""
    dice = random.Random(seed)  # noqa: S311 (a test that is repeatable)
    minions: dict[str, Any] = {
        f"{role}{number}": {
            "grains": {
                "os": dice.choice(["Debian", "Rocky"]),
                "role": role,
                "ipv4": [f"10.0.{dice.randrange(2)}.{number}"],
            }
        }
        for role in ("web", "db", "mail")
        for number in range(1, 4)
    }
    minions["web2"]["pillar"] = {"own": {"token": "declared-for-web2"}}
    targets = dice.sample(TARGETS, 6)
    top: dict[str, list[Any]] = {
        target: [*([{"match": match}] if match else []), *dice.sample(SLS, dice.randrange(1, 3))]
        for target, match in targets
    }
    files = {f"pillar/{name}.sls": _draw_file(name, dice) for name in SLS}
    return SecretFleet(minions, top, files)


def _draw_file(name: str, dice: random.Random) -> str:
    later = SLS[SLS.index(name) + 1 :]
    included = dice.sample(later, dice.randrange(0, min(3, len(later) + 1)))
    lines = ["include:", *(f"  - {one}" for one in included)] if included else []
    lines.append(f"{name}:")
    lines.append(f"  password: {dice.choice(['shared-by-some', f'only-of-{name}'])}")
    if dice.randrange(3) == 0:
        lines.append(f"  token: {name}-{{{{ grains['id'] }}}}-token")
    if dice.randrange(3) == 0:
        lines += ["  list:", f"    - secret: member-of-{name}", "    - plain: 1"]
    return "\n".join([*lines, f"  plain: {name}", ""])
