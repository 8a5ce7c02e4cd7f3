"""The emotional thread: read, list, end."""

from __future__ import annotations

from memory_service.api.base import MemoryBase
from memory_service.api.bound import from_store, listed
from memory_service.cursors import ThreadPlace
from memory_service.methods import MemoryMethods as M


class ThreadMethods(MemoryBase):
    """Methods of `Memory` about the emotional thread."""

    emotional_thread = from_store(M.emotional_thread, lambda store: store.threads.read)
    list_emotional_threads = listed(M.list_emotional_threads, ThreadPlace, lambda store: store.threads.list)
    end_emotional_thread = from_store(M.end_emotional_thread, lambda store: store.threads.end)
