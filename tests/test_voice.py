"""The memory voice: what it says of facts, and which turns it takes for what."""

from datetime import UTC, datetime

import pytest

from hma.moves import Move, about_user, move_of, phrases
from hma.records import Fact, Polarity, Source
from hma.slots import Slots
from hma.voice import statement

SLOTS = Slots.load()
AT = datetime(2026, 5, 3, tzinfo=UTC)


def fact(attribute: str, value: str, polarity: str = "+", subject: str = "user") -> Fact:
    """A current fact."""
    return Fact(
        "f1", subject, attribute, value, Polarity(polarity), 0.9, Source.USER, AT, AT, AT, 1
    )


@pytest.mark.parametrize(
    ("told", "en", "zh"),
    [
        (fact("home", "Lisbon"), "you live in Lisbon", "你住在Lisbon"),
        (fact("diet", "sugar", "-"), "you avoid sugar", "你的饮食里不要sugar"),
        (fact("pet", "Miso"), "you have a pet called Miso", "你的宠物叫Miso"),
        (fact("pet", "two cats"), "you have a pet: two cats", "你有宠物：two cats"),
        (fact("pet", "一只猫"), "you have a pet: 一只猫", "你有宠物：一只猫"),
        (fact("family", "two kids"), "you have two kids", "你有two kids"),
        (
            fact("home", "Oslo", subject="my boss"),
            "your boss lives in Oslo",
            "your boss住在Oslo",
        ),
        (fact("home", "成都", subject="我妹妹"), "你妹妹 lives in 成都", "你妹妹住在成都"),
        (
            fact("goal", "{value} {who}"),
            "a goal of yours: {value} {who}",
            "你的目标：{value} {who}",
        ),
    ],
)
def test_a_fact_as_a_clause(told: Fact, en: str, zh: str) -> None:
    """Names and kinds, other people, denials and braces read well in both languages."""
    assert statement(told, SLOTS, "en") == en
    assert statement(told, SLOTS, "zh") == zh


@pytest.mark.parametrize("slot", sorted(SLOTS))
def test_every_slot_can_be_said(slot: str) -> None:
    """Both polarities, of the user and of others, hold the value and leave no placeholder."""
    for polarity in "+-":
        for subject in ("user", "Tom"):
            for language in ("en", "zh"):
                said = statement(fact(slot, "xyz", polarity, subject), SLOTS, language)
                assert "xyz" in said
                assert "{" not in said


def test_both_languages_have_the_same_phrases() -> None:
    """Nothing can be said in one language alone."""
    english, chinese = phrases("en"), phrases("zh")
    for table in ("say", "kind", "heard"):
        assert set(english[table]) == set(chinese[table])


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Hi there!", Move.GREETING),
        ("早上好", Move.GREETING),
        ("cheers!", Move.THANKS),
        ("辛苦啦", Move.THANKS),
        ("good night", Move.FAREWELL),
        ("😀", Move.ACKNOWLEDGED),
        ("what do you know about me?", Move.EVERYTHING),
        ("show me everything you remember", Move.EVERYTHING),
        ("你知道我哪些事", Move.EVERYTHING),
        ("你都知道我什么", Move.EVERYTHING),
        ("who are you?", Move.MYSELF),
        ("你是谁", Move.MYSELF),
        ("forget that I like jazz", Move.FORGET),
        ("把我的信息都删掉", Move.FORGET),
        ("that's wrong", Move.WRONG),
        ("你说错了", Move.WRONG),
        ("remind me which city I'm in", Move.QUESTION),
        ("I forgot my name", Move.QUESTION),
        ("我在哪工作", Move.QUESTION),
        ("我有什么计划", Move.QUESTION),
        ("suggest dinner", Move.REQUEST),
        ("the usual please", Move.REQUEST),
        ("推荐个餐厅吧", Move.REQUEST),
        ("set an alarm for 7", Move.REQUEST),
        ("I'm so tired today", Move.STATEMENT),
        ("don't forget that I live in Oslo", Move.STATEMENT),
        ("别忘了我住在北京", Move.STATEMENT),
        ("我没什么想说的", Move.STATEMENT),
    ],
)
def test_what_a_turn_does(text: str, move: Move) -> None:
    """Greetings, thanks, questions in other wordings, requests, commands, and the rest."""
    assert move_of(text) is move


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("where do I live?", True),
        ("tell me a joke", False),
        ("tell me my name", True),
        ("capital of France?", False),
        ("帮我翻译一下", False),
        ("我叫什么", True),
    ],
)
def test_whether_a_turn_is_about_the_user(text: str, about: bool) -> None:
    """ "Tell me" is not yet about me."""
    assert about_user(text) is about
