"""Turns that are not worth distilling, and turns or clauses that only ask.

Both tests are conservative: what might hold a fact is neither noise nor only a question.
Answers such as "yes" or 第二个 are no noise: the agent settles its questions with them.
"""

import re
import unicodedata

from hma.text import has_cjk
from hma.working.segments import clauses

_WORDS = frozenset(
    """
    hi hello hey heya hiya yo howdy there all everyone again greetings morning afternoon evening
    night
    good goodnight bye goodbye cya later see ya you soon tomorrow thanks thank thx ty tysm cheers
    much
    so very many a lot ok okay k kk okey alright cool nice great awesome perfect excellent wow
    wonderful
    lol lmao rofl hmm hm mm mhm uh um er oh ah aha haha hehe hihi welcome np brilliant sweet
    """.split()
)
# Only words that carry no content by themselves; a turn of nothing else is noise.
_FILLERS = frozenset("there all everyone again much so very many a lot you see ya later".split())
_ZH_NOISE = re.compile(
    r"(?:你好|您好|大家好|哈喽|嗨|早上好|早安|下午好|晚上好|晚安|谢谢|多谢|感谢|谢啦|谢了|辛苦[了啦]|不客气|"
    r"再见|拜拜|回见|嗯|哦|噢|喔|啊|呵|哈|嘿|嘻|唉|哎|好的|好滴|好哒|好吧|好呀|好啊|好嘞|收到|知道了|明白了|明白|"
    r"了解|可以的|没事|没问题|不错|太好了|太棒了|真棒|厉害|呀|啦|哇|你|您|了|的|吧)+"
)
_LAUGH = re.compile(
    r"(?:a*(?:ha|he|hi){2,}h?|h+m+|mm+|lo+l|o+h+|a+h+|w+o+w+|xd+|x+)", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MASH = re.compile(
    r"(?:asdf|sdfg|dfgh|fghj|ghjk|hjkl|lkjh|fdsa|qwer|zxcv|xcvb|cvbn|vbnm|jkjk|(.)\1{4,})\w*",
    re.IGNORECASE,
)
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{7,}", re.IGNORECASE)

_EN_QUESTION = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay|well|hey|hi|oh|now|then|btw|please|sorry)\W+)*"
    r"(?:(?:please\s+)?(?:remind|tell) me (?:again )?(?=what|where|when|why|who|which|how|if\b))?"
    r"(?:(?:what|where|when|why|who|whom|whose|which|how)(?:'s|’s|'re|’re)?\b(?!ever)"
    r"|(?:do|does|did|is|are|am|was|were|can|could|would|should|will|shall|have|has|had|may|"
    r"isn't|aren't|"
    r"don't|doesn't|didn't|can't|couldn't|won't|wouldn't)\s+(?:i|you|we|he|she|they|it|there|"
    r"this|that|"
    r"these|those|the|my|your|our|his|her|their|any|anyone|someone)\b)",
    re.IGNORECASE,
)
_ZH_QUESTION = re.compile(
    r"(?:吗|呢|(?<!什)么|嘛)[。.~～]*$|是不是|有没有|能不能|可不可以|会不会|要不要|好不好|对不对|为什么|为啥|怎么样|怎样|"
    r"怎么办|什么时候|多少钱|哪里|哪儿|哪个|哪些|谁知道|"
    r"(?<!没)(?<!没有)(?<!随便)(?:什么|啥)(?!都|也|的)|[做干]什么的|是谁$|"
    r"[住在去]哪(?!都|也|怕)|多大了?$|几岁了?$|来着$|知道我(?:哪些|多少)|^(?:请问|什么|怎么|谁|哪|几|多少)"
)
_TRAILING = re.compile(r"[\s\"'”’」』)）~～]+$")


def is_noise(text: str) -> bool:
    """Whether a turn holds nothing to remember: a greeting, thanks, laughter, emoji,
    punctuation, keys hit at random, or nothing at all.

    >>> is_noise("ok thanks!! 😀"), is_noise("嗯嗯 好的"), is_noise("yes"), is_noise("Lima")
    (True, True, False, False)
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = _WORD.findall(folded)
    if not words:
        return True
    if len(words) > 12:
        return False
    if len(words) == 1 and _is_mash(words[0]):
        return True
    return all(_is_empty(word) for word in words) and not all(w in _FILLERS for w in words)


def is_question(text: str) -> bool:
    """Whether a text only asks: each of its clauses is a question.

    >>> is_question("Where do I live?"), is_question("我住在哪里"), is_question("I like tea. You?")
    (True, True, False)
    """
    parts = [part.text for part in clauses(text) if not is_noise(part.text)]
    return bool(parts) and all(_asks(part) for part in parts)


def _asks(clause: str) -> bool:
    bare = _TRAILING.sub("", clause)
    if bare.endswith(("?", "？")):
        return True
    if has_cjk(bare):
        return _ZH_QUESTION.search(bare) is not None
    return _EN_QUESTION.match(bare) is not None


def _is_empty(word: str) -> bool:
    return (
        word in _WORDS
        or _ZH_NOISE.fullmatch(word) is not None
        or _LAUGH.fullmatch(word) is not None
    )


def _is_mash(word: str) -> bool:
    if not word.isascii() or not word.isalpha():
        return False
    return _MASH.fullmatch(word) is not None or _CONSONANTS.fullmatch(word) is not None
