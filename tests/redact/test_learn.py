"""What a door learns of a pillar is the same whether the pillar is shown later or not."""

from collections.abc import Sequence
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from tests.redact.test_door import compiled_of, rendered

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.merge import Merger, MergeRules
from pillarbook.model import MapNode, Origin, SecretOrigin, grow
from pillarbook.redact import RedactedPillar, Redactor, Rules, SecretStore

KEYS = st.sampled_from(["a", "password", "key-hunter2x9", "app", 1])
TEXTS = ["hunter2x9", "web", "postgres://u:hunter2x9@db", "AKIAIOSFODNN7EXAMPLE", 7, None, True]
VALUES = st.recursive(
    st.sampled_from(TEXTS),
    lambda inner: st.dictionaries(KEYS, inner, max_size=3) | st.lists(st.one_of(inner), max_size=2),
    max_leaves=8,
)
FILES = st.lists(st.dictionaries(KEYS, VALUES, min_size=1, max_size=3), min_size=1, max_size=3)
GRAINS = st.fixed_dictionaries({"token": st.sampled_from(TEXTS), "roles": st.just(["web"])})


def read(number: int, data: dict[Any, Any]) -> MapNode:
    def locate(path: tuple[Any, ...], value: Any) -> Origin:
        origin = Origin(f"f{number}.sls", len(path), f"f{number}", "base", value)
        return (
            SecretOrigin.of(origin, value, "gpg renderer") if value == "web" and number else origin
        )

    tree = grow(data, locate)
    assert isinstance(tree, MapNode)
    return tree


def put_together(files: Sequence[dict[Any, Any]]) -> list[CompiledPillar]:
    trees = [read(number, data) for number, data in enumerate(files)]
    merger = Merger(MergeRules("recurse", merge_lists=True), {})
    made, merged = [], trees[0]
    for end, tree in enumerate(trees):
        merged = merged if tree is merged else merger.merge(merged, tree)
        renders = tuple(map(rendered, trees[: end + 1]))
        made.append(compiled_of(merged, minion=f"m{end}", renders=renders))
    return made


def stored(store: SecretStore) -> list[Any]:
    places = range(len(store))
    return [(store.value_of(one), store.path_of(one), store.is_copy(one)) for one in places]


def pass_through(
    pillars: Sequence[CompiledPillar], grains: dict[str, Any], *, for_show: bool
) -> tuple[list[Any], bool, list[RedactedPillar]]:
    store = SecretStore(b"key")
    redactor = Redactor(Rules(keys=["app:a"]), store)
    for one in pillars:
        redactor.collect_secrets(one, grains, for_show=for_show)
    learned = stored(store)
    changed = redactor.freeze_secrets()
    return learned, changed, [redactor.redact(one, grains) for one in pillars]


@given(FILES, GRAINS)
@example([{"a": {"key-hunter2x9": "hunter2x9"}}], {"token": "hunter2x9", "roles": ["web"]})
def test_it_is_the_same(files: list[dict[Any, Any]], grains: dict[str, Any]) -> None:
    pillars = put_together(files)
    shown = pass_through(pillars, grains, for_show=True)
    briefly = pass_through(pillars, grains, for_show=False)
    assert briefly[0] == shown[0]
    assert briefly[1] <= shown[1]  # a name that was not shown is not shown differently
    assert [one.leaves for one in briefly[2]] == [one.leaves for one in shown[2]]
    assert [one.data for one in briefly[2]] == [one.data for one in shown[2]]
