var log: [String] = []
