"""The root of the exceptions that stop a command."""


class PillarbookError(Exception):
    """Something that pillarbook cannot go on from; its text is one clear sentence for the user."""

    exit_code = 1
    """What the command ends with."""
