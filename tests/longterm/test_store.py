"""The store as a whole: owners, isolation, opening, errors."""

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pysqlite3.dbapi2
import pytest

from hma.errors import ConfigError, InvalidInput, NotFound, SchemaMismatch, StoreBusy
from hma.longterm.store import SqlStore
from hma.records import Effect, Owner


@pytest.mark.parametrize(
    "owner",
    [
        Owner(""),
        Owner("  \t"),
        Owner("a\0b"),
        Owner("x" * 257),
        Owner("\ud800"),
        Owner("ana", tenant=""),
        Owner("ana", agent="\0"),
        Owner(7),  # type: ignore[arg-type]
    ],
)
def test_an_owner_that_can_be_no_key_is_refused(store: SqlStore, owner: Owner) -> None:
    """There is no default user, and no key that a database would change."""
    with pytest.raises(InvalidInput):
        store.of(owner)


def test_an_unknown_owner_has_an_empty_memory_and_no_row(store: SqlStore) -> None:
    """Reading creates nothing."""
    memory = store.of(Owner("nobody"))
    snapshot = memory.snapshot()
    assert (snapshot.version, snapshot.facts, snapshot.last_seen) == (0, (), None)
    assert memory.vectors().rows.shape == (0, 32)
    assert not memory.history()
    assert not memory.recent(5)
    assert memory.partition is None
    assert store.owners() == []


def test_owners_are_kept_apart_by_all_four_keys(store: SqlStore, ana: Any) -> None:
    """Tenant, user, agent and group make a partition, each for itself."""
    ana.learn("home", "Porto")
    fact = ana.memory.snapshot().facts[0]
    for other in (
        Owner("Ana"),
        Owner("ana", tenant="t2"),
        Owner("ana", agent="coach"),
        Owner("ana", group="b"),
    ):
        memory = store.of(other)
        assert memory.snapshot().facts == ()
        with pytest.raises(NotFound):
            memory.fact(fact.id)
        with pytest.raises(NotFound):
            memory.forget(fact.id)
    assert store.owners() == [Owner("ana")]


def test_a_decision_cannot_close_another_users_fact(ana: Any, ben: Any) -> None:
    """A foreign id in `against` is no fact of this owner, and nothing is written."""
    ana.learn("home", "Porto")
    stolen = ana.memory.snapshot().facts[0].id
    with pytest.raises(NotFound):
        ben.learn("home", "Faro", Effect.SUPERSEDE, [stolen])
    assert ana.values("home") == ["Porto"]
    assert ben.values("home") == []


def test_what_was_written_is_there_after_opening_again(
    open_store: Callable[..., SqlStore], ana: Any
) -> None:
    """Facts, turns and traces outlive the process."""
    ana.learn("pet", "小橘猫", text="我养了小橘猫")
    ana.memory.save_trace("tr1", ana.clock(), {"prompt": "你好"})
    again = open_store().of(Owner("ana"))
    assert [fact.value for fact in again.snapshot().facts] == ["小橘猫"]
    assert again.recent(1)[0].text == "我养了小橘猫"
    assert again.trace("tr1") == {"prompt": "你好"}


def test_the_file_is_for_its_owners_eyes_only(url: str, ana: Any) -> None:
    """The database and its side files can't be read by other accounts."""
    ana.learn("home", "Porto")
    folder = Path(url.removeprefix("sqlite:///")).parent
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {0o600}


@pytest.mark.parametrize(
    "bad", ["no url", "mysql://h/db", "sqlite://", "sqlite:///:memory:", "oracle://x"]
)
def test_a_url_that_cannot_be_used_says_what_can(bad: str, open_store: Any, clock: Any) -> None:
    """The message names the key."""
    with pytest.raises(ConfigError, match=r"store\.url"):
        SqlStore.open(bad, embedder=None, slots=None)  # type: ignore[arg-type]


def test_a_file_that_is_no_database_is_refused(
    url: str, open_store: Callable[..., SqlStore]
) -> None:
    """Rubbish is reported as such, and left as it is."""
    path = Path(url.removeprefix("sqlite:///"))
    path.parent.mkdir(parents=True)
    path.write_bytes(b"rubbish " * 1000)
    with pytest.raises(SchemaMismatch, match="damaged"):
        open_store()
    assert path.read_bytes().startswith(b"rubbish")


def test_a_lock_held_for_too_long_is_a_typed_error(
    url: str, open_store: Callable[..., SqlStore]
) -> None:
    """Readers go on, writers get `StoreBusy` without the user's words, and recover."""
    store = open_store(wait=0.2)
    memory = store.of(Owner("ana"))
    memory.save_trace("t1", store._shared.now(), {"said": "secret"})
    blocker = pysqlite3.dbapi2.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    assert memory.trace("t1") == {"said": "secret"}
    with pytest.raises(StoreBusy) as caught:
        memory.save_trace("t2", store._shared.now(), {"said": "secret"})
    assert "secret" not in str(caught.value)
    blocker.execute("ROLLBACK")
    blocker.close()
    memory.save_trace("t2", store._shared.now(), {})


def test_a_listener_that_fails_does_not_undo_a_commit(
    open_store: Callable[..., SqlStore], ana: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The commit stands, and the failure is logged by its kind alone."""

    def listener(owner: Owner) -> None:
        raise RuntimeError("the index said: my secret")

    ana.memory = open_store(on_commit=listener).of(Owner("ana"))
    ana.learn("home", "Porto")
    assert ana.values("home") == ["Porto"]
    assert "RuntimeError" in caplog.text
    assert "secret" not in caplog.text


def test_the_listener_hears_of_changes_and_of_nothing_else(
    open_store: Callable[..., SqlStore], ana: Any
) -> None:
    """Turns and empty judgements make no orders for the index."""
    heard: list[Owner] = []
    ana.memory = open_store(on_commit=heard.append).of(Owner("ana"))
    turn = ana.say("hello")
    ana.commit(distilled=[turn.id])
    assert heard == []
    ana.learn("home", "Porto")
    ana.memory.forget(ana.memory.snapshot().facts[0].id)
    assert heard == [Owner("ana"), Owner("ana")]
