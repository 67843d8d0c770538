"""No canary gets out, in any form, through any output; and what is none of them stays readable."""

import html
import json

import pytest
from tests.hostile.canaries.canary import KINDS
from tests.hostile.canaries.expect import fault_of, is_seen
from tests.hostile.canaries.garden import Control
from tests.hostile.canaries.harvest import Harvest
from tests.hostile.canaries.plant import COUNT, FEW, plant

pytestmark = pytest.mark.grows
OUTPUTS = ("site", "build", "compile", "check", "explain", "export")
BY_DEFAULT = ("site", "build")
"""The outputs that are searched in each run; the fleet is opened once for all of them."""


@pytest.mark.parametrize("count", [FEW, COUNT])
def test_many_secrets_go_many_ways(count: int) -> None:
    garden = plant(count)
    assert len(garden.canaries) == count == len({one.text for one in garden.canaries.values()})
    assert {one.kind for one in garden.canaries.values()} == KINDS.keys()
    assert garden.ways.keys() == plant(COUNT).ways.keys()
    assert len(garden.ways) >= 100
    assert all(garden.ways.values())


def test_with_keys_no_canary_gets_out_and_all_else_is_told(opened: Harvest) -> None:
    """One test, as the work of opening the fleet would else be done in each process of a run."""
    for output in BY_DEFAULT:
        check_output(output, opened)
    check_reasons(opened, has_keys=True)
    check_ordinary_values(opened)
    page = opened.site["diagnostics.html"].decode()
    assert [file for file in sorted(opened.garden.told) if file not in page] == []
    for words, ended in opened.ended.items():
        assert ended.code == (2 if words.startswith(("check", "verify")) else 0), words
        assert b"Traceback" not in ended.err


@pytest.mark.slow
@pytest.mark.parametrize("output", ["check", "compile", "explain", "export", "get", "verify"])
def test_with_keys_no_canary_gets_out(output: str, opened: Harvest) -> None:
    check_output(output, opened)


@pytest.mark.slow
def test_with_keys_each_failure_is_found(opened: Harvest) -> None:
    told = {one["file"] for one in opened.diagnostics if one["severity"] != "note"}
    assert opened.garden.told - told == set()


def check_output(output: str, opened: Harvest) -> None:
    given = opened.outputs(output)
    assert any(given.values()), output
    assert opened.search.find(given) == [], output


# Without keys `explain` looks for secrets of others in the files of its minion alone, as the guide's
# page on security says: a name in the top file may be a secret of a file that it does not read.
@pytest.mark.slow
@pytest.mark.parametrize("output", [*(one for one in OUTPUTS if one != "explain"), "verify"])
def test_without_keys_no_canary_gets_out_that_is_known_for_one(
    output: str, sealed: Harvest
) -> None:
    assert sealed.search.find(sealed.outputs(output)) == []


@pytest.mark.slow
@pytest.mark.parametrize("output", OUTPUTS)
def test_without_keys_no_ciphertext_gets_out(output: str, sealed: Harvest) -> None:
    garden = sealed.garden
    lines = {line for one in garden.messages for line in one.splitlines() if len(line) >= 12}
    lines = {line for line in lines if not line.startswith("-----")}
    lines |= {box[at : at + 16] for box in garden.boxes for at in range(0, len(box) - 16, 8)}
    outputs = sealed.outputs(output)
    given = b"\n".join(outputs.values())
    assert [line for line in sorted(lines) if line.encode() in given] == []
    # A rule's page has an example of its own.
    given = b"\n".join(data for name, data in outputs.items() if not name.startswith("rules/"))
    assert b"BEGIN PGP" not in given
    assert b"NACL[" not in given


@pytest.mark.slow
def test_without_keys_each_secret_is_hidden_for_a_reason(sealed: Harvest) -> None:
    check_reasons(sealed, has_keys=False)


def check_reasons(log: Harvest, *, has_keys: bool) -> None:
    pillars = log.pillars
    faults = [
        (place.canary, place.minion, place.path, fault)
        for place in log.garden.places
        if has_keys or not place.needs_keys
        for fault in (fault_of(place, pillars[place.minion]),)
        if fault
    ]
    assert faults == []


@pytest.mark.slow
def test_without_keys_ordinary_values_are_seen(sealed: Harvest) -> None:
    check_ordinary_values(sealed)


def check_ordinary_values(log: Harvest) -> None:
    pillars = log.pillars
    hidden = [one for one in log.garden.controls if not is_seen(one, pillars[one.minion])]
    assert hidden == []
    assert [one for one in log.garden.controls if not _is_on_page(one, log)] == []


def _is_on_page(control: Control, log: Harvest) -> bool:
    page = log.site[f"minions/{control.minion}.html"].decode()
    data = json.loads(log.site[f"minions/{control.minion}.json"])
    return html.escape(str(control.value)) in page and is_seen(control, data)
