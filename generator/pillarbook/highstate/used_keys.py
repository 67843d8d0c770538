"""Which keys of the pillar states use as secrets: ``- password: {{ pillar['app']['relay'] }}``.

A key with any name may hold a password, and the argument of the state says so. Files are searched
as text, so that commands that compile no states know it too. What a template computes is not seen.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pillarbook.highstate.needed_states import find_needed_states
from pillarbook.model import KeyPath
from pillarbook.patterns.key_names import kind_of_name
from pillarbook.roots.environment_roots import Roots

_ARGUMENT = re.compile(
    r"""^[ \t]*(?:-[ \t]+)?["']?([\w.-]+)["']?:[ \t]+["']?\{\{-?(.+?)-?\}\}["']?[ \t]*(?:\#.*)?$""",
    re.MULTILINE,
)
_SET = re.compile(r"\{%-?\s*set\s+(\w+)\s*=(.+?)-?%\}")
_CALL = re.compile(
    r"""\s*(?:salt\.pillar\.get|salt\[["']pillar\.get["']\]|pillar\.get)"""
    r"""\(\s*["']([^"'\n]+)["']\s*(?:,[^()]*)?\)"""
)
_NAME = re.compile(r"\s*(\w+)")
_STEP = re.compile(r"""\.(\w+)(?![\w(])|\[\s*["']([^"'\n]+)["']\s*\]""")


def find_used_keys(roots: Roots, options: Mapping[str, Any]) -> dict[KeyPath, str]:
    """Return key paths of the pillar, each with the argument whose name says that it is secret."""
    used: dict[KeyPath, str] = {}
    for name in find_needed_states(roots, options).here:
        for environment in roots.environments:
            file, _ = roots.find_sls(name, environment)
            text = "" if file is None else file.text
            if "pillar" in text:
                used.update(_find_in(text))
    return used


def _find_in(text: str) -> Iterator[tuple[KeyPath, str]]:
    variables: dict[str, KeyPath] = {"pillar": ()}
    for name, expression in _SET.findall(text):
        path = _path_of(expression, variables)
        if path:
            variables[name] = path
    for argument, expression in _ARGUMENT.findall(text):
        path = _path_of(expression, variables)
        if path and kind_of_name(argument) is not None:
            yield path, argument


def _path_of(expression: str, variables: Mapping[str, KeyPath]) -> KeyPath | None:
    """Return the key path that an expression reads, without its filters; None for any other."""
    call = _CALL.match(expression)
    if call is not None:
        path, rest = tuple(call[1].split(":")), expression[call.end() :]
    else:
        name = _NAME.match(expression)
        if name is None or name[1] not in variables:
            return None
        path, rest = variables[name[1]], expression[name.end() :]
    while (step := _STEP.match(rest)) is not None:
        path, rest = (*path, step[1] or step[2]), rest[step.end() :]
    return path if not rest.strip() or rest.lstrip().startswith("|") else None
