"""Decrypts a merged pillar for the option ``decrypt_pillar`` and the argument ``pillar_enc``."""

from pillarbook.compile.broken import CompileBreaksOff, malformed_option
from pillarbook.compile.override import decrypt_override
from pillarbook.compile.pillar_additions import error_list
from pillarbook.compile.pillar_build import PillarBuild
from pillarbook.compile.pillar_nodes import listed_with, with_key
from pillarbook.compile.renderers.decrypt_pillar import DecryptFailure, decrypt_pillar
from pillarbook.compile.renderers.decryption_renderers import DecryptionRenderers
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.diagnostics import new_diagnostic
from pillarbook.model import MapNode

OPTION = "decrypt_pillar"


def decrypt_command_line(build: PillarBuild) -> None:
    """Decrypt the command line's pillar if ``pillar_enc`` asks for it.

    Raises:
        CompileBreaksOff: Salt stops the compile.
    """
    view = build.view
    build.override = decrypt_override(
        view.minion, view.scope.options.values, _renderers(build), reveals=view.project.reveals
    )


def decrypt_merged(build: PillarBuild, pillar: MapNode, errors: list[str]) -> MapNode:
    """Return a merged pillar with the paths of ``decrypt_pillar`` decrypted.

    Values that cannot be decrypted are added to Salt's errors, also in the pillar.

    Raises:
        CompileBreaksOff: The option has a form at which Salt stops the compile.
    """
    pillar, failed = _open(build, pillar)
    if not failed:
        return pillar
    words = failed if build.view.project.reveals else [one.clean for one in failed]
    errors.extend(words)
    place = build.position_of(OPTION)
    build.note(*(new_diagnostic("undecryptable", one.clean, place) for one in failed))
    return with_key(pillar, "_errors", error_list(build, listed_with(pillar, words)))


def _open(build: PillarBuild, pillar: MapNode) -> tuple[MapNode, list[DecryptFailure]]:
    try:
        return decrypt_pillar(pillar, build.view.scope.options.values, _renderers(build))
    except RenderError as error:
        message = f"Salt stops at the option `{OPTION}`: {error}"
        fault = malformed_option(message, build.position_of(OPTION), OPTION)
        raise CompileBreaksOff(f"AttributeError: {error}", fault) from error


def _renderers(build: PillarBuild) -> DecryptionRenderers:
    project = build.view.project
    options = build.view.scope.options.values
    return DecryptionRenderers(project.renderers, options, project.decryptor, project.limits)
