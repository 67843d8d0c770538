"""Trees that together print every field that the reference names."""

MOVING = {
    "mkdocs.yml": "site_name: x\ndocs_dir: docs\ntheme: {name: pillarbook}\nplugins:\n"
    "  - pillarbook: {master: master, inventory: minions.yml}\n",
    "docs/index.md": "# x\n",
    "master": "pillar_roots: {base: [a], next: [b]}\n",
    "minions.yml": "minions: {one: {}}\n",
    **{f"{root}/top.sls": f"{env}: {{'*': [s]}}\n" for root, env in (("a", "base"), ("b", "next"))},
    "a/s.sls": "list: [1, 2, 3, 4]\n",
    "b/s.sls": "list: [4, 1, 2, 3]\n",
}
"""A tree in which a list's member moves, which none of the example does."""
STATES = {
    "master": MOVING["master"] + "file_roots: {base: [states]}\n",
    "b/s.sls": "list: [1, 2, 3]\n",
    "states/top.sls": "base: {'*': [app]}\n",
    "states/app.sls": "app:\n  file.managed:\n    - context: {{ pillar.list | json }}\n",
}
"""States that read the list."""
FAILING = {
    "b/s.sls": "list: {{ grains.nope }}\n",
    "states/app.sls": "app:\n  test.nop:\n    - x: {{ pillar['list'][0] }}\n",
}
"""A pillar that fails, and states that fail because of it."""


LOSING = {
    "a/top.sls": "base: {'*': [t, u]}\n",
    "a/t.sls": "k: 1\n",
    "a/u.sls": "k: 2\n",
}
"""Two SLS of one target that set the same key."""
OPEN = {
    "a/top.sls": "base: {'G@os:Debian': [s]}\n",
    "a/s.sls": "password: earl-grey-{{ grains['os'] }}\n",
    "minions.yml": "minions: {one: {grains: {os: Debian}, pillar: {token: earl-grey-43}}}\n",
}
"""Secrets that a grain opens, and that the inventory declares."""
