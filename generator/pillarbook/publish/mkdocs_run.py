"""Runs MkDocs in this process: loads its configuration, and makes its errors one sentence."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

import jinja2
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, MkDocsException

from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.model import Position
from pillarbook.publish.configuration import (
    PLUGIN,
    Configuration,
    ConfigurationError,
    read_configuration,
    refuse_without_plugin,
)
from pillarbook.publish.engine import ENGINE
from pillarbook.publish.messages import Messages, TemplateFaultError, find_option, reporting
from pillarbook.publish.plugin import PillarbookPlugin
from pillarbook.publish.run import Parts, PartWritten, PublishedSite, SessionOpener
from pillarbook.publish.site_folder import PublishError
from pillarbook.publish.trust import refuse_untrusted
from pillarbook.roots.no_links import is_held

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from pillarbook.session import RunOptions


@dataclass(frozen=True, slots=True)
class Loaded:
    """A configuration that MkDocs has accepted."""

    configurations: Sequence[Configuration]
    """The configuration file and those it inherits from."""
    config: "MkDocsConfig"
    """MkDocs' configuration from these files."""
    plugin: PillarbookPlugin
    """The plugin in it."""


class MkDocsStoppedError(PillarbookError):
    """MkDocs stopped for a reason of its own."""

    def __init__(self, error: MkDocsException, logged: Sequence[str]) -> None:
        # MkDocs' log has the reason; its exception then only reports that it stops.
        reasons = logged if logged and isinstance(error, Abort) else [error.message]
        super().__init__("\n".join(map(_on_one_line, reasons)))


class MkDocsFaultError(ConfigurationError):
    """MkDocs, or a package that it calls, cannot use the configuration."""

    def __init__(self, error: Exception, configurations: Sequence[Configuration]) -> None:
        said = _on_one_line(f"{type(error).__name__}: {error}")
        if "markdown" in _packages_of(error):
            position = find_option(configurations, ("markdown_extensions",))
            why = f"Python-Markdown cannot work with the options of `markdown_extensions` ({said})"
        else:
            position = Position(configurations[0].shown)
            why = f"MkDocs cannot work with this configuration ({said})"
        super().__init__(position, why)


@contextmanager
def mkdocs_errors(configurations: Sequence[Configuration]) -> Iterator[Messages]:
    """Show the messages of MkDocs and the plugin, and turn their errors into pillarbook's own.

    Raises:
        PillarbookError: Instead of MkDocs' exceptions.
    """
    with reporting(configurations) as messages, warnings.catch_warnings():
        # Python warns of expressions that Python-Markdown builds from options, such as toc's.
        warnings.filterwarnings("ignore", category=FutureWarning, module=r"markdown\.")
        try:
            yield messages
        except MkDocsException as error:
            if isinstance(error.__cause__, PillarbookError):
                raise error.__cause__ from None
            raise MkDocsStoppedError(error, messages.errors) from error
        except jinja2.TemplateError as error:
            raise TemplateFaultError(error) from error
        except (PillarbookError, OSError):
            raise
        except Exception as error:
            # Any exception: MkDocs takes values of any type and fails when it uses them. An error
            # of our own code is raised again, because it is no fault of the configuration.
            if _packages_of(error)[-1] == PLUGIN:
                raise
            raise MkDocsFaultError(error, configurations) from error


def _packages_of(error: Exception) -> list[str]:
    """Return the packages, of MkDocs, Python-Markdown and ours, that an error passed through."""
    modules = (frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__))
    packages = [str(module).partition(".")[0] for module in modules]
    return [package for package in packages if package in ("markdown", ENGINE, "pillarbook")]


def _on_one_line(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode().split())


def read_trusted(
    config_file: Path, *, trusted: bool, own_site_dir: bool, allow: tuple[Path, ...] = ()
) -> tuple[Configuration, ...]:
    """Return the configuration file and those it inherits from, before MkDocs sees them.

    If it is ``trusted``, it may run code and read what is outside its repository; without
    ``own_site_dir``, its ``site_dir`` does not count.

    Raises:
        ConfigurationError: It cannot be read, or does something that it may not do.
        LinkLeadsOutError: It is a link that leads out of the tree.
    """
    links = LinkPolicy(homes=(config_file.absolute().parent,), allow=allow, trusted=trusted)
    links.resolve(config_file)
    configurations = read_configuration(config_file, trusted=trusted)
    refuse_without_plugin(configurations)
    if not trusted:
        refuse_untrusted(configurations, own_site_dir=own_site_dir, allow=allow)
    return configurations


def load(configurations: Sequence[Configuration], **options: Any) -> Loaded:
    """Return MkDocs' configuration, and the plugin in it.

    Raises:
        PillarbookError: MkDocs finds faults, or the plugin is not in it.
    """
    with mkdocs_errors(configurations):
        config = load_config(str(configurations[0].file), **options)
    plugin = config.plugins.get(PLUGIN)
    if not isinstance(plugin, PillarbookPlugin):
        position = find_option(configurations, ("plugins",))
        raise ConfigurationError(position, f"`plugins` does not list {PLUGIN} for MkDocs")
    return Loaded(configurations, config, plugin)


def build_site(  # noqa: PLR0913 (all but the first are the options of a command)
    config_file: Path,
    *,
    site_dir: Path | None = None,
    strict: bool = False,
    open_session: SessionOpener | None = None,
    options: "RunOptions | None" = None,
    parts: Parts | None = None,
    kept: tuple[Path, ...] = (),
) -> PublishedSite | None:
    """Build a site, and replace the previous one with it.

    Warnings go to standard error. After a failure the previous site is unchanged.

    Args:
        config_file: The MkDocs configuration.
        site_dir: The folder of the site, instead of the one in the configuration.
        strict: Whether error-level diagnostics, MkDocs' warnings and dead links stop the build.
        open_session: Opens the session; by default as ``mkdocs build`` does.
        options: What the run is asked for; with its trust the configuration may run code and
            read what is outside its repository.
        parts: Writes a part of the report and no site, or puts the parts together.
        kept: Folders of the command that the site may not replace.

    Returns:
        The site in its folder; None if a part is written.

    Raises:
        PillarbookError: The configuration, the build or the exchange of the sites has failed.
    """
    configurations = read_trusted(
        config_file,
        trusted=options is not None and options.trust,
        own_site_dir=site_dir is None,
        allow=options.allow if options is not None else (),
    )
    loaded = load(
        configurations,
        site_dir=str(site_dir.absolute()) if site_dir else None,
        strict=strict or None,
    )
    loaded.plugin.open_session, loaded.plugin.options = open_session, options
    loaded.plugin.parts, loaded.plugin.kept = parts, kept
    try:
        return _build(loaded)
    except PartWritten:
        return None


def _build(loaded: Loaded) -> PublishedSite | None:
    config = loaded.config
    with mkdocs_errors(loaded.configurations):
        config.plugins.on_startup(command="build", dirty=False)
        try:
            build(config)
        except OSError as error:
            if not _is_about(error, Path(config.site_dir)):
                raise
            raise PublishError(Path(config.site_dir), error.strerror or str(error)) from error
        finally:
            config.plugins.on_shutdown()
    return loaded.plugin.published


def _is_about(error: OSError, target: Path) -> bool:
    """Say whether an error is about the folder of the site; the site is written beside it.

    A failed write (the disk is full) names no file; one that cannot begin names the folder.
    """
    if isinstance(error, BrokenPipeError):
        return False
    named = str(error.filename)
    return error.filename is None or is_held(named) or f".{target.name}.pillarbook-" in named
