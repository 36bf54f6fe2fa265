"""The rule files and their loader."""

import pytest

from hma.errors import ConfigError
from hma.slots import Slots
from hma.working.cues import CUES
from hma.working.rules.rule import load, parse


@pytest.mark.parametrize("name", ["english", "chinese"])
def test_every_slot_has_rules(name: str) -> None:
    """Each shipped slot but the catch-all can be read, and no rule names another."""
    rules = load(name).rules
    assert {rule.slot for rule in rules} == set(Slots.load()) - {"other"}
    assert len({rule.id for rule in rules}) == len(rules)
    for rule in rules:
        assert 0.6 <= rule.prior <= 0.97
        assert rule.patterns
        assert set(rule.cues) | set(rule.allow) <= set(CUES)


HEAD = '[[rule]]\nid = "x"\nslot = "home"\nprior = 0.9\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[rule", "mend"),
        ('opener = "("', "mend"),
        ('[macros]\nA = "{B}"', "mend"),
        (HEAD + 'kind = "exact"\npatterns = ["("]', "rule x: bad pattern"),
        (HEAD + 'kind = "exact"\npatterns = ["{B}"]', "rule x: bad pattern"),
        (HEAD + 'kind = "nope"\npatterns = ["a"]', "known: action"),
        (HEAD + 'kind = "exact"\npatterns = ["a"]\ncolour = 1', "rule x: colour"),
        (HEAD + 'kind = "exact"\npatterns = ["a"]\npolarity = "?"', "rule x: polarity"),
    ],
)
def test_a_wrong_rule_is_named(text: str, words: str) -> None:
    """The error names the rule and what is wrong with it."""
    with pytest.raises(ConfigError, match=words):
        parse("mine", text)


def test_a_book_of_ones_own() -> None:
    """Macros are filled in, and a rule reads as written."""
    book = parse(
        "mine", '[macros]\nV = "(?P<v>.+)"\n' + HEAD + 'kind = "exact"\npatterns = ["at {V}"]'
    )
    match = book.rules[0].patterns[0].match("AT sea")
    assert match is not None
    assert match["v"] == "sea"
