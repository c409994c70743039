import Basics
import TrackingEvents
import TrackingPlans

/// Reading a plan, and writing what is made of one.
enum PlanFile {
    /// Larger files are refused by the plan's reader, which says so.
    private static let maxBytes = 1 << 24

    /// The plan of `--plan`, if it was given.
    static func flagged(_ arguments: Arguments) throws(UsageError) -> TrackingPlan? {
        guard let path = arguments[CommonFlags.plan] else { return nil }
        do throws(PlanFileError) { return try plan(path) } catch { throw UsageError("--plan: \(error)") }
    }

    /// The plan of a file.
    static func plan(_ path: String) throws(PlanFileError) -> TrackingPlan {
        guard let bytes = WholeFile.bytes(of: path, atMost: maxBytes) else { throw .unreadable(path) }
        do throws(PlanError) { return try TrackingPlan(bytes) } catch { throw .wrong(path, error) }
    }

    /// Writes text to the file of `-o`, else to standard output.
    static func write(_ text: String, _ invocation: Invocation) throws {
        let bytes = Array(text.utf8)
        guard let path = output(of: invocation) else { return try Looptrail.print(bytes, in: invocation.surroundings) }
        try OutputFile.write(bytes, to: path, random: SeededRandom())
    }

    /// Fails before the work begins where the file of `-o` certainly cannot be made, or is read.
    static func checkOutput(_ invocation: Invocation) throws {
        try invocation.refuseOutput()
        if let path = output(of: invocation) { try OutputFile.check(path) }
    }

    private static func output(of invocation: Invocation) -> String? {
        invocation.arguments[CommonFlags.output].flatMap { $0 == "-" ? nil : $0 }
    }
}

/// Why there is no plan.
enum PlanFileError: Error, CustomStringConvertible {
    case unreadable(String)
    case wrong(String, PlanError)

    var description: String {
        switch self {
        case .unreadable(let path): "`\(path)` cannot be read, or is larger than a megabyte"
        case .wrong(let path, let error): "\(path):\(error)"
        }
    }
}
