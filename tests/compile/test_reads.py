"""Views: whatever Python or Jinja does with one, it sees the data and notes what it asked."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jinja2.sandbox import SandboxedEnvironment

from pillarbook.compile.reads import (
    MAPPING,
    MISSING,
    Answer,
    Question,
    Trace,
    View,
    answer_about,
    fingerprint,
)
from pillarbook.compile.watched_data import TemplateWrites, unwatched, watched

Act = Callable[[Any], Any]


def grains() -> dict[Any, Any]:
    return {
        "os": "Debian",
        "roles": ["web", {"name": "db", "tags": ["x"]}],
        "nest": {"b": 1, "a": {"deep": True}},
        1: "number",
        "none": None,
        "empty": {},
    }


def view_of(data: dict[Any, Any]) -> tuple[View, Trace]:
    trace = Trace()
    return View("grains", data, trace), trace


def render(template: str) -> Act:
    compiled = SandboxedEnvironment(extensions=["jinja2.ext.do"]).from_string(template)
    return lambda view: compiled.render(grains=view)


READS: dict[str, Act] = {
    "getitem": lambda view: view["os"],
    "getitem-nested": lambda view: view["nest"]["a"]["deep"],
    "getitem-of-equal-key": lambda view: (view[True], view[1.0]),
    "getitem-missing": lambda view: view["nope"],
    "get": lambda view: view.get("os"),
    "get-missing": lambda view: (view.get("nope"), view.get("nope", "d")),
    "get-none": lambda view: view.get("none", "d"),
    "get-unhashable": lambda view: view.get([]),
    "contains": lambda view: ("os" in view, "nope" in view, "a" in view["nest"]),
    "contains-unhashable": lambda view: [] in view,
    "iter": list,
    "iter-nested": lambda view: list(view["nest"]),
    "reversed": lambda view: list(reversed(view)),
    "len": len,
    "len-nested": lambda view: len(view["empty"]),
    "bool": lambda view: (bool(view), bool(view["empty"]), not view["nest"]),
    "keys": lambda view: (list(view.keys()), "os" in view.keys()),  # noqa: SIM118 (that way, too)
    "keys-and": lambda view: sorted(view["nest"].keys() & {"a", "z"}),
    "values": lambda view: list(view["nest"].values())[0],  # noqa: RUF015 (that way, too)
    "items": lambda view: [key for key, _ in view.items()],
    "items-nested": lambda view: dict(view["nest"]["a"].items()),
    "dict": lambda view: dict(view["nest"]["a"]),
    "dict-and-more": lambda view: dict(view["nest"]["a"], more=1),
    "dict-update": lambda view: {"x": 1} | {**view["nest"]["a"]},
    "dict-dot-update": lambda view: _updated({"x": 1}, view["nest"]["a"]),
    "stars": lambda view: _keywords(**view["nest"]),
    "or": lambda view: view["nest"] | {"z": 1},
    "or-reflected": lambda view: {"z": 1} | view["nest"],
    "or-two-views": lambda view: view["nest"] | view["empty"],
    "copy": lambda view: view["nest"].copy(),
    "copy-copy": lambda view: copy.copy(view["nest"]),
    "deepcopy": copy.deepcopy,
    "deepcopy-within": lambda view: copy.deepcopy([view["nest"], view["roles"]]),
    "pickle": lambda view: pickle.loads(pickle.dumps(view["nest"])),  # noqa: S301 (its own)
    "sorted": lambda view: sorted(view["nest"]),
    "min": lambda view: min(view["nest"]),
    "equal": lambda view: (view == grains(), view["nest"] == {"b": 1}, view["empty"] == {}),
    "equal-reflected": lambda view: (grains() == view, {"b": 1} == view["nest"]),  # noqa: SIM300 (from that side, too)
    "equal-two-views": lambda view: (view["nest"] == view["nest"], view["nest"] == view["empty"]),
    "equal-within": lambda view: [view["nest"]] == [{"b": 1, "a": {"deep": True}}],
    "unequal": lambda view: (view != grains(), view["nest"] != {}),
    "str": str,
    "repr": repr,
    "format": lambda view: f"{view['nest']} {view['nest']!r:.5}",
    "percent": lambda view: "%(os)s %(none)s" % view,  # noqa: UP031 (that way, too)
    "format-map": "{os} {none}".format_map,
    "format-stars": lambda view: "{os}".format(**{key: view[key] for key in ["os"]}),
    "isinstance": lambda view: (isinstance(view, dict), isinstance(view["roles"], list)),
    "hash": hash,
    "type-name": lambda view: (type(view).__name__, type(view["roles"]).__name__),
    "call": lambda view: view(),
    "add": lambda view: view + 1,
    "less": lambda view: view < 1,
    "attribute": lambda view: view.nope,
    "list-read": lambda view: (view["roles"][0], view["roles"][-1]["name"], len(view["roles"])),
    "list-add": lambda view: view["roles"] + ["x"],
    "list-add-reflected": lambda view: ["x"] + view["roles"],
    "list-times": lambda view: view["roles"] * 2,
    "list-copy": lambda view: view["roles"].copy(),
    "list-slice": lambda view: view["roles"][:1],
    "list-index": lambda view: view["roles"].index("web"),
    "list-equal": lambda view: view["roles"] == grains()["roles"],
    "list-json": lambda view: json.dumps(view["roles"]),
    "list-yaml": lambda view: yaml.safe_dump(unwatched(view["roles"])),
    "list-in": lambda view: "web" in view["roles"],
    "list-str": lambda view: str(view["roles"]),
    "same-each-time": lambda view: (
        view["roles"] is view["roles"],
        view["nest"] is view.get("nest"),
    ),
    "pop-missing": lambda view: view.pop("nope", "d"),
    "pop-missing-error": lambda view: view.pop("nope"),
    "setdefault-present": lambda view: view.setdefault("os", "x"),
    "list-pop-empty": lambda view: view["nest"].get("l", []).pop(),
    "jinja-attribute": render("{{ grains.os }} {{ grains.nest.a.deep }} {{ grains.nope }}"),
    "jinja-for": render("{% for k, v in grains.nest.items() %}{{ k }}={{ v }},{% endfor %}"),
    "jinja-for-keys": render("{% for k in grains %}{{ k }},{% endfor %}{{ grains | length }}"),
    "jinja-filters": render(
        "{{ grains.nest | dictsort }}{{ grains.nest | list }}{{ grains.roles | first }}"
        "{{ grains.nest | items | list }}{{ grains.nest | first }}"
    ),
    "jinja-tests": render(
        "{{ grains is mapping }}{{ grains.nest is iterable }}{{ grains.nope is defined }}"
        "{{ grains.roles is sequence }}{{ 'os' in grains }}{{ grains.roles is sameas grains.roles }}"
    ),
    "jinja-print": render("{{ grains }}{{ grains.nest }}{{ grains.roles ~ '' }}"),
    "jinja-dict": render("{{ dict(grains.nest, z=1) }}{{ dict(grains) | length }}"),
    "jinja-map": render("{{ [grains.nest] | map(attribute='b') | list }}"),
}
"""Each has to give with a view what it gives with the dict itself, errors included."""

WRITES: dict[str, Act] = {
    "setitem": lambda view: view.__setitem__("os", 1),
    "delitem": lambda view: view.__delitem__("os"),
    "update": lambda view: view.update({"x": 1}),
    "ior": lambda view: view.__ior__({"x": 1}),
    "clear": lambda view: view.clear(),
    "popitem": lambda view: view.popitem(),
    "pop": lambda view: view.pop("os"),
    "pop-default": lambda view: view.pop("os", None),
    "setdefault": lambda view: view.setdefault("nope", []),
    "nested": lambda view: view["nest"].update(x=1),
    "nested-through-values": lambda view: list(view["nest"].values())[1].clear(),
    "nested-in-copy": lambda view: view["nest"].copy()["a"].clear(),
    "through-items": lambda view: dict(view.items())["nest"].clear(),
    "through-copy": lambda view: view.copy()["roles"].append(1),
    "through-or": lambda view: (view | {})["nest"].clear(),
    "list-append": lambda view: view["roles"].append(1),
    "list-extend": lambda view: view["roles"].extend([1]),
    "list-insert": lambda view: view["roles"].insert(0, 1),
    "list-remove": lambda view: view["roles"].remove("web"),
    "list-clear": lambda view: view["roles"].clear(),
    "list-sort": lambda view: view["roles"].sort(),
    "list-reverse": lambda view: view["roles"].reverse(),
    "list-pop": lambda view: view["roles"].pop(),
    "list-setitem": lambda view: view["roles"].__setitem__(0, 1),
    "list-delitem": lambda view: view["roles"].__delitem__(0),
    "list-iadd": lambda view: view["roles"].__iadd__([1]),
    "list-imul": lambda view: view["roles"].__imul__(2),
    "dict-in-list": lambda view: view["roles"][1].update(x=1),
    "dict-in-list-pop": lambda view: view["roles"][1].pop("name"),
    "dict-in-list-setdefault": lambda view: view["roles"][1].setdefault("x", 1),
    "list-in-dict-in-list": lambda view: view["roles"][1]["tags"].append(1),
    "list-in-copied-list": lambda view: view["roles"].copy()[1]["tags"].append(1),
    "jinja-do": render("{% do grains.update({'x': 1}) %}"),
    "jinja-do-append": render("{% do grains.roles.append(1) %}"),
    "jinja-pop": render("{{ grains.nest.pop('b') }}"),
}


def _updated(data: dict[Any, Any], more: Any) -> dict[Any, Any]:
    data.update(more)
    return data


def _keywords(**given: Any) -> list[str]:
    return list(given)


def outcome(act: Act, data: Any) -> tuple[str, Answer]:
    """Return what an act gives, or which error it ends with and in which words."""
    try:
        given = act(data)
    except Exception as error:  # noqa: BLE001 (any error is an outcome here)
        return type(error).__name__, str(error)
    return "given", fingerprint(unwatched(given))


def test_view_gives_what_the_dict_gives() -> None:
    for name, act in READS.items():
        view, _ = view_of(grains())
        assert outcome(act, view) == outcome(act, grains()), name


def test_each_read_is_noted() -> None:
    """Data that answers alike to what was noted gives the same, whatever else it holds."""
    for name, act in READS.items():
        view, trace = view_of(grains())
        expected = outcome(act, view)
        for changed in variations(grains()):
            alike = all(
                answer_of(changed, question) == seen for question, seen in trace.answers.items()
            )
            if alike:
                assert outcome(act, changed) == expected, name
                assert outcome(act, view_of(changed)[0]) == expected, name


def variations(data: dict[Any, Any]) -> list[dict[Any, Any]]:
    """Return data with one thing changed each: values, types, key order, missing and more keys."""
    found: list[dict[Any, Any]] = [dict(reversed(data.items())), {**data, "more": 1}, {}]
    others: list[Any] = ["other", 1, True, 1.0, None, [], {}, ["web"]]
    for key, value in data.items():
        found.append({other: item for other, item in data.items() if other != key})
        found.extend({**data, key: other} for other in others)
        if isinstance(value, dict):
            found.extend({**data, key: other} for other in variations(value))
        if isinstance(value, list):
            found.extend(({**data, key: [*value, 1]}, {**data, key: value[::-1]}))
    return found


def answer_of(data: dict[Any, Any], question: Question) -> Answer:
    _, what, path = question
    return answer_about(data, what, path)  # type: ignore[arg-type]


def test_noted_answers_are_those_of_the_data() -> None:
    for name, act in READS.items():
        view, trace = view_of(grains())
        outcome(act, view)
        assert {
            question: answer_of(grains(), question) for question in trace.answers
        } == trace.answers, name


@pytest.mark.parametrize("act", WRITES.values(), ids=WRITES)
def test_writes_are_refused(act: Act) -> None:
    data = grains()
    view, _ = view_of(data)
    with pytest.raises(TemplateWrites):
        act(view)
    assert fingerprint(data) == fingerprint(grains())


PRIVATE: dict[str, Act] = {
    "copied-twice": lambda view: copy.deepcopy(view)["nest"].update(x=1),
    "deepcopy-of-list": lambda view: copy.deepcopy(view["roles"])[1].update(x=1),
    "own-dict": lambda view: dict(view).update(x=1),
    "own-list": lambda view: (view["roles"] + [2]).append(3),
    "own-copy": lambda view: view.copy().pop("os"),
    "own-or": lambda view: (view | {"x": 1}).clear(),
    "own-list-copy": lambda view: view["roles"].copy().clear(),
    "own-slice": lambda view: view["roles"][:1].clear(),
    "unwatched": lambda view: unwatched(view)["nest"].clear(),
}


@pytest.mark.parametrize("act", PRIVATE.values(), ids=PRIVATE)
def test_copies_may_be_changed(act: Act) -> None:
    data = grains()
    act(view_of(data)[0])
    assert fingerprint(data) == fingerprint(grains())


def test_way_round_the_methods_shows_nothing() -> None:
    """Missing data is seen; another minion's data would not be."""
    view, trace = view_of(grains())
    assert json.dumps(view) == "{}"
    assert list(dict.items(view)) == []
    assert dict.__len__(view) == 0
    assert dict.copy(view) == {}
    assert not trace.answers


QUESTIONS: dict[str, tuple[Act, list[tuple[str, tuple[Any, ...]]]]] = {
    "scalar": (lambda view: view["os"], [("get", ("os",))]),
    "missing": (lambda view: view.get("nope"), [("get", ("nope",))]),
    "nested": (
        lambda view: view["nest"]["a"]["deep"],
        [("get", ("nest",)), ("get", ("nest", "a")), ("get", ("nest", "a", "deep"))],
    ),
    "contains": (lambda view: "os" in view, [("has", ("os",))]),
    "length": (len, [("keys", ())]),
    "whole": (str, [("whole", ())]),
    "once": (lambda view: (view["os"], view["os"]), [("get", ("os",))]),
    "list": (lambda view: view["roles"][0], [("get", ("roles",))]),
}


@pytest.mark.parametrize(("act", "asked"), QUESTIONS.values(), ids=QUESTIONS)
def test_no_more_is_asked_than_is_read(act: Act, asked: list[tuple[str, tuple[Any, ...]]]) -> None:
    view, trace = view_of(grains())
    act(view)
    assert list(trace.answers) == [("grains", what, path) for what, path in asked]


def test_mapping_handed_out_says_only_that_it_is_one() -> None:
    view, trace = view_of(grains())
    view["nest"]  # reading it is the point
    view.get("nope")
    assert list(trace.answers.values()) == [MAPPING, MISSING]


DIFFERENT = [1, True, 1.0, "1", None, "", 0, False, 0.0, -0.0, [], {}, (), [1], [True], (1,)]
DIFFERENT += [{"a": 1}, {"a": True}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, {1: "a"}, {"1": "a"}]
DIFFERENT += [[[]], [{}], [""], {"a": {}}, {"a": []}, {"a": None}, "None", "[]", b"1"]


def test_fingerprints_tell_types_and_order_apart() -> None:
    for first in DIFFERENT:
        alike = [other for other in DIFFERENT if fingerprint(other) == fingerprint(first)]
        assert len(alike) == 1, first


DATA = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "a", "map", "missing"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "map", 1]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(first=DATA, second=DATA)
def test_equal_fingerprints_are_equal_data(first: Any, second: Any) -> None:
    same = repr(first) == repr(second)  # types and key order count
    assert (fingerprint(first) == fingerprint(second)) == same


@given(data=DATA)
def test_watched_copy_is_the_same_data(data: Any) -> None:
    assert fingerprint(watched(data)) == fingerprint(data)
    assert fingerprint(unwatched(watched(data))) == fingerprint(data)
    assert json.dumps(watched(data)) == json.dumps(data)
