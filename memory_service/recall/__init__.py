"""The read path, a module per step: candidates, rerank, budget, context."""
