"""A fleet with markup in everything that gets onto a page."""

from pathlib import Path
from typing import Any

import yaml
from tests.support.fleets import write_files

IMAGE = "<img src=x onerror=pwned=1>"
MARKS = (
    IMAGE,
    '"><script>pwned=1</script>',
    "' onmouseover='pwned=1",
    '" autofocus onfocus="pwned=1',
    "javascript:pwned=1",
    "{{ 7*7 }}{% set x = 1 %}",
    "</style><style>*{color:red}</style>",
    "</title></textarea></script><script>pwned=1</script>",
    "<!-- --><svg/onload=pwned=1>",
    "&lt;b&gt; &amp; &#60;i&#62;",
    "[x](javascript:pwned=1) ![y](x.png) `z` **b**",
    "]]><iframe srcdoc='<script>parent.pwned=1</script>'>",
    "$(touch x) %3Cscript%3E \\x3cscript\\x3e \\u003cb\\u003e",
)
HIDDEN = "reversed \u202e text, zero\u200bwidth, \u2066isolated"
# What names of files and of environments can hold: no slash and, as an SLS, no dot.
NAME = "<img src=x onerror=pwned=1> ' \" & {{7*7}}"
SITE_NAME = 'Shop <img src=x onerror=pwned=1> "&lt;'
CONFIGURATION = """\
site_name: {site_name}
docs_dir: pages
theme: {{name: pillarbook}}
plugins:
  - pillarbook: {{master: master, inventory: {inventory}, revisions: {{base: HEAD}}}}
"""


def write_planted_tree(folder: Path) -> Path:
    """Write a tree with its ``mkdocs.yml``."""
    inventory = f"{IMAGE}.yml"
    master = {
        "pillar_roots": {"base": ["pillar"], NAME: [f"{NAME}s"], "topless " + IMAGE: ["none"]},
        "nodegroups": {IMAGE: "G@os:Debian or G@os:" + IMAGE.replace(" ", "_")},
    }
    return write_files(
        folder,
        {
            "mkdocs.yml": CONFIGURATION.format(
                site_name=_quoted(SITE_NAME), inventory=_quoted(inventory)
            ),
            "pages/index.md": "# Front\n",
            "master": yaml.safe_dump(master, sort_keys=False),
            inventory: yaml.safe_dump({"minions": _minions()}, sort_keys=False),
            "none/unused.sls": "",
            **_pillar("pillar", "base"),
            **_pillar(f"{NAME}s", NAME),
        },
    )


def _minions() -> dict[str, Any]:
    grains = {"os": "Debian", **{mark: [mark, {mark: mark}] for mark in MARKS}, "h": HIDDEN}
    ids = [mark.replace("/", "\u2215") for mark in MARKS]
    return {
        "plain": {"grains": grains},
        "failing": {"grains": {"os": "Debian", "fails": True}, "pillarenv": "base"},
        "breaking": {"grains": {"os": "Debian", "breaks": True}, "pillarenv": "base"},
        "named": {"grains": grains, "pillarenv": NAME, "saltenv": NAME, "pillar": {IMAGE: IMAGE}},
        "nowhere": {"grains": grains, "pillarenv": "topless " + IMAGE},
        **{minion: {"grains": {"os": "Debian"}} for minion in ids},
    }


def _pillar(folder: str, environment: str) -> dict[str, str]:
    targets: dict[str, Any] = {
        "*": [NAME, "plain"],
        f"N@{IMAGE.replace(' ', '_')} or G@os:Debian": [{"match": "compound"}, "plain"],
        **{f"{mark} or *": [{"match": "compound"}, "plain"] for mark in MARKS},
        **{mark: ["plain"] for mark in MARKS},
        IMAGE: [{"match": "nodegroup"}, "plain"],
        "nobody" + IMAGE: [f"missing {IMAGE}"],
    }
    # Targets as they are, without Jinja, and one that breaks off; the failing minion's files by Jinja.
    fails = {
        f"{folder}/fails.sls": "{% if grains.get('fails') %}{% include '"
        + IMAGE
        + "' %}{% endif %}",
        f"{folder}/yaml.sls": "{% if grains.get('fails') %}\nx: [" + IMAGE + ": {\n{% endif %}",
        f"{folder}/missing.sls": "{% if grains.get('fails') %}\ninclude: ['"
        + IMAGE
        + "']\n{% endif %}",
        f"{folder}/undefined.sls": "{% if grains.get('fails') %}{{ salt['"
        + IMAGE
        + "']() }}{% endif %}",
        f"{folder}/grain.sls": "{% if grains.get('fails') %}{{ grains['"
        + IMAGE
        + "'] }}{% endif %}",
        f"{folder}/match.sls": "{}",
    }
    targets["G@fails:True"] = [
        {"match": "compound"},
        "fails",
        "yaml",
        "missing",
        "undefined",
        "grain",
    ]
    values: dict[str, Any] = {
        "environment": f"{environment} {IMAGE}",
        **{mark: mark for mark in MARKS},
        "nested": {mark: {mark: [mark, {mark: environment}]} for mark in MARKS},
        "hidden": HIDDEN,
        HIDDEN: HIDDEN,
        "text": "".join(f"{mark}\n" for mark in MARKS) * 3,
        f"password {IMAGE}": IMAGE + environment,
    }
    top = "#!jinja|yaml\n{% raw %}\n" + _yaml({environment: targets}) + "{% endraw %}\n"
    breaks = f"  '({IMAGE}':\n    - match: pcre\n    - plain\n"
    top += "{% if grains.get('breaks') %}\n" + breaks + "{% endif %}\n"
    return {
        f"{folder}/top.sls": top,
        f"{folder}/{NAME}.sls": "#!yaml\n" + _yaml(values),
        f"{folder}/plain.sls": "#!yaml\n" + _yaml({mark: f"overrides {mark}" for mark in MARKS}),
        **fails,
    }


def _yaml(data: Any) -> str:
    text: str = yaml.safe_dump(data, sort_keys=False, width=10_000)
    return text


def _quoted(text: str) -> str:
    return _yaml(text).strip().removesuffix("...").strip()
