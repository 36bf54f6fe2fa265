"""What is not worth distilling, and what only asks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.working.noise import is_noise, is_question


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "hi",
        "Hello there!",
        "thanks a lot",
        "ok",
        "OK thx 👍",
        "lol",
        "hahaha",
        "hmm",
        "!!!",
        "...",
        "😀😀",
        "asdfgh",
        "qwertz",
        "aaaaaaaa",
        "xkcdfghjk",
        "good morning",
        "嗯",
        "嗯嗯，好的",
        "哈哈哈哈",
        "谢谢！",
        "你好",
        "好的谢谢",
        "。。。",
        "ｏｋ",
    ],
)
def test_noise(text: str) -> None:
    """Greetings, thanks, laughter, emoji, punctuation and mash are noise."""
    assert is_noise(text)


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "no",
        "the second one",
        "第二个",
        "是的",
        "不是",
        "对",
        "Lisbon",
        "34",
        "vegan",
        "素食",
        "上海",
        "thanks, I moved to Oslo",
        "ok I'm Bo",
        "好的，我叫小李",
        "property",
        "flask",
        "hi Anna",
        "lot of kids",
        "Ng",
        "haha no",
        "never",
        "strengths",
    ],
)
def test_no_noise(text: str) -> None:
    """An answer, a name, a number or a word of content is never dropped."""
    assert not is_noise(text)


@pytest.mark.parametrize(
    "text",
    [
        "Where do I live?",
        "what's my name",
        "Do you know it",
        "ok, can you help me?",
        "我住在哪里",
        "你喜欢吗",
        "我是不是说过？",
        "so how is it",
        "Really? Why?",
        "请问怎么走",
    ],
)
def test_questions(text: str) -> None:
    """Marked and unmarked questions are seen in both languages."""
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo.",
        "I live in Oslo, what's the weather?",
        "我住在上海，有什么好吃的？",
        "I know what I like",
        "",
        "Whatever",
        "我有猫。你呢？",
    ],
)
def test_no_question(text: str) -> None:
    """A turn with one statement in it is not only a question."""
    assert not is_question(text)


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text makes either test fail."""
    assert is_noise(text) in (True, False)
    assert is_question(text) in (True, False)
