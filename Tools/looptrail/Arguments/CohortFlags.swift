import Basics
import Funnels

/// The flags that say whose events count. Most commands that count events take them.
enum CohortFlags {
    static let only = Flag(
        "only-users", in: .people, .file,
        "Count these users only: a file of users, one a line or in the first column of a CSV, or what `looptrail users -o FILE.json` wrote",
        example: "lost.json", repetition: .refused)
    static let except = Flag(
        "not-users", in: .people, .file, "Leave these users out; a file as for --only-users", example: "staff.csv", repetition: .refused)

    static let all = [only.declaration, except.declaration]

    /// The size of the largest list, because a list is in memory whole while it is read.
    private static let mostBytes = 1 << 30

    /// - Parameter keys: the keys by which the command counts; `nil` stands for a check of the lists line by line.
    static func filter(_ invocation: Invocation, countedBy keys: [FunnelKey?] = [nil]) throws(UsageError) -> CohortFilter {
        let (listed, left) = (try cohort(invocation, only), try cohort(invocation, except))
        for (flag, list) in [(only, listed), (except, left)] {
            guard let list, case .context = list.key, keys.contains(where: { $0 != list.key }) else { continue }
            let advice = keys == [nil] ? "leave it out" : "count --by \(list.key), or ask for it in a step, as in [\(list.key)=VALUE]"
            throw UsageError("\(flag.declaration.dashed): `\(list.name)` lists keys by \(list.key), and events have none: \(advice)")
        }
        return CohortFilter(only: listed, except: left)
    }

    private static func cohort(_ invocation: Invocation, _ flag: Flag<String>) throws(UsageError) -> Cohort? {
        guard let path = invocation.arguments[flag] else { return nil }
        let bytes = try flag.file(path, atMost: mostBytes)
        let file = path.split(separator: "/").last.map(String.init) ?? path
        do throws(CohortError) { return try Cohort(bytes, name: file) } catch {
            throw UsageError("\(flag.declaration.dashed): \(path):\(error)")
        }
    }
}
