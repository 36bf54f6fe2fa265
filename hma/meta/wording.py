"""A question in words: the old and the new side by side, with dates, in the user's language."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

from hma.meta.matching import Statement
from hma.prompts import render
from hma.records import Fact, Polarity, Question, Source
from hma.slots import Slots

_LONGEST = 120  # characters of a value that are shown
_MONTHS = (
    "January February March April May June July August September October November December".split()
)


def question_text(
    question: Question, facts: Sequence[Fact], slots: Slots, language: str, *, zone: tzinfo = UTC
) -> str:
    """`question` as it is put to the user.

    Args:
        question: the doubt; its candidate is the second side.
        facts: facts to look the first side up in, by the ids of `question.against`.
        slots: the slot table, for labels.
        language: "zh", or anything else for English.
        zone: the user's time zone, for dates.
    """
    language = "zh" if language == "zh" else "en"
    old = [
        {
            **_side(fact, slots, language),
            "date": _date(fact.confirmed_at.astimezone(zone), language),
            "stated": fact.source is Source.USER,
        }
        for fact in facts
        if fact.id in question.against
    ]
    new = _side(question.candidate, slots, language)
    return render(f"question.{language}", old=old, new=new).strip()


def _side(statement: Statement, slots: Slots, language: str) -> dict[str, Any]:
    slot = slots.get(statement.attribute)
    label = slot.label_in(language) if slot else statement.attribute.replace("_", " ")
    return {
        "subject": "" if statement.subject == "user" else _shown(statement.subject),
        "attribute": statement.attribute,
        "label": label,
        "value": _shown(statement.value),
        "affirmed": statement.polarity is Polarity.POSITIVE,
    }


def _shown(text: str) -> str:
    """One line, and not endless: a value is the user's own words."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _date(at: datetime, language: str) -> str:
    # By hand: strftime's month names depend on the machine's locale.
    if language == "zh":
        return f"{at.year}年{at.month}月{at.day}日"
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"
