import EventFiles

/// What a command that watches cannot read or write for a while. It is told once, and the next look tries again.
struct PassingTrouble {
    let console: Console
    private var told: String?

    init(_ console: Console) { self.console = console }

    /// Does one look. Throws only what does not pass by itself: no reader of the output, for one.
    mutating func look(_ body: () throws -> Void) throws {
        do {
            try body()
            told = nil
        } catch let error as EventFileReadError {
            tell("\(error)")
        } catch OutputError.file(let path, let step, let error) {
            tell("\(OutputError.file(path: path, doing: step, error))")
        }
    }

    private mutating func tell(_ trouble: String) {
        if trouble != told { console.warning("\(trouble); trying again") }
        told = trouble
    }
}
