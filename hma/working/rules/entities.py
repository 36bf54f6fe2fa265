"""Names in the window: those that the rules found, and ids written out."""

import re
from collections.abc import Iterable, Iterator

from hma.records import Candidate, EntityLink, Span
from hma.working.rules.passage import Passage

_TYPES = {
    "home": "place",
    "employer": "organization",
    "school": "organization",
    "name": "person",
    "preferred_name": "person",
    "pet": "pet",
    "birthday": "date",
    "budget": "amount",
}
_ID = re.compile(r"(?<![A-Za-z0-9])[A-Z]{1,5}-?\d{4,10}(?![A-Za-z0-9])")
_NAMED = re.compile(r"(?:[A-ZÀ-Þ][\w'’-]+|[小老阿][\u4e00-\u9fff]|[\u4e00-\u9fff]{2,3})$")
_KIN = re.compile(r"^(?:my\b|我)", re.IGNORECASE)
ID_CONFIDENCE = 0.95


def entity_links(facts: Iterable[Candidate], passages: Iterable[Passage]) -> tuple[EntityLink, ...]:
    """Who and what the facts name, and the ids in the turns, each once."""
    links = [*_from_facts(facts), *(link for p in passages for link in _ids(p))]
    return tuple({(link.type, link.name): link for link in reversed(links)}.values())[::-1]


def _from_facts(facts: Iterable[Candidate]) -> Iterator[EntityLink]:
    for fact in facts:
        kind = _TYPES.get(fact.attribute)
        if kind and not (kind == "pet" and not _NAMED.match(fact.value)):
            yield EntityLink(kind, fact.value, fact.evidence, fact.confidence)
        if fact.subject != "user" and not _KIN.match(fact.subject):
            yield EntityLink("person", fact.subject, fact.evidence, fact.confidence)


def _ids(passage: Passage) -> Iterator[EntityLink]:
    for match in _ID.finditer(passage.turn.text):
        span = Span(passage.index, *match.span(), match[0], passage.turn.id)
        yield EntityLink("other", match[0], span, ID_CONFIDENCE, id=match[0])
