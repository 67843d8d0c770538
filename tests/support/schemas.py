"""Holds documents against the schema of their form."""

import functools
import json
from typing import Any

from jsonschema import Draft202012Validator

from pillarbook.schemas import write_schema


@functools.cache
def validator(name: str) -> Draft202012Validator:
    schema = json.loads(write_schema(name))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def faults_of(name: str, document: Any) -> list[str]:
    """Return what a schema says against a document, each with its path."""
    found = validator(name).iter_errors(document)
    return [f"{one.json_path}: {one.message}"[:300] for one in found]


def accepts(name: str, document: Any) -> bool:
    return not faults_of(name, document)


def assert_form(document: Any) -> None:
    """Assert that a document is what its field ``schema`` says."""
    name = document["schema"].removeprefix("pillarbook.").partition("/")[0]
    assert faults_of(name, document) == []
