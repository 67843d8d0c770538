"""The commands that pages show and no test runs, each with the reason."""

import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]
ANSWERS = ROOT / "tests" / "data" / "example-expected.json"
RECIPES = ROOT / "tests" / "data" / "recipes"
GRAINS = """.venv/bin/python -c '
import json
import shlex
from pathlib import Path
from pillarbook.inventory.minions import load_inventory
fleet = load_inventory([Path("example/minions.yml")], shown=str)
print(json.dumps({minion.id: dict(minion.grains) for minion in fleet}))
' > """

NOT_RUN = {
    "pipx install ": "pillarbook is installed here already",
    "pip install ": "pillarbook is installed here already",
    "uv tool install ": "pillarbook is installed here already",
    "python3 -m venv ": "pillarbook is installed here already",
    ". ../pillarbook-venv/": "pillarbook is installed here already",
    "uv build ": "the packaging tests build the wheel",
    "python3 make.py site": "is `pillarbook build` of the example, which many tests look at",
    "pillarbook build    # writes": "the same, of the README",
    "python3 make.py test": "would run this test again",
    "pillarbook serve": "runs until it is stopped; the publishing tests run it",
    "pillarbook check --master /etc/salt/master": "no Salt is installed here",
    "dask worker ": "no scheduler runs here",
    "pillarbook build --engine dask ": "the tests of Dask run it with a cluster of their own",
    "salt-call ": "no Salt is installed here",
    "curl -s -c cookies ": "no Uyuni answers here",
}
"""Beginnings of commands, and why they are not run."""

NETBOX = 'curl -s -H "Authorization: Token $NETBOX_TOKEN" "$NETBOX/api/'
UYUNI = 'curl -s -b cookies "$UYUNI/rhn/manager/api/system'
ANSWERED = {
    f'{NETBOX}dcim/devices/?limit=0&status=active" > ': "devices.json",
    f'{NETBOX}virtualization/virtual-machines/?limit=0&status=active" > ': "machines.json",
    "terraform show -json > ": "state.json",
    f'{UYUNI}/getMinionIdMap" > ': "ids.json",
    f'{UYUNI}group/listSystemsMinimal?systemGroupName=web" > ': "web.json",
    f'{UYUNI}group/listSystemsMinimal?systemGroupName=db" > ': "db.json",
}
"""Commands that ask other systems, and the recorded answer of each."""

STAND_INS = {
    # No Salt master answers here. What it would say to the example was asked once and is kept.
    "salt '*' grains.items --out=json --static > ": GRAINS,
    "salt '*' pillar.items unmask=True --out=json > ": f"cp {shlex.quote(str(ANSWERS))} ",
    # No report is published there. The one that the page has written stands in the folder.
    "pillarbook build --since-report https://pillar.example.com ": (
        "pillarbook build --since-report public "
    ),
    "pillarbook diff --since-report https://pillar.example.com ": (
        "pillarbook diff --since-report public "
    ),
    **{one: f"cp {shlex.quote(str(RECIPES / ANSWERED[one]))} " for one in ANSWERED},
}
"""Beginnings of commands, and what is run in their place."""
