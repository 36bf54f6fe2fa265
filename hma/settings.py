"""Configuration: defaults, then `hma.toml`, then `HMA_*` environment variables (which win).

Nested keys use two underscores in the environment: `HMA_MODEL__NAME=smollm2-135m`.
"""

import difflib
import tomllib
from pathlib import Path
from typing import Any, Literal, get_args

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)
from sqlalchemy import make_url

from hma.errors import ConfigError

DEFAULT_FILE = "hma.toml"
_SHORT = 12  # characters of a value that an error may repeat


class Section(BaseModel):
    """A table of the file; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelSettings(Section):
    """[model]: the distiller.

    Attributes:
        name: a catalogue name (`hma models list`).
        path: a GGUF file of your own; wins over `name`.
        adapter: a LoRA file in llama.cpp's format, on top of the model.
        context_length: tokens of prompt and output together.
        threads: CPU threads; empty means all cores for prompts and half of them for single tokens.
        max_facts: how many facts the model may write for one piece of a turn. An untuned
            small model fills what it is given, and each costs time.
        max_output_tokens: bound on what one distillation may generate.
        time_limit: seconds one distillation may take.
    """

    name: str = "smollm2-135m"
    path: Path | None = None
    adapter: Path | None = None
    context_length: int = Field(2048, ge=256, le=131_072)
    threads: int | None = Field(None, ge=1, le=256)
    max_facts: int = Field(1, ge=1, le=6)
    max_output_tokens: int = Field(160, ge=16, le=4096)
    time_limit: float = Field(20.0, gt=0, le=600)


class ResponderSettings(Section):
    """[responder]: the agent's voice.

    Attributes:
        use: "memory" (plain sentences from memory), "local" (the GGUF speaks), the base URL of
            an OpenAI-compatible server ("http://127.0.0.1:8000/v1"), or `module:Class`.
        model: model name sent to the server.
        api_key_env: name of the environment variable that holds the server's key.
        timeout: seconds to wait for the server.
        max_tokens: bound on a generated reply.
    """

    use: str = "memory"
    model: str = "default"
    api_key_env: str = "OPENAI_API_KEY"
    timeout: float = Field(60.0, gt=0, le=600)
    max_tokens: int = Field(256, ge=16, le=8192)


class StoreSettings(Section):
    """[store]: where the truth is kept.

    Attributes:
        url: an SQLAlchemy URL. A relative SQLite path lies in the data directory.
    """

    url: str = "sqlite:///hma.db"


class IndexSettings(Section):
    """[index]: the vector index, derived from the store.

    Attributes:
        kind: "chroma", or "none" (recall scores exactly from SQL; right for small stores).
        path: folder of the embedded index (a relative one lies in the data directory), or
            the address of a Chroma server ("http://127.0.0.1:8000").
    """

    kind: Literal["chroma", "none"] = "chroma"
    path: str = "index"


class MetaSettings(Section):
    """[meta]: the policies.

    Attributes:
        mode: "embedded": the policies run in the process.
        policies: a table per kind (privacy, admission, conflict, decay, asking, recall), each
            with `use = "module:Class"` and that class's options.
    """

    mode: Literal["embedded"] = "embedded"
    policies: dict[str, dict[str, Any]] = Field(default_factory=dict)


class AgentSettings(Section):
    """[agent]: the loop.

    Attributes:
        window: how many of the last turns working memory looks at.
        max_characters: longest message that is accepted.
    """

    window: int = Field(12, ge=1, le=200)
    max_characters: int = Field(20_000, ge=100, le=1_000_000)


class Settings(BaseSettings):
    """Everything that can be configured.

    Attributes:
        data: directory of the embedded store, index and model registry.
        slots: rows that extend or override the slot table (see `hma/slots.toml`).
    """

    model_config = SettingsConfigDict(
        env_prefix="HMA_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    data: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("hma")))
    model: ModelSettings = ModelSettings()
    responder: ResponderSettings = ResponderSettings()
    store: StoreSettings = StoreSettings()
    index: IndexSettings = IndexSettings()
    meta: MetaSettings = MetaSettings()
    agent: AgentSettings = AgentSettings()
    slots: dict[str, dict[str, Any]] = Field(default_factory=dict)

    @field_validator("responder", mode="before")
    @classmethod
    def _responder_as_word(cls, value: object) -> object:
        return {"use": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _expand_data(self) -> "Settings":
        # frozen models are set through object.__setattr__; "~" must mean home in the file too
        object.__setattr__(self, "data", _expanded(self.data))
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file, whose content arrives as init arguments."""
        return env_settings, init_settings

    @classmethod
    def load(cls, file: Path | str | None = None, *, data: Path | str | None = None) -> "Settings":
        """Read `file` (default: `hma.toml` of the working directory, if there is one).

        Args:
            file: a TOML file; one that is named must exist.
            data: overrides the data directory of file and environment.

        Raises:
            ConfigError: the file can't be read, or a key is unknown or has a bad value.
        """
        path = Path(file) if file else Path(DEFAULT_FILE)
        table = _read(path) if file or path.is_file() else {}
        try:
            settings = cls(**table)
        except ValidationError as error:
            # the error holds the values, and a value may be a key: it does not hang on ours
            raise ConfigError(_explain(error, path, table)) from None
        except SettingsError as error:
            raise ConfigError(f"environment: {error}; write a JSON object there") from None
        if data is None:
            return settings
        return settings.model_copy(update={"data": _expanded(Path(data))})

    def isolated(self, folder: Path | str) -> "Settings":
        """The same settings with store and index of their own, under `folder`: for trying
        things without touching anybody's memory."""
        return self.model_copy(
            update={
                "data": Path(folder),
                "store": StoreSettings(),
                "index": IndexSettings(kind=self.index.kind),
            }
        )

    def store_url(self) -> str:
        """The store's URL, with a relative SQLite path placed in the data directory."""
        prefix = "sqlite:///"
        url = self.store.url
        if not url.startswith(prefix) or url.startswith(prefix + "/") or ":memory:" in url:
            return url
        parsed = make_url(url)
        # not by joining strings: "?" and "%" in the directory's name are not the URL's own
        file = (self.data / str(parsed.database)).absolute()
        return parsed.set(database=str(file)).render_as_string(hide_password=False)

    def index_place(self) -> str:
        """The index's folder, a relative one placed in the data directory, or its server."""
        path = self.index.path
        return path if "://" in path else str((self.data / path).absolute())


def _expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # no such user, or no home directory
        raise ConfigError(f"data: {path} names no home directory; write the path in full") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; check --config") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: can't be read ({type(error).__name__})") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: is not valid TOML: {error}") from error


def _explain(error: ValidationError, path: Path, table: dict[str, Any]) -> str:
    """One line for the first fault: where it stands, what is wrong, what to write."""
    first = error.errors()[0]
    keys = [str(part) for part in first["loc"]]
    name = ".".join(keys)
    place = path.name if _holds(table, keys) else f"environment HMA_{'__'.join(keys).upper()}"
    if first["type"] == "extra_forbidden":
        known = _known_keys(keys[:-1])
        close = difflib.get_close_matches(keys[-1], known, n=1)
        mend = f"did you mean {close[0]!r}?" if close else f"known keys: {', '.join(known)}"
        return f"{place}: {name} is no key of hma; {mend}"
    return f"{place}: {name}: {first['msg']} (got {_shown(first['input'])})"


def _shown(value: object) -> str:
    """A wrong value as an error may name it: short words and plain numbers, never a key."""
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, str) and len(value) <= _SHORT and value.isalpha():
        return repr(value)
    return f"a {type(value).__name__}"


def _holds(table: dict[str, Any], keys: list[str]) -> bool:
    node: Any = table
    for key in keys:
        if not isinstance(node, dict) or key not in node:
            return False
        node = node[key]
    return True


def _known_keys(parents: list[str]) -> list[str]:
    model: type[BaseModel] = Settings
    for key in parents:
        field = model.model_fields.get(key)
        kinds = [field.annotation, *get_args(field.annotation)] if field else []
        sections = [k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)]
        if not sections:
            return []
        model = sections[0]
    return sorted(model.model_fields)
