import EventFiles

/// What differs between engines. A new engine needs one file with its dialect, and a case in ``FunnelSQL/Dialect``.
protocol SQLDialect: Sendable {
    func literal(_ text: String) -> String
    /// A number as a literal of 64 bits, and as a double.
    func literal(_ number: Int64) -> String
    func literal(_ number: Double) -> String

    /// A query of all lines of known versions. Its columns are `t_ms`, the texts `name`, `person`, `session`, `id`, `type`, `system` and
    /// `props`, none of which is ever null, and the properties that are columns in Parquet.
    ///
    /// - Parameter leaves: columns that may be in some files only; none unless the source is Parquet.
    func lines(_ source: SQLSource, leaves: [SummaryLeaf]) -> String
    /// Statements that make views or tables of the lines.
    func schema(_ source: SQLSource) -> String

    /// A column's name in quotes; the name itself has none.
    func quoted(_ column: String) -> String
    func text(ofNumber value: String) -> String
    /// The value at a path of `props` as text: a text, a number or `true` and `false`; null for anything else.
    func property(_ path: [String]) -> String
    /// Whether the value at a path of `props` is a number that is not written as a whole one.
    func isFraction(_ path: [String]) -> String
    /// A text that is a number by JSON's grammar, as a double (infinite beyond all doubles) and as a whole number of 64 bits; else null.
    func double(_ text: String) -> String
    func whole(_ text: String) -> String
    /// The position, from 1, at which a text first holds `part`, which is not empty; 0 if it does not.
    func position(of part: String, in text: String) -> String

    /// A value, unless a condition holds: then the statement ends with a message.
    func value(_ value: String, stoppingIf condition: String, _ message: String) -> String
    /// Aggregates: all values as an array, and the value of the row in which `order` is smallest.
    func array(_ value: String) -> String
    func least(_ value: String, by order: [String]) -> String
    /// Aggregates the columns `t_ms`, `classes` and `group_then` into an array by time.
    var moments: String { get }
    /// Aggregates the different values of the rows where `is_start` is 1 into an array.
    func distinct(_ value: String) -> String
    /// Those of `moments` for which a condition on `moment` holds.
    func moments(where condition: String) -> String
    /// An array of arrays of whole numbers of 64 bits.
    func pairs(_ rows: String) -> String
    /// An array of elements, and a row for each element of an array.
    func list(_ elements: [String]) -> String
    func exploded(_ array: String) -> String
    /// The numbers from `start` to before `end`, in steps. Used only where there is at least one such number.
    func range(from start: String, until end: String, by step: String) -> String
    /// The events of a table, each with `from_ms`, `until_ms` and `length_ms` of the stretch of `calendar` that its `t_ms` lies in.
    func inCalendar(_ events: String) -> String
    /// A percentile by linear interpolation between ranks; null if there are no values.
    func percentile(_ share: String, _ value: String) -> String

    /// The times of the best attempt through an array of moments, as an array; empty if nothing begins.
    ///
    /// For each step the state has the times of one attempt: of those that got there, the one that began last. It also has the times of
    /// the attempt that was first to get deepest. A moment takes an attempt from its step, the origin, to a later step if it has an event
    /// for each step between. The origin with the latest start wins; of origins with equal starts the deepest: there the attempt stands.
    ///
    /// - Parameters:
    ///   - wanted: the class of each step.
    ///   - window: in milliseconds.
    ///   - mayStart: whether an attempt may begin in the moment `moment`.
    func fold(_ moments: String, wanted: [Int], window: Int64, mayStart: String) -> String
    /// The time of `moment` inside a lambda.
    var momentTime: String { get }

    /// An array's element by its index, which counts from 1, and an array's length.
    func element(_ array: String, _ index: String) -> String
    func length(_ array: String) -> String
    /// The first or last group value in `moments` that is not empty, and the time of its moment.
    func group(last: Bool) -> String
    func groupTime(last: Bool) -> String
    /// The value of a group in `moments` at a time.
    func group(at time: String) -> String
    /// Whether a path may hold a line end.
    var readsPathsWithLineEnds: Bool { get }
    /// Whether a backslash in a path escapes the special characters of globs.
    var escapesGlobs: Bool { get }
    /// What to know of reading files with this engine, a sentence each.
    var cautions: [String] { get }
    /// What follows the statement; empty if nothing does.
    var settings: String { get }
}

extension SQLDialect {
    var cautions: [String] { [] }
    var settings: String { "" }
    var readsPathsWithLineEnds: Bool { true }
    var escapesGlobs: Bool { false }
    func literal(_ number: Int64) -> String { "CAST('\(number)' AS BIGINT)" }
    func literal(_ number: Double) -> String { "CAST('\(number)' AS DOUBLE)" }
    func inCalendar(_ events: String) -> String {
        "\(events) AS event LEFT JOIN calendar ON event.t_ms >= calendar.from_ms AND event.t_ms < calendar.until_ms"
    }
    func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }
    func range(from start: String, until end: String, by step: String) -> String { "range(\(start), \(end), \(step))" }
    func element(_ array: String, _ index: String) -> String { "\(array)[\(index)]" }
}
