import Basics
import EventFiles
import TrackingEvents

/// What the question why keeps of one batch of lines.
struct WhyBatch: HeadedBatch, Sendable {
    var head: BatchHead
    /// For each event: its name's number, its key, its time, its steps and exclusions as ``StepMatcher`` gives them.
    private(set) var nameNumbers: [UInt32] = []
    private(set) var keys: [Fingerprint] = []
    private(set) var times: [Int64] = []
    private(set) var bits: [UInt64] = []
    /// Whether each event is left out for somebody whom the cohort does not ask for; empty if lines are not asked.
    private(set) var leftOut: [Bool] = []
    /// The events that can be a fork, or that the steps ask about their session: their places in the batch, their session, and where each
    /// one's cells begin; one more at the end.
    private(set) var forks: [UInt32] = []
    private(set) var sessions: [Fingerprint] = []
    private(set) var starts: [UInt32] = [0]
    private(set) var cells: [UInt32] = []
    /// Lines that begin a session: which, when, and where each one's cells begin; one more at the end.
    private(set) var contexts: [Fingerprint] = []
    private(set) var contextTimes: [Int64] = []
    private(set) var contextStarts: [UInt32] = [0]
    private(set) var contextCells: [UInt32] = []
    private(set) var identified: [IdentifiedLine] = []
    /// What tests ask of lines that begin a session, and which of the properties that are asked about occurred.
    private(set) var sessionLines: [SessionLine] = []
    private(set) var eventPaths: SeenPaths
    private(set) var sessionPaths: SeenPaths
    private(set) var values = ValueTable()
    var names: [[UInt8]] { table.names }

    private let plan: CompiledWhy
    private var table = NameTable()
    private var bitsByName: [UInt64] = []

    private static let sessionStarted = Array(MetaEventName.sessionStarted.utf8)

    init(_ plan: CompiledWhy, expecting lines: Int) {
        self.plan = plan
        head = BatchHead(expecting: lines)
        eventPaths = SeenPaths(count: plan.eventPaths.count)
        sessionPaths = SeenPaths(count: plan.sessionPaths.count)
        nameNumbers.reserveCapacity(lines)
        keys.reserveCapacity(lines)
        times.reserveCapacity(lines)
        bits.reserveCapacity(lines)
    }

    mutating func take(_ line: EventHead) {
        guard head.take(line) else { return takeMeta(line) }
        var isNew = false
        let name = table.number(of: line.name, isNew: &isNew)
        if isNew { bitsByName.append(plan.matcher.steps(named: table.names[name])) }
        nameNumbers.append(UInt32(name))
        keys.append(plan.key.fingerprint(line))
        times.append(line.time)
        if plan.cohort.asksLines { leftOut.append(!plan.cohort.admits(line)) }
        let named = bitsByName[name]
        if named != 0 { eventPaths.look(for: plan.eventPaths, in: line.props, andFor: sessionPaths) }
        let held = named == 0 ? 0 : plan.matcher.steps(of: named, holdingFor: line.props)
        bits.append(held)
        let isFork = held >> UInt64(plan.forkStep) & 1 == 1
        guard isFork || held & plan.questions.asked != 0 else { return }
        forks.append(UInt32(head.events - 1))
        sessions.append(line.session.isEmpty ? .none : .of(line.session))
        if isFork { values.add(line.props, of: .property, to: &cells) }
        starts.append(UInt32(cells.count))
    }

    private mutating func takeMeta(_ line: EventHead) {
        guard line.kind == .meta else { return }
        if let anonymous = plan.anonymous, let line = IdentifiedLine(line, anonymous) { identified.append(line) }
        if let found = SessionLine(line, plan.sessionPaths) {
            if !plan.sessionPaths.isEmpty { sessionLines.append(found) }
            sessionPaths.look(for: plan.sessionPaths, in: line.props, andFor: eventPaths)
        }
        guard !line.session.isEmpty, line.name.elementsEqual(Self.sessionStarted) else { return }
        contexts.append(.of(line.session))
        contextTimes.append(line.time)
        values.add(line.props, of: .session, to: &contextCells)
        contextStarts.append(UInt32(contextCells.count))
    }
}

/// What a pass needs of the definition.
struct CompiledWhy: Sendable {
    let matcher: StepMatcher
    let key: KeyReader
    let cohort: CohortTest
    let anonymous: PropertyReader?
    let forkStep: Int
    /// What tests ask about sessions, and what reads the answers; what they ask events about.
    let questions: SessionQuestions
    let sessionPaths: [PropertyReader]
    let eventPaths: [PropertyReader]

    init(_ definition: WhyDefinition) {
        let funnel = definition.funnel
        var paths: [[String]] = []
        questions = SessionQuestions(funnel, &paths)
        sessionPaths = paths.map { PropertyReader(path: $0) }
        var asked: [[String]] = []
        for path in funnel.asked(in: .event) where !asked.contains(path) { asked.append(path) }
        eventPaths = asked.map { PropertyReader(path: $0) }
        matcher = StepMatcher(funnel)
        key = KeyReader(funnel.key)
        cohort = CohortTest(funnel.cohort, countedBy: funnel.key)
        anonymous = funnel.identify && funnel.key == .user ? PropertyReader(path: ["anonymous"]) : nil
        forkStep = definition.forkStep
    }
}

/// Texts that stand at paths of objects, each pair once and with a number.
struct ValueTable: Sendable {
    struct Path: Sendable, Hashable {
        var kind: Why.Kind
        /// Keys from the object inwards.
        var keys: [[UInt8]]
    }

    struct Value: Sendable {
        var path: Int
        var text: [UInt8]
        /// Of path and text; the same in every table.
        var fingerprint: Fingerprint
    }

    private(set) var paths: [Path] = []
    /// Of each path; the same in every table.
    private(set) var pathFingerprints: [Fingerprint] = []
    private(set) var values: [Value] = []
    private var numberOfPath: [Fingerprint: Int] = [:]
    private var numberOfValue: [Fingerprint: UInt32] = [:]
    /// For each path the object that had it last, by its number, and the index of its cell.
    private var lastCells: [(object: Int, index: Int)] = []
    private var objects = 0

    /// How deep objects are looked into, and how many paths are told apart.
    private static let depthLimit = 8
    static let pathLimit = 10_000

    /// Adds the numbers of an object's texts; none if it is not well formed.
    mutating func add(_ object: UnsafeRawBufferPointer, of kind: Why.Kind, to cells: inout [UInt32]) {
        guard !object.isEmpty, object.count <= EventLineScanner.lengthLimit else { return }
        let before = cells.count
        objects += 1
        do throws(BadLine) {
            try walk(object, at: 0, parent: nil, kind, depth: 1, to: &cells)
        } catch {
            cells.removeSubrange(before...)
        }
    }

    private mutating func walk(
        _ object: UnsafeRawBufferPointer, at offset: Int, parent: Int?, _ kind: Why.Kind, depth: Int, to cells: inout [UInt32]
    ) throws(BadLine) {
        var cursor = JSONCursor(object, at: offset)
        var entries: [(LineText, JSONValue)] = []
        try cursor.forEachEntry { entries.append(($0, $1)) }
        for (key, value) in entries {
            guard let path = path(of: key, in: object, parent: parent, kind) else { continue }
            switch value.kind {
            case .null, .array: continue
            case .object:
                guard depth < Self.depthLimit else { continue }
                try walk(object, at: value.text.range.lowerBound, parent: path, kind, depth: depth + 1, to: &cells)
            case .bool, .number, .string:
                if value.text.isEmpty { continue }
                let number =
                    value.text.hasEscapes && value.kind == .string
                    ? Array(value.text.string(in: object).utf8).withUnsafeBytes { self.number(of: $0, at: path) }
                    : self.number(of: value.text.bytes(in: object), at: path)
                // Of a key that stands twice the last counts.
                if lastCells[path].object == objects {
                    cells[lastCells[path].index] = number
                } else {
                    lastCells[path] = (objects, cells.count)
                    cells.append(number)
                }
            }
        }
    }

    private mutating func path(of key: LineText, in object: UnsafeRawBufferPointer, parent: Int?, _ kind: Why.Kind) -> Int? {
        let above = parent.map { pathFingerprints[$0] } ?? Fingerprint(high: 0, low: kind == .session ? 2 : 1)
        let text = key.hasEscapes ? Array(key.string(in: object).utf8) : nil
        let ofKey = text?.withUnsafeBytes { Fingerprint.of($0) } ?? .of(key.bytes(in: object))
        let fingerprint = Fingerprint.of(above, ofKey)
        if let known = numberOfPath[fingerprint] { return known }
        guard paths.count < Self.pathLimit else { return nil }
        let keys = (parent.map { paths[$0].keys } ?? []) + [text ?? Array(key.bytes(in: object))]
        return add(Path(kind: kind, keys: keys), fingerprint)
    }

    private mutating func add(_ path: Path, _ fingerprint: Fingerprint) -> Int {
        paths.append(path)
        pathFingerprints.append(fingerprint)
        lastCells.append((0, 0))
        numberOfPath[fingerprint] = paths.count - 1
        return paths.count - 1
    }

    private mutating func number(of text: UnsafeRawBufferPointer, at path: Int) -> UInt32 {
        let fingerprint = Fingerprint.of(pathFingerprints[path], .of(text))
        if let known = numberOfValue[fingerprint] { return known }
        return add(Value(path: path, text: Array(text), fingerprint: fingerprint))
    }

    private mutating func add(_ value: Value) -> UInt32 {
        values.append(value)
        numberOfValue[value.fingerprint] = UInt32(values.count - 1)
        return UInt32(values.count - 1)
    }

    /// For each value of another table its number here, ``none`` for those of paths that have too many. `counts` says how many
    /// different ones each path has.
    mutating func numbers(of other: ValueTable, counts: inout [Int], atMost limit: Int) -> [UInt32] {
        let numbers = other.paths.indices.map { path in
            numberOfPath[other.pathFingerprints[path]] ?? add(other.paths[path], other.pathFingerprints[path])
        }
        while counts.count < paths.count { counts.append(0) }
        return other.values.map { value in
            if let known = numberOfValue[value.fingerprint] { return known }
            let path = numbers[value.path]
            counts[path] += 1
            guard counts[path] <= limit else { return Self.none }
            var value = value
            value.path = path
            return add(value)
        }
    }

    /// Stands for a value that is not kept.
    static let none = UInt32.max
}
