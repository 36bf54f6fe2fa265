"""The rule reader: runs the rule books over the user's turns of a window."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from hma.records import Candidate, Reader, Role, Span, Status, Window
from hma.text import has_cjk
from hma.working.base import Reading
from hma.working.noise import is_noise
from hma.working.rules.constraints import constraints
from hma.working.rules.corrections import correct
from hma.working.rules.entities import entity_links
from hma.working.rules.found import Found
from hma.working.rules.passage import MAX_CLAUSE, MAX_FACTS, Passage
from hma.working.rules.rule import Rule, RuleBook, load
from hma.working.rules.values import values

CONTEXT = 4
"""How many turns before the new ones may be corrected by them."""

_FIRST_PERSON = re.compile(
    r"(?:i|i['’]?m|i['’]ve|we)\b|我(?!的?(?:儿|女|老|妈|爸|父|母|朋|同|弟|妹|哥|"
    r"姐|爷|奶|外|舅|叔|邻|男|室|领|太|爱))",
    re.IGNORECASE,
)
_TRIGGER = re.compile(
    r"\b(?:i|i['’]?m|i['’]?ve|i['’]d|my|we|we['’]re|we['’]ve|our|me|name['’]s|not|never|"
    r"always|don['’]?t|stop|please|"
    r"from now|(?:and|but) (?:work|live|love|like|hate|have|own|drive|speak|play|study|am|"
    r"moved|got|can|enjoy)|in future|in the future|going forward|home|every|each|no longer|"
    r"gone)\b|(?-i:[A-Z][\w'-]+ "
    r"(?:\w+ )?(?:is|has|lives|works|loves|likes|hates|adores|moved)\b)|[\u4e00-\u9fff]",
    re.IGNORECASE,
)
_ELIDED = re.compile(
    r"(?:work|live|love|like|hate|have|own|drive|speak|play|study|am|moved|got|can['’]?t|"
    r"don['’]?t|enjoy)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\W*(?:just kidding|jk|kidding|only joking|开玩笑|逗你|骗你的)", re.IGNORECASE
)
# "Forget that I like jazz": what follows is taken back.
_FORGET = re.compile(
    r"(?:please\s+)?forget\s+(?:that\s+|about the fact that\s+)?(?=(?:i|i['’]m|i['’]ve|my|we)\b)|"
    r"(?:请|麻烦)?(?:你)?忘(?:掉|了|记)(?=我)",
    re.IGNORECASE,
)
_FORGET_END = re.compile(
    r"(?:的)?(?:这|那)(?:件|个|条)?(?:事情?|信息)?(?:吧)?[。.！!]*$", re.IGNORECASE
)
_PLAY_BEGINS = re.compile(
    r"\b(?:role-?play|let['’]?s pretend|you are playing)|角色扮演|我们来演", re.IGNORECASE
)
_PLAY_ENDS = re.compile(
    r"\b(?:out of character|(?:stop|end)(?: of)? (?:the )?(?:game|role|play)|back to reality)|"
    r"不玩了|回到现实",
    re.IGNORECASE,
)
_TO_ME = re.compile(r"\b(?:me|us|my|please)\b|[我请]", re.IGNORECASE)
_GOES_ON = re.compile(r"\bplease\b|请", re.IGNORECASE)
_AND = re.compile(r"\W*and\b", re.IGNORECASE)
_NOT_PEOPLE = frozenset(
    """I He She It They We You This That There Who What Everyone Everybody Nobody Somebody
    Someone One Here Which
    Today Tomorrow Monday Tuesday Wednesday Thursday Friday Saturday Sunday God My The And But So
    Work Life""".split()
)


class RuleReader:
    """Reads facts, constraints and names by declarative rules. A `FactReader`.

    It would rather say nothing than be wrong: what is quoted, asked, supposed, invented
    or joked is skipped. `confidence` is the prior of the rule that fired.
    """

    def __init__(self, books: Sequence[RuleBook] | None = None) -> None:
        self._books = tuple(books) if books is not None else (load("english"), load("chinese"))

    def read(self, window: Window) -> Reading:
        """What the user's turns from `window.new` on state. Every span is verbatim."""
        passages = [
            Passage(i, turn)
            for i, turn in enumerate(window.turns)
            if turn.role is Role.USER and i >= window.new - CONTEXT and not is_noise(turn.text)
        ]
        found: list[Found] = []
        playing = False
        before = 0
        for passage in passages:
            playing = _plays(passage, playing)
            if _TAKEN_BACK.match(passage.turn.text):
                found = [f for f in found if f.fact.evidence.turn < before]
            before = passage.index
            if playing or passage.mute:
                continue
            facts = list(islice(self._facts(passage), MAX_FACTS))
            found = correct(passage, found, facts)
        new = [p for p in passages if p.index >= window.new]
        facts_read = _once(f.fact for f in found if _is_new(f, window.new))
        return Reading(
            facts=facts_read,
            constraints=tuple(c for p in new if not p.mute for c in constraints(p)),
            entity_links=entity_links(facts_read, new),
        )

    def _facts(self, passage: Passage) -> Iterator[Found]:
        speaks = False  # whether the clause before is about the speaker
        for i, clause in enumerate(passage.clauses):
            continues = speaks and passage.before(i) != ""
            found = list(self._clause_facts(passage, i, continues))
            yield from found
            own = all(one.fact.subject == "user" for one in found)
            speaks = self._first_person(clause.text) or (continues and bool(found) and own)

    def _clause_facts(self, passage: Passage, i: int, continues: bool) -> Iterator[Found]:
        text = passage.clauses[i].text
        if len(text) > MAX_CLAUSE or not _TRIGGER.search(text):
            return
        for book in self._books if has_cjk(text) else self._books[:1]:
            yield from self._read_clause(passage, i, book, continues)

    def _first_person(self, text: str) -> bool:
        """Whether a clause begins with "I"."""
        leads = (book.opener.match(text) for book in self._books)
        return any(_FIRST_PERSON.match(text, lead.end() if lead else 0) for lead in leads)

    def _read_clause(
        self, passage: Passage, i: int, book: RuleBook, continues: bool
    ) -> Iterator[Found]:
        text = passage.clauses[i].text
        opened = book.opener.match(text)
        at = opened.end() if opened else 0
        shift = 0
        forget = _FORGET.match(text, at)
        if forget is not None:
            at, text = forget.end(), _FORGET_END.sub("", text)
        if continues and not has_cjk(text) and _ELIDED.match(text, at):
            text, shift = f"{text[:at]}I {text[at:]}", 2
        for rule in book.rules:
            if rule.elided and i > 0 and not continues:
                continue
            for pattern in rule.patterns:
                match = pattern.match(text, at)
                if match is not None:
                    found = _read_match(passage, i, rule, match, shift)
                    yield from map(_taken_back, found) if forget else found
                    break


def _read_match(
    passage: Passage, i: int, rule: Rule, match: re.Match[str], shift: int
) -> Iterator[Found]:
    clause = passage.clauses[i]
    subject = _subject(match)
    if subject is None or _silenced(passage, i, rule, clause.start + match.start("v") - shift):
        return
    holder = passage.sentence(i) if rule.whole else clause
    if len(holder.text) > MAX_CLAUSE:
        return
    base = clause.start - holder.start - shift
    start, end = match.start("v"), match.end("v")
    text = match.string
    if rule.whole:
        start, text, base = start + base, holder.text, 0
        end = len(text.rstrip(" .。!！~～"))
    cues = passage.cues(i)
    tentative = "hedge" in cues and rule.status is Status.ASSERTED and not rule.whole
    for left, right in values(rule.kind, text, start, end, rule.split):
        value = text[left:right]
        yield Found(
            Candidate(
                subject=subject,
                attribute=rule.slot,
                value=value,
                polarity=rule.polarity,
                status=Status.TENTATIVE if tentative else rule.status,
                evidence=Span(
                    passage.index, holder.start, holder.end, holder.text, passage.turn.id
                ),
                confidence=rule.prior,
                found_by=(Reader.RULES,),
                cues=tuple(sorted({*cues, *rule.cues})),
                signals={"rule_prior": rule.prior},
            ),
            rule.kind,
            i,
        )


def _taken_back(found: Found) -> Found:
    return replace(found, fact=replace(found.fact, status=Status.RETRACTED))


def _subject(match: re.Match[str]) -> str | None:
    """The subject as named, "user" when none is; None when it is no person."""
    groups = match.groupdict()
    if "who2" not in groups:
        return "user"
    subject = groups["who"] or groups["who2"] or groups["who3"]
    if subject is None or subject in _NOT_PEOPLE:
        return None
    return subject


def _silenced(passage: Passage, i: int, rule: Rule, start: int) -> bool:
    if passage.is_quoted(start) and not passage.is_quoted(passage.clauses[i].start):
        # "my name is "Bob"": only the value is quoted.
        return rule.slot not in ("name", "preferred_name", "pet")
    if passage.is_quoted(start) or passage.reported(i):
        return True
    told = _GOES_ON if _AND.match(passage.clauses[i].text) else _TO_ME
    if rule.whole and passage.before(i) and not told.search(passage.clauses[i].text):
        # "It's sunny here, never write it off": advice within a remark is no instruction.
        return True
    if "question" not in rule.allow and passage.asked(i):
        return True
    return "condition" not in rule.allow and passage.supposed(i)


def _plays(passage: Passage, playing: bool) -> bool:
    """Whether a role play that began in an earlier turn still goes on."""
    text = passage.turn.text
    if _PLAY_ENDS.search(text):
        return False
    if _PLAY_BEGINS.search(text):
        return True
    return playing


def _is_new(found: Found, new: int) -> bool:
    return found.fact.evidence.turn >= new or "replaced" in found.fact.signals


def _once(facts: Iterator[Candidate]) -> tuple[Candidate, ...]:
    kept: dict[tuple[str, ...], Candidate] = {}
    for fact in facts:
        key = (fact.subject, fact.attribute, fact.value, fact.polarity, fact.status)
        if key not in kept:
            kept[key] = fact
    return tuple(kept.values())
