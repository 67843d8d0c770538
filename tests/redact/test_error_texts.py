"""Error texts without secrets."""

import pytest

from pillarbook.redact import Rules
from pillarbook.redact.error_texts import scrub_text

CIPHER = "-----BEGIN PGP MESSAGE-----\n\nabc=\n-----END PGP MESSAGE-----"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Specified SLS 'secret.token' is not available", None),
        ("Failed to decrypt pillar key 'token': 'vault' is not valid", None),
        (
            f"Could not decrypt cipher {CIPHER.encode()!r}, received: b''",
            "Could not decrypt cipher b'<redacted>', received: b''",
        ),
        (f"a\n{CIPHER}\nb", "a\n<redacted>\nb"),
        ("x\n-----BEGIN PGP MESSAGE-----\n\nabc=\n[...]", "x\n<redacted>"),
        ("x\n-----BEGIN PRIVATE KEY-----\nabc\n---", "x\n<redacted>"),
        ("bad value 'hunter2' here", "bad value '<redacted>' here"),
        (
            "failed; line 2\n\n---\npassword: topsecret    <====\n",
            "failed; line 2\n\n---\npassword: <redacted>\n",
        ),
        (
            "failed\ndb: {user: app, password: 'x, y', port: 1}",
            "failed\ndb: {user: app, password: <redacted>, port: 1}",
        ),
        ("failed\ntoken = abc\nlevel = 3", "failed\ntoken = <redacted>\nlevel = 3"),
        ("failed\npassword_file: /etc/pw\npassword: no\npassword: /etc/pw", None),
        ("pin 123 is short", None),
    ],
    ids=[
        "an SLS name",
        "a key path",
        "Salt's gpg error",
        "a block",
        "a block cut off",
        "a private key",
        "a known secret",
        "a quoted line",
        "a flow mapping",
        "an assignment",
        "nothing secret",
        "a short secret",
    ],
)
def test_scrub_text(text: str, clean: str | None) -> None:
    assert scrub_text(text, ["hunter2", "123"], Rules()) == (text if clean is None else clean)


TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
QUOTED = {
    "a value": f"x: {TOKEN}",
    "a member": f"  - {TOKEN}",
    "a comment": f"# {TOKEN}",
    "a comment that names it": "# password: Com7mentX1yy",
    "a literal": f"{{% set y = '{TOKEN}' %}}    <======================",
    "an argument": f"{{{{ call('{TOKEN}') }}}}",
    "a URL": "url: postgres://u:Kr7mXq2vL9@db/x",
    "a URL in a list": "[a, postgres://u:Kr7mXq2vL9@db/x]",
    "a command": "cmd.run: mysqldump -u root --password=Kr7mXq2vL9 shop",
    "what looks random": "other: uR7xk2LmPq9sTvW3yZ1aB4cD",
    "a default": "{{ x | default({'password': 'Kr7mXq2vL9'}) }}",
}


@pytest.mark.parametrize("line", QUOTED.values(), ids=QUOTED)
def test_what_is_secret_by_its_form_is_hidden_in_quoted_lines(line: str) -> None:
    lines = ("failed; line 2", "---", "user: shop", line, "checksum: sha256=ab12", "port: 8080")
    clean = scrub_text("\n".join(lines), [], Rules()).split("\n")
    assert clean[:3] + clean[4:] == list(lines[:3] + lines[4:])
    assert "<redacted>" in clean[3]
    assert not any(one in clean[3] for one in (TOKEN[4:], "Kr7m", "Com7", "uR7x"))
    assert clean[3].endswith("<====") is line.endswith("<====")


def test_a_token_in_the_sentence_itself_is_hidden() -> None:
    clean = scrub_text(f"No file '{TOKEN}' for {TOKEN}", [], Rules())
    assert clean == "No file '<redacted>' for <redacted>"


def test_a_secret_of_several_lines_goes_line_by_line() -> None:
    text = scrub_text(
        "x\n  first line\n  second line\nas 'first line\\nsecond line'",
        ["first line\nsecond line"],
        Rules(),
    )
    assert "line" not in text
