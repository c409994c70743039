let folder = "events"
