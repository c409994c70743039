var lines: [String] = []
