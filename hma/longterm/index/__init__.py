"""The vector index: derived from SQL, disposable, never waited for."""
