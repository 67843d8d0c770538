"""Where templates read grains, and what they hold them against."""

import pytest

from pillarbook.bootstrap.grain_reads import find_conditions, find_reads

READS = {
    "an item": ("{{ grains['os'] }}", {"os": ()}),
    "an attribute": ("{{ grains.os }}", {"os": ()}),
    "get": ("{{ grains.get('os', 'x') }}", {"os": ()}),
    "a path": ("{{ salt['grains.get']('ec2:region') }}", {"ec2:region": ()}),
    "the function's other spellings": (
        "{{ salt.grains.get('a') }}{{ salt['grains'].get('b') }}",
        {"a": (), "b": ()},
    ),
    "below": ("{{ grains['ec2']['region'] }}", {"ec2:region": ()}),
    "methods": (
        "{{ grains.a.upper() }}{{ grains['b'].split(',')[0] }}{{ grains.c.get('d').items() }}",
        {"a": (), "b": (), "c": (), "c:d": ()},
    ),
    "a comparison": ("{% if grains.os == 'Debian' %}{% endif %}", {"os": ("Debian",)}),
    "the other way round": ("{% if 'Debian' != grains.os %}{% endif %}", {"os": ("Debian",)}),
    "one of some": ("{% if grains.os in ['a', 'b'] %}{% endif %}", {"os": ("a", "b")}),
    "a member": ("{% if 'web' in grains.get('roles', []) %}{% endif %}", {"roles": ("web",)}),
    "a variable": (
        "{% set os = grains.os|lower %}{% if os == 'debian' %}{% endif %}",
        {"os": ("debian",)},
    ),
    "a table": (
        "{{ {'Debian': 1, 'RedHat': 2}[grains.os_family] }}",
        {"os_family": ("Debian", "RedHat")},
    ),
    "a table with a name": ("{% set m = {'a': 1} %}{{ m.get(grains.x) }}", {"x": ("a",)}),
    "filter_by": (
        "{{ salt['grains.filter_by']({'Debian': 1, 'default': 2}) }}",
        {"os_family": ("Debian",)},
    ),
    "no template": ("{% if grains.os", {}),
}


@pytest.mark.parametrize(("text", "expected"), READS.values(), ids=READS)
def test_reads_are_found(text: str, expected: dict[str, tuple[str, ...]]) -> None:
    found: dict[str, tuple[str | int, ...]] = {}
    for read in find_reads(text).grains:
        found[read.grain] = found.get(read.grain, ()) + read.values
    assert found == expected


@pytest.mark.parametrize(
    "text", ["grains['p'].items()", "grains.p.iteritems()", "grains.get('p').keys()"]
)
def test_what_is_walked_through_by_keys_is_a_mapping(text: str) -> None:
    reads = find_reads(f"{{% for key in {text} %}}{{% endfor %}}").grains
    assert {(one.grain, one.is_mapping) for one in reads} == {("p", False), ("p", True)}


def test_functions_are_found_with_their_lines() -> None:
    text = "{{ salt['a.b']() }}\n{{ salt.c.d(1) }}\n{{ salt['e'].f() }}\n"
    assert find_reads(text).functions == (("a.b", 1), ("c.d", 2), ("e.f", 3))


def test_lines_under_a_condition_are_known() -> None:
    text = (
        "a\n{% if grains.os == 'x' and y %}\nb\nc\n{% elif grains.os == 'z' %}\nd\n{% endif %}\ne\n"
    )
    found = {one.value: (one.first, one.last) for one in find_conditions(text)}
    assert found == {"x": (2, 5), "z": (5, 7)}


def test_files_called_after_a_grain_are_known() -> None:
    text = "include:\n  - shared.{{ grains['env'] }}\n{% import_yaml 'a/' ~ grains.os ~ '.yaml' as x %}"
    found = {(one.grain, one.before, one.after) for one in find_reads(text).names}
    assert found == {("env", "shared.", ""), ("os", "a/", ".yaml")}


def test_keys_looked_up_by_a_grain_are_known() -> None:
    text = "{% import_yaml 's.yaml' as s %}{{ s.sites[grains['site']].a }}{{ s.get(grains.env) }}"
    found = {(one.grain, one.file, one.path) for one in find_reads(text).lookups}
    assert found == {("site", "s.yaml", ("sites",)), ("env", "s.yaml", ())}
