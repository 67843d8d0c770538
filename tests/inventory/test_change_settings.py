"""The rules for changes that are left out, as mkdocs.yml has them."""

from pathlib import Path
from typing import get_args

import pytest

from pillarbook.compare.change import ChangeKind
from pillarbook.inventory.change_settings import KINDS, IgnoreRule, load_changes
from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.settings import load_settings

RULES = """\
plugins:
- pillarbook:
    master: m
    inventory: i
    changes:
      ignore:
      - keys: ['motd:**', build_id]
        minions: ['web*']
        kinds: [reordered, moved]
        values: ['\\d{4}-\\d\\d-\\d\\d']
      - {keys: app:settings_json, same_as: json}
"""


def write(folder: Path, rules: str) -> Path:
    """Write a configuration whose rules stand in line 7."""
    file = folder / "mkdocs.yml"
    file.write_text(
        "plugins:\n- pillarbook:\n    master: m\n    inventory: i\n"
        f"    changes:\n      ignore:\n      {rules}\n"
    )
    return file


def test_reads_rules_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "mkdocs.yml"
    file.write_text(RULES)
    wanted = (
        IgnoreRule(
            keys=("motd:**", "build_id"),
            minions=("web*",),
            kinds=("reordered", "moved"),
            values=(r"\d{4}-\d\d-\d\d",),
        ),
        IgnoreRule(keys=("app:settings_json",), same_as="json"),
    )
    assert load_settings(file).ignore == wanted
    assert load_changes(file) == wanted


@pytest.mark.parametrize("changes", ["", "{}", "{ignore: }", "{ignore: []}"])
def test_there_need_be_no_rules(tmp_path: Path, changes: str) -> None:
    file = tmp_path / "mkdocs.yml"
    file.write_text(f"plugins:\n- pillarbook: {{master: m, inventory: i, changes: {changes}}}\n")
    assert load_settings(file).ignore == ()
    assert load_changes(file) == ()


def test_kinds_are_those_of_changes() -> None:
    assert get_args(ChangeKind) == KINDS


FAULTS = {
    "no mapping": ("- web*", "'changes: ignore: 0' is text (it must be a mapping with some of"),
    "nothing": ("- {}", "'changes: ignore: 0' has no condition (it must have some"),
    "nothing but an empty list": ("- {keys: []}", "'changes: ignore: 0' has no condition"),
    "unknown": ("- {key: [a]}", "'changes: ignore: 0: key' is not known (did you mean 'keys'?)"),
    "key a number": ("- {keys: [1]}", "'changes: ignore: 0: keys: 0' is a number (it must be"),
    "empty key": ("- {keys: ['']}", "'changes: ignore: 0: keys' has an empty pattern (write"),
    "empty minion": ("- {minions: ['']}", "'changes: ignore: 0: minions' has an empty pattern"),
    "minions a mapping": ("- {minions: {a: b}}", "'changes: ignore: 0: minions' is a mapping (it"),
    "unknown kind": (
        "- {kinds: [reorderd]}",
        "'reorderd' is not a kind of change (did you mean 're",
    ),
    "broken expression": (
        "- {values: '(b'}",
        "'changes: ignore: 0: values': '(b' is not a regular expression: ",
    ),
    "other form": ("- {same_as: xml}", "'changes: ignore: 0: same_as' is text (it must be json"),
    "form a list": ("- {same_as: [json]}", "'changes: ignore: 0: same_as' is a list (it must be"),
}


@pytest.mark.parametrize(("rule", "wanted"), FAULTS.values(), ids=FAULTS)
def test_tells_what_is_wrong_with_a_rule(tmp_path: Path, rule: str, wanted: str) -> None:
    file = write(tmp_path, rule)
    for load in (load_settings, load_changes):
        with pytest.raises(SettingsError) as caught:
            load(file)
        assert str(caught.value).startswith(f"{file}:7: {wanted}")
        assert len(caught.value.faults) == 1


@pytest.mark.parametrize(
    ("changes", "wanted"),
    {
        "a list": ("[a]", "'changes' is a list (it must be a mapping)"),
        "unknown": ("{ignored: []}", "'changes: ignored' is not known (did you mean 'ignore'?)"),
        "rules a mapping": ("{ignore: {}}", "'changes: ignore' is a mapping (it must be a list"),
    }.values(),
    ids=["a list", "unknown", "rules a mapping"],
)
def test_tells_what_is_wrong_with_the_option(tmp_path: Path, changes: str, wanted: str) -> None:
    file = tmp_path / "mkdocs.yml"
    file.write_text(f"plugins:\n- pillarbook:\n    inventory: i\n    changes: {changes}\n")
    with pytest.raises(SettingsError) as caught:
        load_changes(file)  # that there is no master is not its concern
    assert str(caught.value).startswith(f"{file}:4: {wanted}")
