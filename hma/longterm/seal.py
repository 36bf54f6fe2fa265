"""Keyed fingerprints (HMAC): they recognise a forgotten value without storing it."""

import hashlib
import hmac
import json
import secrets

from sqlalchemy import Connection, insert, select

from hma.longterm.tables import meta
from hma.records import Candidate
from hma.text import normal_form

_KEY = "seal_key"


class Seal:
    """Fingerprints of what a fact says, under the store's own random key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def of_store(cls, connection: Connection) -> "Seal":
        """The seal of this store; its key is made at the first opening (needs the write lock)."""
        found = connection.scalar(select(meta.c.value).where(meta.c.key == _KEY))
        if found is None:
            found = secrets.token_hex(32)
            connection.execute(insert(meta).values(key=_KEY, value=found))
        return cls(bytes.fromhex(found))

    @property
    def identity(self) -> str:
        """16 hexadecimal digits that name this store and give nothing of its key away."""
        return hmac.new(self._key, b"identity", hashlib.sha256).hexdigest()[:16]

    def fingerprint(self, owner_id: int, subject: str, attribute: str, value: str) -> str:
        """64 hexadecimal digits, the same for values of one normal form."""
        said = [owner_id, normal_form(subject), attribute, normal_form(value)]
        return hmac.new(self._key, json.dumps(said).encode(), hashlib.sha256).hexdigest()

    def of_candidate(self, owner_id: int, candidate: Candidate) -> str:
        """The fingerprint of what a candidate says."""
        return self.fingerprint(owner_id, candidate.subject, candidate.attribute, candidate.value)
