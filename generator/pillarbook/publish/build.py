"""Builds a site from a MkDocs configuration, in this process."""

from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.commands.build import build

from pillarbook.publish.mkdocs_run import Loaded, load, mkdocs_errors, read_trusted
from pillarbook.publish.run import Parts, PartWritten, PublishedSite, SessionOpener
from pillarbook.publish.site_folder import PublishError
from pillarbook.roots.no_links import is_held

if TYPE_CHECKING:
    from pillarbook.session import RunOptions


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
