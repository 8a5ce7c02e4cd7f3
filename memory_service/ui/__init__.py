"""The pages at /ui, for people (docs/page.md). Each shows answers of `Memory`."""
