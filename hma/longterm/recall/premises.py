"""Premises: a question that builds on a value which has changed gets a note that says so."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from hma.longterm.recall.lexicon import stands_in
from hma.longterm.recall.subjects import USER
from hma.records import Closing, Fact, Polarity
from hma.slots import Slots
from hma.text import folded, has_cjk, language_of, normal_form

_MOST_NOTES = 3


def day(at: datetime) -> str:
    """The UTC date of a time, as people read it."""
    return at.date().isoformat()


@dataclass(frozen=True, slots=True)
class _Outdated:
    """A value that no longer holds, as a question would name it, and what holds instead."""

    named: str
    old: Fact
    new: Fact | None


class Premises:
    """What one owner's memory held once and holds no more; computed once per version.

    Args:
        history: all rows of the owner, closed ones too, oldest first.
        slots: the slot table, for labels.
    """

    def __init__(self, history: Sequence[Fact], slots: Slots) -> None:
        self._slots = slots
        self._outdated = tuple(_outdated(history, slots))

    def notes(
        self, query: str, *, asked: Collection[str], exclude: Collection[str]
    ) -> tuple[str, ...]:
        """One sentence, in the query's language, for each outdated value that it mentions.

        Args:
            query: the user's words.
            asked: slots that the query asks for; a bare number counts only in one of these.
            exclude: ids of facts that this very turn stated: no need to tell the user those.
        """
        text = folded(query)
        notes: dict[str, str] = {}
        for one in self._outdated:
            if not stands_in(text, one.named) or _by_chance(one, asked):
                continue
            if one.new is not None and (one.new.id in exclude or _says_both(text, one.new, one)):
                continue
            notes.setdefault(one.named, _sentence(query, one.old, one.new, self._slots))
        return tuple(notes.values())[:_MOST_NOTES]


def _outdated(history: Sequence[Fact], slots: Slots) -> Iterator[_Outdated]:
    """The closed rows worth a note, newest first."""
    current = [fact for fact in history if fact.current]
    held = {_key(fact) for fact in current}
    by_id = {fact.id: fact for fact in history}
    for old in reversed(history):
        if old.current or old.polarity is Polarity.NEGATIVE or _key(old) in held:
            continue
        new = _successor(old, by_id, current, slots)
        if new is not None or old.closing is Closing.RETRACTED:
            yield _Outdated(folded(normal_form(old.value)), old, new)


def _key(fact: Fact) -> tuple[str, str, str, Polarity]:
    return fact.subject, fact.attribute, normal_form(fact.value), fact.polarity


def _by_chance(one: _Outdated, asked: Collection[str]) -> bool:
    """Whether so short a value, or a number, may stand in the question for another reason."""
    if len(one.named) >= (2 if has_cjk(one.named) else 3) and not one.named.isdecimal():
        return False
    return one.old.attribute not in asked


def _successor(
    old: Fact, by_id: dict[str, Fact], current: Sequence[Fact], slots: Slots
) -> Fact | None:
    """The current fact that stands where `old` stood, along the chain of changes."""
    seen: set[str] = set()
    fact: Fact | None = old
    while fact is not None and not fact.current and fact.id not in seen:
        seen.add(fact.id)
        fact = by_id.get(fact.superseded_by or "")
    if fact is not None and fact.current:
        return fact
    slot = slots.get(old.attribute)
    rivals = [one for one in current if _same_slot(one, old)]
    return next((one for one in rivals if slot and slot.compete(old.value, one.value)), None)


def _same_slot(one: Fact, other: Fact) -> bool:
    return (one.subject, one.attribute) == (other.subject, other.attribute)


def _says_both(text: str, new: Fact, one: _Outdated) -> bool:
    """The question names the new value as well: the user knows of the change."""
    value = folded(normal_form(new.value))
    return value != one.named and stands_in(text, value)


def _sentence(query: str, old: Fact, new: Fact | None, slots: Slots) -> str:
    language = language_of(query)
    slot = slots.get(old.attribute)
    label = slot.label_in(language) if slot else old.attribute
    if language == "zh":
        whose = label if old.subject == USER else f"{old.subject}的{label}"
        return _chinese(whose, old, new)
    return _english(label if old.subject == USER else f"{old.subject}'s {label}", old, new)


def _english(label: str, old: Fact, new: Fact | None) -> str:
    if new is None:
        since = f" since {day(old.closed_at)}" if old.closed_at else ""
        return f"You mention {old.value}; that was taken back: {label} is unknown{since}."
    negative = new.polarity is Polarity.NEGATIVE
    now = f"{label}: not {new.value}," if negative else f"{label} is {new.value}"
    return f"You mention {old.value}; that changed: {now} since {day(new.valid_from)}."


def _chinese(label: str, old: Fact, new: Fact | None) -> str:
    if new is None:
        since = f"，{day(old.closed_at)}起" if old.closed_at else "，"
        return f"你提到{old.value}；这已经撤回{since}没有{label}的记录。"
    negative = new.polarity is Polarity.NEGATIVE
    now = f"{label}：不再是{new.value}" if negative else f"{label}是{new.value}"
    return f"你提到{old.value}；这已经变了：自{day(new.valid_from)}起，{now}。"
