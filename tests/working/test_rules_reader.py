"""The rule reader on single turns and short windows."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.records import (
    Candidate,
    Constraint,
    EntityLink,
    Polarity,
    Reader,
    Role,
    Source,
    Status,
    Turn,
    Window,
)
from hma.working.base import FactReader, Reading
from hma.working.cues import CUES
from hma.working.rules.passage import MAX_FACTS
from hma.working.rules.reader import RuleReader

READER: FactReader = RuleReader()
AT = datetime(2026, 3, 1, tzinfo=UTC)


def read(*texts: str, new: int = 0, role: Role = Role.USER) -> Reading:
    """Read user turns; a text that starts with "a:" is the assistant's."""
    turns = tuple(
        Turn(f"t{i}", Role.ASSISTANT, text[2:], AT)
        if text.startswith("a:")
        else Turn(f"t{i}", role, text, AT)
        for i, text in enumerate(texts)
    )
    return READER.read(Window(turns, new))


def short(facts: tuple[Candidate, ...]) -> set[tuple[str, str, str]]:
    """Slot, value and status of each fact."""
    return {(fact.attribute, fact.value, fact.status.value) for fact in facts}


def test_a_fact_carries_its_evidence_and_origin() -> None:
    """Clause, place, turn id, prior, reader, source and cues are all filled in."""
    (fact,) = read("a:Hello", "Nice day. I moved to Lisbon in May.").facts
    assert (fact.subject, fact.attribute, fact.value) == ("user", "home", "Lisbon")
    assert (fact.polarity, fact.status) == (Polarity.POSITIVE, Status.ASSERTED)
    assert (fact.evidence.turn, fact.evidence.turn_id) == (1, "t1")
    assert fact.evidence.quote == "I moved to Lisbon in May."
    assert fact.evidence.start == 10
    assert fact.found_by == (Reader.RULES,)
    assert fact.source is Source.USER
    assert fact.cues == ("change",)
    assert fact.signals == {"rule_prior": fact.confidence}


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
def test_only_the_user_is_read(role: Role) -> None:
    """What the assistant, a tool or the system says gives nothing."""
    assert read("I live in Oslo. It must be under $500. F001234", role=role) == Reading()


def test_turns_before_new_are_context_only() -> None:
    """An old turn gives no fact again."""
    assert read("I live in Oslo", "I hate rain", new=1).facts[0].attribute == "likes"
    assert len(read("I live in Oslo", "I hate rain", new=1).facts) == 1


def test_a_correction_reaches_back_to_context() -> None:
    """The replaced value of an earlier turn comes back as retracted, with its own evidence."""
    facts = read("I live in Rome", "a:ok", "no wait, I meant Turin", new=2).facts
    assert short(facts) == {("home", "Rome", "retracted"), ("home", "Turin", "corrected")}
    assert {fact.evidence.turn for fact in facts} == {0, 2}


@pytest.mark.parametrize(
    "text",
    ["no wait, I meant Turin", "Sorry, Turin", "actually it's Turin, not Rome", "不对，是都灵"],
)
def test_a_correction_of_nothing_known_gives_nothing(text: str) -> None:
    """Where the slot isn't clear, nothing is guessed."""
    assert read(text).facts == ()


def test_forget_what_i_said() -> None:
    """A value of the window can be taken back by name; an unknown one can't."""
    said = "I live in Rome"
    assert short(read(said, "forget what I said about Rome", new=1).facts) == {
        ("home", "Rome", "retracted")
    }
    assert read(said, "forget what I said about Paris", new=1).facts == ()


def test_lists_make_several_facts() -> None:
    """Each object of a list is one fact; a name that holds "and" is not split."""
    likes = read("I love tea, jazz and rock and roll").facts
    assert [f.value for f in likes] == ["tea", "jazz", "rock and roll"]
    assert [f.value for f in read("我喜欢爬山和爵士乐").facts] == ["爬山", "爵士乐"]


def test_instructions_keep_their_conditions() -> None:
    """The value runs to the end of the sentence, conditions included."""
    (fact,) = read("Never call me before ten unless the client is long-term.").facts
    assert fact.value == "Never call me before ten unless the client is long-term"
    assert fact.attribute == "instruction"


def test_role_play_lasts_until_it_is_ended() -> None:
    """Turns inside a role play give nothing; after it they do."""
    assert read("Let's role-play!", "a:Arr", "My name is Redbeard").facts == ()
    ended = read("Let's role-play!", "My name is Redbeard", "Out of character now. I live in Ulm")
    assert [f.value for f in ended.facts] == ["Ulm"]


def test_entity_links_and_ids() -> None:
    """Names that the rules found are typed; an id is carried through."""
    links = read("My friend Tom works for Acme. See F001234.").entity_links
    assert {(x.type, x.name, x.id) for x in links} == {
        ("organization", "Acme", ""),
        ("person", "Tom", ""),
        ("other", "F001234", "F001234"),
    }


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("It must be under $500.", "must", "It must be under $500"),
        ("but not the cloud one", "must_not", "but not the cloud one"),
        (
            "Go ahead, unless the client is long-term.",
            "conditional",
            "Go ahead, unless the client is long-term",
        ),
        ("不要云端的。", "must_not", "不要云端的"),
        ("都可以，除非客户反对", "conditional", "都可以，除非客户反对"),
        ("价格必须低于五百", "must", "价格必须低于五百"),
        ("The hotel has to have a lift", "must", "The hotel has to have a lift"),
    ],
)
def test_constraints_are_kept_whole(text: str, kind: str, value: str) -> None:
    """Limits, rejected options and conditions survive word for word."""
    (constraint,) = read(text).constraints
    assert (constraint.kind.value, constraint.value) == (kind, value)
    assert constraint.value in constraint.evidence.quote


@pytest.mark.parametrize("text", ["Must it be under $500?", 'She wrote "it must be red"'])
def test_no_constraint_in_questions_and_quotes(text: str) -> None:
    """What is asked or quoted binds nobody."""
    assert read(text).constraints == ()


BITS = st.sampled_from(
    [
        "I live in ",
        "Oslo",
        ". ",
        ", ",
        "I love ",
        "tea and ",
        "jazz",
        "no wait, ",
        "I meant ",
        "Porto",
        '"',
        "if ",
        "我住在",
        "上海",
        "，",
        "不对，是",
        "我喜欢",
        "和",
        "和猫",
        "My name is ",
        "my sister ",
        "is allergic to ",
        "never call me ",
        "unless ",
        "?",
        "\n",
        "not ",
        "and work as a ",
        "nurse",
        "at ",
        "Acme",
        "but ",
        "👍",
        "\x00",
    ]
)


@given(st.lists(st.lists(BITS | st.text(max_size=5), max_size=12).map("".join), max_size=4))
def test_everything_read_is_verbatim(texts: list[str]) -> None:
    """Quotes are spans of user turns; values, constraints and names lie inside them."""
    turns = tuple(Turn(f"t{i}", Role.USER, text, AT) for i, text in enumerate(texts))
    reading = READER.read(Window(turns))
    items: list[Candidate | Constraint | EntityLink] = [
        *reading.facts,
        *reading.constraints,
        *reading.entity_links,
    ]
    for item in items:
        span = item.evidence
        assert turns[span.turn].text[span.start : span.end] == span.quote
        assert span.turn_id == f"t{span.turn}"
        assert 0 < item.confidence < 1
    for fact in reading.facts:
        assert fact.value
        assert fact.value in fact.evidence.quote
        assert set(fact.cues) <= set(CUES)
    assert all(c.value in c.evidence.quote for c in reading.constraints)
    assert all(e.name in e.evidence.quote for e in reading.entity_links)


@pytest.mark.parametrize(
    "unit",
    [
        "I live in Oslo. ",
        "我住在上海，",
        "I love tea, ",
        "I ",
        "my friend ",
        "no wait, ",
        "现在",
        "F1234 ",
        "My name is X, ",
        "if I ",
        '"I ',
        "\ud800I live in \u202e",
    ],
)
@pytest.mark.timeout(60)
def test_long_texts_take_linear_time(unit: str) -> None:
    """100,000 characters are read whatever they are; quadratic work would take minutes."""
    assert len(read(unit * (100_000 // len(unit))).facts) <= MAX_FACTS
