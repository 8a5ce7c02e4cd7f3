"""`make bench-quality DATA=folder`: quality on labelled data, which is no part of this repository.

A module per noun; each prints its figures beside the naive or published baseline, where there is one, and skips, saying
so, what the folder does not hold. Everything is measured on the rule path: no language model, no key.
"""
