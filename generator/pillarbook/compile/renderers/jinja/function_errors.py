"""What Salt's filters and functions raise, apart for how the renderer words them."""


class SaltFunctionError(Exception):
    """A call that makes no sense or did not work; the renderer says which function had trouble.

    Source: Salt ``salt/exceptions.py`` (``SaltInvocationError``, ``CommandExecutionError``).
    """

    def __init__(self, message: str, clean: str | None = None, remedy: str | None = None) -> None:
        """Say why.

        ``clean`` are Salt's words without what the call was given; None if nothing is known.
        """
        super().__init__(message)
        self.clean = clean
        """The message without values of the tree."""
        self.remedy = remedy
        """What to do about it."""
        self.name: str | None = None
        """The function; None for a filter."""


class SaltTemplateError(Exception):
    """Any other error of Salt's own, ``raise()`` in a template among them.

    Source: Salt ``salt/exceptions.py`` (``SaltException``, ``TemplateError``).
    """


class UnansweredCallError(SaltFunctionError):
    """A call that only the master itself could answer: it is not made, somebody may declare it."""

    def __init__(self, why: str, remedy: str | None = None) -> None:
        """Say why.

        ``why`` follows the function's name: ``with an address, ...``. It holds nothing that the
        call was given. ``remedy`` is another one than a declared answer.
        """
        super().__init__(f"A function is called {why}", remedy=remedy)
        self.why = why
        """What is said of the call."""
        self.is_written = False
        """Whether a file contains the name of the function."""


class UnansweredFilterError(UnansweredCallError):
    """A filter that depends on the machine, the network or chance."""

    kind = "filter"
    """What it is called in messages."""

    def __init__(self, name: str) -> None:
        super().__init__("whose result depends on the machine, the network or chance")
        self.filter = name
        """The filter."""


class UnansweredGlobalError(UnansweredFilterError):
    """A global function of which there is no result."""

    kind = "function"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.why = "of which pillarbook has no result"


class UnseededFilterError(UnansweredFilterError):
    """A filter that depends on chance, since it has no seed."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.why, self.remedy = "without a seed, so its result depends on chance", "give it a seed"


class UnknownExistenceError(UnansweredCallError):
    """A template asks whether a function exists that some Salt has, and that is not here."""

    def __init__(self, name: str) -> None:
        super().__init__("that only Salt has")
        self.function = name
        """The function, or its module."""


class UndeclaredClockError(UnansweredCallError):
    """A filter or function asks for the current time, and none is declared."""

    def __init__(self) -> None:
        super().__init__("that reads the clock, and no time is declared")
