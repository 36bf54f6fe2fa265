"""`hma models`: the catalogue of local models."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from hma.bootstrap import catalogue
from hma.cli.options import Json, Options, console, print_json
from hma.models.catalogue import Catalogue
from hma.records import dump

models = typer.Typer(
    help="The local models that hma knows.\n\nExample:  hma models add ~/models/qwen.gguf",
    no_args_is_help=True,
)


def _catalogue(context: typer.Context) -> Catalogue:
    options: Options = context.obj
    return catalogue(options.settings())


@models.command("list")
def list_(context: typer.Context, json: Json = False) -> None:
    """Every model by name.

    Example:  hma models list
    """
    rows = _catalogue(context).list()
    if json:
        print_json([dump(row) for row in rows])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("name", "MB", "context", "languages", "licence", "description"):
        table.add_column(name)
    for row in rows:
        cells = [row.name, f"{row.size / 1e6:.0f}", str(row.context_length)]
        cells += [", ".join(row.languages), row.licence, row.description]
        table.add_row(*(escape(cell) for cell in cells))
    console.print(table)


@models.command()
def add(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A GGUF file of your own.")],
    name: Annotated[str | None, typer.Option("--name", help="Default: the file's name.")] = None,
) -> None:
    """Register your own GGUF file, so that `[model] name` can name it.

    Example:  hma models add ~/models/qwen2.5-0.5b.gguf --name qwen
    """
    entry = _catalogue(context).add(file, name)
    console.print(f'Added. Use it with:  [model] name = "{escape(entry.name)}"', markup=False)


@models.command()
def verify(
    context: typer.Context, name: Annotated[str, typer.Argument(help="A model's name.")]
) -> None:
    """Check a model file's size and sha256.

    Example:  hma models verify smollm2-135m
    """
    _catalogue(context).verify(name)
    console.print(f"{name}: the file is whole and unchanged.")
