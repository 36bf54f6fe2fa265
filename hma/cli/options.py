"""What the commands share: global options, the user option, printing."""

import getpass
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from hma.bootstrap import open_index, open_store
from hma.cli.terminal import SafeConsole, json_text
from hma.longterm.base import Memory
from hma.records import Owner
from hma.settings import Settings

console = SafeConsole()
errors = SafeConsole(stderr=True)


@dataclass(frozen=True)
class Options:
    """The global options, as typed."""

    config: Path | None
    data: Path | None

    def settings(self) -> Settings:
        """The settings these options select.

        Raises:
            ConfigError: the configuration is wrong.
        """
        return Settings.load(self.config, data=self.data)


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no entry for this uid, as in some containers
        return "me"


User = Annotated[
    str,
    typer.Option("--user", help="Whose memory.", default_factory=_login, show_default="your login"),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


@contextmanager
def open_memory(context: typer.Context, user: str) -> Iterator[Memory]:
    """The memory of `user`, without loading the language model."""
    options: Options = context.obj
    with open_store(options.settings()) as store:
        yield store.of(Owner(user=user))


@contextmanager
def open_erasable(context: typer.Context, user: str) -> Iterator[Memory]:
    """The memory of `user`; at the end the index has followed what was erased.

    When another process owns the index, that process follows, with its next change.
    """
    options: Options = context.obj
    settings = options.settings()
    with open_store(settings) as store:
        yield store.of(Owner(user=user))
        index = open_index(settings, store)
        if index is not None:
            with closing(index):
                index.wait(timeout=120.0)


def print_json(value: Any) -> None:
    """Print one JSON document, as UTF-8 text."""
    typer.echo(json_text(value, indent=2))
