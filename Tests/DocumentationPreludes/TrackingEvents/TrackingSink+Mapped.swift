let writer = MemorySink()
