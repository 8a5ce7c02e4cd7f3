"""Text handling that every rule uses: sentences, Unicode folding, caches, lazily compiled patterns."""
