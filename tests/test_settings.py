"""Configuration: defaults, file, environment, and errors that say what to write instead."""

from pathlib import Path

import pytest

from hma.errors import ConfigError
from hma.settings import Settings


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "hma.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_has_a_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file the embedded defaults are used."""
    monkeypatch.chdir(tmp_path)
    settings = Settings.load()
    assert settings.model.name == "smollm2-135m"
    assert settings.responder.use == "memory"
    assert settings.index.kind == "chroma"


def test_the_file_is_read_and_the_environment_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A nested key of the environment beats the file's, its neighbours stay."""
    path = _file(tmp_path, "[model]\nname = 'mine'\ncontext_length = 512\n")
    monkeypatch.setenv("HMA_MODEL__NAME", "theirs")
    settings = Settings.load(path)
    assert settings.model.name == "theirs"
    assert settings.model.context_length == 512


def test_responder_may_be_one_word(tmp_path: Path) -> None:
    """`responder = "local"` is short for the table."""
    assert Settings.load(_file(tmp_path, 'responder = "local"')).responder.use == "local"


def test_hma_toml_of_the_working_directory_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The default file is used without being named."""
    _file(tmp_path, "[agent]\nwindow = 5\n")
    monkeypatch.chdir(tmp_path)
    assert Settings.load().agent.window == 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[modle]\n", ["hma.toml", "modle", "did you mean 'model'"]),
        ("[model]\nnmae = 'x'\n", ["hma.toml", "model.nmae", "did you mean 'name'"]),
        ("[agent]\nwindow = 0\n", ["hma.toml", "agent.window", "greater than or equal to 1"]),
        ("[index]\nkind = 'faiss'\n", ["hma.toml", "index.kind", "'chroma' or 'none'"]),
        ("[meta]\nmode = 'cloud'\n", ["hma.toml", "meta.mode", "embedded"]),
        ("[model\n", ["hma.toml", "not valid TOML"]),
    ],
)
def test_a_wrong_key_or_value_names_file_key_and_mend(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    """One line says where the fault stands and what to write."""
    with pytest.raises(ConfigError) as caught:
        Settings.load(_file(tmp_path, text))
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_wrong_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bad value from the environment is blamed on the environment."""
    monkeypatch.setenv("HMA_AGENT__WINDOW", "many")
    with pytest.raises(ConfigError, match="HMA_AGENT__WINDOW"):
        Settings.load(_file(tmp_path, ""))


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    """A typo in --config is not silently the defaults."""
    with pytest.raises(ConfigError, match="no such file"):
        Settings.load(tmp_path / "other.toml")


def test_relative_places_lie_in_the_data_directory(tmp_path: Path) -> None:
    """A relative SQLite path and index folder follow `data`; absolute ones don't."""
    settings = Settings.load(_file(tmp_path, ""), data=tmp_path / "d")
    assert settings.store_url() == f"sqlite:///{tmp_path}/d/hma.db"
    assert settings.index_place() == f"{tmp_path}/d/index"
    server = _file(tmp_path, "[index]\npath = 'http://127.0.0.1:8000'\n")
    assert Settings.load(server).index_place() == "http://127.0.0.1:8000"
    absolute = Settings.load(_file(tmp_path, "[store]\nurl = 'sqlite:////srv/x.db'\n"))
    assert absolute.store_url() == "sqlite:////srv/x.db"
