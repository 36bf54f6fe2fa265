"""Whether a generated reply says only what memory holds about the user.

The check is strict on purpose: a rejected reply costs a plain sentence, an accepted invention
costs the user's trust.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hma.exchange import Prompt
from hma.moves import LANGUAGES, phrases
from hma.records import Fact, Polarity
from hma.text import folded, has_cjk, terms
from hma.working.noise import is_question

_SENTENCE = re.compile(r"[^.!?。！？\n]+")
_CLAUSE = re.compile(r"[,;:，；、：]|\b(?:and|but)\b")
_SELF = re.compile(r"\b(?:i|me|my|mine|myself|i'm|i've)\b|我|咱|俺", re.ASCII)
# The user, or memory itself, is spoken of.
_ABOUT_USER = re.compile(
    r"\b(?:you|your|you're|you've|you'll|you'd|yours|yourself|ya|u|ur|user|user's"
    r"|remember|recall|noted|memory)\b|你|您|用户|记得|记住",
    re.ASCII,
)
# Clauses of nothing but these words state nothing about anybody.
_PLAIN = frozenset(
    "a about also am an and any are as at be been but by can could did do does for from glad "
    "good happy have hello help here hi how i i'm if in is it just know let like me mentioned my "
    "of ok okay on or please remember said so sorry sure tell thank thanks that that's the there "
    "this to today told want was we welcome were what when where which who will with would you "
    "you're you've your yours".split()
)
_PLAIN_CJK = frozenset(
    "你您的是我在了吗呢吧啊哦好知道有过告诉说这那什么可以帮请谢也都会就清楚记得提"
)
# Where the user asks about himself, "sure" or "you do" is an answer; only these are none.
_COURTESY = frozenset(
    "hello hi i i'm sorry please tell me thank thanks you so to remember it".split()
)
_COURTESY_CJK = frozenset("你您好请告诉我谢抱歉不意思")
# What may stand around the words of a fact.
_FRAME = frozenset("a an the you your you're are is in at to of me told that i said it".split())
_FRAME_CJK = frozenset("你您的是在了我告诉过说那吧哦啊嗯记得")
_NEGATION = frozenset(
    "no not never don't doesn't didn't haven't hasn't isn't aren't wasn't can't cannot".split()
)
_NEGATION_CJK = frozenset("不没别无非未")
_UNKNOWN = re.compile(
    r"(?:don't|do not|haven't|have not|hasn't|not|never)\s(?:[a-z]+\s)?"
    r"(?:know|sure|told|tell|mentioned|said|remember)\b|[没不未].{0,3}(?:告诉|说|提|知道|清楚|记得)"
)


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of alphabets, and single characters of Chinese."""

    words: frozenset[str]
    characters: frozenset[str]

    def within(self, words: frozenset[str], characters: frozenset[str]) -> bool:
        return self.words <= words and self.characters <= characters

    def negates(self) -> bool:
        return bool(self.words & _NEGATION or self.characters & _NEGATION_CJK)


def grounded(reply: str, prompt: Prompt) -> bool:
    """Whether each clause of `reply` states one thing that memory holds, or nothing.

    A reply that speaks of neither the user nor memory, to a turn that doesn't ask about the
    user, is free talk. In all others every clause counts, with or without "you": what is
    asked or supposed ("Do I live in Porto?") is no source, and neither are doubtful facts
    and those about other people.
    """
    plain = folded(reply)
    asked = _asks_about_self(prompt)
    if not (asked or _ABOUT_USER.search(plain) or _names_user(plain, prompt)):
        return True
    known = [fact for fact in _facts(prompt) if fact.subject == "user"]
    return all(_holds(clause, known, asked=asked) for clause in _clauses(plain))


def _asks_about_self(prompt: Prompt) -> bool:
    text = folded(prompt.turn.text)
    remembered = any(not one.standing for one in prompt.recollection.recalled)
    return is_question(text) and bool(remembered or _SELF.search(text))


def _names_user(reply: str, prompt: Prompt) -> bool:
    recalled = (one.fact for one in prompt.recollection.recalled)
    names = (one.value for one in recalled if one.attribute in ("name", "preferred_name"))
    return any(folded(name) in reply for name in names)


def _facts(prompt: Prompt) -> Iterator[Fact]:
    """What may be stated without a caveat."""
    yield from (one.fact for one in prompt.recollection.recalled if not one.note)
    yield from prompt.committed.opened


def _clauses(reply: str) -> Iterator[str]:
    for sentence in _SENTENCE.findall(reply):
        yield from (clause for clause in _CLAUSE.split(sentence) if clause.strip())


def _holds(clause: str, known: list[Fact], *, asked: bool) -> bool:
    said = _words_of(clause)
    if said.negates() and _UNKNOWN.search(clause):
        return said.within(_PLAIN | _NEGATION, _PLAIN_CJK | _NEGATION_CJK)
    if asked and said.within(_COURTESY, _COURTESY_CJK):
        return True
    if not asked and said.within(_PLAIN, _PLAIN_CJK):
        return True
    return any(_states(clause, said, fact) for fact in known)


def _states(clause: str, said: _Words, fact: Fact) -> bool:
    """Whether the clause says this fact, and not its opposite."""
    value = folded(fact.value)
    own = _words_of(f"{_pattern(fact)} {value}")
    negates = _words_of(clause.replace(value, " ")).negates()
    if negates != (fact.polarity is Polarity.NEGATIVE):
        return False
    if not _words_of(value).within(said.words, said.characters):
        return False
    return said.within(own.words | _FRAME, own.characters | _FRAME_CJK)


def _pattern(fact: Fact) -> str:
    """The memory voice's words for a fact of this slot in both languages, without its value."""
    side = fact.polarity is Polarity.NEGATIVE
    found = (phrases(one)["statement"].get(fact.attribute, ["", ""])[side] for one in LANGUAGES)
    return folded(" ".join(found).replace("{value}", " "))


def _words_of(text: str) -> _Words:
    words, characters = set(), set()
    for term in terms(text):
        if has_cjk(term):
            characters |= set(term)
        else:
            words.add(term)
    return _Words(frozenset(words), frozenset(characters))
