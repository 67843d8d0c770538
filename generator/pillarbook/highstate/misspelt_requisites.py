"""Arguments of states that Salt ignores: misspelt requisites, and an ``order`` that is text."""

from collections.abc import Iterator

from pillarbook.diagnostics import Diagnostic, Severity, new_diagnostic
from pillarbook.highstate.keywords import REQUISITES, TURNED
from pillarbook.highstate.mutable_high_data import HighList, HighMap, HighNode, text_of, value_of
from pillarbook.highstate.state_faults import SHAPE, place_of
from pillarbook.model import MapNode

KNOWN = REQUISITES | TURNED | {"listen_in"}
ORDERS = ("first", "last")
"""What an ``order`` may be besides a number."""
SIMILAR = 0.8
"""How similar a name must be to that of a requisite, from 0 to 1."""


def find_misspelt(high: HighMap) -> Iterator[Diagnostic]:
    """Yield a warning for each such argument."""
    for name, body in high.items():
        for run in body.values() if isinstance(body, HighMap) else ():
            for arg in run if isinstance(run, HighList) else ():
                for key, value in arg.items() if isinstance(arg, HighMap) else ():
                    if key == "order" and (text_of(value) or "last") not in ORDERS:
                        yield _word_order(name, body, value)
                    elif key not in KNOWN and isinstance(key, str) and _names_states(value):
                        yield from _describe(name, body, key, value)


def _names_states(value: HighNode) -> bool:
    """Say whether a value is a list of ``module: ID``."""
    return (
        isinstance(value, HighList)
        and bool(value)
        and all(
            isinstance(one, MapNode)
            and len(one.items) == 1
            and all(text_of(named) is not None for named in one.items.values())
            for one in value
        )
    )


def _word_order(name: object, body: HighMap, value: HighNode) -> Diagnostic:
    message = f"the `order` of the state '{name}' in SLS '{value_of(body['__sls__'])}' is text"
    remedy = "write a number without quotes, `first` or `last`"
    return _warn(f"{message}, so Salt ignores it", value, remedy)


def _describe(name: object, body: HighMap, key: str, value: HighNode) -> Iterator[Diagnostic]:
    from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (few states have such)

    near = find_similar(key, KNOWN, SIMILAR)
    if near is not None:
        sls = value_of(body["__sls__"])
        message = f"unknown requisite '{key}' of the state '{name}' in SLS '{sls}'"
        yield _warn(message, value, f"did you mean `{near}`?")


def _warn(message: str, value: HighNode, remedy: str) -> Diagnostic:
    place = place_of(value.origins)
    return new_diagnostic(SHAPE, message, place, remedy=remedy, severity=Severity.WARNING)
