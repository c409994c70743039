import Basics
import EventFiles
import TrackingEvents

/// What the property catalogue keeps of one batch of lines: each different path and value once, and which of them each event has.
struct PropertyBatch: HeadedBatch {
    struct Value: Sendable {
        var path: Int
        var kind: PropertyCatalogue.Kind
        /// The fingerprint of kind and whole text; ``Fingerprint/none`` for null, objects and arrays, which have no text.
        var fingerprint: Fingerprint
        /// At most ``PropertyCatalogue/textLimit`` bytes.
        var text: [UInt8]
    }

    var head: BatchHead
    private(set) var paths = PathTable(limit: PropertyCatalogue.keyLimit)
    private(set) var values: [Value] = []
    /// Events of the name: their numbers in the head (0 for sessions' lines), and where the cells of each begin, with one more at the end.
    private(set) var events: [UInt32] = []
    private(set) var starts: [UInt32] = [0]
    /// Indices into `values`.
    private(set) var cells: [UInt32] = []
    var names: [[UInt8]] { table.names }

    /// The session of each of the events, where they are lines that begin sessions; else empty.
    private(set) var sessions: [Fingerprint] = []
    private let run: PropertyRun
    private let name: [UInt8]
    private let cohort: CohortTest
    private var table = NameTable()
    private var numbers = FingerprintNumbers()

    init(_ run: PropertyRun, expecting lines: Int) {
        head = BatchHead(expecting: lines)
        name = Array(run.name.utf8)
        self.run = run
        cohort = CohortTest(run.cohort, countedBy: nil)
    }

    mutating func take(_ line: EventHead) {
        guard head.take(line) else {
            guard run.isOfSessions, SessionLine.isOne(line), !SessionLine.repeats(line) else { return }
            _ = table.number(of: line.name)
            guard isWanted(line) else { return }
            sessions.append(.of(line.session))
            events.append(0)
            return takeProperties(line)
        }
        _ = table.number(of: line.name)
        guard !run.isOfSessions, isWanted(line) else { return }
        events.append(UInt32(head.events - 1))
        takeProperties(line)
    }

    private func isWanted(_ line: EventHead) -> Bool {
        line.name.elementsEqual(name) && run.range.contains(line.time) && cohort.admits(line)
    }

    private mutating func takeProperties(_ line: EventHead) {
        for (path, value) in paths.entries(of: line.props) { cells.append(number(of: value, at: path, in: line.props)) }
        starts.append(UInt32(cells.count))
    }

    private mutating func number(of value: JSONValue, at path: Int, in props: UnsafeRawBufferPointer) -> UInt32 {
        let kind = PropertyCatalogue.Kind(value, in: props)
        return value.hasText ? value.withText(in: props) { number(of: $0, kind, at: path) } : number(of: nil, kind, at: path)
    }

    private mutating func number(of text: UnsafeRawBufferPointer?, _ kind: PropertyCatalogue.Kind, at path: Int) -> UInt32 {
        let ofValue = Fingerprint.of(Fingerprint(high: UInt64(kind.ordinal), low: 0), text.map { Fingerprint.of($0) } ?? .none)
        let number = numbers.number(of: .of(Fingerprint(high: 0, low: UInt64(path)), ofValue))
        if number == values.count {
            let kept = text.map { Array(JSONText.cut($0.bindMemory(to: UInt8.self), to: PropertyCatalogue.textLimit)) } ?? []
            values.append(Value(path: path, kind: kind, fingerprint: text == nil ? .none : ofValue, text: kept))
        }
        return UInt32(number)
    }
}

extension PropertyCatalogue.Kind {
    fileprivate init(_ value: JSONValue, in props: UnsafeRawBufferPointer) {
        switch value.kind {
        case .null: self = .null
        case .object: self = .object
        case .array: self = .array
        case .bool: self = .bool
        case .string: self = .string
        case .number: self = value.text.bytes(in: props).isWholeNumber ? .int : .double
        }
    }

    var ordinal: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
