"""Which declared answers of functions are secret: by their keys, and by what was asked for.

An answer has no key of its own. The function has, and so have its arguments: in
``salt['pillar.get']('db:password')`` as in ``salt['cmd.run']('pass show shop/db')``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pillarbook.inventory.declared_functions import DeclaredAnswers, DeclaredCall, DeclaredFunction
from pillarbook.model import KeyPath
from pillarbook.redact import Rules
from pillarbook.taint.taint_readers import SECRET_MODULES, TaintReaders

PASSWORD = "password"  # noqa: S105 (a name)
"""The name of what a command reads from a secret store."""
_OF_STORE = re.compile(
    r"(?:\A|[;&|(]\s*|sudo\s+(?:-u\s*\S+\s+)?)(?:/\S*/)?(?:(?:go|r)?pass(?:\s+show)?\s+[\w.-]+(?:/[\w.@-]+)*(?:\s|\Z)"
    r"|vault\s+(?:kv\s+get|read)\s|op\s+(?:read|item\s+get)\s|bw\s+get\s+(?:password|totp)\s"
    r"|aws\s+secretsmanager\s+get-secret-value\s|az\s+keyvault\s+secret\s+show\s"
    r"|gcloud\s+secrets\s+versions\s+access\s|(?:gpg2?\s.*(?:-d|--decrypt)|sops\s.*(?:-d|decrypt))\s)"
)
"""A command that prints a secret."""


def is_store(function: str) -> bool:
    """Say whether a function reads a secret store, so that all its answers are secret."""
    return function.partition(".")[0] in SECRET_MODULES


def asked_path(function: str, call: DeclaredCall | None, rules: Rules) -> KeyPath:
    """Return the path by which rules judge an answer: of the function and what it is asked for.

    ``call`` is None for the answer to every call.
    """
    above = (function.partition(".")[0], function)
    for word in _texts_of(call):
        if rules.names_secret(word) is not None:
            return (*above, word)
        if _OF_STORE.search(word):
            return (*above, PASSWORD)
    return above


def _texts_of(call: DeclaredCall | None) -> Iterator[str]:
    """Yield the texts that a call asks with, the last one first: ``('secret/db', 'password')``."""
    if call is not None:
        given = (*reversed(call.args or ()), *(call.kwargs or {}).values())
        yield from (one for one in given if isinstance(one, str))


def has_secret(name: str, declared: DeclaredFunction, taint_readers: TaintReaders) -> bool:
    """Say whether a declared answer of a function is secret."""
    several = (declared.for_all, *(given for _, given in declared.by_id or ()))
    return any(True for one in several for _ in secrets_among(name, one, taint_readers))


def secrets_among(
    name: str, given: DeclaredAnswers | None, taint_readers: TaintReaders
) -> Iterable[Any]:
    """Yield the secrets among some answers of a function."""
    if given is None:
        return
    answers = [(answer, None) for answer in given.answers]
    for answer, call in (*answers, *((call.answer, call) for call in given.calls)):
        if is_store(name):
            yield from _scalars(answer)
        else:
            path = asked_path(name, call, taint_readers.rules)
            yield from (value for _, value in taint_readers.secret_data(answer, path))


def _scalars(data: Any) -> Iterable[Any]:
    if isinstance(data, Mapping):
        for item in data.values():
            yield from _scalars(item)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _scalars(item)
    elif data not in (None, ""):
        yield data
