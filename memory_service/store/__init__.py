"""The SQL of this package: a module for each area of memory_api, a method for each function."""

from __future__ import annotations

from memory_service.store.banks import Banks
from memory_service.store.compaction import Compaction
from memory_service.store.consolidation import Consolidation
from memory_service.store.context_entries import ContextEntries
from memory_service.store.database import Database
from memory_service.store.episodes import Episodes
from memory_service.store.erasures import Erasures
from memory_service.store.fact_pairs import FactPairs
from memory_service.store.fact_upkeep import FactUpkeep
from memory_service.store.facts import Facts
from memory_service.store.idempotency import IdempotencyKeys
from memory_service.store.keys import Keys
from memory_service.store.merges import Merges
from memory_service.store.messages import Messages
from memory_service.store.metrics import StoredMetrics
from memory_service.store.notifications import Notifications
from memory_service.store.procedures import Procedures
from memory_service.store.reembedding import Reembeddings
from memory_service.store.relational import Relational
from memory_service.store.retention import Retention
from memory_service.store.retrieval import Retrieval
from memory_service.store.sessions import Sessions
from memory_service.store.spending import Spending
from memory_service.store.statements import Statements
from memory_service.store.threads import Threads
from memory_service.store.thresholds import StoredThresholds
from memory_service.store.traces import Traces
from memory_service.store.transfer import Transfer
from memory_service.store.upkeep import Upkeep
from memory_service.store.vector_index import VectorIndex
from memory_service.store.work import Work

__all__ = ["Store"]


class Store:
    """The functions of memory_api by area."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.counts = database.counts
        """What this process has counted for its metrics."""
        self.banks = Banks(database)
        self.compaction = Compaction(database)
        self.consolidation = Consolidation(database)
        self.episodes = Episodes(database)
        self.erasures = Erasures(database)
        self.fact_pairs = FactPairs(database)
        self.fact_upkeep = FactUpkeep(database)
        self.facts = Facts(database)
        self.idempotency = IdempotencyKeys(database)
        self.keys = Keys(database)
        self.merges = Merges(database)
        self.messages = Messages(database)
        self.metrics = StoredMetrics(database)
        self.notifications = Notifications(database)
        self.context_entries = ContextEntries(database)
        self.reembeddings = Reembeddings(database)
        self.relational = Relational(database)
        self.procedures = Procedures(database)
        self.retention = Retention(database)
        self.retrieval = Retrieval(database)
        self.sessions = Sessions(database)
        self.spending = Spending(database)
        self.threads = Threads(database)
        self.statements = Statements(database)
        self.thresholds = StoredThresholds(database)
        self.traces = Traces(database)
        self.transfer = Transfer(database)
        self.upkeep = Upkeep(database)
        self.vector_index = VectorIndex(database)
        self.work = Work(database)
