"""Reads what the shared options name; this opens no session, so that completion can use it."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pillarbook.inventory.reach import LinkPolicy
from pillarbook.inventory.settings import TOKEN_KEY, Settings, load_settings


def read_settings(declared: dict[str, Any]) -> Settings:
    """Return the settings of the configuration file, or of ``--master`` and ``--inventory``.

    Raises:
        LinkLeadsOutError: One of them is a link in the tree that leads outside.
    """
    master, inventory = declared["master"], tuple(declared["inventory"])
    links = find_link_policy(declared)
    if master is None and not inventory:
        file = declared["config_file"] or Path("mkdocs.yml")
        need_configuration(file, ", or give --master FILE --inventory FILE")
        links.resolve(file)
        return load_settings(file)
    if declared["config_file"] is not None:
        raise click.UsageError("Give either -f, or --master and --inventory.")
    if master is None or not inventory:
        raise click.UsageError("--master and --inventory go together.")
    for one in (master, *inventory):
        replace(links, homes=()).resolve(one)
    return Settings(master=master, inventory=inventory, folder=master.absolute().parent)


def find_link_policy(declared: dict[str, Any]) -> LinkPolicy:
    """Return which links are followed on the way to the output."""
    given = declared["master"] or declared["config_file"] or Path("mkdocs.yml")
    return LinkPolicy(
        homes=(given.absolute().parent,),
        allow=tuple(declared["allow"]),
        trusted=declared["trust"],
    )


def need_configuration(file: Path, otherwise: str = "") -> None:
    """Stop the command if the configuration file does not exist.

    Raises:
        click.ClickException: The file does not exist.
    """
    if not file.exists():
        raise click.ClickException(
            f"{file} does not exist; `pillarbook init` writes one, or give a MkDocs configuration"
            f" with -f FILE{otherwise}"
        )


def split_declared(values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the shared options' values, and the rest."""
    names = ("config_file", "master", "inventory", "allow", "trust", "clock")
    shared = {name: values.pop(name) for name in names}
    return shared, values


def token_key() -> bytes | None:
    """Return the key for tokens from the environment; with None, the run draws one."""
    key = os.environ.get(TOKEN_KEY)
    return key.encode() if key else None
