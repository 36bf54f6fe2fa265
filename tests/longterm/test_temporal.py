"""Two clocks, against a model in plain Python: any history, seen from any two times."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hma.longterm.ids import new_id
from hma.longterm.memory import SqlMemory
from hma.longterm.store import SqlStore
from hma.records import (
    Candidate,
    Decision,
    Effect,
    Judgement,
    Owner,
    Polarity,
    Role,
    Span,
    Status,
    Turn,
    Verdict,
)

START = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    """The start of a day."""
    return START + timedelta(days=number)


def test_what_was_true_and_what_was_known_are_two_questions(ana: Any, clock: Any) -> None:
    """Told in March, of a move in February: in between, memory knew no better."""
    clock.now = day(0)
    porto = ana.learn("home", "Porto").opened[0]
    clock.now = day(60)
    turn = ana.say("I moved to Faro a month ago", at=day(30))
    candidate = ana.candidate(turn, "home", "Faro")
    ana.commit(ana.decide(candidate, Effect.SUPERSEDE, [porto.id]))

    def home(valid: int, recorded: int) -> list[str]:
        facts = ana.memory.as_of(valid=day(valid), recorded=day(recorded))
        return [fact.value for fact in facts]

    assert home(valid=45, recorded=50) == ["Porto"]
    assert home(valid=45, recorded=60) == ["Faro"]
    assert home(valid=29, recorded=60) == ["Porto"]
    assert home(valid=30, recorded=60) == ["Faro"]
    assert home(valid=-1, recorded=60) == []
    assert [fact.value for fact in ana.memory.as_of()] == ["Faro"]


def test_two_periods_of_one_value_stay_apart(ana: Any, clock: Any) -> None:
    """Employed, left, employed again."""
    for start in (0, 100):
        clock.now = day(start)
        job = ana.learn("employer", "Acme").opened[0]
        clock.now = day(start + 50)
        ana.learn("employer", "Acme", Effect.RETRACT, [job.id], status=Status.RETRACTED)
    held = [bool(ana.memory.as_of(valid=day(n))) for n in (10, 60, 110, 160)]
    assert held == [True, False, True, False]
    assert len(ana.memory.history(attribute="employer")) == 2


def test_now_is_now_though_the_clock_was_set_back(ana: Any, clock: Any) -> None:
    """What memory holds is what is true as of now, on any clock."""
    ana.learn("home", "Porto")
    clock.move(days=-400)
    assert ana.memory.as_of() == ana.memory.snapshot().facts


def test_a_time_without_a_zone_is_no_time(ana: Any) -> None:
    """The caller must say where."""
    ana.learn("home", "Porto")
    with pytest.raises(ValueError, match="zone"):
        ana.memory.as_of(valid=datetime(2026, 1, 1))


# --- the property --------------------------------------------------------------------

SLOTS = ("home", "schedule")  # the second depends on the first
VALUES = ("Porto", "里斯本", "Bo", "the cat")


@dataclass(frozen=True)
class Step:
    """Something said `late` days before it is committed, `wait` days after the last step."""

    wait: int
    late: int
    effect: Effect
    attribute: str
    value: str
    target: int


@dataclass(frozen=True)
class Row:
    """The model's fact."""

    value: str
    attribute: str
    valid_from: datetime
    recorded_at: datetime
    valid_to: datetime | None = None
    closed_at: datetime | None = None

    def held(self, valid: datetime, recorded: datetime) -> bool:
        """Whether it was true at `valid` for who knew what was recorded at `recorded`."""
        if self.recorded_at > recorded or self.valid_from > valid:
            return False
        known_end = self.valid_to if self.closed_at and self.closed_at <= recorded else None
        return known_end is None or valid < known_end


steps = st.builds(
    Step,
    wait=st.integers(0, 3),
    late=st.integers(0, 6),
    effect=st.sampled_from([Effect.NEW, Effect.SUPERSEDE, Effect.RETRACT, Effect.REPEAT]),
    attribute=st.sampled_from(SLOTS),
    value=st.sampled_from(VALUES),
    target=st.integers(0, 9),
)


class Pair:
    """The store and the model, told the same."""

    def __init__(self, memory: SqlMemory, clock: Any) -> None:
        self.memory = memory
        self.clock = clock
        self.clock.now = day(0)
        self.rows: list[Row] = []
        self.ids: list[str] = []

    def take(self, number: int, step: Step) -> None:
        """Carry one step out on both sides."""
        now = self.clock.move(days=step.wait)
        said = now - timedelta(days=step.late)
        alive = [
            place
            for place, row in enumerate(self.rows)
            if row.closed_at is None and row.attribute == step.attribute
        ]
        target = [alive[step.target % len(alive)]] if alive and step.effect != Effect.NEW else []
        self._commit(number, step, said, target)
        if step.effect in {Effect.SUPERSEDE, Effect.RETRACT}:
            for place in target:
                row = self.rows[place]
                end = max(said, row.valid_from)
                self.rows[place] = replace(row, valid_to=end, closed_at=now)
        repeated = step.effect is Effect.REPEAT and target
        if step.effect is not Effect.RETRACT and not repeated:
            self.rows.append(Row(step.value, step.attribute, said, now))

    def _commit(self, number: int, step: Step, said: datetime, target: Sequence[int]) -> None:
        turn = Turn(f"t{number}", Role.USER, f"so: {step.value}", said)
        self.memory.append(turn)
        span = Span(0, 0, len(turn.text), turn.text, turn.id)
        candidate = Candidate(
            "user", step.attribute, step.value, Polarity.POSITIVE, Status.ASSERTED, span, 0.9
        )
        against = tuple(self.ids[place] for place in target)
        decision = Decision(candidate, Verdict.ADMIT, step.effect, against, "p", "r")
        done = self.memory.commit(
            Judgement(number, (decision,)), distilled=[turn.id], at=self.clock()
        )
        assert done.version == number + 1
        self.ids += [fact.id for fact in done.opened if fact.id not in self.ids]


@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(steps, min_size=1, max_size=12),
    looks=st.lists(st.tuples(st.integers(-8, 40), st.integers(-2, 40)), min_size=5, max_size=5),
)
def test_any_history_reads_as_the_model_says(
    lasting: tuple[SqlStore, Any], steps: list[Step], looks: list[tuple[int, int]]
) -> None:
    """Current facts, history, vectors, and every as_of agree with a list of plain rows."""
    store, clock = lasting
    memory = store.of(Owner(new_id()))
    pair = Pair(memory, clock)
    for number, step in enumerate(steps):
        pair.take(number, step)
        assert memory.snapshot().facts == tuple(f for f in memory.history() if f.current)
    rows = pair.rows
    current = [row.value for row in rows if row.closed_at is None]
    assert [fact.value for fact in memory.snapshot().facts] == current
    assert len(memory.vectors().ids) == len(current)
    told = [
        Row(f.value, f.attribute, f.valid_from, f.recorded_at, f.valid_to, f.closed_at)
        for f in memory.history()
    ]
    assert told == rows
    for valid, recorded in looks:
        seen = memory.as_of(valid=day(valid), recorded=day(recorded))
        held = [row.value for row in rows if row.held(day(valid), day(recorded))]
        assert [fact.value for fact in seen] == held
