"""The options that several commands have."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pillarbook.inventory.clock import EXAMPLE, WANTED, Clock, parse_time

Function = TypeVar("Function", bound=Callable[..., Any])
READABLE = click.Path(path_type=Path)


def configuration_option(command: Function) -> Function:
    """Add the option that names the configuration of a site."""
    return click.option(
        "-f",
        "--config-file",
        type=READABLE,
        default=Path("mkdocs.yml"),
        show_default=True,
        help="The MkDocs configuration with the pillarbook section.",
    )(command)


def clock_option(command: Function) -> Function:
    """Add the option that declares the current time."""
    return click.option(
        "--clock",
        callback=parse_clock,
        metavar="TIME",
        help=f"The current time for templates, in UTC: {EXAMPLE}.",
    )(command)


def parse_clock(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
    """Return the clock that ``--clock TIME`` declares."""
    if text is None:
        return None
    time = parse_time(text)
    if time is None:
        raise click.BadParameter(f"give {WANTED}")
    return Clock(time, "--clock")


def trust_options(words: str) -> Callable[[Function], Function]:
    """Return the options that say what may be read and run.

    Args:
        words: What the help of ``--trust`` says.
    """

    def add(command: Function) -> Function:
        with_trust = click.option(
            "--trust", is_flag=True, envvar="PILLARBOOK_TRUST", show_envvar=True, help=words
        )(command)
        return click.option(
            "--allow",
            type=READABLE,
            multiple=True,
            metavar="DIR",
            help="A folder outside the repository that may be read; may be given again.",
        )(with_trust)

    return add


def declared_options(command: Function) -> Function:
    """Add the options that say where the fleet is declared, and whom to trust."""
    for decorate in (
        clock_option,
        trust_options(
            "Let the tree do what its configuration asks for: code, keys, outside paths."
        ),
        click.option(
            "--inventory",
            type=READABLE,
            multiple=True,
            help="The declared minions (YAML or JSON); may be given again.",
        ),
        click.option(
            "--master", type=READABLE, help="Salt's master file, instead of a mkdocs.yml."
        ),
        click.option(
            "-f",
            "--config-file",
            type=READABLE,
            help="The mkdocs.yml with the pillarbook section. [default: mkdocs.yml]",
        ),
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
