"""How a secret comes to minions, as HTML: through which target, and who could forge it."""

from collections.abc import Iterable, Sequence
from html import escape

from pillarbook.redact.shown_access import ALL_GRAINS, AccessPath, Forged, GrainReads
from pillarbook.report.rows import write_place
from pillarbook.report.secret_access import Route
from pillarbook.report.value_html import make_visible, write_prose

OTHER_KINDS = {
    "inventory": "the pillar in the inventory",
    "master options": "the master's options, by <code>pillar_opts</code>",
    "template": "a template, which puts it into <code>pillar</code> itself",
}


def write_ways(ways: Sequence[AccessPath]) -> str:
    """Return the ways of a secret to one minion, one below the other."""
    return "<br>".join(map(write_way, ways))


def write_way(way: AccessPath) -> str:
    """Return one way."""
    return write_route(way, (way.name,), way.reads)


def write_route(way: AccessPath | Route, names: Sequence[str], reads: Iterable[GrainReads]) -> str:
    """Return a way for one minion or many.

    Args:
        way: The way; of its target only where it stands and what it gives.
        names: What the target says; more than one where a template writes it.
        reads: What the files on the way ask of grains.
    """
    if way.kind == "external pillar":
        return f"external pillar {_code(way.name)}"
    if way.kind != "target":
        return OTHER_KINDS[way.kind]
    targets = ", ".join(map(_code, names))
    place = "" if way.position is None else write_place(way.position.file, way.position.line)
    sls = " → ".join(map(_code, way.sls))
    html = (
        f"{targets} <small>{_text(way.match)}</small> {place} <small>{_text(way.saltenv)}: "
        f"{sls}</small>"
    )
    if way.forged is not None:
        html += f" {write_forged(way.forged)}"
    return html + _write_reads(tuple(reads))


def write_forged(forged: Forged) -> str:
    """Return the mark of a target that grains open, with who would have to do what."""
    who = f"a minion that matches {write_prose(forged.only)} and" if forged.only else "whoever"
    return (
        f'<span class="mark warning">forgeable</span> <small>by {who} sets '
        f"{_write_grains(forged.grains)}</small>"
    )


def _write_reads(reads: Sequence[GrainReads]) -> str:
    """Return the weaker mark: files that ask for grains, which may be why they give the value."""
    if not reads:
        return ""
    said = (
        f"{write_place(one.file, None)} reads {_write_grains(one.grains) or 'what is not known'}"
        for one in reads
    )
    return f' <small class="reads">{"; ".join(said)}</small>'


def _write_grains(grains: Sequence[str]) -> str:
    if ALL_GRAINS in grains:
        return "all grains"
    names = ", ".join(map(_code, grains))
    return f"the grain{'s' if len(grains) > 1 else ''} {names}" if names else ""


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    return escape(make_visible(text))
