"""The write path, a module per step: segment, extract (gate and extraction), annotate, embed, facts, judge."""
