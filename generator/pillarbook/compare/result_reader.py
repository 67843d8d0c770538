"""Reads saved results; ``result_writer`` describes their format."""

import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pillarbook.compare.result_writer import OLD_SCHEMA, SCHEMA, ResultHead
from pillarbook.diagnostics import Diagnostic, PillarbookError, Severity
from pillarbook.inventory.declared_clock import Clock
from pillarbook.model import KeyPath, Position, from_tagged
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf, RedactedOrigin, RedactedPillar


class ResultError(PillarbookError):
    """A file is not a saved result."""

    def __init__(self, file: Path, why: str) -> None:
        remedy = "write one with `pillarbook compile --format result --output FILE`"
        super().__init__(f"{file} is not a saved result: {why}; {remedy}")


@dataclass(frozen=True, slots=True)
class SavedResult:
    """The pillars of a fleet, as they were saved."""

    head: ResultHead
    """The facts about the result itself."""
    pillars: Mapping[str, RedactedPillar]
    diagnostics: tuple[Diagnostic, ...]
    """What there was to say."""
    reads_clock: bool
    """Whether a value depends on the time."""


BROKEN = (
    *(AttributeError, KeyError, IndexError, TypeError, ValueError),
    *(ArithmeticError, StopIteration, RecursionError),
)
"""The exceptions for a file of another format."""


def read_result(file: Path, secret_id_of: Callable[[str], int]) -> SavedResult:
    """Return a saved result.

    ``secret_id_of`` returns the secret id for a token.

    Raises:
        ResultError: It cannot be read, or it is not a saved result.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultError(file, error.strerror or "it cannot be read") from error
    except (ValueError, RecursionError) as error:
        raise ResultError(file, "it is not JSON") from error
    if not isinstance(data, dict) or data.get("schema") not in (SCHEMA, OLD_SCHEMA):
        raise ResultError(file, f"it does not have `schema: {SCHEMA}`")
    try:
        return _Reader(data, secret_id_of).read()
    except BROKEN as error:
        raise ResultError(file, "a part is missing or has another structure") from error


def need_text(told: Any) -> str:
    """Return a text of JSON; anything else is an error."""
    if not isinstance(told, str):
        raise TypeError
    return told


def need_text_or_none(told: Any) -> str | None:
    """Return a text of JSON, or None; anything else is an error."""
    return None if told is None else need_text(told)


def _number_or_none(told: Any) -> int | None:
    if told is not None and not isinstance(told, int):
        raise TypeError
    return told


class _Reader:
    """Reads one result."""

    def __init__(self, data: dict[str, Any], secret_id_of: Callable[[str], int]) -> None:
        self._data = data
        self._secret_id_of = secret_id_of
        self._places = list(data["places"])

    def read(self) -> SavedResult:
        parts = [self._read_part(part) for part in self._data["parts"]]
        pillars = {
            name: _join(name, told, [parts[number] for number in told["parts"]])
            for name, told in self._data["minions"].items()
        }
        is_old = self._data["schema"] == OLD_SCHEMA
        token_key = None if is_old else need_text_or_none(self._data["token_key"])
        clock = _read_clock(self._data.get("clock"))
        head = ResultHead(str(self._data["label"]), token_key, clock)
        found = tuple(map(_read_diagnostic, self._data["diagnostics"]))
        return SavedResult(head, pillars, found, bool(self._data.get("reads_clock")))

    def _read_part(self, part: dict[str, Any]) -> tuple[Any, Any, tuple[RedactedLeaf, ...]]:
        key = from_tagged(part["key"])
        waiting = iter(part["leaves"])
        leaves: list[RedactedLeaf] = []
        data = self._fill(from_tagged(part["shape"]), (key,), waiting, leaves)
        if next(waiting, None) is not None:
            raise ValueError("more leaves than places")
        return key, data, tuple(leaves)

    def _fill(
        self, shape: Any, path: KeyPath, waiting: Iterator[Any], leaves: list[RedactedLeaf]
    ) -> Any:
        """Return a shape with the values of its leaves."""
        if isinstance(shape, dict) and shape:
            return {
                key: self._fill(item, (*path, key), waiting, leaves) for key, item in shape.items()
            }
        if isinstance(shape, list) and shape:
            return [self._fill(item, (*path, at), waiting, leaves) for at, item in enumerate(shape)]
        leaf = next(waiting)
        value = self._value(leaf)
        origins = tuple(
            self._read_origin(self._places[number], given) for number, given in leaf["origins"]
        )
        leaves.append(RedactedLeaf(path, value, origins))
        return value

    def _read_origin(self, place: list[Any], given: dict[str, Any]) -> RedactedOrigin:
        file, line, sls, saltenv = place
        return RedactedOrigin(
            need_text(file),
            _number_or_none(line),
            need_text_or_none(sls),
            need_text_or_none(saltenv),
            self._value(given),
        )

    def _value(self, told: dict[str, Any]) -> Any:
        if "secret" in told:
            reason, *tokens = told["secret"]
            return Redacted(str(reason), *(self._secret_id_of(str(token)) for token in tokens[:2]))
        return from_tagged(told["value"])


def _join(name: str, told: dict[str, Any], parts: list[Any]) -> RedactedPillar:
    return RedactedPillar(
        minion=name,
        outcome=str(told["outcome"]),
        leaves=tuple(leaf for _, _, leaves in parts for leaf in leaves),
        data={key: data for key, data, _ in parts},
        errors=tuple(map(str, told["errors"])),
        raises=need_text_or_none(told["raises"]),
        targets=(),
        pillarenv=need_text_or_none(told["pillarenv"]),
        saltenv=need_text_or_none(told["saltenv"]),
        revealed=False,
        faults=tuple(map(str, told["faults"])),
    )


def _read_clock(told: Any) -> Clock | None:
    return None if told is None else Clock(dt.datetime.fromisoformat(told["time"]), told["source"])


def _read_diagnostic(told: dict[str, Any]) -> Diagnostic:
    file, line, path = told["file"], told["line"], told["path"]
    return Diagnostic(
        code=str(told["code"]),
        severity=Severity[str(told["severity"]).upper()],
        message=str(told["message"]),
        position=None if file is None else Position(need_text(file), _number_or_none(line)),
        path=None if path is None else tuple(map(from_tagged, path)),
        minions=tuple(map(str, told["minions"])),
        help=need_text_or_none(told["help"]),
    )
