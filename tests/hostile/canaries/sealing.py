"""Real ciphertext: PGP messages for the test key, many with one gpg, and boxes of NaCl."""

import base64
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nacl.secret import SecretBox

GPG_KEYS = Path(__file__).parents[2] / "cases" / "gpgkeys"
BOX_KEY = bytes(range(7, 39))


def copy_keys(folder: Path) -> Path:
    """Copy the test keys, so that gpg's agent leaves nothing beside them."""
    shutil.copytree(GPG_KEYS, folder)
    folder.chmod(0o700)
    return folder


def seal(texts: Sequence[str]) -> list[str]:
    """Return each text as an armored PGP message."""
    # A socket's path must be short, which a test's folder is not.
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        home = copy_keys(Path(name) / "keys")
        files = [Path(name) / f"{number}" for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_bytes(text.encode())
        command = ["gpg", "--homedir", str(home), "--batch", "--quiet", "--trust-model", "always"]
        command += ["--armor", "--recipient", "pillarbook test key", "--multifile", "--encrypt"]
        subprocess.run([*command, *map(str, files)], check=True, capture_output=True)
        return [file.with_suffix(".asc").read_text().strip() for file in files]


def box(text: str) -> str:
    """Return a text in a box of NaCl, as Salt's ``nacl.enc`` gives it."""
    return base64.b64encode(SecretBox(BOX_KEY).encrypt(text.encode())).decode()
