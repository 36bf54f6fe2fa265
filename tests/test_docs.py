"""The documentation tells the truth: every command and key is documented, examples run."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel
from typer.main import get_command

from hma.cli.app import app
from hma.meta import policies as shipped
from hma.settings import Settings

ROOT = Path(__file__).parent.parent


def _commands() -> list[list[str]]:
    found = []
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        group = getattr(command, "commands", None)
        found += [[name, one] for one in group] if group else [[name]]
    return found


@pytest.mark.parametrize("path", _commands(), ids=" ".join)
def test_each_command_is_documented_and_has_an_example(path: list[str]) -> None:
    """docs/commands.md names it; its help shows an example."""
    docs = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert f"hma {' '.join(path)}" in docs
    command = get_command(app)
    for name in path:
        command = command.commands[name]  # type: ignore[attr-defined]
    assert "Example:" in (command.help or "")


def _keys(model: type[BaseModel], prefix: str = "") -> list[str]:
    keys = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            keys += _keys(kind, f"{prefix}{name}.")
        else:
            keys.append(prefix + name)
    return keys


@pytest.mark.parametrize("key", _keys(Settings))
def test_each_key_is_documented(key: str) -> None:
    """docs/configuration.md has a row for it."""
    docs = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert f"| `{key}` |" in docs


@pytest.mark.parametrize("name", ["barista.py", "policy.py"])
def test_each_example_runs(name: str) -> None:
    """As a user runs it."""
    result = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    said = {"barista.py": "oat milk", "policy.py": "-> ['Oslo']"}
    assert said[name] in result.stdout


def test_the_readme_code_runs(tmp_path: Path) -> None:
    """The Python block of the README, as it stands."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "hma.toml").write_text(f'data = "{tmp_path}/data"\n', encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert "vegan" in result.stdout


def test_links_between_documents_lead_somewhere() -> None:
    """Every relative link in the Markdown files exists."""
    for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("name", shipped.__all__)
def test_each_policy_and_its_options_are_documented(name: str) -> None:
    """docs/configuration.md names the class and every option with its default."""
    docs = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert f"`{name}`" in docs
    for option in inspect.signature(getattr(shipped, name)).parameters.values():
        assert re.search(rf"`{option.name} = |`{option.name} ", docs), option.name
