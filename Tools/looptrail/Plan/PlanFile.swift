import Basics
import TrackingPlans

/// Reading a plan.
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
