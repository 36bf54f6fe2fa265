"""What the user wants from this turn: the clause that asks, in the user's own words."""

import re

from hma.records import Clause, Intent, Role, Span, Turn, Window
from hma.working.noise import is_noise, is_question
from hma.working.segments import clauses

_PHRASES = """
    please, pls, can you, could you, would you, will you, help me, help with, i need to, i need you,
    i need a, i need an, i need some, i need help, i want to, i want you, i'd like, i would like,
    let's, looking for, any idea, any ideas, any tips, any recommendations, how do i, how can i,
    how should i, remind me, show me, tell me, give me, find me, send me, book me, get me,
    wondering if, wondering how, wondering what, wondering where, wondering when
"""
_OPENERS = """
    find show tell give send book write draft explain suggest recommend list compare check search
    translate summarise summarize plan remind set cancel update change delete add remove make create
    remember forget call stop fix calculate schedule order play open help never always don't
"""
_CHINESE = """
    请 帮我 帮忙 麻烦 劳驾 能不能 可不可以 可以.{0,12}吗 能.{0,12}吗 给我 替我
    我想(?:要|问|知道|找|买|订|学|去) 我要 我需要 推荐 告诉我 提醒我 查一下 查查 记住 记得 忘掉 取消
    说说 讲讲 介绍一下 怎么办 别再 以后别
"""
_REQUEST = re.compile(
    rf"\b(?:{'|'.join(phrase.strip() for phrase in _PHRASES.split(','))})\b"
    rf"|^\W*(?:(?:and|so|ok|okay|now|then|also|just)\W+)*(?:{'|'.join(_OPENERS.split())})\b"
    rf"|{'|'.join(_CHINESE.split())}",
    re.IGNORECASE,
)

ASKED, REQUESTED, STATED = 0.85, 0.8, 0.4


def intent_of(window: Window) -> Intent | None:
    """The intent of the last new user turn; None where it holds nothing but noise.

    A clause that asks beats one that requests without a question; where the turn only
    states something, its first clause stands for the intent, with low confidence.
    """
    for index in reversed(range(window.new, len(window.turns))):
        turn = window.turns[index]
        if turn.role is Role.USER:
            return _intent(turn, index)
    return None


def _intent(turn: Turn, index: int) -> Intent | None:
    parts = [part for part in clauses(turn.text, index) if not is_noise(part.text)]
    for test, confidence in ((_asks, ASKED), (_requests, REQUESTED), (_states, STATED)):
        found = next((part for part in parts if test(part.text)), None)
        if found is not None:
            return Intent(found.text, _span(found, turn), confidence)
    return None


def _asks(text: str) -> bool:
    return is_question(text)


def _requests(text: str) -> bool:
    return _REQUEST.search(text) is not None


def _states(_: str) -> bool:
    return True


def _span(clause: Clause, turn: Turn) -> Span:
    return Span(clause.turn, clause.start, clause.end, clause.text, turn.id)
