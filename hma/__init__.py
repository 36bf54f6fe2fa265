"""hma: a three-tier memory for LLM agents, with evidence for every fact."""

from hma.agent import Agent, Parts, Reply

__all__ = ["Agent", "Parts", "Reply"]
__version__ = "0.1.0"
