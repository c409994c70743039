let writer = try EventFileWriter(folder: "events")
