"""What is said of a file that reads a key which the pillar does not have."""

from typing import Any

from pillarbook.compile.renderers.error_words import is_word_of, is_written
from pillarbook.compile.renderers.render_errors import RenderError

COMPUTED = "*"
"""Stands for a key on the way that the file does not spell out, such as that of a loop."""
HELP = (
    "add the key, or read it by `pillar.get` with a default; an SLS of the pillar itself sees no"
    " more of it than `ext_pillar_first` and the command line give"
)


def describe_missing_key(error: RenderError, path: tuple[Any, ...], source: str) -> None:
    """Make an error one of a key that the pillar does not have.

    Nothing is said where the file computes the key: it may be a secret then.
    """
    *above, name = map(str, path)
    if not is_written(name, source):
        return
    keys = [one if is_word_of(source, one) else COMPUTED for one in above]
    error.subject = ":".join((*keys, name))
    error.subject_words = (*(one for one in keys if one != COMPUTED), name)
    error.missing = ("key", error.subject)
    error.told = f"does not render: the pillar has no key '{error.subject}'"
    error.help = HELP
