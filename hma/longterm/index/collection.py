"""Chroma behind four calls. The only module that knows `chromadb`.

Only ids, vectors and partition keys go in, never text. chromadb takes a second to
import, so it is imported when the first collection is opened.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from hma.errors import IndexUnavailable
from hma.models.base import Vector

NAME = "hma-facts"
BATCH = 500
_PARTITION = "partition"
_HTTP_PORT = 8000


class Collection:
    """One Chroma collection of unit vectors under cosine distance.

    Errors of chromadb come out as they are; whoever holds the collection treats any of
    them as damage.
    """

    def __init__(self, client: Any, name: str = NAME, *, fresh: bool = False) -> None:
        self._client = client
        if fresh and name in {found.name for found in client.list_collections()}:
            client.delete_collection(name)
        self._collection = client.get_or_create_collection(
            name, embedding_function=_refusing(), metadata={"hnsw:space": "cosine"}
        )

    @classmethod
    def at_path(cls, path: Path) -> "Collection":
        """The collection in a folder, made if it is not there."""
        chromadb = _chromadb()
        return cls(chromadb.PersistentClient(path=str(path), settings=_settings()))

    @classmethod
    def at_server(cls, url: str, name: str, *, fresh: bool = False) -> "Collection":
        """The collection `name` of a Chroma server, emptied first if `fresh`.

        Raises:
            IndexUnavailable: the server does not answer.
        """
        parts = urlsplit(url)
        try:
            client = _chromadb().HttpClient(
                host=parts.hostname or "localhost",
                port=parts.port or _HTTP_PORT,
                ssl=parts.scheme == "https",
                settings=_settings(),
            )
            return cls(client, name, fresh=fresh)
        except Exception as error:  # the client raises bare ValueErrors too
            raise IndexUnavailable(
                f"the Chroma server at {parts.netloc} does not answer; start it, "
                "or mend [index] path"
            ) from error

    def put(self, rows: Mapping[str, tuple[str, Vector]]) -> None:
        """Insert or replace `(partition, vector)` by fact id."""
        for ids in batches(list(rows)):
            self._collection.upsert(
                ids=ids,
                embeddings=[rows[one][1] for one in ids],
                metadatas=[{_PARTITION: rows[one][0]} for one in ids],
            )

    def remove(self, ids: Sequence[str]) -> None:
        """Delete; unknown ids are fine."""
        for some in batches(ids):
            self._collection.delete(ids=some)

    def ids(self) -> set[str]:
        """All ids."""
        return set(self._collection.get(include=[])["ids"])

    def count(self) -> int:
        """Number of vectors."""
        return int(self._collection.count())

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """Stored vectors by id."""
        found = self._collection.get(ids=list(ids), include=["embeddings"])
        rows = np.asarray(found["embeddings"], dtype=np.float32)
        return dict(zip(found["ids"], rows, strict=True))

    def nearest(
        self, vector: Vector, k: int, partition: str | None = None
    ) -> list[tuple[str, float]]:
        """Ids and cosines of the nearest vectors, best first, of one partition or of all."""
        found = self._collection.query(
            query_embeddings=[vector],
            n_results=k,
            where=None if partition is None else {_PARTITION: partition},
            include=["distances"],
        )
        return [
            (found_id, 1.0 - float(distance))
            for found_id, distance in zip(found["ids"][0], found["distances"][0], strict=True)
        ]

    def close(self) -> None:
        """Let go of files, threads and connections."""
        # chromadb 1.5 never closes the HTTP sessions of a server's client, of which it has two.
        clients = (self._client, getattr(self._client, "_admin_client", None))
        sessions = [getattr(getattr(one, "_server", None), "_session", None) for one in clients]
        self._client.close()
        for session in sessions:
            if session is not None:
                session.close()


def batches(ids: Sequence[str]) -> Iterator[list[str]]:
    """Pieces of at most `BATCH`."""
    return (list(ids[start : start + BATCH]) for start in range(0, len(ids), BATCH))


def _chromadb() -> Any:
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
    import chromadb  # a second of imports, wanted only when an index opens

    return chromadb


def _settings() -> Any:
    return _chromadb().Settings(anonymized_telemetry=False)


def _refusing() -> Any:
    """An embedding function that raises: without one, Chroma fetches a model from the net."""
    from chromadb.api.types import EmbeddingFunction

    class Refusing(EmbeddingFunction):  # type: ignore[misc]
        """Refuses to embed."""

        def __init__(self) -> None:
            """No state."""

        def __call__(self, input: Any) -> Any:
            raise IndexUnavailable("vectors must be handed in; the index never embeds text")

        @staticmethod
        def name() -> str:
            """The name under which Chroma files it."""
            return "hma-refusing"

        def get_config(self) -> dict[str, Any]:
            """Nothing to configure."""
            return {}

        @staticmethod
        def build_from_config(config: dict[str, Any]) -> "Refusing":
            """A new one."""
            return Refusing()

    return Refusing()
