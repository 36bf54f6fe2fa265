"""Jinja templates, one per use and language, and the one function that renders them."""

from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined


def _source(name: str) -> str | None:
    path = files(__name__).joinpath(f"{name}.j2")
    return path.read_text(encoding="utf-8") if path.is_file() else None


@lru_cache(maxsize=1)
def _environment() -> Environment:
    # autoescape is for HTML; these prompts are plain text.
    return Environment(  # noqa: S701
        loader=FunctionLoader(_source),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(name: str, **values: Any) -> str:
    """Render `hma/prompts/NAME.j2`; a value that the template needs and lacks is an error.

    Raises:
        jinja2.TemplateNotFound: no such template.
        jinja2.UndefinedError: a value is missing.
    """
    return _environment().get_template(name).render(**values)
