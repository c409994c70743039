import EventFiles

/// What a command that watches cannot read or write for a while. It is told once, and the next look tries again.
struct PassingTrouble {
    let console: Console
    private var told: String?

    init(_ console: Console) { self.console = console }

    /// Does one look; `nil` if it met what may pass. Throws what does not pass by itself: no reader of the output, for one.
    @discardableResult
    mutating func look<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            let result = try body()
            told = nil
            return result
        } catch let error as EventFileReadError {
            tell("\(error)")
        } catch OutputError.file(let path, let step, let error) {
            tell("\(OutputError.file(path: path, doing: step, error))")
        }
        return nil
    }

    private mutating func tell(_ trouble: String) {
        if trouble != told { console.warning("\(trouble); trying again") }
        told = trouble
    }
}
