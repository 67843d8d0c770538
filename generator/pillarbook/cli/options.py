"""The options that several commands have."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])
READABLE = click.Path(path_type=Path)


def declared_options(command: Function) -> Function:
    """Add the options that say where the fleet is declared, and whom to trust."""
    for decorate in reversed(
        (
            click.option(
                "-f",
                "--config-file",
                type=READABLE,
                help="The mkdocs.yml with the pillarbook section. [default: mkdocs.yml]",
            ),
            click.option(
                "--master", type=READABLE, help="Salt's master file, instead of a mkdocs.yml."
            ),
            click.option(
                "--inventory",
                type=READABLE,
                multiple=True,
                help="The declared minions (YAML or JSON); may be given again.",
            ),
            click.option(
                "--allow",
                type=READABLE,
                multiple=True,
                metavar="DIR",
                help="A folder outside the repository that may be read; may be given again.",
            ),
            click.option(
                "--trust",
                is_flag=True,
                envvar="PILLARBOOK_TRUST",
                show_envvar=True,
                help="Let the tree do what its configuration asks for: code, keys, outside paths.",
            ),
        )
    ):
        command = decorate(command)
    return command


def minion_option(
    words: str = "Only the minions that match; may be given again.",
) -> Callable[[Function], Function]:
    """Return the option that names minions.

    Args:
        words: What its help says.
    """
    return click.option("--minion", "minions", multiple=True, metavar="GLOB", help=words)


def format_option(command: Function) -> Function:
    """Add the option that says whom the output is for."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="For people or for programs.",
    )(command)


def output_option(command: Function) -> Function:
    """Add the option that names a file for the output."""
    return click.option("--output", type=READABLE, help="Write to this file instead.")(command)


def code_options(command: Function) -> Function:
    """Add the options about code of the tree, and about renderers that Salt no longer has."""
    for decorate in (
        click.option(
            "--renderer",
            "renderers",
            type=click.Choice(["wempy"]),
            multiple=True,
            metavar="NAME",
            help="Use a renderer that Salt no longer has: wempy, which needs --python.",
        ),
        click.option("--python", is_flag=True, help="Run renderers that are code of the tree."),
    ):
        command = decorate(command)
    return command
