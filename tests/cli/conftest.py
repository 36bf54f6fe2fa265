"""Run commands as a user does, in a temporary data directory."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def hma(tmp_path: Path) -> Run:
    """`hma("facts", "list", stdin=...)` in a fresh data directory."""

    def run(*arguments: str, stdin: str = "", config: str = "") -> subprocess.CompletedProcess[str]:
        options = ["--data", str(tmp_path / "data")]
        if config:
            (tmp_path / "hma.toml").write_text(config, encoding="utf-8")
            options += ["--config", str(tmp_path / "hma.toml")]
        return subprocess.run(
            [sys.executable, "-m", "hma", *options, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            cwd=tmp_path,
        )

    return run
