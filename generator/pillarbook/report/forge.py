"""Where a site like GitHub shows a line of a file as a commit has it.

The site's address is ``repo_url`` of ``mkdocs.yml``. The form of its addresses follows from the
host, else from ``repo_name`` or ``edit_uri``, as people set these for a host of their own.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit


@dataclass(frozen=True, slots=True)
class AddressForm:
    """The form of a kind of site's addresses."""

    line: str
    """A line of a file: ``{commit}``, ``{path}`` and ``{line}``."""
    commit: str
    """A commit."""


FORMS = {
    "github": AddressForm("blob/{commit}/{path}#L{line}", "commit/{commit}"),
    "gitlab": AddressForm("-/blob/{commit}/{path}#L{line}", "-/commit/{commit}"),
    "gitea": AddressForm("src/commit/{commit}/{path}#L{line}", "commit/{commit}"),
    "bitbucket": AddressForm("src/{commit}/{path}#lines-{line}", "commits/{commit}"),
}
"""The forms that are known. Forgejo has Gitea's."""
NAMES = {**{name: name for name in FORMS}, "forgejo": "gitea", "codeberg": "gitea"}
"""Words in a host or in ``repo_name``, and the form that they mean."""
EDIT_URIS = (
    (re.compile(r"/?-/"), "gitlab"),
    (re.compile(r"/?_edit/|/?src/(?:branch|commit)/"), "gitea"),
    (re.compile(r"/?src/"), "bitbucket"),
    (re.compile(r"/?(?:edit|blob|raw|tree)/"), "github"),
)
"""Beginnings of ``edit_uri``, and the form that they mean; the first that fits counts."""


@dataclass(frozen=True, slots=True)
class Forge:
    """The site that shows a repository."""

    repository: str
    """The address of the repository, without a slash at its end."""
    form: AddressForm
    """The form of the addresses below it."""

    def line_address(self, commit: str, path: str, line: int | None) -> str:
        """Return the address of a line of a file, or of the file."""
        form = self.form.line if line is not None else self.form.line.partition("#")[0]
        named = quote(path, errors="surrogateescape")
        return f"{self.repository}/{form.format(commit=commit, path=named, line=line)}"

    def commit_address(self, commit: str) -> str:
        """Return the address of a commit."""
        return f"{self.repository}/{self.form.commit.format(commit=commit)}"


def find_forge(repo_url: str | None, repo_name: str | None, edit_uri: str | None) -> Forge | None:
    """Return the site of a repository; None if there is none, or none whose addresses are known.

    An address that is not ``http`` or ``https`` leads nowhere, as a pull request may have written
    it. ``edit_uri`` is where the configuration says that pages can be edited:
    ``-/edit/main/docs/``.
    """
    try:
        parts = urlsplit(repo_url or "")
        host = parts.hostname or ""
    except ValueError:  # an IPv6 address without its end
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    by_edit_uri = (form for begin, form in EDIT_URIS if begin.match(edit_uri or ""))
    kind = _find_named(host) or _find_named(repo_name or "") or next(by_edit_uri, None)
    if kind is None:
        return None
    path = parts.path.rstrip("/").removesuffix(".git")
    safe = quote(path, safe="/%~+-._")
    netloc = quote(parts.netloc.rpartition("@")[2], safe=":[].-")  # without a name and password
    return Forge(f"{parts.scheme}://{netloc}{safe}", FORMS[kind])


def _find_named(text: str) -> str | None:
    return next((form for word, form in NAMES.items() if word in text.lower()), None)
