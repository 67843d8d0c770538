"""Trees in which SLS files meet again and again: by includes of every form, and twice in top files.

A seed gives a tree. Keys are few, so that lists, mappings, text and null meet under each of them;
each file shows the variables that its includer gave it, because a render that is used again shows
the first ones.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NAMES = ("s1", "s2", "d", "d.s4", "d.s5", "d.e.s6")
STRATEGIES = ("smart", "recurse", "aggregate", "list", "none", *["overwrite"] * 5)
"""With ``overwrite``, Salt changes what it has gathered in place, which shows the order of steps."""
RARER = (
    ("pillar_merge_lists", True, 2),
    ("pillar_includes_override_sls", True, 4),
    ("renderer", "jinja|yamlex", 6),
    ("pillar_safe_render_error", False, 4),
)
"""Other options of the master: a name, a value, and one in how many trees has it."""
TARGETS = ("'*'", "'G@os:Debian'", "'m1'", "'E@m.'", "'G@roles:web or m2'", "'I@a:*'")
MINIONS = {
    "m1": {"grains": {"os": "Debian", "roles": ["web"]}},
    "m2": {"grains": {"os": "RedHat", "roles": []}, "pillar": {"c": ["given"], "p": {"x": 1}}},
}
VALUES = (
    "text",
    "null",
    "7",
    "[]",
    "{}",
    "[x, null]",
    "[x, [1], {y: 1}]",
    "[1, true, 1.0, null, null]",
    "{x: 1, y: [x]}",
    "{y: [z, null], x: {z: null}}",
    "{x: {z: [1], w: text}, y: null}",
    "&NAME [q, x]",
    "&NAME {x: &NAMEx [r], y: *NAMEx}",
    "{{ dv | default('none') }}",
    "{{ grains.os }}",
    "{{ [sls, slspath] | last }}",
)
TAGGED = ("!aggregate [x, y]", "!aggregate {x: !aggregate [1]}", "!reset [z]")
"""Values that only yamlex reads."""
VARIABLES = "dv: {{ [dv | default('none'), ctx | default(0)] }}"
GLOBS = ("'*'", "d.*", "'d.e*'", "s*")
OF_ITSELF = {"s": ("s*", "'*'", "'s[12]'"), "d": ("d.*", "'d*'", "'*'")}
"""Includes that find the SLS that has them, by the first letter of its name."""
RELATIVE = (".s4", ".s5", ".e.s6", "'.*'", "..s2")
OPTIONS = (
    "{key: p}",
    "{key: 'p:x'}",
    "{key: own}",
    "{defaults: {dv: [given]}}",
    "{defaults: {dv: text, ctx: {x: 1}}}",
    "{key: a, defaults: {dv: 1}}",
    "{key: c, defaults: {ctx: [1]}}",
)
BROKEN = ("", "[no, mapping]\n", "a: {{ nothing() }}\n")


@dataclass(frozen=True)
class IncludeTree:
    """What a case folder holds."""

    master: Mapping[str, Any]
    minions: Mapping[str, Any]
    files: Mapping[str, str]


def draw_tree(seed: int) -> IncludeTree:
    """Return the tree of a seed."""
    rng = random.Random(f"includes {seed}")  # noqa: S311 (repeatable is what it has to be)
    master: dict[str, Any] = {"pillar_roots": {"base": ["base"]}}
    master["pillar_source_merging_strategy"] = rng.choice(STRATEGIES)
    master |= {name: value for name, value, one_in in RARER if rng.randrange(one_in) == 0}
    files = {"base/top.sls": _draw_top(rng, "base")}
    tagged = "renderer" in master
    if rng.randrange(5) == 0:
        master["pillar_roots"]["dev"] = ["dev", "base"]
        files["dev/top.sls"] = _draw_top(rng, "dev")
        files["dev/s1.sls"] = _draw_sls(rng, "s1", tagged=tagged)
    for name in NAMES:
        path = "d/init" if name == "d" else name.replace(".", "/")
        files[f"base/{path}.sls"] = _draw_sls(rng, name, tagged=tagged)
    return IncludeTree(master, MINIONS, files)


def _draw_top(rng: random.Random, env: str) -> str:
    names = (*NAMES, *NAMES, "d.*", "s*", "'*'")
    lines = [f"{env}:"]
    for target in rng.sample(TARGETS, rng.randint(1, 4)):
        chosen = [rng.choice(names) for _ in range(rng.randint(1, 4))]
        lines += [f"  {target}:", *(f"    - {name}" for name in chosen)]
    return "\n".join(lines) + "\n"


def _draw_sls(rng: random.Random, own: str, *, tagged: bool) -> str:
    if (odd := rng.randrange(80)) < len(BROKEN):
        return BROKEN[odd]
    lines = ["#!yamlex"] if rng.randrange(12) == 0 else []
    values = (*VALUES, *TAGGED) if lines or tagged else VALUES
    begin = len(lines)
    for key in rng.sample(("a", "b", "c", "p", "x"), rng.randint(0, 4)):
        value = rng.choice(values)
        lines.append(f"{key}: {value.replace('NAME', key)}")
        if value.startswith("&") and rng.randrange(2):
            lines.append(f"{key}_again: *{key}")
    if rng.randrange(2):
        lines.append(VARIABLES)
    if rng.randrange(20) == 0:
        lines.append("_errors: [own]")
    if rng.randrange(5):
        listed = [f"  - {_draw_include(rng, own)}" for _ in range(rng.randint(1, 3))]
        where = rng.choice((begin, len(lines)))
        lines[where:where] = ["include:", *listed]
    return "".join(f"{line}\n" for line in lines)


def _draw_include(rng: random.Random, own: str) -> str:
    relative = RELATIVE if own.startswith("d") else (".s1", ".d.s4", "'.s*'")
    name = rng.choice((*NAMES, *NAMES, *GLOBS, *relative, *OF_ITSELF[own[0]], own))
    if rng.randrange(40) == 0:
        name = "missing"
    return f"{name}: {rng.choice(OPTIONS)}" if rng.randrange(3) == 0 else name
