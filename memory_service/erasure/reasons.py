"""Why an erasure deletes rows, by table."""

from __future__ import annotations

ROW_REASONS = {
    "message": "raw messages named, and those of an episode that is erased",
    "conversation": "no message or episode of it is left",
    "episodic_memory": "episodes named, sources of facts named, summaries that contain one",
    "episode_version": "former contents of these episodes",
    "semantic_memory": "facts without other evidence, or whose wording came from erased text",
    "fact_evidence": "statements in erased episodes, or of erased facts",
    "fact_judgement": "judgements on erased facts",
    "fact_version": "versions of erased facts, and former wordings",
    "fact_conflict": "conflicts of erased or reworded facts",
    "fact_pair": "decisions on erased or reworded facts",
    "fact_merge": "merges with erased evidence, which are undone",
    "fact_mention": "erased facts shown in a context",
    "merge_decision": "decisions on erased or reworded facts",
    "clarification": "questions that quote erased or reworded facts",
    "procedural_memory": "procedures without other evidence, or worded by erased text",
    "relational_memory": "norms that erased episodes state, or that are observed anew",
    "relationship": "counts of exchanges, observed anew",
    "emotional_thread": "threads of erased episodes",
    "memory_text": "indexed words of erased memories",
    "memory_vector": "vectors of erased memories",
    "indexed_vector": "vectors of erased memories",
    "word_count": "words that no other memory contains",
    "person": "names of speakers that no other memory has",
    "gate_decision": "decisions on erased messages and memories",
    "retrieval_trace": "reads that found an erased memory",
    "idempotency_key": "stored answers about erased memories",
    "work": "work on erased messages and memories",
}
"""Why rows of a table are deleted; those of other tables belong to a deleted row."""
