"""The slot table."""

import pytest

from hma.errors import ConfigError
from hma.slots import Cardinality, Slots


def test_every_slot_of_the_design_is_there_with_labels_in_both_languages() -> None:
    """The shipped table is complete."""
    names = (
        "name preferred_name age birthday language home occupation employer school relationship "
        "family pet likes diet allergy health habit schedule goal plan event skill owns budget "
        "instruction other"
    )
    slots = Slots.load()
    assert set(slots) == set(names.split())
    assert all({"en", "zh"} <= set(slot.label) for slot in slots.values())


def test_users_extend_and_override_rows() -> None:
    """A new row is added, a known one changes only in the keys that are given."""
    slots = Slots.load(
        {"gym": {"cardinality": "one", "depends_on": ["home"]}, "home": {"review_after": 9}}
    )
    assert slots["gym"].depends_on == ("home",)
    assert slots["home"].review_after == 9
    assert slots["home"].cardinality is Cardinality.ONE


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"cardinality": "two"}, "slots.gym.cardinality"),
        ({"colour": "red"}, "slots.gym.colour"),
        ({"depends_on": ["hoem"]}, "'hoem'"),
    ],
)
def test_a_bad_row_is_named(row: dict[str, object], words: str) -> None:
    """The error names slot and key."""
    with pytest.raises(ConfigError, match=words):
        Slots.load({"gym": row})


def test_only_the_same_object_competes_where_objects_live_side_by_side() -> None:
    """One home competes with another; tea does not compete with coffee."""
    slots = Slots.load()
    assert slots["home"].compete("Lisbon", "Porto")
    assert not slots["likes"].compete("tea", "coffee")
    assert slots["likes"].compete("Tea", "tea.")
