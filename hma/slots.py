"""The slot table: what kind of attribute each one is, and what may compete with what."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from hma.errors import ConfigError
from hma.records import Sensitivity
from hma.text import normal_form


class Cardinality(StrEnum):
    """How many current values of one subject's slot can be true at once."""

    ONE = "one"
    PER_OBJECT = "per_object"
    MANY = "many"


class SlotKind(StrEnum):
    """What sort of knowledge a slot holds; decay and recall depend on it."""

    IDENTITY = "identity"
    PREFERENCE = "preference"
    EVENT = "event"
    INSTRUCTION = "instruction"
    STATE = "state"


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class Slot:
    """One row of the table. Days are whole days; 0 means never."""

    name: str
    cardinality: Cardinality = Cardinality.MANY
    kind: SlotKind = SlotKind.PREFERENCE
    sensitivity: Sensitivity = Sensitivity.L1
    scope: str = "global"
    half_life: int = 0
    review_after: int = 0
    depends_on: tuple[str, ...] = ()
    label: Mapping[str, str] = field(default_factory=dict)

    def label_in(self, language: str) -> str:
        """The slot's name in a language, for people to read."""
        return self.label.get(language, self.name.replace("_", " "))

    def compete(self, one: str, other: str) -> bool:
        """Whether two values of the same subject in this slot can't both be current with
        the same polarity, or speak about the same object."""
        if self.cardinality is Cardinality.ONE:
            return True
        return normal_form(one) == normal_form(other)


_SLOT = TypeAdapter(Slot)


class Slots(Mapping[str, Slot]):
    """All slots by name. `Slots.load()` gives the shipped table, extended by the user's."""

    def __init__(self, rows: Mapping[str, Slot]) -> None:
        self._rows = dict(rows)
        for slot in self._rows.values():
            for name in slot.depends_on:
                if name not in self._rows:
                    raise ConfigError(
                        f"slots.{slot.name}.depends_on names {name!r}, which is no slot; "
                        f"known: {', '.join(sorted(self._rows))}"
                    )

    @classmethod
    def load(cls, extra: Mapping[str, Mapping[str, Any]] | None = None) -> "Slots":
        """The shipped table with the rows of `extra` added or overridden key by key.

        Raises:
            ConfigError: a row has an unknown key or a bad value.
        """
        table = tomllib.loads(files("hma").joinpath("slots.toml").read_text(encoding="utf-8"))
        for name, row in (extra or {}).items():
            table[name] = {**table.get(name, {}), **row}
        return cls({name: _row(name, row) for name, row in table.items()})

    def __getitem__(self, name: str) -> Slot:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def _row(name: str, row: Mapping[str, Any]) -> Slot:
    try:
        return _SLOT.validate_python({"name": name, **row})
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"slots.{name}.{key}: {first['msg']}") from error
