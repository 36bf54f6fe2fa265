"""A rule, and the rule files it is read from."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from hma.errors import ConfigError
from hma.records import Polarity, Status
from hma.working.rules.values import KINDS


@with_config(ConfigDict(extra="forbid", arbitrary_types_allowed=True))
@dataclass(frozen=True, slots=True)
class Rule:
    """One way to say one thing. english.toml explains the keys."""

    id: str
    slot: str
    kind: str
    prior: float
    patterns: tuple[re.Pattern[str], ...]
    polarity: Polarity = Polarity.POSITIVE
    status: Status = Status.ASSERTED
    split: bool = False
    whole: bool = False
    elided: bool = False
    cues: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The rules of one language, and what may stand before them in a clause."""

    language: str
    opener: re.Pattern[str]
    rules: tuple[Rule, ...]


_RULE = TypeAdapter(Rule)


def load(name: str) -> RuleBook:
    """The shipped rule book "english" or "chinese".

    Raises:
        ConfigError: see `parse`.
    """
    return parse(name, files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def parse(name: str, text: str) -> RuleBook:
    """The rule book written in `text`.

    Raises:
        ConfigError: the text is no TOML, a rule has an unknown key, macro or kind, or a
            pattern doesn't compile.
    """
    try:
        table = tomllib.loads(text)
        macros: dict[str, str] = {}
        for key, value in table.get("macros", {}).items():
            macros[key] = value.format_map(macros)
        opener = re.compile(table.get("opener", ""), re.IGNORECASE)
    except (tomllib.TOMLDecodeError, KeyError, ValueError, re.error) as error:
        raise ConfigError(f"rules {name}: {error}; mend the file's head or macros") from error
    return RuleBook(name, opener, tuple(_rule(name, row, macros) for row in table.get("rule", [])))


def _rule(book: str, row: Mapping[str, Any], macros: Mapping[str, str]) -> Rule:
    label = f"rules {book}, rule {row.get('id', '?')}"
    try:
        patterns = [
            re.compile(pattern.format_map(macros), re.IGNORECASE)
            for pattern in row.get("patterns", ())
        ]
        rule = _RULE.validate_python({**row, "patterns": patterns})
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(f"{label}: {first['loc'][0]}: {first['msg']}") from error
    except (KeyError, ValueError, re.error) as error:
        raise ConfigError(f"{label}: bad pattern: {error}") from error
    if rule.kind not in KINDS:
        raise ConfigError(f"{label}: no kind {rule.kind!r}; known: {', '.join(sorted(KINDS))}")
    return rule
