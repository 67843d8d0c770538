"""A pillar is written as JSON as it would be from its redacted form."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.redact.test_door import as_tree, compiled_of, verdict
from tests.redact.test_learn import FILES, put_together

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.model import MapNode, Origin, SecretOrigin, grow
from pillarbook.redact import Redactor, Rules, SecretStore, json_writer
from pillarbook.session.pillar_texts import PillarTexts

SECRET = "hunter2x9"
GRAINS = st.sampled_from(
    [{}, {"token": "AKIAIOSFODNN7EXAMPLE", "roles": ["web"]}, {"api_token": SECRET}]
)
CLOSED = Rules(keys=["app:a"])


def open_redactor(
    pillars: Sequence[CompiledPillar],
    grains: dict[str, Any],
    rules: Rules | None,
    *,
    for_show: bool,
) -> Redactor:
    redactor = Redactor(rules, SecretStore(b"key"))
    redactor.index(pillars)
    for one in pillars:
        redactor.collect_secrets(one, grains, for_show=for_show)
    redactor.freeze_secrets()
    return redactor


def check_law(
    pillars: Sequence[CompiledPillar],
    order: Sequence[CompiledPillar],
    grains: dict[str, Any],
    rules: Rules | None = CLOSED,
) -> list[str]:
    """Write pillars in two ways, the second time from memory, and compare."""
    plain = open_redactor(pillars, grains, rules, for_show=True)
    texts = PillarTexts(plain.store.token)
    expected = {one.minion: texts.as_json(plain.redact(one, grains)) for one in pillars}
    lean = open_redactor(pillars, grains, rules, for_show=False)
    for one in (*order, *order):
        assert lean.write_json(one, grains) == expected[one.minion]
    return list(expected.values())


@st.composite
def fleets(draw: st.DrawFn) -> list[CompiledPillar]:
    """Draw pillars that share parts; some have errors, and some are not compiled to the end."""
    made = []
    for one in put_together(draw(FILES)):
        error = draw(st.sampled_from(["", "", f"near {SECRET}", "no such file"]))
        items = {**one.tree.items, **as_tree({"_errors": [error], "own": one.minion}).items}
        tree = replace(one.tree, items=items if draw(st.booleans()) else one.tree.items)
        raises = draw(st.sampled_from([None, None, None, f"TypeError: {SECRET}"]))
        made.append(
            replace(
                one,
                tree=tree if raises is None else MapNode({}, ()),  # as of each compile that raises
                errors=(error,) if error else (),
                raises=raises,
                targets=(verdict(draw(st.sampled_from(["*", f"G@key:{SECRET}", "web*"]))),),
                pillarenv=draw(st.sampled_from([None, f"env-{SECRET}"])),
            )
        )
    return made


@given(fleets(), GRAINS, st.data())
def test_it_is_what_its_redacted_form_is(
    pillars: list[CompiledPillar], grains: dict[str, Any], data: st.DataObject
) -> None:
    check_law(pillars, data.draw(st.permutations(pillars)), grains)


@given(fleets(), GRAINS)
def test_it_is_so_where_everything_is_revealed(
    pillars: list[CompiledPillar], grains: dict[str, Any]
) -> None:
    check_law(pillars, pillars, grains, None)


@given(fleets(), GRAINS)
def test_names_of_what_is_redacted_are_found(
    pillars: list[CompiledPillar], grains: dict[str, Any]
) -> None:
    plain = open_redactor(pillars, grains, CLOSED, for_show=True)
    lean = open_redactor(pillars, grains, CLOSED, for_show=False)
    for one in pillars:
        plain.redact(one, grains)
        lean.write_json(one, grains)
    assert set(lean.names.found()) == set(plain.names.found())


SHARED = {
    "users": [{"name": "a", "comment": "see psql -p Xy-9-hunter2x9 for it"}, {"name": "b"}],
    "motd": "no secret",
}
HIDDEN = '"redacted": "derived from db:password"'


@pytest.mark.parametrize("password", ["Xy-9-hunter2x9", "other-8-z"], ids=["copied", "not copied"])
def test_what_minions_share_may_hold_a_copy_of_one_of_them(password: str) -> None:
    shared = as_tree(SHARED).items
    own = [as_tree({"db": {"password": password}, "id": f"m{n}"}).items for n in range(3)]
    pillars = [
        compiled_of(MapNode({**one, **shared}, ()), minion=f"m{number}")
        for number, one in enumerate([*own, {}])
    ]
    written = check_law(pillars, pillars, {})
    is_copied = password == "Xy-9-hunter2x9"
    assert [HIDDEN in one for one in written[:3]] == [is_copied] * 3


def test_keys_that_json_lacks_are_tagged() -> None:
    data = {1: {"$a": 1, "b": [None, 1.5, float("nan")]}, None: "ö\n\u2028", "x": {"": {}, "l": []}}
    pillar = compiled_of(as_tree({"k": data}))
    (text,) = check_law([pillar], [pillar], {})
    assert text.startswith('{"k": {"$map": [[1, ')


def test_a_key_that_holds_a_secret_is_found_above_nothing() -> None:
    pillar = compiled_of(as_tree({"password": SECRET, f"key-{SECRET}": {}, "l": {f"{SECRET}": []}}))
    redactor = open_redactor([pillar], {}, CLOSED, for_show=False)
    redactor.write_json(pillar)
    assert [name.what for name in redactor.names.found()] == ["a key", "a key"]


def test_a_path_is_no_name_beside_its_keys() -> None:
    pillar = compiled_of(as_tree({f"key-{SECRET}": {"password": SECRET}, "copy": SECRET}))
    redactor = open_redactor([pillar], {}, CLOSED, for_show=True)
    shown = redactor.redact(pillar)
    (name,) = redactor.names.found()
    assert name.shown == shown.leaves[0].path[0]
    assert shown.leaves[1].value.reason == f"same as {name.shown}:password"


def test_a_position_in_a_list_is_not_the_key_of_its_number() -> None:
    pillars = [
        compiled_of(opened(items), minion=name)
        for name, items in (("m0", {1: SECRET}), ("m1", ["x", SECRET]))
    ]
    texts = [
        open_redactor(pillars, {}, CLOSED, for_show=False).write_json(pillars[1]),
        open_redactor(pillars[::-1], {}, CLOSED, for_show=False).write_json(pillars[1]),
    ]
    assert texts[0] == texts[1]


def opened(items: Any) -> MapNode:
    def locate(_: tuple[Any, ...], value: Any) -> Origin:
        origin = Origin("a.sls", 1, "a", "base", value)
        return SecretOrigin.of(origin, value, "gpg renderer") if value == SECRET else origin

    tree = grow({"tokens": items}, locate)
    assert isinstance(tree, MapNode)
    return tree


def test_secrets_that_are_frozen_later_count() -> None:
    shared = as_tree({"note": {"text": "it is Xy-9-hunter2x9"}}).items
    first, second = compiled_of(MapNode(shared, ())), as_tree({"password": "Xy-9-hunter2x9"})
    redactor = open_redactor([first, first], {}, CLOSED, for_show=False)
    assert "hunter2x9" in redactor.write_json(first)
    redactor.collect_secrets(compiled_of(second))
    redactor.freeze_secrets()
    assert "hunter2x9" not in redactor.write_json(first)


def test_what_revealed_minions_share_is_written_twice_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: list[int] = []
    write = json_writer.write_mapping

    def count(texts: Mapping[Any, str]) -> str:
        counted.append(len(texts))
        return write(texts)

    monkeypatch.setattr(json_writer, "write_mapping", count)
    shared = as_tree({"app": {"a": {"b": 1, "c": 2, "d": 3}}}).items["app"]
    redactor = Redactor(None, SecretStore(b"key"))
    redactor.freeze_secrets()
    for number in range(10):
        tree = as_tree({"own": {"n": number}})
        compiled = compiled_of(replace(tree, items={**tree.items, "app": shared}))
        assert '{"a": {"b": 1, "c": 2, "d": 3}}' in redactor.write_json(compiled)
    assert counted.count(3) == 2
