import Basics
import EventFiles
import TrackingEvents
import TrackingPlans

/// One way in which lines are not as planned. Two violations that differ in their example only are one.
struct PlanFinding: Hashable, Sendable {
    let kind: PlanChecker.Violation.Kind
    let event: ExactText
    let property: ExactText?
    let isSession: Bool

    init(_ violation: PlanChecker.Violation, isSession: Bool) {
        kind = violation.kind
        event = ExactText(violation.event)
        property = violation.property.map { ExactText($0) }
        self.isSession = isSession
    }
}

/// What the check of a plan keeps of one batch of lines: how many events of each name there are, and what is not as planned.
struct PlanBatch: HeadedBatch {
    struct Finding: Sendable {
        var key: PlanFinding
        var violation: PlanChecker.Violation
        /// The number of the event, or of the line that begins a session, among those of the batch.
        var number: Int
        var line: Int
        var time: Int64
        var session: Fingerprint
    }

    var head: BatchHead
    /// For each event: its name's number in `names`; `.max` for one that does not count.
    private(set) var nameNumbers: [UInt32] = []
    var names: [[UInt8]] { table.names }
    private(set) var findings: [Finding] = []
    private(set) var versions: [(session: Fingerprint, version: String)] = []
    /// The id of each line that begins a session and counts.
    private(set) var sessionLines: [Fingerprint] = []
    /// The index of the file among the reader's files.
    let file: Int
    /// The number of the line that is taken next, from 1.
    private var line: Int

    private let checker: PlanChecker
    private let plan: PlanTable
    private let version = PropertyReader(path: ["app_version"])
    private let range: TimeRange
    private let cohort: CohortTest
    private var table = NameTable()
    private var values = PlanValues()
    private var expectations: [PlanTable.Expectation?] = []

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
    }

    mutating func takeBadLine() {
        head.badLines += 1
        line += 1
    }

    mutating func take(_ line: EventHead) {
        defer { self.line += 1 }
        guard head.take(line) else { return takeSession(line) }
        let number = table.number(of: line.name)
        if number == expectations.count { expectations.append(plan.expectation(of: table.names[number])) }
        guard range.contains(line.time), !cohort.asksLines || cohort.admits(line) else { return nameNumbers.append(.max) }
        nameNumbers.append(UInt32(number))
        if plan.isClean(line.props, expectations[number]) { return }
        look(at: line, isSession: false)
    }

    private mutating func takeSession(_ line: EventHead) {
        guard line.kind == .meta, line.name.elementsEqual(SessionLine.name), !SessionLine.repeats(line) else { return }
        let version = version.withText(in: line.props) { $0.map { String(decoding: $0, as: UTF8.self) } }
        if !line.session.isEmpty, let version { versions.append((.of(line.session), version)) }
        guard range.contains(line.time), !cohort.asksLines || cohort.admits(line) else { return }
        sessionLines.append(line.id)
        if !plan.isClean(line.props, plan.session) { look(at: line, isSession: true) }
    }

    private mutating func look(at line: EventHead, isSession: Bool) {
        let name = String(decoding: line.name, as: UTF8.self)
        let number = (isSession ? sessionLines.count : head.events) - 1
        for violation in checker.violations(of: name, values.all(in: line.props), isSession: isSession) {
            let key = PlanFinding(violation, isSession: isSession)
            let session = line.session.fingerprint
            findings.append(Finding(key: key, violation: violation, number: number, line: self.line, time: line.time, session: session))
        }
    }
}

extension UnsafeRawBufferPointer { var isWholeNumber: Bool { !contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") } } }

/// The properties of a line as the checker takes them.
struct PlanValues: Sendable {
    private var table = PathTable()
    /// For each path its keys with dots between them.
    private var texts: [String] = []

    /// Every value by its path, an object before what is in it; empty if the bytes are no object.
    mutating func all(in props: UnsafeRawBufferPointer) -> [(path: String, value: PlanChecker.Value)] {
        let entries = table.entries(of: props)
        for path in table.paths[texts.count...] {
            let key = String(decoding: path.key, as: UTF8.self)
            texts.append(path.parent < 0 ? key : "\(texts[path.parent]).\(key)")
        }
        return entries.map { (texts[$0.path], Self.scalar($0.value, in: props)) }
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
            if text.isWholeNumber, let number = Int64(String(decoding: text, as: UTF8.self)) { return .integer(number) }
            return .number(JSONNumber.double(text))
        }
    }
}
