"""Understanding an answer: what a text says about a question with an old and a new side.

The user may answer in passing and go on to something else, so only the first clauses
count, and only clauses that are an answer as a whole. What is quoted, asked, reported of
others or merely mentioned is none: "he said yes" confirms nothing.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from hma.meta import answer_words as words
from hma.meta.answer_words import BOTH_SIDES, NEW, OLD, QUOTED
from hma.meta.matching import head
from hma.records import Answer, Candidate, Fact, Polarity
from hma.text import has_cjk, normal_form

_LOOKED_AT = 600  # code points; an answer stands at the beginning
_CLAUSES = 4

_BREAK = re.compile(
    r"([!?;。、…\n]+|[.,](?!\d)|\s*\((?!\d)|\s[-–—]+\s|——?|\bbut\b|但是?|不过|可是|"
    rf"(?<=[{words.SIDES}])\s*(?=not\b|instead of|rather than|而不是|不是))"
)
_QUOTES = re.compile(r"\"([^\"]*)\"|“([^”]*)”|「([^」]*)」|『([^』]*)』|(?<!\w)'([^']+)'(?!\w)")
_PRIVATE = re.compile(r"[\ue000-\uf8ff]")
_PIECE = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
# A letter or digit that a Latin word could go on with: 我住在Porto ends before "Porto".
_LETTER = r"[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
_OF_MYSELF = re.compile(r"\b(?:i|i'm|my|we)\b|我")
_ASKS_ZH = re.compile(r"[吗么]$|是不是|对不对|是否")

_SPECIFIC = (
    (words.DONT_STORE, Answer.DONT_STORE),
    (words.NEITHER, Answer.NEITHER),
    (words.BOTH, Answer.BOTH),
)
_OTHER = {Answer.FIRST: Answer.SECOND, Answer.SECOND: Answer.FIRST}
_FLIPPED = re.compile(
    r"\bnot\b|n't\b|\b(?:wrong|incorrect|false|outdated|no longer)\b|\b(?:is|was) old\b|"
    r"不|(?<!没)(?<!没有)错|过时"
)


class _Clause(NamedTuple):
    text: str
    asks: bool


def understand(text: str, old: Sequence[Fact], new: Candidate) -> Answer | None:
    """What `text` says about `old` (the first side) against `new` (the second), or None.

    "yes" means that the new side is right, "no" that the old one still is. A third value
    is no answer to the question: it comes as a candidate of its own.
    """
    denial = _is_denial(old, new)
    clauses = _clauses(_mask(_normal(text), old, new))
    if not clauses:
        return None
    if len(clauses) > 1 and clauses[0].text.isdigit():
        return None  # a list, or a sum
    opening, clauses = _opening(clauses)
    votes = {vote for clause in clauses if (vote := _specific(clause, new, denial))}
    if Answer.DONT_STORE in votes:
        return Answer.DONT_STORE
    if votes:
        return votes.pop() if len(votes) == 1 else None
    return opening


def states_a_side(text: str, old: Sequence[Fact], new: Candidate) -> bool:
    """Whether the user says of themselves what one side says ("I live in Porto"), which
    needs no question before it to be understood."""
    masked = _mask(_normal(text), old, new)
    return _OF_MYSELF.search(masked) is not None and any(mark in masked for mark in words.SIDES)


def _normal(text: str) -> str:
    """NFKC, folded, without invisible characters, with straight apostrophes."""
    cut = unicodedata.normalize("NFKC", text[:_LOOKED_AT]).casefold()
    cut = "".join(c for c in cut if unicodedata.category(c) not in ("Cf", "Mn", "Cs"))
    cut = _PRIVATE.sub("", cut).replace("’", "'").replace("`", "'")
    return re.sub(r"[^\S\n]+", " ", cut).strip()


def _is_denial(old: Sequence[Fact], new: Candidate) -> bool:
    """Whether both sides speak about the same object and differ in polarity alone."""
    value = normal_form(new.value)
    return any(normal_form(fact.value) == value for fact in old)


def _mask(text: str, old: Sequence[Fact], new: Candidate) -> str:
    """Put a mark in place of each side's value, and of everything quoted."""
    marks: dict[str, str] = {}
    for mark, values in ((OLD, [fact.value for fact in old]), (NEW, [new.value])):
        for value in values:
            for form in (normal_form(value), head(value)):
                if form:
                    marks[form] = mark if marks.get(form, mark) == mark else BOTH_SIDES
    # The longer first: "New York City" is not "New York" and something.
    for form in sorted(marks, key=len, reverse=True):
        bounds = ("", "") if has_cjk(form) else (rf"(?<!{_LETTER})", rf"(?!{_LETTER})")
        shape = _flexible(form).join(bounds)
        text = re.sub(shape, marks[form], text)
    return _unquote(text)


def _flexible(form: str) -> str:
    return re.escape(form).replace(r"\ ", r"\s+")


def _unquote(text: str) -> str:
    def inner(match: re.Match[str]) -> str:
        content = next(group for group in match.groups() if group is not None)
        alone = match.group() == text or content in tuple(words.SIDES)
        return content if alone else QUOTED

    return _QUOTES.sub(inner, text)


def _clauses(text: str) -> list[_Clause]:
    """The first clauses that are more than a filler, each with whether it asks."""
    parts = _BREAK.split(text)
    found = []
    # What comes after "she said" or "if" is not the user's own answer any more.
    for part, after in zip(parts[::2], [*parts[1::2], ""], strict=True):
        whole = words.LEADING.sub("", part.strip())
        clause = words.TRAILING.sub("", whole) or whole
        asks = "?" in after or _ASKS_ZH.search(part) is not None
        if words.REPORTED.search(clause):
            break
        if clause and not any(map(_says_nothing, (part.strip(), whole, clause))):
            found.append(_Clause(clause, asks))
    return list(islice(found, _CLAUSES))


def _says_nothing(clause: str) -> bool:
    """Whether it is a filler, and no answer as well, as "嗯" is."""
    filler = words.FILLER.fullmatch(clause) is not None
    return filler and words.YES.fullmatch(clause) is None


def _opening(clauses: list[_Clause]) -> tuple[Answer | None, list[_Clause]]:
    """The plain yes or no at the head, and the clauses that remain to be read."""
    first, rest = clauses[0], clauses[1:]
    if first.asks:
        return None, rest
    if rest and first.text in words.TURNING:
        return _opening(rest)
    if words.YES.fullmatch(first.text):
        return (None if _yes_and_no(rest) else Answer.SECOND), rest
    if words.NO.fullmatch(first.text):
        return Answer.FIRST, rest
    for pattern, answer in ((words.YES_THEN, Answer.SECOND), (words.NO_THEN, Answer.FIRST)):
        if match := pattern.match(first.text):
            return answer, [_Clause(first.text[match.end() :], False), *rest]
    return None, clauses


def _yes_and_no(rest: Sequence[_Clause]) -> bool:
    """Whether a yes is taken back at once: "yes and no", "yes... no"."""
    return bool(rest) and words.NO.fullmatch(rest[0].text) is not None


def _specific(clause: _Clause, new: Candidate, denial: bool) -> Answer | None:
    """What one clause says beyond yes and no."""
    if clause.asks or QUOTED in clause.text:
        return None
    for pattern, answer in _SPECIFIC:
        if pattern.fullmatch(clause.text):
            return answer
    for pattern, answer in ((words.FIRST, Answer.FIRST), (words.SECOND, Answer.SECOND)):
        if pattern.fullmatch(clause.text):
            return _OTHER[answer] if _FLIPPED.search(clause.text) else answer
    return _opinion(clause.text, new) if denial else _statement(clause.text)


def _statement(clause: str) -> Answer | None:
    """The side whose value the clause states ("it's Porto") or whose rival it denies."""
    if moved := words.FROM_TO.search(clause):
        return Answer.SECOND if moved.group(1) == NEW else Answer.FIRST
    named = {mark for mark in (OLD, NEW) if mark in clause}
    if not named or BOTH_SIDES in clause or not _nothing_else(clause):
        return None
    denied = len(words.DENIES.findall(clause)) % 2 == 1
    if len(named) == 2:
        return None if denied else Answer.BOTH
    answer = Answer.FIRST if OLD in named else Answer.SECOND
    return _OTHER[answer] if denied else answer


def _opinion(clause: str, new: Candidate) -> Answer | None:
    """The side that a clause like "I do", "I hate it", "我不喜欢" takes on one object."""
    if words.I_DO.fullmatch(clause):
        affirmed = True
    elif words.I_DONT.fullmatch(clause):
        affirmed = False
    elif words.OPINION.search(clause) and _nothing_else(words.ABOUT_IT.sub(" ", clause)):
        turns = words.DENIES.findall(clause) + words.DISLIKE.findall(clause)
        affirmed = len(turns) % 2 == 0
    else:
        return None
    return Answer.SECOND if affirmed is (new.polarity is Polarity.POSITIVE) else Answer.FIRST


def _nothing_else(clause: str) -> bool:
    """Whether beside the marks there are only words that state them."""
    return all(_beside(piece) for piece in _PIECE.findall(clause))


def _beside(piece: str) -> bool:
    if has_cjk(piece):
        return words.BESIDE_ZH.fullmatch(piece) is not None
    return piece in words.BESIDE_EN
