import Basics
import TrackingPlans

/// Reads the files of tracking plans.
enum PlanFile {
    /// The size of the largest file that ``TrackingPlan`` accepts.
    private static let maxBytes = 1 << 20

    /// The plan of `--plan`, if it was given.
    static func flagged(_ arguments: Arguments) throws(UsageError) -> TrackingPlan? {
        guard let path = arguments[CommonFlags.plan] else { return nil }
        do throws(PlanFileError) { return try plan(path) } catch { throw UsageError("--plan: \(error)") }
    }

    /// Reads the plan of a file.
    static func plan(_ path: String) throws(PlanFileError) -> TrackingPlan {
        let bytes: [UInt8]
        do throws(WholeFile.Unread) { bytes = try WholeFile.contents(of: path, atMost: maxBytes) } catch { throw .unread(path, error) }
        do throws(PlanError) { return try TrackingPlan(bytes) } catch { throw .wrong(path, error) }
    }
}

/// Why a file gives no plan.
enum PlanFileError: Error, CustomStringConvertible {
    case unread(String, WholeFile.Unread)
    case wrong(String, PlanError)

    var description: String {
        switch self {
        case .unread(let path, let why): "`\(path)` \(why)"
        case .wrong(let path, let error): "\(path):\(error)"
        }
    }
}
