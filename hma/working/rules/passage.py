"""A user turn prepared for the rules: clauses, their sentences, and what silences them."""

import re
from dataclasses import dataclass
from functools import cached_property

from hma.records import Clause, Turn
from hma.working.cues import cues, has_cue
from hma.working.noise import is_question
from hma.working.segments import clauses, quoted_ranges, sentences

MAX_CLAUSE = 300
"""Longer clauses are pasted matter, not statements; the rules don't read them."""

MAX_FACTS = 100
"""A turn that seems to state more is pasted matter too; the rest isn't read."""

_TEXT_WORK = re.compile(
    r"\b(?:translate|proofread|paraphrase|rephrase|rewrite|how (?:do|would) (?:you|i|one) say|"
    r"(?:correct|fix|check) (?:this|the|my) (?:sentence|text|grammar|letter)|the (?:sentence|"
    r"phrase|line|lyric|slogan)|"
    r"sample|for example|example:|e\.g\.|here's (?:the|an?) (?:email|text|letter|transcript|"
    r"review))|"
    r"翻译|润色|改写|病句|造句|怎么说|例句|这句话|这段话|比如说?[:：]",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\b(?:said|says|say|told|tells|claims?|claimed|wrote|writes|texted|according to|asked|"
    r"thinks?|believes?|"
    r"reckons|goes|was like|is like|be like|heard|joked|announced|replied|quote|shouts?|"
    r"shouted|insists?|pretend|"
    r"not true|isn't true|lie|lied|denied)\b[^.]*$|(?:说|问|写道|据说|听说|觉得|以为|认为|"
    r"回答|喊道?|骗|谣言|"
    r"不是真的)[^，,]*$",
    re.IGNORECASE,
)
_OWN_REPORT = re.compile(
    r"^\W*(?:(?:and|but|so|ok|yes|well|as)\W+)*(?:i|we)\s+(?:also\s+|already\s+|"
    r"just\s+)*(?:said|told|think|believe|wrote|mentioned)\b"
    r"|^(?:我)?(?:觉得|说过|跟你说|告诉你)",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"^\W*(?:right|no|correct|yeah|eh|huh|ok|don['’]?t i|do i|isn['’]?t it|is that (?:right|"
    r"true|correct)|am i right|"
    r"true or false|对吧|对吗|是吧|是吗|对不对|是不是|没错吧|真的吗)\W*[?？]",
    re.IGNORECASE,
)
_IF = re.compile(
    r"^\W*(?:(?:and|but|so|then|or|even|only|what|ok|well)\W+)*(?:if|suppose|supposing|"
    r"imagine|assuming|let['’]?s say|say|"
    r"unless|when|whenever|wish|pretend|once|had|were)\b|^\W*(?:那|但|就算|即使)?(?:如果|要是|"
    r"假如|假设|假使|"
    r"倘若|万一|除非|"
    r"等我|等到|有一天|当)|(?:的话|的时候)\W*$",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\b(?:if|unless|would|wish|as if|as though|supposedly)\b|如果|要是|假如|的话|就好了",
    re.IGNORECASE,
)
_SCRIPT_LINE = re.compile(r"(?:^|\n)[ \t]*(?:>|```|[A-Za-z]{1,12}:[ \t]*i\b)", re.IGNORECASE)
_ECHO = re.compile(
    r"^\W*(?:lol|haha+|hehe|as if|yeah right|not|/s|才怪|哈哈*骗你)\W*$", re.IGNORECASE
)


@dataclass(frozen=True)
class Passage:
    """One user turn, cut up once."""

    index: int
    turn: Turn

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the turn, in order."""
        return clauses(self.turn.text, self.index)

    @cached_property
    def sentence_of(self) -> tuple[int, ...]:
        """For each clause, the position of its sentence."""
        positions, at = [], 0
        for clause in self.clauses:
            while clause.start >= self.sentences[at].end:
                at += 1
            positions.append(at)
        return tuple(positions)

    @cached_property
    def sentences(self) -> tuple[Clause, ...]:
        """The sentences of the turn, in order."""
        return sentences(self.turn.text, self.index)

    @cached_property
    def mute(self) -> bool:
        """Whether the turn as a whole is play, joke, or text to work on."""
        text = self.turn.text
        return (
            has_cue("fiction", text)
            or has_cue("joke", text)
            or _TEXT_WORK.search(text) is not None
            or _SCRIPT_LINE.search(text) is not None
        )

    @cached_property
    def quoted(self) -> tuple[tuple[int, int], ...]:
        """Offsets of what stands in quotation marks."""
        return quoted_ranges(self.turn.text)

    def sentence(self, i: int) -> Clause:
        """The sentence of clause `i`."""
        return self.sentences[self.sentence_of[i]]

    def before(self, i: int) -> str:
        """The clause before clause `i` in its sentence, "" at a sentence's start."""
        if i == 0 or self.sentence_of[i - 1] != self.sentence_of[i]:
            return ""
        return self.clauses[i - 1].text

    def after(self, i: int) -> str:
        """The clause after clause `i`, "" at the end of the turn."""
        return self.clauses[i + 1].text if i + 1 < len(self.clauses) else ""

    def cues(self, i: int) -> tuple[str, ...]:
        """The cues of clause `i`."""
        clause, sentence = self.clauses[i], self.sentence(i)
        left = max(sentence.start, clause.start - MAX_CLAUSE)
        right = min(sentence.end, clause.end + MAX_CLAUSE)
        return cues(clause.text, self.turn.text[left:right])

    def is_quoted(self, start: int) -> bool:
        """Whether the offset lies inside quotation marks."""
        return any(left < start < right for left, right in self.quoted)

    def supposed(self, i: int) -> bool:
        """Whether clause `i` hangs on a condition."""
        return (
            _WITHIN.search(self.clauses[i].text) is not None
            or _IF.search(self.clauses[i].text) is not None
            or _IF.search(self.before(i)) is not None
        )

    def asked(self, i: int) -> bool:
        """Whether clause `i` is a question, or has one tagged on."""
        return is_question(self.clauses[i].text) or _TAG.match(self.after(i)) is not None

    @staticmethod
    def told_by_others(words: str) -> bool:
        """Whether `words` lead into what somebody else said or thinks."""
        return _REPORT.search(words) is not None and not _OWN_REPORT.search(words)

    def reported(self, i: int) -> bool:
        """Whether clause `i` gives somebody else's words, or is taken back at once."""
        return self.told_by_others(self.before(i)) or _ECHO.match(self.after(i)) is not None
