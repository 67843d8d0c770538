"""Templates that decide on what nobody answers, as text: conditions, loops, changes, macros."""

from hypothesis import strategies as st
from tests.properties.unknown_trees import RULES, AskingTree

START = (
    "{% set a = salt['vault.read_secret']('secret/a') %}\n"
    "{% set b = salt.cmd.run('b') %}\n"
    "{% set c = salt['consul.get']('x/y') %}\n"
    "{% set known = {'k': 1, 'l': [1, 2], 'm': {'n': 'x'}} %}\n"
    "{% set l = [] %}\n{% set d = {'x': 1} %}\n{% set ns = namespace(n=0, m='x') %}\n"
    "{% macro wrap(v) %}<{{ v }}>{% do l.append('w') %}{% endmacro %}\n"
    "{% macro choose(v) %}{% if v %}yes{% else %}no{% endif %}{% endmacro %}\n"
)
ASKED = ("a", "b", "c", "a.user", "b['s']", "a.t", "c[0]", "(b | default('x'))", "d.z | default(c)")
CONDITIONS = (
    *("{u}", "not {u}", "{u} == 'x'", "{u} != 1", "{u} is none", "{u} is mapping", "'x' in {u}"),
    *("{u} in ['x', 1]", "{u} and {v}", "{u} or {v}", "{u} == {v}", "{u} > 1", "l | length > 1"),
    *("ns.n > 1", "ns.m == 'x'", "'x' in l", "l", "d.x == 1", "d.y is defined", "s is defined"),
    *("grains['id'] == 'one'", "{u} is string", "s == 'x'", "1 < ns.n < 4", "choose({u}) == 'yes'"),
    *("{u} is defined and {u} is not none and {u}.user == 'x'", "known[{u}] is defined"),
)
VALUES = (
    *("{u}", "'{u}'", "1 if {u} else 2", "{u} | length", "l | length", "ns.n", "ns.m", "d.x", "s"),
    *("l | join(',')", "d | json", "[{u}, 1] | json", "{'p': {u}, 'q': 1} | yaml", "{u} ~ '-x'"),
    *("wrap({u})", "choose({u})", "known.get({u}, 'z')", "known.k", "known.m.n", "7", "'x'"),
    *(
        "l",
        "d",
        "{u} or 'y'",
        "d.get('x')",
        "({u} | string).split('/')[0]",
        "l[0]",
        "x",
        "grains.id",
    ),
    *("l | unique | list", "[{u}, 'x'] | first", "{u} in l", "[1, 2] | max", "loop.index"),
)
DOES = (
    *("do l.append({e})", "do d.update({'x': {e}})", "do d.update({'y': {e}})", "do d.update({u})"),
    *(
        "set ns.n = ns.n + 1",
        "set ns.m = {e}",
        "set s = {e}",
        "do l.extend([{e}, 2])",
        "do l.pop()",
    ),
    *("set s = d.get('m', known.m)", "do known.m.update({'n': {e}})", "set s = known[{u}]"),
    *("do d.update(a=1)", "do known[{u}].append(3)", "set e, f = {u}", "set s = {'k': {u}}"),
    *(
        "do a.update({'user': 'x'})",
        "do s.update({'n': 2})",
        "do {u}.append(known.l)",
        "set l = l + [{e}]",
    ),
)


class Writer:
    """Writes the lines of one template."""

    def __init__(self, draw: st.DrawFn, prefix: str) -> None:
        self.draw = draw
        self.prefix = prefix
        self.keys = 0

    def pick(self, *rows: str) -> str:
        return self.draw(st.sampled_from(rows))

    def fill(self, form: str) -> str:
        for mark in ("{u}", "{v}"):
            form = form.replace(mark, self.pick(*ASKED))
        return form.replace("{e}", self.fill(self.pick(*VALUES))) if "{e}" in form else form

    def key(self) -> str:
        self.keys += 1
        often = self.draw(st.integers(0, 6))
        return f"{self.prefix}{self.keys}" if often else self.pick("k1", "k2", "{{ x }}", "{{ b }}")

    def block(self, indent: str, depth: int, least: int = 1) -> str:
        count = self.draw(st.integers(least, 4 if depth < 2 else 2))
        return "".join(self.statement(indent, depth) for _ in range(count))

    def statement(self, indent: str, depth: int) -> str:
        kinds = ["line", "line", "do"]
        if depth < 3:
            kinds += ["if", "if", "for", "map", "list"]
        kind = self.draw(st.sampled_from(kinds))
        written: str = getattr(self, f"write_{kind}")(indent, depth)
        return written

    def write_line(self, indent: str, _depth: int) -> str:
        return f"{indent}{self.key()}: {self.printed()}\n"

    def printed(self) -> str:
        form = self.fill(self.pick(*VALUES))
        return self.pick("{{ %s }}", '"{{ %s }}"', "x-{{ %s }}", "{{ %s }}", "[{{ %s }}, 2]") % form

    def write_do(self, _indent: str, _depth: int) -> str:
        return "{% " + self.fill(self.pick(*DOES)) + " %}\n"

    def write_if(self, indent: str, depth: int) -> str:
        made = (
            "{% if " + self.fill(self.pick(*CONDITIONS)) + " %}\n" + self.block(indent, depth + 1)
        )
        if self.draw(st.booleans()):
            made += "{% elif " + self.fill(self.pick(*CONDITIONS)) + " %}\n"
            made += self.block(indent, depth + 1)
        if self.draw(st.booleans()):
            made += "{% else %}\n" + self.block(indent, depth + 1)
        return made + "{% endif %}\n"

    def write_for(self, indent: str, depth: int) -> str:
        over = self.pick("a", "b", "a.user", "l", "[1, 2]", "known.l", "a.values()")
        head = "{% for x in " + over + self.pick("", "", " if x == 'x'") + " %}\n"
        body = self.pick("", f"{indent}{{{{ x }}}}: 1\n", f"{indent}r{{{{ loop.index }}}}: 1\n")
        return head + body + self.block(indent, depth + 1, least=0) + "{% endfor %}\n"

    def write_map(self, indent: str, depth: int) -> str:
        return f"{indent}{self.key()}:\n{indent}  z: 0\n" + self.block(indent + "  ", depth + 1)

    def write_list(self, indent: str, _depth: int) -> str:
        made = f"{indent}{self.key()}:\n{indent}  - 1\n"
        if self.draw(st.booleans()):
            made += "{% if " + self.fill(self.pick(*CONDITIONS)) + " %}\n"
            made += f"{indent}  - {self.printed()}\n" + "{% endif %}\n"
        else:
            made += "{% for x in a %}\n" + f"{indent}  - {{{{ x }}}}\n" + "{% endfor %}\n"
        return made + f"{indent}  - 3\n"


@st.composite
def deciding_trees(draw: st.DrawFn) -> AskingTree:
    """Draw a tree of one or two SLS files that decide on answers."""
    names = draw(st.sampled_from((("a",), ("a", "b"))))
    files = {"top.sls": f"base: {{'*': [{', '.join(names)}]}}\n"}
    for name in names:
        files[f"{name}.sls"] = START + Writer(draw, name[0]).block("", 0) + "last: 1\n"
    rules = draw(st.sampled_from((*RULES[:1], *RULES[:2], RULES[4])))
    return AskingTree(files, rules)
