"""The command line: global options, the commands, and errors as one line without a traceback.

Exit codes: 0 all well, 1 a fault was found or the work failed, 2 wrong usage or configuration.
"""

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from hma.cli.chat import chat
from hma.cli.distil import distil, schema
from hma.cli.facts import facts
from hma.cli.models import models
from hma.cli.operate import bench, doctor, migrate, reindex
from hma.cli.options import Options, errors
from hma.cli.play import play
from hma.cli.terminal import tolerate_any_text
from hma.cli.trace import trace
from hma.errors import ConfigError, HmaError, InvalidInput
from hma.meta.privacy.logs import RedactingFilter

app = typer.Typer(
    name="hma",
    help="A memory for LLM agents: offline, versioned, with evidence for every fact.\n\n"
    "Example:  hma --data ./memory chat --user ana",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def _globals(
    context: typer.Context,
    config: Annotated[
        Path | None, typer.Option("--config", help="Configuration file (default: ./hma.toml).")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Directory of the embedded store (default: the user's)."),
    ] = None,
) -> None:
    context.obj = Options(config, data)


for command in (chat, distil, schema, play, trace, doctor, reindex, migrate, bench):
    app.command()(command)
app.add_typer(facts, name="facts")
app.add_typer(models, name="models")


def main() -> None:
    """Run the command line; a user's mistake gives one line on standard error."""
    tolerate_any_text()
    handler = logging.StreamHandler()
    handler.addFilter(RedactingFilter())
    logging.basicConfig(
        level=logging.WARNING, format="%(levelname)s %(message)s", handlers=[handler]
    )
    try:
        app()
    except (ConfigError, InvalidInput) as error:
        _fail(error, 2)
    except HmaError as error:
        _fail(error, 1)
    except BrokenPipeError:
        # the reader of our output went away (`hma facts list | head`); nothing is wrong
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        # a full disk under the output, a terminal that is gone; the file's name may hold anything
        _fail(HmaError(f"the system refused ({error.strerror}); nothing more was done"), 1)


def _fail(error: HmaError, code: int) -> None:
    errors.print(f"[red]hma:[/red] {escape(str(error))}", highlight=False, soft_wrap=True)
    sys.exit(code)
