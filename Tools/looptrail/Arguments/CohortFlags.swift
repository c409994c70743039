import Basics
import Funnels

/// The flags that say whose events count; every command that reads events into a result takes them.
enum CohortFlags {
    static let only = Flag(
        "only-users", in: .people, .file,
        "Count these users only: a file of users, one a line or in the first column of a CSV, or what `looptrail users -o FILE.json` wrote",
        example: "lost.json", repetition: .refused)
    static let except = Flag(
        "not-users", in: .people, .file, "Leave these users out; a file as for --only-users", example: "staff.csv", repetition: .refused)

    static let all = [only.declaration, except.declaration]

    /// A list is held in memory whole while it is read.
    private static let mostBytes = 1 << 30

    static func filter(_ invocation: Invocation) throws(UsageError) -> CohortFilter {
        CohortFilter(only: try cohort(invocation, only), except: try cohort(invocation, except))
    }

    private static func cohort(_ invocation: Invocation, _ flag: Flag<String>) throws(UsageError) -> Cohort? {
        guard let path = invocation.arguments[flag] else { return nil }
        let name = flag.declaration.dashed
        let bytes = try flag.file(path, atMost: mostBytes)
        let file = path.split(separator: "/").last.map(String.init) ?? path
        do throws(CohortError) { return try Cohort(bytes, name: file) } catch {
            throw UsageError("\(name): \(path):\(error)")
        }
    }
}
