"""`MemoryClient` and `SyncMemoryClient`: the methods of `Memory` over HTTP."""
