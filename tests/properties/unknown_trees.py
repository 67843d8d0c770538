"""Trees whose templates ask what nobody answers, and answers that a live Salt may give."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from hypothesis import strategies as st

from pillarbook.model import Leaf, ListNode, MapNode, Node
from pillarbook.model.unknown import UnknownKey, unknown_of

MACROS = (
    "{% macro wrap(x) %}<{{ x }}>{% endmacro %}\n{% set shared = salt['consul.get']('x/y') %}\n"
)
HEAD = (
    "{% from 'macros.jinja' import wrap, shared with context %}\n"
    "{% set a = salt['vault.read_secret']('secret/a') %}\n"
    "{% set b = salt.cmd.run('b') %}\n"
    "{% set block %}x{{ b }}y{% endset %}\n"
    "{% set known = {'k': 1, 'l': [1, 2]} %}\n"
    "{% set held = {'k': a} %}\n"
)
VALUES = (
    *("{{ a }}", "'{{ b }}'", '"{{ a.user }}"', "{{ a['user'] }}", "x-{{ b }}", "{{ a }}{{ b }}"),
    *("{{ a | default('x') }}", "{{ a | string }}", "{{ 'x' ~ a }}", "{{ b ~ '/' ~ a }}"),
    *("{{ b | yaml_dquote }}", "{{ a | json }}", "{{ block }}", "{{ wrap(a) }}", "{{ shared }}"),
    *("{{ 'x' + b }}", "{{ held.k }}", "{{ known.get('z', 1) }}", "{{ b | upper }}"),
    *(
        "[1, '{{ b }}', 3]",
        "{p: '{{ b }}', q: 2}",
        "|\n    line {{ b }}\n    more",
        ">\n    {{ b }} x",
    ),
    *(
        "{{ grains['id'] }}",
        "1",
        "text",
        "[1, 2]",
        "{s: 1, t: {u: 2}}",
        "{t: {u: 3, v: 4}}",
        "null",
    ),
    *("\n  s: {{ a }}\n  n: 1", "\n  t:\n    u: {{ b }}\n    w: 2", "\n  - 1\n  - {{ a }}\n  - 3"),
    *("&x\n  s: {{ a }}", "{% for x in [1, a] %}{{ x }}{% endfor %}", "{{ (a, b)[1] }}"),
    *("{{ held | default({}) | length }}", "{{ (held | default({})).k }}", "{{ [a, 1] | last }}"),
    *("{{ [1, a] | first }}", "{{ 1 if held is mapping else 2 }}", "{{ (held | d(known)).k }}"),
    *("{{ held is defined }}", "{{ [a, b] | length }}", "{{ [a, 2] | list | last }}"),
    *(
        "{{ salt['slsutil.merge']({'k': {'m': 1}, 'l': [1]}, {'k': a, 'l': [b], 'x': 2}) | json }}",
        "{{ salt['slsutil.merge']({'k': a, 'l': [b, 1]}, {'k': {'m': 1}, 'l': [1], 'x': 2}) | json }}",
        "{{ salt['slsutil.merge']({'k': [a]}, {'k': ['x']}, merge_lists=True) | json }}",
        "{{ salt['slsutil.merge']({'k': a, 'l': 1}, {'k': b}, strategy='overwrite') | json }}",
        "{{ salt['slsutil.merge']({'k': a, 'l': 1}, {'k': b}, strategy='aggregate') | json }}",
        "{{ salt['slsutil.merge']({'k': a, 'l': 1}, {'k': b}, strategy='list') | json }}",
        "{{ salt['grains.filter_by']({'x': {'k': 1}, 'y': {'k': a}}, default='y', merge={'l': b}) | json }}",
        "{{ salt['defaults.merge']({'k': {'m': 1}}, {'k': a, 'x': 2}) | json }}",
        "{% set m = {'k': {'m': 1}, 'y': 3} %}{% do salt['defaults.merge'](m, {'k': a}) %}{{ m | json }}",
        "{% set m = {'k': 1} %}{% do salt['slsutil.update'](m, {'l': b}) %}{{ m | json }}",
        "{% load_yaml as y %}\nk: {{ b }}\nl: [1, '{{ a }}']\nm: 3\n{% endload %}{{ y | json }}",
        "{% load_yaml as y %}\nk: x-{{ b }}\nn: {o: 1, p: '{{ a }}'}\nm: 3\n{% endload %}{{ y.m }}",
        "{% load_yaml as y %}\n{{ b }}: 1\nm: 3\n{% endload %}{{ y | json }}",
        "{% load_yaml as y %}\nk: [1, {{ b }}]\nm: 3\n{% endload %}{{ y | json }}",
        "{% for k, v in {'q': 1, 'p': a} | dictsort %}{{ k }}={{ v }} {% endfor %}",
        "{{ ({'q': 1, 'p': a} | dictsort | last)[1] }}",
        "{{ dict(held, x=1) | json }}",
        "{{ dict(k=[b]) | json }}",
    ),
    *("{% filter trim %} {{ b }} {% endfilter %}", "{{ a.user ~ b }} # comment"),
)
DECISIONS = (
    *("{{ 1 if [a.user] == [a.pw] else 2 }}", "{{ a.user in [a.pw] }}", "{{ [b | upper] == [b] }}"),
    *("{{ salt['cmd.run'](known) }}", "{{ salt['cmd.run'](known) }}{{ known.k }}"),
    *(
        "{{ 1 if a else 2 }}",
        "{{ a == 'x' }}",
        "{{ b | length }}",
        "{{ a is none }}",
        "{{ 'x' in b }}",
    ),
    *("{{ a is mapping }}", "{% for x in a %}{{ x }}{% endfor %}", "{{ [b, 'c'] | max }}"),
    *("{{ [a] | join('-') }}", "{{ 1 if '%s' % b == 'x' else 2 }}", "{{ b * 2 }}", "{{ not b }}"),
    *(
        "{{ held | json }}",
        "{{ held }}",
        "{{ known[b] }}",
        "{{ known.get(b, 'z') }}",
        "[{{ b }}, 2]",
    ),
    *("{{ 1 if block == 'x' else 2 }}", "{{ 1 if wrap(b) == '<x>' else 2 }}", "1 # {{ b }}"),
    *("{{ 'x'.replace('x', b) }}", "{{ '{}'.format(b) }}", "{{ 2 if b < 'x' else 3 }}"),
    *("{{ 'x' ~ b == 'xy' }}", "{{ (b ~ '') is string }}", "{{ {b: 1} }}", "{{ range(b) | list }}"),
    *(
        "{{ b | default('x', true) == 'x' }}",
        "\n  {{ b }}: 1",
        "{{ b[:1] == 'x' }}",
        "{{ b and 1 }}",
    ),
    *("{{ 1 if 'vault.write_secret' in salt else 2 }}", "{{ salt.get('cmd.run') is none }}"),
    *("{% load_yaml as y %}k: {{ b }}{% endload %}{{ y.k == 'x' }}", "{{ b or 1 }}"),
)
"""What makes something known of an answer, or hands it to code."""
LOST = (
    "{{ salt['grains.setval']('x', 1) }}",
    "{{ salt['file.touch']('x') }}",
    "{{ salt['saltutil.sync_grains']() }}",
    "{% for x in [b] recursive %}{{ x }}{% endfor %}",
    "&k {x: '{{ b }}'}\nm: {<<: *k, z: 2}",
    "&k {x: '{{ b }}'}\nm:\n  <<: *k\n  z: 2",
)
"""What may change other answers, or is not followed: such a file is lost."""

KEYS = ("k1", "k2", "k3")
NAMES = ("vault.read_secret", "cmd.run", "consul.get")
RULES: tuple[Mapping[str, Any], ...] = (
    {},
    {"pillar_source_merging_strategy": "overwrite"},
    {"pillar_source_merging_strategy": "aggregate"},
    {"pillar_source_merging_strategy": "list"},
    {"pillar_merge_lists": True},
    {"ext_pillar": [{"nodegroups": {}}]},
)


@dataclass(frozen=True, slots=True)
class AskingTree:
    """A case folder that asks."""

    files: Mapping[str, str]
    """The files of the pillar."""
    master: Mapping[str, Any]
    """The master's options."""


@st.composite
def asking_trees(draw: st.DrawFn) -> AskingTree:
    """Draw a tree of a few SLS files with common keys."""
    names = draw(st.sampled_from((("a",), ("a", "b"), ("a", "b", "c"))))
    files = {"top.sls": f"base: {{'*': [{', '.join(names)}]}}\n", "macros.jinja": MACROS}
    values = st.sampled_from(VALUES)
    for name in names:
        forms = values if draw(st.integers(0, 5)) else st.sampled_from(DECISIONS)
        keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, unique=True))
        lines = [f"{key}: {draw(forms if at == 0 else values)}\n" for at, key in enumerate(keys)]
        alias = "&y {m: 1, n: {o: 2}}\nk4: *y\n" if draw(st.integers(0, 6)) == 0 else "1\n"
        shebang = "#!jinja|yaml|gpg\n" if draw(st.integers(0, 4)) == 0 else ""
        files[f"{name}.sls"] = f"{shebang}{HEAD}{''.join(lines)}{name}: {alias}"
    master = draw(st.sampled_from((*RULES[:1], *RULES)))
    return AskingTree(files, master)


SCALARS: st.SearchStrategy[Any] = st.sampled_from(
    (
        "x",
        "two words",
        "",
        "1",
        "true",
        "~",
        "a: b",
        "k # c",
        "a, b",
        "-x",
        0,
        1,
        7,
        2.5,
        True,
        False,
    )
)
ANSWERS: st.SearchStrategy[Any] = st.one_of(
    SCALARS,
    st.none(),
    st.lists(SCALARS, max_size=2),
    st.fixed_dictionaries({"user": SCALARS}, optional={"s": SCALARS, "t": st.just({"u": 9})}),
)


def disagreement(marked: Node, real: Node, path: str = "") -> str | None:
    """Return where a tree says something else than a real one; None if it does nowhere.

    Types and the order of keys count; an unknown value agrees with any, and one that may be missing
    with none.
    """
    if unknown_of(marked) is not None:
        return None
    if marked.__class__ is not real.__class__:
        return f"{path}: of another kind"
    if isinstance(marked, Leaf) and isinstance(real, Leaf):
        same = repr(marked.value) == repr(real.value)
        return None if same else f"{path}: {marked.value!r} and {real!r}"
    if isinstance(marked, MapNode) and isinstance(real, MapNode):
        told = _key_disagreement(marked, real)
        known = [key for key in real.items if unknown_of(marked.items.get(key)) is None]
        pairs = [(key, marked.items[key], real.items[key]) for key in known if key in marked.items]
    else:
        assert isinstance(marked, ListNode)
        assert isinstance(real, ListNode)
        told = None if len(marked.items) == len(real.items) else f"{len(real.items)} members"
        pairs = list(zip(count(), marked.items, real.items, strict=False))
    found = (disagreement(mine, theirs, f"{path}:{key}") for key, mine, theirs in pairs)
    return told or next((one for one in found if one is not None), None)


def _key_disagreement(marked: MapNode, real: MapNode) -> str | None:
    """Return in which keys a mapping differs from a real one."""
    known = [key for key, item in marked.items.items() if unknown_of(item) is None]
    present = [key for key in real.items if key in known]
    needed = {key for key, item in marked.items.items() if not may_miss(key, item)}
    is_open = any(isinstance(key, UnknownKey) for key in marked.items)
    more = set(real.items) - set(marked.items)
    if known == present and needed <= set(real.items) and (is_open or not more):
        return None
    return f"{[*marked.items]} and {[*real.items]}"


def may_miss(key: Any, item: Node) -> bool:
    unknown = unknown_of(item)
    return isinstance(key, UnknownKey) or (unknown is not None and unknown.may_miss)
