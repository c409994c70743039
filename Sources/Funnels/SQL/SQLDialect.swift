import EventFiles

/// What differs between engines; ``FunnelSQL`` asks for it. A new engine is one file with one of these, and its case in
/// ``FunnelSQL/Dialect``.
protocol SQLDialect: Sendable {
    func literal(_ text: String) -> String
    /// A number as a literal of 64 bits, and as a double.
    func literal(_ number: Int64) -> String
    func literal(_ number: Double) -> String

    /// A query of all lines of versions that are known: `t_ms`, as texts that are never null `name`, `person`, `session`, `id`, `type`,
    /// `system` and `props`, and the columns of properties in Parquet.
    ///
    /// - Parameter leaves: columns that may be in some files only; none where the source is no Parquet.
    func lines(_ source: SQLSource, leaves: [SummaryLeaf]) -> String
    /// Statements that make views or tables of the lines.
    func schema(_ source: SQLSource) -> String

    /// A column's name in quotes; it has no quote in it.
    func quoted(_ column: String) -> String
    func text(ofNumber value: String) -> String
    /// The value at a path of `props` as text: a text, a number or `true` and `false`; null for anything else.
    func property(_ path: [String]) -> String
    /// Whether the value at a path of `props` is a number that is not written as a whole one.
    func isFraction(_ path: [String]) -> String
    /// The number that a text is by JSON's grammar, as a double (infinite beyond all) and as a whole number of 64 bits; null if it is none.
    func double(_ text: String) -> String
    func whole(_ text: String) -> String
    /// Where a text first holds another, which is not empty, from 1; 0 where it does not.
    func position(of part: String, in text: String) -> String

    /// A value, unless a condition holds: then the statement ends with a message.
    func value(_ value: String, stoppingIf condition: String, _ message: String) -> String
    /// Aggregates: all values as an array, and that of one column where others are smallest.
    func array(_ value: String) -> String
    func least(_ value: String, by order: [String]) -> String
    /// Aggregates rows of `t_ms`, `classes` and `facet` to an array by time.
    var moments: String { get }
    /// Aggregates the different values of rows where `isStart` is 1 to an array.
    func distinct(_ value: String) -> String
    /// Those of `moments` for which a condition on `moment` holds.
    func moments(where condition: String) -> String
    /// An array of arrays of whole numbers of 64 bits.
    func pairs(_ rows: String) -> String
    /// An array of elements, and a row for each element of an array.
    func list(_ elements: [String]) -> String
    func exploded(_ array: String) -> String
    /// The numbers from one until before another, in steps; there is at least one.
    func range(from start: String, until end: String, by step: String) -> String
    /// Rows of `dated` events, each with the stretch of `calendar` that its `t_ms` lies in: columns `from_ms`, `until_ms` and `length_ms`.
    func inCalendar(_ events: String) -> String
    /// A percentile by linear interpolation between ranks, null of nothing.
    func percentile(_ share: String, _ value: String) -> String

    /// The times of the best attempt through an array of moments, as an array; empty if nothing begins.
    ///
    /// What is carried along: for each step the times of the latest-started attempt that got there, and those of the attempt that first got
    /// deepest. The latest start that can reach a step in a moment is that of the shallowest origin from which the moment has an event for
    /// each step between; of one start the deepest origin is where its attempt stands.
    ///
    /// - Parameters:
    ///   - wanted: the class of each step.
    ///   - window: in milliseconds.
    ///   - mayStart: whether an attempt may begin in the moment `moment`.
    func fold(_ moments: String, wanted: [Int], window: Int64, mayStart: String) -> String
    /// When a moment is, in a lambda.
    var momentTime: String { get }

    /// An array's element from 1, and its length.
    func element(_ array: String, _ index: String) -> String
    func length(_ array: String) -> String
    /// The first or last facet of `moments` that is not empty, and its moment's time.
    func facet(last: Bool) -> String
    func facetTime(last: Bool) -> String
    /// The facet of `moments` at a time.
    func facet(at time: String) -> String
    /// Whether a path may hold a line end.
    var readsPathsWithLineEnds: Bool { get }
    /// Whether a backslash takes the meaning away from a sign of a glob.
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
