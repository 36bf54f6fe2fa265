"""Two clocks: when something was true, and when memory knew it."""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, or_

from hma.longterm.tables import facts


def held(valid: datetime, recorded: datetime) -> ColumnElement[bool]:
    """Whether a fact was true at `valid`, as far as memory knew at `recorded`.

    A closing counts only from when it was recorded: before that the fact looked open.
    Intervals hold their start and not their end, so of two facts that follow each other
    exactly one is true at the seam.
    """
    return and_(
        facts.c.recorded_at <= recorded,
        facts.c.valid_from <= valid,
        or_(
            facts.c.closed_at.is_(None),
            facts.c.closed_at > recorded,
            facts.c.valid_to > valid,
        ),
    )


def current() -> ColumnElement[bool]:
    """Whether a fact is what memory holds now."""
    return facts.c.closed_at.is_(None)
