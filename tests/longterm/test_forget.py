"""Forgetting and erasing: what is gone, what stays, what cannot come back."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hma.errors import NotFound
from hma.longterm.store import SqlStore
from hma.records import Effect, Owner, Question, Receipt, Role, Turn, Verdict

Found = Callable[..., dict[str, int]]


@pytest.fixture
def found(url: str) -> Found:
    """Counts how often byte strings occur in any file of the database."""

    def count(*needles: str | bytes) -> dict[str, int]:
        folder = Path(url.removeprefix("sqlite:///")).parent
        data = b"".join(path.read_bytes() for path in folder.iterdir())
        raw = [needle.encode() if isinstance(needle, str) else needle for needle in needles]
        return {repr(needle): data.count(needle) for needle in raw if needle in data}

    return count


def packed(ana: Any, fact_id: str) -> bytes:
    """The bytes of a fact's vector as they stand in the file."""
    vectors = ana.memory.vectors()
    row = vectors.rows[vectors.ids.index(fact_id)]
    return bytes(row.astype("<f2").tobytes())


def test_a_forgotten_fact_is_in_no_table_and_in_no_byte(ana: Any, found: Found) -> None:
    """Rows, versions, quotes, turns, ledger, questions, traces, vectors and the log."""
    old = ana.learn("home", "Qyzzport", text="I live in Qyzzport").opened[0]
    old_vector = packed(ana, old.id)
    fact = ana.learn("home", "齐兹港", Effect.SUPERSEDE, [old.id], text="我搬到了齐兹港").opened[0]
    vector = packed(ana, fact.id)
    ana.say("So you live in QYZZPORT now 齐兹港.", role=Role.ASSISTANT)
    turn = ana.say("maybe back to Qyzzport")
    held = ana.candidate(turn, "home", "Qyzzport")
    ana.commit(
        ana.decide(held, verdict=Verdict.HOLD),
        questions=[Question("q", held, (fact.id,), ana.clock())],
    )
    ana.memory.save_trace("by-id", ana.clock(), {"recalled": [fact.id]})
    ana.memory.save_trace("by-word", ana.clock(), {"prompt": [{"text": "home: 齐兹港"}]})
    ana.memory.save_trace("other", ana.clock(), {"prompt": "Qyzzportuguese"})
    assert len(found("Qyzzport", "齐兹港", vector)) == 3

    receipt = ana.memory.forget(fact.id)

    assert found("Qyzzport ", "QYZZPORT", "齐兹港", vector, old_vector) == {}
    assert found("Qyzzport") == {repr(b"Qyzzport"): 1}, "only as a part of another word"
    assert receipt.counts == {
        "turns": 4,
        "questions": 1,
        "ledger": 3,
        "traces": 2,
        "evidence": 2,
        "facts": 2,
        "vectors": 2,
        "quotes": 0,
    }
    assert ana.memory.history() == ()
    assert {turn.text for turn in ana.memory.recent(9)} == {"[forgotten]"}
    assert ana.memory.queued() == ()
    assert ana.memory.trace("other")
    for trace in ("by-id", "by-word"):
        with pytest.raises(NotFound):
            ana.memory.trace(trace)


def test_other_facts_stay_without_the_forgotten_words(ana: Any) -> None:
    """A fact of the same turn keeps its value and loses the quote that held the words."""
    turn = ana.say("I moved to Porto with my dog Bo. I also drink tea.")
    clause = ana.candidate(turn, "pet", "Bo")
    ana.commit(
        ana.decide(ana.candidate(turn, "home", "Porto")),
        ana.decide(clause),
        distilled=[turn.id],
    )
    ana.learn("likes", "tea", text="Tea is what I like.")
    home = ana.memory.history(attribute="home")[0]
    receipt = ana.memory.forget(home.id)
    assert receipt.counts["quotes"] == 1
    quotes = {fact.value: fact.evidence[0].quote for fact in ana.memory.snapshot().facts}
    assert quotes == {"Bo": "[forgotten]", "tea": "Tea is what I like."}


def test_forgetting_an_old_version_leaves_the_newer_one(ana: Any) -> None:
    """A row takes with it what it replaced and what says the same, not what replaced it."""
    ids: list[str] = []
    for value in ("Porto", "Faro", "Porto", "Braga"):
        against = ids[-1:]
        ids.append(ana.learn("home", value, Effect.SUPERSEDE, against).opened[0].id)
    ana.memory.forget(ids[0])
    left = ana.memory.history()
    assert [(fact.value, fact.superseded_by) for fact in left] == [("Faro", None), ("Braga", None)]
    assert ana.values("home") == ["Braga"]


def test_another_users_words_stay(ana: Any, ben: Any) -> None:
    """Forgetting is bound to one owner as everything is."""
    ben.learn("home", "Porto", text="I live in Porto")
    fact = ana.learn("home", "Porto").opened[0]
    ana.memory.forget(fact.id)
    assert ben.values("home") == ["Porto"]
    assert ben.memory.recent(1)[0].text == "I live in Porto"


def test_old_text_cannot_teach_it_again(ana: Any, found: Found) -> None:
    """A reader that still holds the old turn is refused, and its words are not written."""
    turn = ana.say("I live in Qyzzport")
    candidate = ana.candidate(turn, "home", "Qyzzport")
    fact = ana.commit(ana.decide(candidate)).opened[0]
    ana.memory.forget(fact.id)
    for verdict in Verdict:
        ana.commit(
            ana.decide(candidate, verdict=verdict),
            questions=[Question(f"q{verdict}", candidate, (), ana.clock())],
        )
    assert ana.values("home") == []
    assert ana.memory.snapshot().questions == ()
    assert ana.memory.snapshot().held == ()
    assert {entry.decision.policy for entry in ana.memory.ledger()} == {"tombstone"}
    assert found("Qyzzport") == {}


def test_saying_it_anew_teaches_it_again(ana: Any) -> None:
    """Forgetting binds memory, not the user; the new turn counts even at the same second."""
    ana.memory.forget(ana.learn("home", "Porto").opened[0].id)
    ana.learn("home", "PORTO")
    assert ana.values("home") == ["PORTO"]
    fact = ana.memory.snapshot().facts[0]
    ana.memory.forget(fact.id)
    assert ana.values("home") == []


def test_evidence_outside_the_store_counts_by_time(ana: Any, clock: Any) -> None:
    """An import without turns can't bring back what was forgotten after it."""
    fact = ana.learn("home", "Porto").opened[0]
    loose = ana.candidate(candidate_turn(ana, "Porto"), "home", "Porto")
    ana.memory.forget(fact.id)
    ana.commit(ana.decide(loose))
    assert ana.values("home") == []
    clock.move(days=1)
    ana.commit(ana.decide(loose))
    assert ana.values("home") == ["Porto"]


def candidate_turn(ana: Any, text: str) -> Turn:
    """A turn that was never appended."""
    return Turn("", Role.USER, text, ana.clock())


def test_a_fact_that_is_not_there_cannot_be_forgotten(ana: Any) -> None:
    """Twice is once: the second time there is nothing to prove."""
    with pytest.raises(NotFound):
        ana.memory.forget("nothing")
    fact = ana.learn("home", "Porto").opened[0]
    ana.memory.forget(fact.id)
    with pytest.raises(NotFound):
        ana.memory.forget(fact.id)


def test_erasing_leaves_no_byte_of_the_owner(ana: Any, ben: Any, found: Found) -> None:
    """Texts, ids of the user, vectors, tombstones: all gone; others untouched."""
    ben.learn("pet", "Bo")
    ids = []
    for number in range(60):
        value = f"Qyzz{number}"
        ids.append(ana.learn("other", value, text=f"{value} 齐兹 " * 20).opened[0].id)
        ana.memory.save_trace(f"tr{number}", ana.clock(), {"text": f"{value} " * 50})
    vectors = [packed(ana, fact_id) for fact_id in ids]
    ana.memory.forget(ids[0])
    receipt = ana.memory.erase()
    assert found("Qyzz", "齐兹", "ana", *vectors) == {}
    assert (receipt.counts["facts"], receipt.counts["turns"], receipt.counts["traces"]) == (
        59,
        60,
        59,
    )
    assert ana.memory.snapshot().version == 0
    assert ben.values("pet") == ["Bo"]
    again = ana.memory.erase()
    assert again.counts == {}


def test_erased_facts_are_ordered_out_of_the_index(store: SqlStore, ana: Any) -> None:
    """The orders to delete outlive the owner."""
    fact = ana.learn("home", "Porto").opened[0]
    ana.memory.erase()
    assert [(row.fact_id, row.kind) for row in store.outbox.pending()] == [(fact.id, "erase")]
    ana.learn("home", "Porto")
    assert ana.memory.vectors().version == 1
    assert fact.id not in ana.memory.vectors().ids


def test_many_sizes_and_many_rounds_leave_no_byte(ana: Any, found: Found) -> None:
    """Pages split and merge while rows move: still no copy is left behind."""
    rng = random.Random(7)
    alive: dict[str, str] = {}
    for number in range(60):
        value = f"Qyzz{number:03}x"
        text = f"{value} " + "filler " * rng.choice([1, 5, 40, 400, 900])
        alive[ana.learn("other", value, text=text).opened[0].id] = value
        ana.memory.save_trace(f"tr{number}", ana.clock(), {"prompt": text})
        if number % 3 == 2:
            fact_id = rng.choice(list(alive))
            value = alive.pop(fact_id)
            vector = packed(ana, fact_id)
            ana.memory.forget(fact_id)
            assert found(value, vector) == {}, number


def test_an_open_reader_delays_the_last_byte_and_the_receipt_says_so(
    store: SqlStore, open_store: Callable[..., SqlStore], ana: Any, found: Found
) -> None:
    """SQLite keeps old pages for a reader; the store empties its log when it is closed."""
    quick = open_store(wait=0.1)
    fact = ana.learn("home", "Qyzzport", text="Qyzzport").opened[0]
    with store._shared.database.reading() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM fact").fetchall()
        receipt: Receipt = quick.of(Owner("ana")).forget(fact.id)
    assert receipt.counts["log_busy"] == 1
    assert ana.values("home") == []
    quick.close()
    assert found("Qyzzport") == {}


def test_a_large_memory_is_erased_in_seconds(ana: Any) -> None:
    """More facts than fit one statement's parameters."""
    turn = ana.say("x")
    ana.commit(*(ana.decide(ana.candidate(turn, "other", f"v{n}")) for n in range(600)))
    vectors = ana.memory.vectors()
    assert vectors.rows.shape == (600, 32)
    ana.memory.forget(vectors.ids[0])
    assert ana.memory.erase().counts["facts"] == 599
