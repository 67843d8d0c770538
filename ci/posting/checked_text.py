"""Markdown of a job that nobody trusts: what may be posted of it, and in which form.

The job that compares a stranger's pillar writes the comment, and the stranger may have changed the
job. So a comment is posted only where it is of the form that ``pillarbook diff --format markdown``
writes: text of the tree is in code spans, each on one line, in blocks of code of which each line
begins with a sign, or behind backslashes; there is no HTML but folded parts, and no link but the
one to the run. Text outside of code is then cut apart
where a service would find a person, an issue or an address in it.
"""

import re
from collections.abc import Iterator

from faults import RefusedError

MAX_BYTES = 60_000
"""Bytes of UTF-8 that a comment may have as it comes."""
MAX_CHARACTERS = 65_000
"""Characters that it may have as it is posted; GitHub takes 65,536."""

INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""What does not show, or turns text around; line ends are looked at on their own."""
PREFIX = re.compile(r"(?:####? |> |- )?")
"""What a line may begin with that is no text."""
LEADING = " \t#>*+-.)0123456789"
"""What headings, quotes and lists begin with, one within the other."""
NO_TEXT = re.compile(r"[\s:=+*_|-]+")
"""A line that would make a table, a heading or a rule of what stands around it."""
FENCE = re.compile(r"(`{3,})diff")
"""What a block of code begins with; the same backticks end it."""
SIGNED = re.compile(r"[-+! ](?: |$)")
"""What each line in it begins with."""
FOLDED = re.compile(r"</?details>|<summary>[\w ,…·()-]*</summary>")
TOKEN = re.compile(
    rf"""
      (?P<code> (?P<ticks>`+)(?!`) .*? (?<!`)(?P=ticks)(?!`) )
    | (?P<escape> \\[!-/:-@\[-`{{-~] )
    | (?P<link> \[[A-Za-z ]+\]\((?P<target>[^()\s]+)\) )
    | (?P<tag> {FOLDED.pattern} )
    | (?P<apart> &\#8203; )
    | (?P<plain> [^`\\\[\]<>&|] )
    """,
    re.VERBOSE,
)
APART = "&#8203;"
"""A space without width."""
LINKING = re.compile(
    rf"""
      (?<!\\){APART.replace("#", "[#]")}
    | ( \\?[@#] | \\?:(?=\\?/) | www(?=\\?\.) | (?:mailto|xmpp)(?=\\?:) )
      (?!{APART.replace("#", "[#]")})
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What a mention, a reference or an address begins with."""
MARKS = "$~!"
"""What begins a formula, a label or a merge request."""


def check_text(text: str, link: str) -> str:
    """Return the Markdown that may be posted.

    The ``link`` is the one address that it may link to.

    Raises:
        RefusedError: It is of another form; the message repeats nothing of the text.
    """
    if len(text.encode(errors="replace")) > MAX_BYTES:
        raise RefusedError(f"more than {MAX_BYTES:,} bytes")
    lines = text.split("\n")
    written = []
    depth = 0
    fence: str | None = None
    for number, line in enumerate(lines, 1):
        following = lines[number] if number < len(lines) else ""
        is_code = fence is not None
        try:
            fence = _check_fence(line, fence)
            is_code = is_code or fence is not None
            written.append(line if is_code else _check_line(line, following, link))
        except RefusedError as error:
            raise RefusedError(str(error), number) from None
        depth = depth if is_code else _follow_folds(line, depth, number)
    if fence is not None:
        raise RefusedError("a block of code has no end")
    if depth:
        raise RefusedError("a folded part has no end")
    checked = "\n".join(written)
    if len(checked) > MAX_CHARACTERS:
        raise RefusedError(f"more than {MAX_CHARACTERS:,} characters")
    return checked


def _check_fence(line: str, fence: str | None) -> str | None:
    """Return the fence of the block of code that the next line is in; None if it is in none."""
    if fence is None:
        begins = FENCE.fullmatch(line)
        return begins[1] if begins else None
    if line == fence:
        return None
    if INVISIBLE.search(line):
        raise RefusedError("a character that does not show")
    if fence in line:
        raise RefusedError("backticks that may end a block of code")
    if not SIGNED.match(line):
        raise RefusedError("a line without a sign in a block of code")
    return fence


def _check_line(line: str, following: str, link: str) -> str:
    if INVISIBLE.search(line):
        raise RefusedError("a character that does not show")
    prefix = PREFIX.match(line)
    start = prefix.end() if prefix else 0
    rest = line[start:]
    if rest and NO_TEXT.fullmatch(rest):
        raise RefusedError("no text")
    # GitLab takes such a line for a command.
    if line.lstrip().startswith("/"):
        raise RefusedError("a slash at the beginning")
    if line.lstrip(LEADING).startswith("<"):
        # In a block of HTML backticks and backslashes protect nothing, up to the next empty line.
        if FOLDED.sub("", line).strip() or following.strip():
            raise RefusedError("a tag that begins a block")
        return line
    return line[:start] + "".join(_write_tokens(rest, link))


def _write_tokens(text: str, link: str) -> Iterator[str]:
    """Yield code, links and tags as they are, and the text between them cut apart."""
    between = ""
    at = 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if token is None:
            raise RefusedError("a sign that is neither code nor behind a backslash")
        at = token.end()
        if token["link"] and token["target"] != link:
            raise RefusedError("a link to another place")
        if token["code"] or token["link"] or token["tag"]:
            yield _cut_apart(between) + token.group()
            between = ""
        else:
            between += ("\\" if token.group() in MARKS else "") + token.group()
    yield _cut_apart(between)


def _cut_apart(text: str) -> str:
    return LINKING.sub(lambda found: found.group() + (APART if found[1] else ""), text)


def _follow_folds(line: str, depth: int, number: int) -> int:
    """Return how many folded parts are open behind a line."""
    for tag in re.findall(r"</?details>", re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)):
        depth += -1 if tag.startswith("</") else 1
        if depth < 0:
            raise RefusedError("a folded part that never began", number)
    return depth
