import Testing
nonisolated func count(state: inout Int, event: Int) { state += event }
