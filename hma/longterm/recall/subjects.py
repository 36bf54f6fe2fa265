"""Whom a question is about: the user, somebody else, both, or nobody in particular."""

import re
from collections.abc import Set
from dataclasses import dataclass

from hma.longterm.recall.lexicon import Lexicon, mentions
from hma.longterm.recall.routes import Routes
from hma.records import Fact
from hma.text import folded, has_cjk, normal_form

USER = "user"
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|myself|mine|we|us)\b|[我咱俺]")
# "my sister", "my older sister": the two words after the possessive decide.
_POSSESSIVE = re.compile(r"\b(?:my|our)((?: [\w'-]+){1,2})")
_NAMED = re.compile(
    r"\b(?!(?:What|That|It|Let|Here|There|Who|Where|How|When|Today|Tonight|Tomorrow|He|She)')"
    r"([A-Z][\w-]*)['’]s\b"
    r"|\b(?:does|did|is|was|has|can|could|will|would|should|Does|Did|Is|Was|Has|Can|Will)"
    r"\s+(?!I\b)([A-Z][\w-]*)"
)
_THIRD = re.compile(r"\bdoes (?:the |a |an )?(?!it\b|this\b|that\b|my\b|our\b|any)([\w-]+)")
# 小李, 老张, and a full name before what is asked of a person.
_SURNAME = (
    "李王张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁沈任姚卢傅"
    "钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严武莫孔汤"
)
_CHINESE_NAMED = re.compile(
    rf"[小老阿][{_SURNAME}]"
    rf"|(?:^|[，。？！,.?!\s])[{_SURNAME}][\u4e00-\u9fff]{{1,2}}(?=现在|目前|住|在哪|喜欢|讨厌|对|是做|几岁|多大|的)"
)
_NOT_PEOPLE = re.compile(
    r"\bmother tongue\b|\b(?:mother|father)'s day\b|母亲节|父亲节", re.IGNORECASE
)
_PRONOUN = re.compile(r"\b(?:he|she|him|his|her|hers)\b|(?<!其)[他她]")


@dataclass(frozen=True, slots=True)
class Subjects:
    """`user`: the first person occurs. `others`: kinds of people (`@sister`), names as
    written, "he", or "assistant". Both empty: nobody in particular."""

    user: bool
    others: frozenset[str]


class SubjectGuard:
    """Keeps one person's facts out of the answer to a question about another."""

    def __init__(self, routes: Routes, lexicon: Lexicon) -> None:
        self._routes = routes
        self._lexicon = lexicon
        kin = lexicon.kin
        self._cjk_kin = re.compile(rf"[我咱俺]们?家?的?(?={kin})|{kin}")

    def read(self, query: str) -> Subjects:
        """Whom `query` is about."""
        query = _NOT_PEOPLE.sub(" ", query)
        text = folded(query)
        others: set[str] = set(self._lexicon.people(query))
        others |= {folded(a or b) for a, b in _NAMED.findall(query)}
        others |= set(_THIRD.findall(text))
        others |= {name.strip("，。？！,.?! \n\t") for name in _CHINESE_NAMED.findall(text)}
        others |= {"he"} if _PRONOUN.search(text) and not others else set()
        user = self._is_about_user(text)
        if self._routes.asks_assistant(query) and not user:
            others.add("assistant")
        return Subjects(user=user, others=frozenset(others))

    def permits(self, fact: Fact, query: str, asked: Subjects, lexical: float) -> bool:
        """Whether `fact` may answer a question about `asked`."""
        if fact.subject == USER:
            return asked.user or not asked.others or self._speaks_of(fact, asked.others)
        if self.names(query, asked.others, fact.subject):
            return True
        return not asked.user and not asked.others and lexical > 0

    def names(self, query: str, others: Set[str], subject: str) -> bool:
        """Whether the question names the person `subject`."""
        kinds = self._lexicon.people(subject)
        name = _bare(subject)
        return bool(kinds & others) or (not kinds and mentions(query, name))

    def _speaks_of(self, fact: Fact, others: Set[str]) -> bool:
        text = " ".join([fact.value, *(span.quote for span in fact.evidence)])
        kinds = self._lexicon.people(text)
        return any(
            other in kinds if other.startswith("@") else mentions(text, other) for other in others
        )

    def _is_about_user(self, text: str) -> bool:
        """Whether the first person occurs, other than in "my sister" and the like."""
        if _FIRST_PERSON.search(self._cjk_kin.sub("", text)):
            return True
        return any(
            not any(map(self._lexicon.is_person, owned.split()))
            for owned in _POSSESSIVE.findall(text)
        )


def _bare(subject: str) -> str:
    name = normal_form(subject)
    return re.sub(r"^[我咱]们?的?", "", name) if has_cjk(name) else name
