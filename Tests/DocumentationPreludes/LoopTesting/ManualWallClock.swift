let sink = MemorySink()
