"""Functions that depend on nothing but what they are given.

Source: Salt ``salt/modules/test.py``, ``logmod.py``, ``hashutil.py``, ``mod_random.py``.
"""

import hashlib
from typing import Any

from pillarbook.compile.renderers.jinja.filters import digests
from pillarbook.compile.renderers.jinja.filters.text import to_bytes
from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError, SaltTemplateError
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionContext


class Test:
    """The module ``test``, without what depends on the machine."""

    def __init__(self, _context: FunctionContext) -> None:
        pass

    def ping(self) -> bool:
        """Return True."""
        return True

    def true_(self) -> bool:
        """Return True: ``test.true``."""
        return True

    def false_(self) -> bool:
        """Return False: ``test.false``."""
        return False

    def echo(self, text: Any) -> Any:
        """Return what it is given."""
        return text

    def outputter(self, data: Any) -> Any:
        """Return what it is given."""
        return data

    def arg(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        """Return what it is called with."""
        return {"args": arguments, "kwargs": options}

    def version(self) -> str:
        """Return the version of the reference Salt."""
        return "3008.3"


class Log:
    """The module ``log``; nothing is written anywhere."""

    def __init__(self, _context: FunctionContext) -> None:
        pass

    def debug(self, message: Any) -> bool:  # noqa: ARG002
        """Return True."""
        return True

    info = warning = error = critical = exception = debug


class HashUtil:
    """The module ``hashutil``, for text."""

    def __init__(self, _context: FunctionContext) -> None:
        pass

    def digest(self, instr: Any, checksum: str = "md5") -> str:
        """Return a text's digest: ``md5``, ``sha256`` or ``sha512``.

        Raises:
            SaltFunctionError: Another one is asked for.
        """
        functions = {"md5": digests.md5, "sha256": digests.sha256, "sha512": digests.sha512}
        if checksum not in functions:
            raise SaltFunctionError(f"Hash func '{checksum}' is not supported.")
        return functions[checksum](instr)

    base64_b64encode = staticmethod(digests.base64_encode)
    base64_b64decode = staticmethod(digests.base64_decode)
    md5_digest = staticmethod(digests.md5)
    sha256_digest = staticmethod(digests.sha256)
    sha512_digest = staticmethod(digests.sha512)
    hmac_signature = staticmethod(digests.hmac_signature)
    hmac_compute = staticmethod(digests.hmac_compute)


class Random:
    """The module ``random``: the one function of it that is not."""

    def __init__(self, _context: FunctionContext) -> None:
        pass

    def hash(self, value: Any, algorithm: str = "sha512") -> str:
        """Return a text's digest.

        Raises:
            SaltTemplateError: There is no such algorithm.
        """
        if algorithm not in hashlib.algorithms_guaranteed:
            raise SaltTemplateError("You must specify a valid algorithm.")
        return hashlib.new(algorithm, to_bytes(value), usedforsecurity=False).hexdigest()
