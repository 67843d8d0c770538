"""High data: the states of all SLS files that a minion gets, as one mapping.

Source: Salt ``salt/state.py`` (``BaseHighState.render_state``, ``_handle_state_decls``,
``_handle_extend``, ``_handle_exclude``, ``_handle_iorder``, ``merge_included_states``).
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pillarbook.compile.renderers.yaml import is_falsy
from pillarbook.highstate.mutable_high_data import (
    AliasedObjects,
    HighList,
    HighMap,
    HighNode,
    leaf_at,
    opened,
    text_of,
    value_of,
)
from pillarbook.highstate.render_states import NamedState, RenderedState
from pillarbook.highstate.state_faults import (
    CONFLICT,
    HIDDEN,
    SHAPE,
    Fault,
    as_printed,
    breaks_off,
    lacks,
    members,
    not_iterable,
    text_key,
)
from pillarbook.highstate.state_faults import new_fault as fault
from pillarbook.highstate.unknown_states import UnsureState, split_known
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin

# Salt's own start: a state with `order: 1` to 9999 comes before all that are numbered by
# declaration.
FIRST_ORDER = 10_000
"""The order of the first state that declares none."""
LISTS = ("include", "exclude")
"""The keys of an SLS that have a list and are no IDs."""
EXTEND, EXCLUDE = "__extend__", "__exclude__"
BELOW_ID = "write `module.function:` below it, and the arguments below that as a list"
INCLUDED_FROM = "__sls_included_from__"


class HighDataBuilder:
    """Makes high data of rendered state SLS files.

    If ``auto_order``, states without an ``order`` get one by declaration. If ``reveals``, errors
    may quote values.
    """

    def __init__(self, *, auto_order: bool, reveals: bool) -> None:
        self._auto_order = auto_order
        self._reveals = reveals
        self._next_order = FIRST_ORDER
        self.high = HighMap({}, ())
        self.faults: list[Fault] = []
        """In Salt's order."""
        self.unsure: list[tuple[str, UnsureState]] = []
        """The states that are left out, each with its SLS."""
        self.exact_below: int | None = None
        """The first ``order`` that is another one if one of these exists; None for none."""

    def take(self, named: NamedState) -> None:
        """Add an SLS that the top file names.

        Raises:
            CompileBreaksOff: Data of a shape that Salt's own compile does not survive.
        """
        if isinstance(named.rendered, Fault):
            self.faults.append(named.rendered)
            return
        state, faults = self._state_of(named.rendered)
        if isinstance(state, HighMap):
            self._merge_included(self.high, state, faults)
        elif state is not None:
            self._merge_other(state, faults)
        missing = f"SLS {named.named} in saltenv"
        for one in faults:
            if "is not available" in one.words and missing in one.words:
                words = f"No matching sls found for '{named.named}' in env '{named.saltenv}'"
                origin = replace(one.origin, value=words)
                self.faults.append(replace(one, words=words, origin=origin))
            else:
                self.faults.append(one)

    def shown(self, value: HighNode) -> str:
        """Return a value as Salt's errors quote it."""
        return as_printed(value) if self._reveals else HIDDEN

    def _state_of(self, rendered: RenderedState) -> tuple[HighMap | Node | None, list[Fault]]:
        """Return the data of an SLS with its includes; None for nothing."""
        if rendered.fault is not None:
            return None, [rendered.fault]
        tree = None if rendered.result is None else rendered.result.tree
        if tree is None or is_falsy(tree):
            return None, []
        if not isinstance(tree, MapNode):
            words = f"SLS {rendered.sls} does not render to a dictionary"
            return tree, [fault("sls-shape", words, tree.origins)]
        tree, unsure = split_known(tree, rendered.result)
        self.unsure += [(rendered.sls, one) for one in unsure]
        reader = _FileReader(rendered.sls, rendered.saltenv)
        state = reader.read(tree)
        for step in rendered.steps:
            if isinstance(step, Fault):
                reader.faults.append(step)
            else:
                self._take_included(rendered.sls, state, step, reader.faults)
        if unsure and self.exact_below is None:
            self.exact_below = self._next_order
        if self._auto_order:
            self._number(state)
        return state, reader.faults

    def _take_included(
        self, sls: str, state: HighMap, step: RenderedState, faults: list[Fault]
    ) -> None:
        """Merge an included SLS into the one that includes it."""
        included, more = self._state_of(step)
        if isinstance(included, HighMap):
            for name, body in included.items():
                if text_key(name, included.origins).startswith("__"):
                    continue
                if not isinstance(body, HighMap):
                    raise breaks_off("TypeError: a state that is not a mapping", body.origins)
                body.setdefault(INCLUDED_FROM, HighList((), body.origins))
                body[INCLUDED_FROM].append(leaf_at(sls, body.origins))
            self._merge_included(state, included, faults)
        elif included is not None:
            raise breaks_off("TypeError: an SLS that is not a mapping", included.origins)
        faults.extend(more)

    def _number(self, state: HighMap) -> None:
        """Give an order to each state that has none."""
        for body in state.values():
            if isinstance(body, Leaf) and not isinstance(body.value, str):
                return  # Salt skips the rest of the file
            for key, run in body.items() if isinstance(body, HighMap) else ():
                is_state = isinstance(key, str) and not key.startswith("_")
                if not isinstance(run, HighList) or not is_state or _has_order(run):
                    continue
                origins = run.origins
                order = leaf_at(self._next_order, origins)
                run.append(HighMap({"order": order}, origins))
                self._next_order += 1

    def _merge_included(self, high: HighMap, state: HighMap, faults: list[Fault]) -> None:
        for key in (EXTEND, EXCLUDE):
            if key in state:
                more = state.pop(key)
                high.setdefault(key, HighList((), more.origins)).extend(more)
        for name, body in state.items():
            if name in high and not _is_equal(high[name], body):
                faults.append(_conflict(name, high[name], body))
        high.update(state)

    def _merge_other(self, node: Node, faults: list[Fault]) -> None:
        """Add the data of an SLS that is not a mapping, as Salt does."""
        texts = _texts_of(node)
        words = f"Error when rendering state with contents: {self.shown(node)}"
        for text in texts:
            if len(text) != 2:
                message = "the states of this SLS are not a mapping"
                faults.append(fault("sls-shape", words, node.origins, message))
                return
            self.high[text[0]] = Leaf(text[1], node.origins)


class _FileReader:
    """Makes high data of one SLS."""

    def __init__(self, sls: str, saltenv: str) -> None:
        self._sls = sls
        self._saltenv = saltenv
        self.faults: list[Fault] = []

    def read(self, tree: MapNode) -> HighMap:
        """Return an SLS's states, without those it includes."""
        known: AliasedObjects = {}
        included = tree.items.get("include")
        state = HighMap({}, tree.origins)
        for key, item in tree.items.items():
            if key == "include" and isinstance(item, ListNode):
                continue
            depth = {"extend": 6, "exclude": 1}.get(key, 5) if isinstance(key, str) else 5
            state[key] = opened(item, known, depth - 1)
        if included is not None and not isinstance(included, ListNode):
            words = f"Include Declaration in SLS {self._sls} is not formed as a list"
            message = f"the include of the state SLS '{self._sls}' is not a list"
            remedy = "write a list, also for a single name: `include: [NAME]`"
            self.faults.append(fault("sls-shape", words, included.origins, message, remedy))
        if "extend" in state:
            self._take_extend(state, state.pop("extend"))
        if "exclude" in state:
            self._take_exclude(state, tree.items["exclude"])
        for name in state:
            self._read_state(state, name)
        return state

    def _take_extend(self, state: HighMap, extend: HighNode) -> None:
        if not isinstance(extend, HighMap):
            words = f"Extension value in SLS '{self._sls}' is not a dictionary"
            message = f"`extend` in SLS '{self._sls}' is not a mapping"
            remedy = "write the IDs below it, without dashes"
            self.faults.append(fault(SHAPE, words, extend.origins, message, remedy))
            return
        for name, body in extend.items():
            if not isinstance(body, HighMap):
                words = f"Extension name '{name}' in SLS '{self._sls}' is not a dictionary"
                message = f"the ID '{name}' below `extend` in SLS '{self._sls}' is not a mapping"
                self.faults.append(fault(SHAPE, words, body.origins, message, BELOW_ID))
                continue
            self._place(body)
            for key in list(body):
                run = body[key]
                text = text_key(key, body.origins)
                if not text.startswith("_") and isinstance(run, HighList) and "." in text:
                    _split(body, text)
        state.setdefault(EXTEND, HighList((), extend.origins)).append(extend)

    def _take_exclude(self, state: HighMap, exclude: Node) -> None:
        del state["exclude"]
        if not isinstance(exclude, ListNode):
            words = f"Exclude Declaration in SLS {self._sls} is not formed as a list"
            message = f"`exclude` in SLS '{self._sls}' is not a list"
            remedy = "write a dash before each entry: `- id: ID` or `- sls: NAME`"
            self.faults.append(fault(SHAPE, words, exclude.origins, message, remedy))
        known = state.setdefault(EXCLUDE, HighList((), exclude.origins))
        if isinstance(exclude, ListNode):
            known.extend(exclude.items)
        elif isinstance(exclude, MapNode):
            known.extend(Leaf(key, exclude.origins) for key in exclude.items)
        elif isinstance(exclude.value, str):
            known.extend(Leaf(letter, exclude.origins) for letter in exclude.value)
        else:
            raise not_iterable(exclude)

    def _read_state(self, state: HighMap, name: Any) -> None:
        """Convert one ID to the long form.

        Source: Salt ``salt/state.py`` (``_handle_state_decls``).
        """
        body = state[name]
        if not isinstance(body, HighMap):
            text = text_of(body)
            if name in (EXTEND, EXCLUDE):
                return
            if text is not None and "." in text:
                state[name] = self._padded(text, body.origins)
                return
            words = f"ID {name} in SLS {self._sls} is not a dictionary"
            message = f"the ID '{name}' in SLS '{self._sls}' is not a mapping of states"
            is_list = isinstance(name, str) and isinstance(body, HighList)
            remedy = _place_list(name) if is_list else BELOW_ID
            self.faults.append(fault(SHAPE, words, body.origins, message, remedy))
            return
        seen: set[str] = set()
        for key in list(body):
            text = text_key(key, body.origins)
            if text.startswith("_") or not isinstance(body[key], HighList):
                continue
            module = text.split(".")[0]
            if "." in text and module in seen:
                words = (
                    f"ID '{name}' in SLS '{self._sls}' contains multiple state declarations of the"
                    " same type"
                )
                message = f"the ID '{name}' in SLS '{self._sls}' has two functions of '{module}'"
                remedy = "write one of them below an ID of its own"
                self.faults.append(fault(SHAPE, words, body[key].origins, message, remedy))
                continue
            if "." in text:
                _split(body, text)
            seen.add(module)
        self._place(body)

    def _padded(self, text: str, origins: tuple[Origin, ...]) -> HighMap:
        """Return the long form of an ID whose value is only a function."""
        body = HighMap({}, origins)
        self._place(body)
        parts = text.split(".")
        body[parts[0]] = HighList([leaf_at(parts[1], origins)], origins)
        return body

    def _place(self, body: HighMap) -> None:
        """Add the SLS and environment that a state is from."""
        body.setdefault("__sls__", leaf_at(self._sls, body.origins))
        body.setdefault("__env__", leaf_at(self._saltenv, body.origins))


def _split(body: HighMap, key: str) -> None:
    """Move a dotted declaration to its module's name, the function into its list."""
    parts = key.split(".")
    run = body.pop(key)
    body[parts[0]] = run
    run.append(leaf_at(parts[1], run.origins))


def _has_order(run: HighList) -> bool:
    return any(isinstance(arg, HighMap) and next(iter(arg), None) == "order" for arg in run)


def _is_equal(one: HighNode, other: HighNode) -> bool:
    """Say whether two states hold the same data."""
    if isinstance(one, Leaf) and isinstance(other, Leaf):
        return bool(one.value == other.value)
    return as_printed(one) == as_printed(other)


def _conflict(name: Any, one: HighNode, other: HighNode) -> Fault:
    places = [f"SLS '{_sls_of(body)}'" for body in (one, other)]
    words = (
        "Detected conflicting IDs, SLS IDs need to be globally unique.\n    The conflicting ID is"
        f" '{name}' and is found in {places[0]} and {places[1]}"
    )
    message = f"the ID '{name}' is declared in {places[0]} and again in {places[1]}"
    return fault(CONFLICT, words, other.origins, message, "IDs must be unique: rename one")


def _sls_of(body: HighNode) -> str:
    if not isinstance(body, HighMap):
        raise lacks(body, "__getitem__")
    return f"{value_of(body['__env__'])}:{value_of(body['__sls__'])}"


def _texts_of(node: Node) -> Iterable[Any]:
    """Return the texts over which Salt loops if an SLS is text or a list."""
    if isinstance(node, Leaf):
        if not isinstance(node.value, str):
            raise not_iterable(node)
        return node.value
    found = []
    for item in members(node) if isinstance(node, ListNode) else ():
        text = text_of(item)
        if text is None:
            raise breaks_off("TypeError: an SLS that is a list of other things", item.origins)
        found.append(text)
    return found


def _place_list(name: str) -> str:
    """Return the remedy for a list below a name that has none."""
    from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (only faults need it)

    if "." in name:
        return f"indent '{name}' below an ID"
    meant = find_similar(name, LISTS)
    return BELOW_ID if meant is None else f"did you mean `{meant}`?"
