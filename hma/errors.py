"""Every error hma raises, as one tree.

    HmaError
    ├── ConfigError           the configuration is wrong; the message names file, key and mend
    ├── InvalidInput          the caller's text, owner or argument can't be used as it is
    ├── ModelError            the local model can't be loaded or stopped working
    │   ├── ModelNotFound     no such catalogue name or file
    │   ├── ModelBroken       the file is cut, wrong, or too large for this machine
    │   ├── ConstraintLost    generation ran without its grammar; the output was thrown away
    │   └── GenerationTimeout the time limit of one call passed; ask again or raise the limit
    ├── DistillationError     a turn could not be distilled now; it is queued, not lost
    ├── StoreError            the store can't do what was asked
    │   ├── VersionConflict   somebody committed first; judge again on the new version
    │   ├── NotFound          no such fact, trace or question of this owner
    │   ├── SchemaMismatch    the database was written by a newer hma
    │   └── StoreBusy         another process holds the lock for too long; try again
    ├── IndexUnavailable      the vector index can't be used; reads go on, from SQL
    └── PolicyError           a policy failed or answered nonsense; nothing was written

Messages are for people: they say what happened and what to do. They never carry a
user's words, because they end up in logs.
"""


class HmaError(Exception):
    """Base of every error that hma raises on purpose."""


class ConfigError(HmaError):
    """The configuration is wrong. The message names the file, the key and the mend."""


class InvalidInput(HmaError, ValueError):
    """The caller passed something that can't be used; nothing was stored."""


class ModelError(HmaError):
    """The local model can't be loaded, or stopped working."""


class ModelNotFound(ModelError):
    """There is no such catalogue name, or no file at that path."""


class ModelBroken(ModelError):
    """The model file is damaged, of the wrong kind, or too large for this machine."""


class ConstraintLost(ModelError):
    """Text was generated outside its grammar. It was thrown away."""


class GenerationTimeout(ModelError):
    """One call to the model passed its time limit, or was cancelled."""


class DistillationError(HmaError):
    """A turn could not be distilled now. It stays queued and is tried again later."""


class StoreError(HmaError):
    """The long-term store can't do what was asked."""


class VersionConflict(StoreError):
    """Another writer committed first: read again, judge again, commit again."""

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(f"decided on version {expected}, but memory is at version {actual}")
        self.expected = expected
        self.actual = actual


class NotFound(StoreError, LookupError):
    """This owner has no such fact, trace or question."""


class SchemaMismatch(StoreError):
    """The database schema is newer than this version of hma, or damaged."""


class StoreBusy(StoreError):
    """The database stayed locked for longer than the configured wait."""


class IndexUnavailable(HmaError):
    """The vector index can't be opened or read. Recall goes on from SQL alone."""


class PolicyError(HmaError):
    """A policy raised or answered nonsense. The turn's facts were held, not written."""
