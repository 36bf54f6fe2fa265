"""Corrections: "no wait, I meant Porto", "it's Porto, not Lisbon", 不对，是波尔图.

A correction becomes two facts: the right value (corrected) and the replaced one
(retracted). Where it isn't clear what is corrected, it becomes nothing.
"""

import re
from dataclasses import replace

from hma.records import Candidate, Span, Status
from hma.text import normal_form
from hma.working.cues import has_cue
from hma.working.rules.found import Found
from hma.working.rules.passage import MAX_CLAUSE, Passage
from hma.working.rules.values import values

_SINGLE = (
    "home",
    "name",
    "preferred_name",
    "age",
    "birthday",
    "employer",
    "occupation",
    "school",
    "budget",
)
_KINDS = frozenset("place person org date money zh_place zh_name zh_org zh_date zh_money".split())
_MARK = (
    r"(?:no,? wait|wait,? no|wait|no|nope|sorry|oops|actually|correction|scratch that|"
    r"my mistake|i mean(?:t)?|"
    r"i meant to say|make that|typo|i misspoke|err?|hang on)"
)
_SAYS = (
    r"(?:i mean(?:t)?(?: to say| to type)?|it['’]?s|it is|that['’]?s|make that|make it|"
    r"it should be|should be|that should be)"
)
_NEW = re.compile(
    rf"(?:(?:and|but|oh|ah|ok|well)[\s,]+)?(?:(?:{_MARK})[\s,.:!-]+)*(?:{_SAYS}\s+)?(?:in\s+)?(?P<v>[^,.;!?]+?)"
    r"(?:,?\s+(?:and )?not\s+(?:in\s+)?(?P<old>[^,.;!?]+))?[.!]?$",
    re.IGNORECASE,
)
_STRONG = re.compile(
    rf"(?:(?:and|but|oh|ah|ok|well)[\s,]+)?(?:{_MARK}[\s,.:!-]+){{1,4}}|{_SAYS}\s+\w",
    re.IGNORECASE,
)
_ONLY_MARK = re.compile(
    rf"(?:(?:oh|ah|ok|well)[\s,]+)?(?:{_MARK}[\s,.:!-]*){{1,4}}$", re.IGNORECASE
)
_ZH_NEW = re.compile(
    r"(?:哦|啊|呃|额|噢|等等|等下|抱歉|不好意思|[，,\s])*(?:不对|不是|说错了?|我?打错了?|我说错了?|更正一下?|更正|应该|其实)?[，,：:\s]*"
    r"(?:我是说|我的意思是|我说的是|应该是|其实是|是)(?:在)?(?P<v>[^，。！？,.!?是]{1,12})[。！!.]?$"
)
_ZH_MARK = re.compile(
    r"(?:哦|啊|呃|额|噢)*(?:不对|说错了?|我说错了?|打错了?|更正一下|更正|等等|抱歉|不好意思)[，,。！!：:]*"
)
_TAIL_NOT = re.compile(r",?\s+not\s+(?:in\s+|at\s+|for\s+)?(?P<old>[^,.;!?]+)[.!]?$", re.IGNORECASE)
_FORGET = re.compile(
    r"\W*(?:please )?(?:forget|ignore|disregard) (?:what i said|everything i said|"
    r"what i told you) about (?:the |my )?"
    r"(?P<old>[^,.;!?]+)|(?:请)?忘(?:了|掉)(?:我说的|我说过的|关于)(?P<zh>[^，。！？]+?)(?:的事|吧|$)",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"\b(?:i mean(?:t)?|it['’]?s|it is|make that|correction|should be|no,? wait|wait,? no|"
    r"sorry|scratch that|typo)\b|"
    r"不对|说错|打错|应该是|我是说|更正|我的意思是",
    re.IGNORECASE,
)
_NOT_VALUES = re.compile(
    r"\b(?:i|i['’]m|thanks?|you|that|this|it|the|one|two|\w+day|yes|no|never|ok|okay|works?|"
    r"is|are|was|later|"
    r"nothing|everything|mind|please|better|fine|good|late)\b|第|个|这|那",
    re.IGNORECASE,
)
NEAR = 3
"""How many clauses back a correction reaches within a turn."""


def correct(passage: Passage, earlier: list[Found], found: list[Found]) -> list[Found]:
    """All facts after the corrections of this turn: `earlier` ones, and `found` in it."""
    known = [*earlier, *(_strong(passage, fact) for fact in found)]
    for fact in found:
        known = _restated(passage, known, fact)
    taken = {fact.clause for fact in found}
    for i, clause in enumerate(passage.clauses):
        if len(clause.text) > MAX_CLAUSE or passage.is_quoted(clause.start + 1):
            continue
        if forget := _FORGET.match(clause.text):
            known = _forget(known, forget["old"] or forget["zh"])
        elif i not in taken and not passage.asked(i) and not passage.reported(i):
            known = _replaced(passage, i, known)
    return known


def _strong(passage: Passage, found: Found) -> Found:
    """A statement right after "no wait" or with "not X" behind it corrects something."""
    clause = passage.clauses[found.clause].text
    marked = _ONLY_MARK.match(passage.before(found.clause) or "-") or _ZH_MARK.match(clause)
    if found.fact.status is Status.ASSERTED and (
        marked or (found.fact.attribute in _SINGLE and _TAIL_NOT.search(clause))
    ):
        return replace(found, fact=replace(found.fact, status=Status.CORRECTED))
    return found


def _restated(passage: Passage, known: list[Found], new: Found) -> list[Found]:
    """Take back what a full restatement ("actually I live in Porto, not Lisbon") replaces."""
    fact = new.fact
    if fact.attribute not in _SINGLE or fact.status is not Status.ASSERTED:
        return known
    clause = passage.clauses[new.clause]
    result = list(known)
    if tail := _TAIL_NOT.search(clause.text):
        for left, right in values(new.kind, clause.text, *tail.span("old"), False):
            old = replace(
                fact,
                value=clause.text[left:right],
                status=Status.RETRACTED,
                signals={**fact.signals, "replaced": 1.0},
            )
            result.append(replace(new, fact=old))
    marked = has_cue("correction", clause.text) or has_cue("correction", passage.before(new.clause))
    if not marked:
        return result
    for i, other in enumerate(known):
        if (
            _same_slot(other.fact, fact)
            and other.fact.evidence != fact.evidence
            and _differs(other.fact, fact)
        ):
            result[i] = _retract(other)
            result = [
                replace(f, fact=replace(f.fact, status=Status.CORRECTED)) if f.fact is fact else f
                for f in result
            ]
    return result


def _same_slot(one: Candidate, other: Candidate) -> bool:
    return one.subject == other.subject and one.attribute == other.attribute


def _differs(one: Candidate, other: Candidate) -> bool:
    return normal_form(one.value) != normal_form(other.value) and one.status is not Status.RETRACTED


def _retract(found: Found) -> Found:
    signals = {**found.fact.signals, "replaced": 1.0}
    return replace(found, fact=replace(found.fact, status=Status.RETRACTED, signals=signals))


def _forget(known: list[Found], about: str) -> list[Found]:
    wanted = normal_form(about)
    return [
        _retract(f) if wanted and wanted in (normal_form(f.fact.value), f.fact.attribute) else f
        for f in known
    ]


def _replaced(passage: Passage, i: int, known: list[Found]) -> list[Found]:
    """Resolve a bare correction in clause `i` against what was said just before it."""
    clause = passage.clauses[i]
    match = _match(passage, i)
    if match is None:
        return known
    old = match.groupdict().get("old")
    target = _target(passage, i, known, old)
    if target is None:
        return known
    found = known[target]
    value = match["v"].strip()
    start = clause.text.index(value, match.start("v"))
    if not _fits(found, clause.text, start, start + len(value)):
        return known
    evidence = Span(passage.index, clause.start, clause.end, clause.text, passage.turn.id)
    cues = tuple(sorted({*passage.cues(i), "correction"}))
    fact = replace(found.fact, value=value, status=Status.CORRECTED, evidence=evidence, cues=cues)
    result = list(known)
    result[target] = _retract(found)
    return [*result, replace(found, fact=fact, clause=i)]


def _fits(found: Found, clause: str, start: int, end: int) -> bool:
    """Whether `clause[start:end]` can stand where the value of `found` stood."""
    value, old = clause[start:end], found.fact.value
    if values(found.kind, clause, start, end, False) != [(start, end)] or len(value.split()) > 3:
        return False
    if _NOT_VALUES.search(value) or (old[:1].isupper() and not value[:1].isupper()):
        return False
    return normal_form(value) != normal_form(old)


def _match(passage: Passage, i: int) -> re.Match[str] | None:
    text = passage.clauses[i].text
    marked_before = i > 0 and _is_mark(passage.clauses[i - 1].text)
    if match := _ZH_NEW.match(text):
        marked = (
            marked_before
            or _ZH_MARK.search(text)
            or re.search("我是说|应该是|其实是|我的意思是", text)
        )
        return match if marked else None
    match = _NEW.match(text)
    if match is None or not (marked_before or match["old"] or _STRONG.match(text)):
        return None
    says_only = not marked_before and not match["old"] and not has_cue("correction", text)
    return None if says_only else match


def _is_mark(text: str) -> bool:
    return _ONLY_MARK.match(text) is not None or _ZH_MARK.fullmatch(text) is not None


def _target(passage: Passage, i: int, known: list[Found], old: str | None) -> int | None:
    """Which of the known facts a correction in clause `i` speaks about."""
    plain = _PLAIN.search(passage.turn.text[: passage.clauses[i].end]) is not None
    for position in range(len(known) - 1, -1, -1):
        found = known[position]
        if found.kind not in _KINDS or found.fact.status is Status.RETRACTED:
            continue
        if old is not None:
            if normal_form(old) == normal_form(found.fact.value):
                return position
            continue
        near = found.fact.evidence.turn == passage.index and 0 < i - found.clause <= NEAR
        follows = i <= 1 and plain and found.fact.evidence.turn < passage.index
        return position if near or follows else None
    return None
