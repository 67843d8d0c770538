"""Tokens say which secrets are equal, and nothing else."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hostile.canaries.canary import Canary
from tests.hostile.canaries.expect import TOKEN, is_redacted, look_up, scalars, tokens
from tests.hostile.canaries.garden import Garden
from tests.hostile.canaries.harvest import COMPILE, TOKEN_KEY, Harvest
from tests.hostile.canaries.outputs import read_site, run, run_all
from tests.hostile.canaries.plant import COUNT

pytestmark = pytest.mark.grows
SIZE = 16
"""Hexadecimal digits of a token."""
NAMED = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
NEWER = ("sha3_224", "sha3_256", "sha3_384", "sha3_512")


@pytest.fixture(scope="module")
def other_site(opened: Harvest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the site of another build of the same tree, whose key is drawn."""
    folder = tmp_path_factory.mktemp("other")
    ended = run(opened.folder, "build", "--site-dir", str(folder / "site"))
    assert ended.code == 0
    return read_site(folder / "site")


def tokens_of(site: dict[str, bytes]) -> set[str]:
    """Return whatever may be a token on a site's pages."""
    pages = (data.decode() for name, data in site.items() if not name.startswith(("css", "js")))
    return {token for page in pages for token in TOKEN.findall(page)}


@pytest.mark.slow
def test_two_builds_share_no_token(opened: Harvest, other_site: dict[str, bytes]) -> None:
    first, second = tokens_of(dict(opened.site)), tokens_of(other_site)
    assert len(first) > 200
    assert len(first) == len(second)
    assert first & second == set()


def test_a_given_key_gives_the_same_tokens_everywhere(opened: Harvest) -> None:
    pillars = opened.pillars
    for minion in ("app1.example.com", "app2.example.com"):
        on_page = json.loads(opened.site[f"minions/{minion}.json"])
        assert tokens(on_page) == tokens(pillars[minion])


def test_equal_secrets_have_equal_tokens(opened: Harvest) -> None:
    pillars, compared = opened.pillars, 0
    for place in opened.garden.places:
        for leaf in scalars(look_up(pillars[place.minion], place.path)):
            same = (
                re.fullmatch(r"same as ([\w-]+):(\w+)", leaf["redacted"])
                if is_redacted(leaf)
                else None
            )
            roots = [one.get(same[1], {}).get(same[2]) for one in pillars.values()] if same else []
            for root in roots:
                if is_redacted(root):
                    compared += 1
                    assert leaf["token"] == root["token"], place
    assert compared > (50 if len(opened.garden.canaries) == COUNT else 15)


@pytest.mark.slow
def test_no_digest_of_a_secret_is_a_token(
    garden: Garden, opened: Harvest, other_site: dict[str, bytes]
) -> None:
    published = tokens_of(dict(opened.site)) | tokens_of(other_site)
    names = opened.site["(file names)"].decode()
    short = {digits[:8] for digits in re.findall("[0-9a-f]{8,}", names)}
    for canary in garden.canaries.values():
        for digest in _digests(canary):
            starts = range(len(digest) - SIZE + 1)
            assert not any(digest[at : at + SIZE] in published for at in starts), canary
            assert digest[:8] not in short, canary


def _digests(canary: Canary) -> Iterator[str]:
    value = canary.value
    texts = [repr(value), canary.text, json.dumps(canary.text), f"{canary.text}.example.com"]
    texts += [text.strip() for text in texts]
    raws = {text.encode() for text in texts}
    raws |= {value} if isinstance(value, bytes) else set()
    raws |= {raw + b"\n" for raw in raws} | {
        kind + raw for raw in raws for kind in (b"text:", b"bytes:", b"int:")
    }
    for raw in raws:
        for name in (*NAMED, *NEWER):
            yield hashlib.new(name, raw).hexdigest()
        yield from (hashlib.blake2b(raw, digest_size=size).hexdigest() for size in range(8, 65))
        yield from (hashlib.blake2s(raw, digest_size=size).hexdigest() for size in range(8, 33))


@pytest.mark.slow
def test_neither_order_nor_memo_changes_a_redaction(opened: Harvest, tmp_path: Path) -> None:
    opened.garden.write(tmp_path, decrypt=True, backwards=True)
    plain = [*COMPILE, "--no-memo"]
    (backwards,) = run_all(tmp_path, [COMPILE], TOKEN_KEY).values()
    (without,) = run_all(opened.folder, [plain], TOKEN_KEY).values()
    assert without.out == opened.ended[" ".join(COMPILE)].out
    found = json.loads(backwards.out)
    assert list(found) == list(json.loads(without.out))[::-1]
    differing = {
        (minion, key)
        for minion, pillar in opened.pillars.items()
        for key in pillar.keys() | found[minion].keys()
        if pillar.get(key) != found[minion].get(key)
    }
    assert differing - {("", "")} == set()
