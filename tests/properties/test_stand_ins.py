"""The law of placeholders: in whatever order pillar is put together, none is replaced again.

One that was drawn for a placeholder has the secret's own letters and digits. A template that shows
one character of a secret would then show the right one now and then, as no difference is seen.
"""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.derived import look, write_tree
from tests.support.tiers import fewer

from pillarbook.compile.placeholder_views import with_placeholders
from pillarbook.model import Leaf, MapNode, Node, Origin, grow, plain
from pillarbook.redact import Redacted, Rules
from pillarbook.redact.given_placeholders import SHORTEST
from pillarbook.redact.placeholder_texts import Shape
from pillarbook.redact.placeholders import SecretPlaceholders

DIGITS = 8
SECRETS = st.integers(10 ** (DIGITS - 1), 10**DIGITS - 1).map(str)
"""Of digits, since there are few, so that chance shows soon."""
HOLDERS = ("sls", "stack", "inventory")
PASSED = {
    "as it is": "'{{ %s }}'",
    "as a number": "{{ %s }}",
    "in a text": "'user:{{ %s }}@host'",
    "with blanks": "' {{ %s }} '",
    "in capitals": "'{{ %s | string | upper }}'",
    "a part": "'{{ (%s | string)[:4] }}'",
    "backwards": "'{{ %s | string | reverse }}'",
    "with others": "'{{ %s | int + 1 }}'",
    "encoded": "'{{ %s | string | base64_encode }}'",
    "hashed": "'{{ %s | string | sha256 }}'",
}
READS = "".join(
    f"d{at}: \"{{{{ (%s | string | replace('user:', '') | trim)[{at}] }}}}\"\n"
    for at in range(DIGITS)
)


@st.composite
def fleets(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, Any], dict[str, Any]]:
    """Draw a tree in which a secret goes from one place to the next, and is read at the last."""
    secret, holder = draw(SECRETS | SECRETS.map(int)), draw(st.sampled_from(HOLDERS))
    first = holder != "sls" and draw(st.booleans())
    passed = draw(st.sampled_from(list(PASSED.values())))
    stacks = {"one": "x: 1\n", "two": "y: 1\n"}
    files = {"pillar/top.sls": "base: {'*': [a, b]}", "pillar/a.sls": "a: 1\n"}
    own: dict[str, Any] = {}
    if holder == "inventory":
        own["pillar"] = {"pin_token": secret}
    elif holder == "stack":
        stacks["one"] = f"pin_token: {secret!r}\n"
    else:
        files["pillar/a.sls"] = f"pin_token: {secret!r}\n"
    source = "stack.pin_token" if holder == "stack" and draw(st.booleans()) else "pillar.pin_token"
    stacks["two"] = f"other_token: {passed % source}\n"
    last = draw(st.sampled_from(["pillar.pin_token", "pillar.other_token"]))
    if first:
        files["pillar/b.sls"] = READS.replace("%s", last)
    else:
        files["pillar/b.sls"] = "b: 1\n"
        stacks["three"] = READS.replace("%s", last)
    for name, text in stacks.items():
        files[f"stack/{name}.cfg"], files[f"stack/{name}.yml"] = f"{name}.yml\n", text
    # What one stack has gathered is no pillar yet: a template of its own reads "None" there.
    together = source.startswith("stack") or (holder != "stack" and draw(st.booleans()))
    if together:
        files["stack/one.cfg"] = "one.yml\ntwo.yml\n"
    configured = [name for name in stacks if not (together and name == "two")]
    external = [{"stack": f"stack/{name}.cfg"} for name in configured]
    return files, {"ext_pillar": external, "ext_pillar_first": first}, own


@pytest.mark.slow
@fewer(3)
@given(drawn=fleets(), key=st.binary(min_size=1, max_size=8))
def test_no_character_of_a_secret_is_shown_by_chance(
    drawn: tuple[dict[str, str], dict[str, Any], dict[str, Any]], key: bytes
) -> None:
    files, master, minion = drawn
    with tempfile.TemporaryDirectory() as folder:
        tree = write_tree(Path(folder), files, minions={"a": minion}, master=master)
        leaves = look(tree, token_key=key).leaves
    told = {leaf.path[0]: leaf.value for leaf in leaves if str(leaf.path[0])[0] == "d"}
    # Where the secret does not get there, nothing is to be hidden.
    assert [key for key, value in told.items() if not isinstance(value, Redacted) and value] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    "passed",
    ["({0} | string)[:4]", "{0} | string | reverse", "{0} | int + 1", "{0} | string"],
    ids=["a part", "backwards", "one more", "as it is"],
)
def test_ten_builds_together_tell_nothing_of_a_number(
    passed: str, first: bool, tmp_path: Path
) -> None:
    made = passed.format("pillar.pin_token")
    reads = READS.replace("%s", "pillar.other_token")
    files = {
        "pillar/top.sls": "base: {'*': [b]}",
        "pillar/b.sls": reads if first else "b: 1\n",
        "stack/one.yml": "pin_token: 48271936\n",
        "stack/two.yml": f"other_token: '{{{{ {made} }}}}'\n",
        "stack/three.yml": "c: 1\n" if first else reads,
    }
    names = ("one", "two", "three")
    files |= {f"stack/{name}.cfg": f"{name}.yml\n" for name in names}
    external = [{"stack": f"stack/{name}.cfg"} for name in names]
    master = {"ext_pillar": external, "ext_pillar_first": first}
    tree = write_tree(tmp_path, files, minions={"a": {}}, master=master)
    told = {
        (leaf.path[0], leaf.value)
        for key in range(10)
        for leaf in look(tree, token_key=bytes([key])).leaves
        if str(leaf.path[0])[0] == "d" and not isinstance(leaf.value, Redacted) and leaf.value
    }
    assert told == set()


def grown(value: Any) -> MapNode:
    made = grow(value, lambda _, item: Origin("a", 1, None, None, item))
    assert isinstance(made, MapNode)
    return made


def without_marks(node: Node) -> Node:
    """Return a tree as an external pillar makes it that keeps origins only."""
    if isinstance(node, Leaf):
        return Leaf(node.value, node.origins)
    assert isinstance(node, MapNode)
    items = {key: without_marks(item) for key, item in node.items.items()}
    return MapNode(items, node.origins, kind=node.kind)


VALUES = st.one_of(
    st.text(min_size=1, max_size=20), st.integers(), st.booleans(), st.floats(), st.dates()
)


@given(value=VALUES, shape=st.sampled_from(Shape), key=st.binary(min_size=1, max_size=8))
def test_a_tree_is_replaced_once(value: Any, shape: Shape, key: bytes) -> None:
    placeholders = SecretPlaceholders(Rules(), key, shape, sealed=False)
    shown = with_placeholders(grown({"db": {"password": value}}), placeholders)
    again = with_placeholders(without_marks(shown), placeholders)  # type: ignore[arg-type] # a mapping
    assert repr(plain(again)) == repr(plain(shown))


@given(text=st.text(max_size=20), around=st.text(max_size=5), key=st.binary(min_size=1))
def test_a_placeholder_stays_within_a_longer_text(text: str, around: str, key: bytes) -> None:
    placeholders = SecretPlaceholders(Rules(), key, Shape.LONG, sealed=False)
    made = placeholders.of_value(text)
    longer = placeholders.of_value(f"{around}{made}{around}")
    if len(made.strip()) >= SHORTEST:
        assert made.strip() in longer
