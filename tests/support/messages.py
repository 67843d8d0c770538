"""PGP messages for the test key of ``tests/cases/gpgkeys``."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.support.fleets import CASES

from pillarbook.compile.renderers.gpg_decryptor import GpgDecryptor

KEYS = CASES / "gpgkeys"


@contextmanager
def encrypting() -> Iterator[Callable[[bytes], str]]:
    """Give what makes a message of a clear text."""
    with GpgDecryptor(KEYS, must_succeed=True) as decryptor:
        home = decryptor.prepare()

        def run(clear: bytes) -> str:
            command = ["gpg", "--homedir", str(home), "--batch", "--trust-model", "always"]
            command += ["--armor", "--encrypt", "--recipient", "pillarbook test key"]
            made = subprocess.run(command, input=clear, capture_output=True, check=True)
            return made.stdout.decode().strip()

        yield run
