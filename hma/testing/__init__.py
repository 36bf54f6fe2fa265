"""Helpers that hma ships for the tests of its users."""
