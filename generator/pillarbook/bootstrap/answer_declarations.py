"""The lines of ``mkdocs.yml`` that declare answers, with ``...`` for each answer.

Messages write one call in one line; these join all calls of a function under one key, since YAML
takes a key only once.
"""

import re
from collections.abc import Iterable
from typing import Any

import yaml

from pillarbook.bootstrap.yaml_words import as_yaml
from pillarbook.redact.target_secrets import HIDDEN

_ONE_CALL = re.compile(r"[^:]+: \{\$calls: \[\{(.*), answer: \.\.\.\}\]\}", re.DOTALL)
"""A declaration of one call, as a message has it."""
ANSWER = "..."


def declare_calls(name: str, declared: Iterable[str]) -> list[str]:
    """Return the lines that answer a function.

    ``declared`` is what messages say declares each of its calls: ``NAME: {$calls: [...]}``; any
    other form answers all calls.
    """
    calls: dict[str, None] = {}
    answers_all = False
    for one in declared:
        call = _ONE_CALL.fullmatch(one)
        if call is None:
            answers_all = True
        else:
            calls[_without_secrets(call[1])] = None
    lines = ["functions:", f"  {as_yaml(name)}:"]
    if not calls:
        return [*lines, f"    '*': {ANSWER}"]
    lines.append("    $calls:")
    lines += [f"      - {{{call}, answer: {ANSWER}}}" for call in sorted(calls, key=_specific)]
    return [*lines, f"    $answer: {ANSWER}"] if answers_all else lines


def _specific(call: str) -> tuple[int, int, str]:
    """Return what sorts a call before those whose globs match it too: the first one that fits wins.

    A glob that matches a part only of what another one does has at least as much literal text.
    """
    literal = re.sub(r"['\"*]", "", call)
    return -len(literal), call.count("*"), call


def declare_ext_pillar(name: str) -> list[str]:
    """Return the lines that answer an external pillar from a file."""
    return ["ext_pillars:", f"  {as_yaml(name)}: {as_yaml(f'answers/{name}.yml')}"]


def _without_secrets(call: str) -> str:
    """Return a call in which a glob stands for each part that is redacted, so that it matches."""
    if HIDDEN not in call:
        return call
    try:
        parts = yaml.safe_load(f"{{{call}}}")
    except yaml.YAMLError:
        return call
    return as_yaml(_as_globs(parts)).removeprefix("{").removesuffix("}")


def _as_globs(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_globs(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_globs(item) for item in value]
    return value.replace(HIDDEN, "*") if isinstance(value, str) else value
