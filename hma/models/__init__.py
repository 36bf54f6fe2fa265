"""Local models: the GGUF catalogue, the constrained language model, the embedder."""
