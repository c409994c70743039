let writer = MemorySink()
let order = "o1"
func record(_ order: String) {}
enum OrderError: Error { case notKept }
