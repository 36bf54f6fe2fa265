"""The mood of the new turns, by a small lexicon; the words that show it are the evidence."""

import re

from hma.records import Mood, Role, Sentiment, Span, Turn, Window


def _lexicon(english: str, chinese: str) -> re.Pattern[str]:
    """Any of the comma-separated English phrases as whole words, or of the Chinese words."""
    phrases = "|".join(re.escape(phrase.strip()) for phrase in english.split(","))
    return re.compile(rf"\b(?:{phrases})\b|{'|'.join(chinese.split())}", re.IGNORECASE)


# In order of precedence.
_WORDS = {
    Mood.URGENT: _lexicon(
        """urgent, urgently, asap, right away, immediately, emergency, hurry, at once,
        as soon as possible, deadline is today, deadline is tonight""",
        "紧急 急死 着急 赶紧 马上就要 尽快 立刻 立马 火烧眉毛 十万火急 来不及",
    ),
    Mood.NEGATIVE: _lexicon(
        """hate, awful, terrible, horrible, angry, furious, annoyed, annoying, frustrated,
        frustrating, disappointed, disappointing, upset, sad, depressed, miserable, useless,
        ridiculous, unacceptable, fed up, sick of, worst, sucks, exhausted, worried, anxious,
        scared, lonely, ugh, damn, wtf, disgusting""",
        "讨厌 烦死 好烦 真烦 生气 气死 失望 难过 伤心 糟糕 太差 垃圾 受不了 崩溃 郁闷 "
        "焦虑 担心 害怕 孤独 无语 恶心 累死 投诉",
    ),
    Mood.POSITIVE: _lexicon(
        """love, great, awesome, amazing, wonderful, fantastic, excellent, perfect, happy, glad,
        excited, thrilled, delighted, thanks, thank you, brilliant, yay, good news, can't wait,
        can’t wait, proud""",
        "开心 高兴 太好了 太棒 真棒 喜欢 感谢 谢谢 完美 激动 兴奋 期待 满意 幸福 哈哈 好消息",
    ),
}
_DENIED = re.compile(
    r"(?:\b(?:not|never|no|hardly|\w+n['’]?t)\s+(?:\w+\s+)?|不(?:太|是很|怎么)?|没(?:那么)?|别)$",
    re.IGNORECASE,
)
_REACH = 24  # characters before a mood word in which a denial may stand

SEEN, UNSEEN = 0.7, 0.6


def sentiment_of(window: Window) -> Sentiment | None:
    """The strongest mood of the new user turns, urgency first; None without a user turn.

    A denied mood word counts for nothing, save that "not happy" is negative.
    """
    turns = [
        (index, window.turns[index])
        for index in range(window.new, len(window.turns))
        if window.turns[index].role is Role.USER
    ]
    if not turns:
        return None
    for mood in _WORDS:
        for index, turn in reversed(turns):
            span = _shows(turn, index, mood)
            if span is not None:
                return Sentiment(mood, span, SEEN)
    return Sentiment(Mood.NEUTRAL, None, UNSEEN)


def _shows(turn: Turn, index: int, mood: Mood) -> Span | None:
    """The first words of a turn that show a mood."""
    for said, words in _WORDS.items():
        for match in words.finditer(turn.text):
            reach = max(0, match.start() - _REACH)
            denial = _DENIED.search(turn.text, reach, match.start())
            meant, start = (said, match.start()) if denial is None else _denied(said, denial)
            if meant is mood:
                return Span(index, start, match.end(), turn.text[start : match.end()], turn.id)
    return None


def _denied(said: Mood, denial: re.Match[str]) -> tuple[Mood, int]:
    meant = Mood.NEGATIVE if said is Mood.POSITIVE else Mood.NEUTRAL
    return meant, denial.start()
