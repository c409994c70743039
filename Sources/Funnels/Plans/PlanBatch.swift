import Basics
import EventFiles
import TrackingEvents
import TrackingPlans

/// What the check of a plan keeps of one batch of lines: how many events of each name there are, and what is not as planned.
struct PlanBatch: Sendable {
    /// A line that is not as planned.
    struct Finding: Sendable {
        /// The place in `violations`.
        var violation: Int
        /// The event's place in the head; -1 for a session's line.
        var event: Int
        var line: Int
        var time: Int64
        var session: Fingerprint
    }

    var head: BatchHead
    /// For each event: its name's number in `names`; `.max` for one that does not count.
    private(set) var nameNumbers: [UInt32] = []
    var names: [[UInt8]] { table.names }
    /// For each event whether it has a user: ``Fingerprint/unread`` or ``Fingerprint/none``.
    private(set) var users: [Fingerprint] = []
    /// Each different one once, with the first example.
    private(set) var violations: [PlanChecker.Violation] = []
    private(set) var findings: [Finding] = []
    private(set) var versions: [(session: Fingerprint, version: String)] = []
    private(set) var sessionLines = 0
    /// The place among the reader's files.
    let file: Int
    /// Of the line that is taken next, from 1.
    var line: Int

    /// Two violations that differ in their example only are one.
    private struct Key: Hashable {
        var kind: PlanChecker.Violation.Kind
        var event: ExactText
        var property: ExactText?
        var isSession: Bool
    }

    private let checker: PlanChecker
    private let plan: PlanTable
    private let version = PropertyReader(path: ["app_version"])
    private let repetition = PropertyReader(path: [MetaEventName.repeated])
    private let range: TimeRange
    private let cohort: CohortTest
    private var table = NameTable()
    private var expectations: [PlanTable.Expectation] = []
    private var placeOf: [Key: Int] = [:]
    private(set) var isOfSession: [Bool] = []

    private static let sessionStarted = Array(PlanChecker.sessionEvent.utf8)

    init(
        _ checker: PlanChecker, _ plan: PlanTable, _ range: TimeRange, _ cohort: CohortTest, file: Int, firstLine: Int, expecting lines: Int
    ) {
        self.checker = checker
        self.plan = plan
        self.range = range
        self.cohort = cohort
        self.file = file
        line = firstLine
        head = BatchHead(expecting: lines)
        nameNumbers.reserveCapacity(lines)
        users.reserveCapacity(lines)
    }

    mutating func take(_ line: EventHead) {
        guard head.take(line) else { return takeSession(line) }
        users.append(line.user.isEmpty ? .none : .unread)
        var isNew = false
        let number = table.number(of: line.name, isNew: &isNew)
        if isNew { expectations.append(plan.expectation(of: table.names[number])) }
        guard range.contains(line.time), !cohort.asksLines || cohort.admits(line) else { return nameNumbers.append(.max) }
        nameNumbers.append(UInt32(number))
        if plan.isClean(line.props, expectations[number]) { return }
        look(at: line, isSession: false)
    }

    private mutating func takeSession(_ line: EventHead) {
        guard line.kind == .meta, line.name.elementsEqual(Self.sessionStarted) else { return }
        // The writer repeats a session's rate at the head of a file, without its context.
        if !line.props.isEmpty, case .bool(true) = repetition.value(in: line.props) { return }
        if !line.session.isEmpty, !line.props.isEmpty, let text = Self.text(version.value(in: line.props), in: line.props) {
            versions.append((.of(line.session), text))
        }
        guard range.contains(line.time), !cohort.asksLines || cohort.admits(line) else { return }
        sessionLines += 1
        if !plan.isClean(line.props, plan.sessionExpectation) { look(at: line, isSession: true) }
    }

    private static func text(_ value: PropertyValue, in props: UnsafeRawBufferPointer) -> String? {
        switch value {
        case .string(let text): text.string(in: props)
        case .number(_, let text): text.string(in: props)
        case .bool(let truth): "\(truth)"
        case .missing, .null, .object, .array: nil
        }
    }

    private mutating func look(at line: EventHead, isSession: Bool) {
        let name = String(decoding: line.name, as: UTF8.self)
        for violation in checker.violations(of: name, PlanValues.all(in: line.props), isSession: isSession) {
            let key = Key(
                kind: violation.kind, event: ExactText(violation.event), property: violation.property.map { ExactText($0) },
                isSession: isSession)
            let place =
                placeOf[key]
                ?? {
                    violations.append(violation)
                    isOfSession.append(isSession)
                    placeOf[key] = violations.count - 1
                    return violations.count - 1
                }()
            findings.append(
                Finding(
                    violation: place, event: isSession ? -1 : head.events - 1, line: self.line, time: line.time,
                    session: line.session.isEmpty ? .none : .of(line.session)))
        }
    }
}

/// The properties of a line as the checker takes them.
enum PlanValues {
    /// How deep objects are looked into; a plan's properties lie no deeper.
    private static let maxDepth = 8

    /// Every value by its path, an object before what is in it; empty if the bytes are no object.
    static func all(in props: UnsafeRawBufferPointer) -> [(path: String, value: PlanChecker.Value)] {
        var values: [(path: String, value: PlanChecker.Value)] = []
        if !props.isEmpty, props.count <= EventLineScanner.lengthLimit { add(props, at: 0, below: "", depth: 1, to: &values) }
        return values
    }

    private static func add(
        _ props: UnsafeRawBufferPointer, at place: Int, below prefix: String, depth: Int,
        to values: inout [(path: String, value: PlanChecker.Value)]
    ) {
        var entries: [(path: String, value: JSONValue)] = []
        var placeOf: [ExactText: Int] = [:]
        var cursor = JSONCursor(props, at: place)
        let isWhole =
            (try? cursor.forEachEntry { key, value in
                let path = prefix + key.string(in: props)
                // Of a key that stands twice the last counts.
                if let place = placeOf[ExactText(path)] {
                    entries[place].value = value
                    return
                }
                placeOf[ExactText(path)] = entries.count
                entries.append((path, value))
            }) != nil
        // Not well-formed: for tests, too, such an event has no properties at all.
        guard isWhole else { return }
        for (path, value) in entries {
            values.append((path, scalar(value, in: props)))
            if value.kind == .object && depth < maxDepth {
                add(props, at: value.text.range.lowerBound, below: path + ".", depth: depth + 1, to: &values)
            }
        }
    }

    private static func scalar(_ value: JSONValue, in props: UnsafeRawBufferPointer) -> PlanChecker.Value {
        switch value.kind {
        case .null: return .null
        case .bool(let truth): return .bool(truth)
        case .string: return .string(value.text.string(in: props))
        case .object: return .object
        case .array: return .array
        case .number:
            let text = value.text.bytes(in: props)
            let isWhole = !text.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
            if isWhole, let number = Int64(String(decoding: text, as: UTF8.self)) { return .integer(number) }
            return .number(JSONNumber.double(text))
        }
    }
}
