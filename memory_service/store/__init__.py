"""The only SQL in Python: a module per noun, a method per SQL function."""

from __future__ import annotations

from memory_service.store.banks import Banks
from memory_service.store.compaction import Compactions
from memory_service.store.consolidation import Consolidation
from memory_service.store.database import Database
from memory_service.store.episodes import Episodes
from memory_service.store.fact_pairs import Pairs
from memory_service.store.fact_upkeep import Nights
from memory_service.store.facts import Facts
from memory_service.store.merges import Merges
from memory_service.store.messages import Messages
from memory_service.store.notifications import Notices
from memory_service.store.retention import Budgets
from memory_service.store.retrieval import Retrieval
from memory_service.store.spending import Spending
from memory_service.store.statements import Statements
from memory_service.store.thresholds import ThresholdStore
from memory_service.store.traces import Traces
from memory_service.store.upkeep import Upkeep
from memory_service.store.vector_index import VectorIndex
from memory_service.store.work import Work

__all__ = ["Store"]


class Store:
    """Everything that the database can be asked, by noun."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.banks = Banks(database)
        self.budgets = Budgets(database)
        self.compactions = Compactions(database)
        self.merges = Merges(database)
        self.consolidation = Consolidation(database)
        self.messages = Messages(database)
        self.nights = Nights(database)
        self.episodes = Episodes(database)
        self.facts = Facts(database)
        self.notices = Notices(database)
        self.pairs = Pairs(database)
        self.retrieval = Retrieval(database)
        self.spending = Spending(database)
        self.statements = Statements(database)
        self.thresholds = ThresholdStore(database)
        self.traces = Traces(database)
        self.upkeep = Upkeep(database)
        self.vector_index = VectorIndex(database)
        self.work = Work(database)
