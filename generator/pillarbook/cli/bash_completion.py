"""Completion in bash, where a colon ends a word: a key such as ``nginx:workers`` is three.

Click's own script hands on the words, so that the key could not be put together again. This one
hands on the line, and cuts off each answer what stands before the last colon.
"""

import os
from typing import Any

from click.shell_completion import BashComplete, CompletionItem, split_arg_string

SOURCE = """\
%(complete_func)s() {
    local IFS=$'\\n' response completion type value
    response=$(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_BREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete "$1")
    COMPREPLY=()
    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class LineBashComplete(BashComplete):
    """Completes the end of a line of bash."""

    name = "bash"
    source_template = SOURCE
    _known = ""

    @staticmethod
    def _check_version() -> None:
        """Start no bash to ask its version: it is the one that asks."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the complete words of the line, and the beginning of the last one."""
        line = os.environ.get("COMP_LINE", "")
        words = split_arg_string(line)[1:]
        if not words or line[-1:].isspace():
            return words, ""
        incomplete = words.pop()
        if ":" in os.environ.get("COMP_BREAKS", ""):
            self._known = incomplete[: incomplete.rfind(":") + 1]
        return words, incomplete

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Return one line for the script, without what bash takes for words before."""
        value = str(item.value)
        return f"{item.type},{value.removeprefix(self._known)}"
