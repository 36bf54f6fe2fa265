"""Commands for whoever runs hma: doctor, reindex, migrate, bench."""

import importlib.util
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

import hma
from hma.bootstrap import open_index, open_store
from hma.cli.options import Json, Options, console, print_json
from hma.doctor import examine
from hma.errors import HmaError, InvalidInput


def doctor(context: typer.Context, json: Json = False) -> None:
    """Check model, embedder, policies, store, index and network. Exit code 1 on a fault.

    Example:  hma doctor
    """
    options: Options = context.obj
    checks = []
    for check in examine(options.settings()):
        checks.append(check)
        if not json:
            mark = "[green]ok[/green]   " if check.ok else "[red]fault[/red]"
            console.print(f"{mark} {check.name}: {escape(check.detail)}", soft_wrap=True)
    if json:
        print_json([{"name": one.name, "ok": one.ok, "detail": one.detail} for one in checks])
    if not all(check.ok for check in checks):
        raise typer.Exit(1)


def reindex(context: typer.Context) -> None:
    """Rebuild the vector index from the store, in a new folder.

    Example:  hma reindex
    """
    options: Options = context.obj
    settings = options.settings()
    with open_store(settings) as store:
        index = open_index(settings, store)
        if index is None:
            raise HmaError("there is no index to rebuild: it is off, or in use by another process")
        try:
            with console.status("rebuilding the index ..."):
                index.rebuild()
            count = index.status().count
        finally:
            index.close()
    console.print(f"The index holds {count} vectors.")


def migrate(context: typer.Context) -> None:
    """Bring the store to this version's schema. Opening a store does it too.

    Example:  hma migrate
    """
    options: Options = context.obj
    with open_store(options.settings()):
        console.print("The store has this version's schema.")


def bench(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Which benchmark: turn.")],
    out: Annotated[
        Path | None, typer.Option("--json", help="Write the figures to this file.")
    ] = None,
) -> None:
    """Run a benchmark of the source checkout and print its figures.

    Example:  hma bench turn --json turn.json
    """
    options: Options = context.obj
    file = Path(hma.__file__).parent.parent / "benchmarks" / f"{name}.py"
    known = sorted(path.stem for path in file.parent.glob("[a-z]*.py"))
    if name not in known:
        where = f"there are: {', '.join(known)}" if known else "they come with the source checkout"
        raise InvalidInput(f"there is no benchmark {name!r}; {where}")
    spec = importlib.util.spec_from_file_location(f"hma_bench_{name}", file)
    if spec is None or spec.loader is None:
        raise HmaError(f"{file} can't be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    module.run(options.settings(), out)
