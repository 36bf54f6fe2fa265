"""What an answer must, must not, or must under a condition respect: kept word for word."""

import re
from collections.abc import Iterator

from hma.records import Constraint, ConstraintKind, Span
from hma.working.rules.passage import MAX_CLAUSE, Passage

PRIOR = 0.85

_THING = r"(?:it|this|that|they|these|those|the [\w-]+(?: [\w-]+)?|everything|all of it|answers?)"
_AMOUNT = (
    r"(?:[$€£¥]\s?\d|[\d,.]+\s?(?:k |euros?|dollars?|pounds?|usd|eur|gbp|yuan|rmb|bucks|words|"
    r"pages|sentences|minutes|people|percent|%))"
)
_RULES: tuple[tuple[ConstraintKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            ConstraintKind.CONDITIONAL,
            r"\b(?:unless|only if|except (?:when|if)|as long as|provided that|in case)\s+\w+|"
            r"除非|只有.{1,20}才|前提是",
        ),
        (
            ConstraintKind.MUST_NOT,
            rf"\b(?:(?:but )?not the [\w-]+(?: [\w-]+)? (?:one|ones|option|version|plan)\b|"
            rf"{_THING} (?:must not|mustn['’]t|"
            r"can['’]?t|cannot|should not|shouldn['’]t) (?:be|have|cost|contain|use|take|"
            r"exceed|include|need|require)\b|"
            r"(?:please )?(?:nothing|no) (?:with|from|that|over|above|made)\s+\w+|"
            r"without (?:any )?(?:nuts|meat|dairy|"
            r"gluten|sugar|ads|animal|cloud|subscription)|anything but\b)|(?:(?<!要)不要|别选|别用|"
            r"不能(?:有|"
            r"用|超过|是)|不可以(?:有|用)|"
            r"拒绝|排除)\S{1,20}",
        ),
        (
            ConstraintKind.MUST,
            rf"\b{_THING} (?:must|has to|have to|needs? to|should) (?:be|have|cost|fit|work|"
            rf"run|support|contain|include|"
            rf"stay|take|last|come|arrive|finish|end)\b|\b(?:under|below|at most|no more than|"
            rf"less than|up to|max(?:imum)?) "
            rf"{_AMOUNT}|\b(?:must be|has to be|needs to be)\b|(?:必须|一定要|得是|务必)\S{{1,20}}|"
            rf"(?:不超过|最多|以内)",
        ),
    )
)
_EDGE = " \t\n.,;:!?。，；：！？~～"
_LEAD = re.compile(
    r"(?:(?:and|but|so|also|well|ok|oh|please|btw)\b[\s,]*)+|(?:但是|不过|但|而且|请)+",
    re.IGNORECASE,
)


def constraints(passage: Passage) -> Iterator[Constraint]:
    """The constraints that a user's turn sets. Conditions keep their whole sentence."""
    done = -1
    for i, clause in enumerate(passage.clauses):
        sentence = passage.sentence(i)
        if clause.start < done or max(len(clause.text), len(sentence.text)) > MAX_CLAUSE:
            continue
        kind, at = _kind(clause.text)
        if (
            kind is None
            or passage.told_by_others(clause.text[:at])
            or passage.asked(i)
            or passage.reported(i)
            or passage.is_quoted(clause.start + at + 1)
        ):
            continue
        whole = sentence if kind is ConstraintKind.CONDITIONAL else clause
        done = whole.end
        yield _constraint(passage, whole.start, whole.end, kind)


def _kind(clause: str) -> tuple[ConstraintKind | None, int]:
    """How a clause binds, and where it says so."""
    for kind, rule in _RULES:
        if match := rule.search(clause):
            return kind, match.start()
    return None, 0


def _constraint(passage: Passage, start: int, end: int, kind: ConstraintKind) -> Constraint:
    text = passage.turn.text
    lead = _LEAD.match(text, start, end)
    left = lead.end() if lead and kind is not ConstraintKind.MUST_NOT else start
    value = text[left:end].strip(_EDGE)
    span = Span(passage.index, start, end, text[start:end], passage.turn.id)
    return Constraint(value, kind, span, PRIOR)
