"""Addresses of lines on the site of a repository."""

import pytest

from pillarbook.report.forge import find_forge

ID = "1f0c2aa"


@pytest.mark.parametrize(
    ("repo_url", "repo_name", "edit_uri", "line", "commit"),
    [
        (
            "https://github.com/x/y",
            "GitHub",
            "edit/main/docs/",
            "https://github.com/x/y/blob/1f0c2aa/a%20b/c.sls#L3",
            "https://github.com/x/y/commit/1f0c2aa",
        ),
        (
            "https://gitlab.com/x/y.git",
            None,
            None,
            "https://gitlab.com/x/y/-/blob/1f0c2aa/a%20b/c.sls#L3",
            "https://gitlab.com/x/y/-/commit/1f0c2aa",
        ),
        (
            "https://codeberg.org/x/y/",
            None,
            None,
            "https://codeberg.org/x/y/src/commit/1f0c2aa/a%20b/c.sls#L3",
            "https://codeberg.org/x/y/commit/1f0c2aa",
        ),
        (
            "https://bitbucket.org/x/y",
            "Bitbucket",
            "src/default/docs/",
            "https://bitbucket.org/x/y/src/1f0c2aa/a%20b/c.sls#lines-3",
            "https://bitbucket.org/x/y/commits/1f0c2aa",
        ),
    ],
)
def test_the_host_says_which_form_addresses_have(
    repo_url: str, repo_name: str | None, edit_uri: str | None, line: str, commit: str
) -> None:
    forge = find_forge(repo_url, repo_name, edit_uri)
    assert forge is not None
    assert forge.line_address(ID, "a b/c.sls", 3) == line
    assert forge.line_address(ID, "a b/c.sls", None) == line.partition("#")[0]
    assert forge.commit_address(ID) == commit


@pytest.mark.parametrize(
    ("repo_name", "edit_uri", "expected"),
    [
        ("Forgejo", None, "src/commit/"),
        ("GitLab", None, "-/blob/"),
        ("code.example", "-/edit/main/docs/", "-/blob/"),
        ("code.example", "_edit/main/docs/", "src/commit/"),
        ("code.example", "src/branch/main/docs/", "src/commit/"),
        ("code.example", "src/main/docs/", "src/1f0c2aa"),
        ("code.example", "edit/main/docs/", "blob/"),
    ],
)
def test_a_host_of_ones_own_is_known_by_its_name_or_edit_uri(
    repo_name: str, edit_uri: str | None, expected: str
) -> None:
    forge = find_forge("https://code.example:8443/x/y", repo_name, edit_uri)
    assert forge is not None
    address = forge.line_address(ID, "a.sls", 1)
    assert address.startswith(f"https://code.example:8443/x/y/{expected}")


@pytest.mark.parametrize(
    "repo_url",
    [
        None,
        "",
        "javascript:alert(1)//github.com",
        "git@github.com:x/y",
        "https://code.example/x/y",
        "https://[github.com/x",
        "//github.com/x",
    ],
)
def test_what_is_no_known_site_has_no_addresses(repo_url: str | None) -> None:
    assert find_forge(repo_url, None, None) is None


def test_an_address_holds_no_markup_and_no_password() -> None:
    forge = find_forge('https://me:secret@github.com/x"><b>/y', None, None)
    assert forge is not None
    address = forge.line_address(ID, "a\"'<b>.sls", 3)
    assert address == ("https://github.com/x%22%3E%3Cb%3E/y/blob/1f0c2aa/a%22%27%3Cb%3E.sls#L3")
