"""`python -m hma`."""

from hma.cli import main

main()
