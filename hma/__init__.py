"""hma: a three-tier memory for LLM agents."""
