"""Large fleets and large pillars: what weight and speed of pages are measured on."""

from pathlib import Path
from typing import Any

import yaml
from tests.support.fleets import write_files

CONFIGURATION = """\
site_name: Large
docs_dir: pages
theme: {name: pillarbook}
plugins:
  - pillarbook: {master: master, inventory: minions.yml}
"""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SECTIONS = _words(
    "apache app backup cache consul cron database dns firewall haproxy "
    "ldap logging mail metrics nginx ntp postgres redis ssh users"
)
OPTIONS = _words(
    "enabled port listen_address workers timeout log_level log_file max_connections user group "
    "config_dir data_dir pid_file keepalive buffer_size retries cache_ttl backend protocol "
    "certificate hosts ciphers queue_length batch_size owner"
)


def write_full_tree(folder: Path) -> Path:
    """Write a tree whose minion ``full`` gets 500 keys, every fifth of them overridden once."""
    files = {}
    for section in SECTIONS:
        values = {option: _value(section, option) for option in OPTIONS}
        own = {option: _value("site", option) for option in OPTIONS[::5]}
        files[f"pillar/{section}/init.sls"] = yaml.safe_dump({section: values})
        # The site's file builds on the role's, and says so.
        site = {"include": [section], section: own}
        files[f"pillar/sites/ams/{section}.sls"] = yaml.safe_dump(site)
    sls = [f"sites.ams.{section}" for section in SECTIONS]
    files["pillar/top.sls"] = yaml.safe_dump({"base": {"*": sls}})
    return _write(folder, files, {"full": {"grains": {"os": "Debian", "site": "ams"}}})


def write_wide_tree(folder: Path, minions: int) -> Path:
    """Write a tree of two environments and as many minions as wanted."""
    declared = {
        f"web{number:05}.ams.teashop.example": {
            "grains": {"os": "Debian", "roles": ["web", f"role{number % 40}"], "n": number % 7},
            "pillarenv": ("base", "prod")[number % 2],
        }
        for number in range(minions)
    }
    files = {
        "pillar/web.sls": "web: {workers: {{ grains['n'] }}, port: 80}\nmotd: hello\n",
        "prod/web.sls": "web: {workers: {{ grains['n'] + 1 }}, port: 443}\nmotd: hello\n",
        "pillar/top.sls": "base:\n  '*': [web]\n  'G@n:6': [{match: compound}, absent]\n",
        "prod/top.sls": "prod:\n  '*': [web]\n",
    }
    return _write(folder, files, declared)


def _write(folder: Path, files: dict[str, str], minions: dict[str, Any]) -> Path:
    roots = {"base": ["pillar"], **({"prod": ["prod"]} if "prod/top.sls" in files else {})}
    return write_files(
        folder,
        {
            "mkdocs.yml": CONFIGURATION,
            "pages/index.md": "# Large\n",
            "master": yaml.safe_dump({"pillar_roots": roots}),
            "minions.yml": yaml.safe_dump({"minions": minions}, sort_keys=False),
            **files,
        },
    )


def _value(section: str, option: str) -> Any:
    kinds = (
        True,
        8000 + len(section),
        f"10.20.{len(section)}.1",
        f"/etc/{section}/{option}.conf",
        f"{section}-{option}",
    )
    return kinds[len(option) % len(kinds)]
