"""A file that fails would have set the words of the files that it includes, too."""

from pathlib import Path

import pytest
from tests.support.derived import write_tree

from pillarbook.inventory.settings import load_settings
from pillarbook.session.file_words import FileWords
from pillarbook.session.open_session import open_session
from pillarbook.session.run_options import RunOptions

TREE = {
    "pillar/top.sls": "base: {'*': [site]}\n",
    "pillar/site/init.sls": "include:\n  # ours\n  - .users\n  - net.dns:   # with a key\n      key: dns\nhome: 1\n",
    "pillar/site/users.sls": "include:\n  - ..mail\n  - site\nalice: 1\n",
    "pillar/mail.sls": "include: [far, near.by]\nrelay: 1\n",
    "pillar/near/by.sls": "neighbour: 1\n",
    "pillar/net/dns/init.sls": "resolver: 1\n",
    "pillar/other.sls": "include:\n  - {{ grains.id }}\nnobody: 1\n",
}
WORDS = {
    "home": True,
    "alice": True,
    "relay": True,
    "resolver": True,
    "neighbour": True,
    "nobody": False,
    "": False,
}


@pytest.mark.parametrize(("word", "holds"), WORDS.items())
def test_words_of_includes_count(word: str, holds: bool, tmp_path: Path) -> None:
    write_tree(tmp_path, TREE, minions={"web1": {}})
    with open_session(load_settings(tmp_path / "mkdocs.yml"), RunOptions()) as session:
        session.compiler.compile(session.fleet.minions[0])
        words = FileWords(session.compiler.project)
        assert words.holds("pillar/site/init.sls", word) is holds
