"""The `hma` command."""

from hma.cli.app import main

__all__ = ["main"]
