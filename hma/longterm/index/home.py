"""Where a local index lives: one folder, one owner process, one live generation.

    <path>/.hma.lock    held by the owner process (flock: a killed process lets go of it)
    <path>/current      the name of the live generation, swapped atomically
    <path>/clean.json   written at an orderly end, removed at start: what was on disk then
    <path>/gen-.../     Chroma's own files

A damaged generation is never repaired: a new one is filled from SQL, the pointer swapped,
the old folder deleted. So are vectors erased for good.
"""

import fcntl
import json
import os
import shutil
import uuid
import zlib
from pathlib import Path
from typing import IO

from hma.errors import IndexUnavailable

_LOCK = ".hma.lock"
_CURRENT = "current"
_CLEAN = "clean.json"
_GENERATION = "gen-"
_CHUNK = 1 << 20


class IndexHome:
    """The folder of a local index, held by this process until `release`."""

    def __init__(self, path: Path, lock: IO[str], kind: str) -> None:
        self._path = path
        self._lock = lock
        self._prefix = f"{_GENERATION}{zlib.crc32(kind.encode()):08x}-"

    @classmethod
    def claim(cls, path: Path, *, kind: str) -> "IndexHome":
        """Become the owner of `path`, made if it is not there.

        `kind` names what the vectors are; generations of another kind are as good as none.

        Raises:
            IndexUnavailable: another process owns it, or the folder can't be written.
        """
        try:
            path.mkdir(parents=True, exist_ok=True)
            lock = (path / _LOCK).open("a")
        except OSError as error:
            raise IndexUnavailable(
                f"the index folder can't be written ({error.strerror}); "
                "mend [index] path or its rights"
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.close()
            raise IndexUnavailable(
                "another process owns the vector index; this one goes on from SQL. To share "
                "one index, run a Chroma server and set [index] path to its http:// address"
            ) from error
        return cls(path, lock, kind)

    def current(self) -> Path | None:
        """The live generation's folder; None if there is none."""
        try:
            name = (self._path / _CURRENT).read_text(encoding="utf-8").strip()
        except OSError:
            return None
        folder = self._path / name
        return folder if name.startswith(self._prefix) and folder.is_dir() else None

    def fresh(self) -> Path:
        """An empty folder for a new generation."""
        folder = self._path / f"{self._prefix}{uuid.uuid4().hex[:12]}"
        folder.mkdir(parents=True)
        return folder

    def adopt(self, folder: Path) -> None:
        """Make `folder` the live generation, and delete all others."""
        draft = self._path / f"{_CURRENT}.new"
        draft.write_text(folder.name, encoding="utf-8")
        draft.replace(self._path / _CURRENT)
        self.sweep()

    def sweep(self) -> None:
        """Delete every generation but the live one."""
        live = self.current()
        for folder in self._path.glob(f"{_GENERATION}*"):
            if folder != live:
                shutil.rmtree(folder, ignore_errors=True)

    def drop(self) -> None:
        """Delete every generation."""
        (self._path / _CURRENT).unlink(missing_ok=True)
        self.sweep()

    def seal(self) -> None:
        """Mark an orderly end with a checksum of each file of the live generation."""
        live = self.current()
        if live is not None:
            draft = self._path / f"{_CLEAN}.new"
            draft.write_text(json.dumps(_checksums(live)), encoding="utf-8")
            draft.replace(self._path / _CLEAN)

    def unseal(self) -> bool:
        """Take the mark away; whether it was there, and for these very files."""
        try:
            sealed = json.loads((self._path / _CLEAN).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            sealed = None
        (self._path / _CLEAN).unlink(missing_ok=True)
        live = self.current()
        return live is not None and sealed == _checksums(live)

    def release(self) -> None:
        """Let another process own the folder."""
        self._lock.close()


def _checksums(folder: Path) -> dict[str, int]:
    """CRC-32 of each file, by its path in the folder: damage is what it must catch."""
    found = {}
    for root, _, names in os.walk(folder):
        for name in names:
            file = Path(root) / name
            found[str(file.relative_to(folder))] = _checksum(file)
    return found


def _checksum(file: Path) -> int:
    value = 0
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            value = zlib.crc32(chunk, value)
    return value
