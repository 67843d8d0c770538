"""A fleet of what is rare: every outcome, and everything longer, deeper and wider than it should be."""

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from tests.support.fleets import write_files

UNBROKEN = "abcdefghij" * 30
LONG_ID = "a-minion-whose-id-goes-on-and-on-" * 3 + ".rack-0042.row-17.hall-b.ams.teashop.example"
LINES = "".join(
    f"line {number} of a long text, and then some words more\n" for number in range(300)
)
ENVIRONMENTS = (
    "base",
    "staging",
    "prod",
    "topless",
    "an-environment-whose-name-is-long-enough-to-need-a-line-of-its-own-in-any-table",
    "Größe_XL 2",
)
CONFIGURATION = """\
site_name: A site with a name that is rather longer than site names tend to be in most places
docs_dir: pages
theme: {name: pillarbook}
plugins:
  - pillarbook: {master: master, inventory: minions.yml, revisions: {base: HEAD}}
"""
TOP = """\
{{% if grains['id'].startswith('broken') %}}
{environment}:
  '(unclosed':
    - match: pcre
    - common
{{% elif grains['id'] != 'empty' %}}
{environment}:
  '*':
    - common
    - {own}
  'G@os:Debian and ( G@roles:web or G@roles:db or E@^never\\d+$ ) and not ( L@x,y or S@10.0.0.0/8 or I@kinds:none )':
    - match: compound
    - kinds
  'not *':
    - match: compound
    - nobody
  'G@os:{unbroken}':
    - match: compound
    - missing.{unbroken}
{{% endif %}}
"""
GRAINS: Mapping[str, Any] = {
    "os": "Debian",
    "roles": ["web", "db", *(f"role{number}" for number in range(40))],
    "long": UNBROKEN,
    "nested": {"a": {"b": {"c": {"d": ["e", {"f": None}]}}}},
    "empty": {},
}


def write_odd_tree(folder: Path) -> Path:
    """Write a tree with its ``mkdocs.yml``."""
    master = {
        "pillar_roots": {name: [f"pillar/{number}"] for number, name in enumerate(ENVIRONMENTS)},
        "pillar_source_merging_strategy": "recurse",
    }
    files = {
        "mkdocs.yml": CONFIGURATION,
        "pages/index.md": "# A hand-written front page\n\nWith a sentence.\n",
        "master": yaml.safe_dump(master, sort_keys=False),
        "minions.yml": yaml.safe_dump({"minions": _minions()}, sort_keys=False, allow_unicode=True),
    }
    for number, name in enumerate(ENVIRONMENTS):
        files |= _environment(f"pillar/{number}", name)
    return write_files(folder, files)


def _minions() -> dict[str, Any]:
    return {
        LONG_ID: {"grains": dict(GRAINS)},
        "README": {"grains": {"os": "Windows"}, "pillarenv": "staging"},
        "größe-😀.example": {"grains": {"os": "Debian", "roles": "web"}, "pillarenv": "prod"},
        "partial": {"grains": {"os": "Debian", "wants": "missing"}, "pillarenv": "base"},
        "broken": {"grains": {"os": "Debian"}},
        "empty": {"grains": {"os": "Debian"}},
        "topless": {"grains": {"os": "Debian"}, "pillarenv": "topless"},
        **{f"web{number}": {"grains": {"os": "Debian", "n": number}} for number in range(30)},
    }


def _environment(folder: str, name: str) -> dict[str, str]:
    own = f"of_{folder.rpartition('/')[2]}"
    files = {
        f"{folder}/common.sls": yaml.safe_dump({"name": name, "overridden": {"again": name}}),
        f"{folder}/{own}.sls": yaml.safe_dump({"overridden": {"again": own}, own: UNBROKEN[:80]}),
        f"{folder}/kinds.sls": "#!jinja|yaml\n" + _kinds(name),
        f"{folder}/nobody.sls": "nobody: 1\n",
    }
    if name == "base":
        files[f"{folder}/common.sls"] += (
            "{% if grains.get('wants') %}\ninclude: [not.there, neither.there]\n{% endif %}\n"
        )
    if name != "topless":
        quoted = yaml.safe_dump(name, allow_unicode=True).splitlines()[0]
        files[f"{folder}/top.sls"] = TOP.format(environment=quoted, own=own, unbroken=UNBROKEN)
    return files


def _kinds(environment: str) -> str:
    """Return values of every kind, those of an environment slightly its own."""
    deep: Any = environment
    for number in range(14):
        deep = {f"level-{number}": deep}
    kinds = {
        "integer": 12,
        "number": 1.5e300,
        "truth": True,
        "nothing": None,
        "empty text": "",
        "blank text": "   ",
        "empty list": [],
        "empty mapping": {},
        "date": dt.date(2020, 1, 31),
        "bytes": b"\x00\xff",
        "unbroken": UNBROKEN * 15,
        "lines": LINES,
        "list": [f"{environment} {number}" for number in range(20)],
        "long members": [UNBROKEN, "b"],
        "of mappings": [{"name": f"n{number}", "ports": [1, 2]} for number in range(10)],
        "deep": deep,
        UNBROKEN: "a key that does not break",
        "a key: with, signs.of.all/kinds%20 & \u00e4\u6f22\U0001f600": "value",
        1: "a number for a key",
        False: "a truth for a key",
        "right to left": "\u0634\u0627\u064a \u202e reversed \u202c \u05ea\u05d4",
        "control": "tab\there, bell\x07, escape\x1b[31m, zero\u200bwidth",
        "db_password": f"Kq7x-{environment}-Wm2",
        "url": f"https://shop:{environment[:4]}-secret@db.example/path",
    }
    return yaml.safe_dump({"kinds": kinds, environment: {"only": "here"}}, sort_keys=False)
