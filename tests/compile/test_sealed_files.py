"""Files that are ciphertext as a whole: sealed as a unit, and told as what they are."""

from pathlib import Path

import pytest
from tests.support.fleets import CASES

from pillarbook.compile.renderers.ciphertext import name_sealed
from pillarbook.diagnostics import Severity
from pillarbook.inventory.settings import Settings
from pillarbook.session import RunOptions, open_session

CASE = CASES / "renderers" / "sealed-files"


def test_each_is_told_as_what_it_is() -> None:
    settings = Settings(master=CASE / "master", inventory=(CASE / "minions.yml",), folder=CASE)
    with open_session(settings, RunOptions()) as session:
        pillar = session.report.pillar("web1")
        found = {Path(str(one.position)).name: one for one in session.shown.diagnostics}
    imported = found.pop("imp.sls:1")
    assert imported.code == "jinja-error"
    assert {place: (one.code, one.message) for place, one in found.items()} == {
        "locked.sls": (
            "git-crypt",
            "SLS 'locked' is a file that git-crypt has locked, and is not decrypted",
        ),
        "av.sls:1": ("sealed-sls", "SLS 'av' is an Ansible Vault file, and is not decrypted"),
        "agearm.sls:1": ("sealed-sls", "SLS 'agearm' is an age file, and is not decrypted"),
        "agebin.sls": ("sealed-sls", "SLS 'agebin' is an age file, and is not decrypted"),
        "pgpw.sls": ("sealed-sls", "SLS 'pgpw' is a PGP message, and is not decrypted"),
    }
    assert {one.severity for one in found.values()} == {Severity.WARNING}
    assert pillar.outcome == "partial"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\0GITCRYPT\0\x8a", "a file that git-crypt has locked"),
        (b"\n$ANSIBLE_VAULT;1.1;AES256\n", "an Ansible Vault file"),
        (b"a: 1\n", None),
        (b"a: $ANSIBLE_VAULT;1.1\n", None),
        (b"", None),
    ],
)
def test_name_sealed(content: bytes, kind: str | None) -> None:
    assert name_sealed(content) == kind
