import EventFiles
import TrackingEvents

/// What the property catalogue keeps of one batch of lines: each different path and value once, and for each event of the name
/// which of them it has.
struct PropertyBatch: Sendable {
    /// A key and the object that it is in.
    struct Path: Sendable {
        /// The place of the enclosing object's path; -1 for `props` itself.
        var parent: Int
        var key: [UInt8]
    }

    struct Value: Sendable {
        var path: Int
        var kind: PropertyCatalogue.Kind
        /// Of kind and whole text; none for what has no text: null, an object, an array.
        var fingerprint: Fingerprint
        /// At most ``PropertyCatalogue/textLimit`` bytes.
        var text: [UInt8]
    }

    /// How deep objects are looked into. Writers of the format stop at 4.
    static let depthLimit = 8

    var head: BatchHead
    /// For each event whether it has a user: ``Fingerprint/unread`` or ``Fingerprint/none``.
    private(set) var users: [Fingerprint] = []
    private(set) var paths: [Path] = []
    private(set) var values: [Value] = []
    /// Events of the name: their places in the head, and where each one's cells begin; one more at the end.
    private(set) var events: [UInt32] = []
    private(set) var starts: [UInt32] = [0]
    /// Places in `values`.
    private(set) var cells: [UInt32] = []
    /// Whether there were more paths than are counted.
    private(set) var hasMorePaths = false
    var names: [[UInt8]] { table.names }

    /// The session of each of the events, where they are lines that begin sessions; else empty.
    private(set) var sessions: [Fingerprint] = []
    private let isOfSessions: Bool
    private let name: [UInt8]
    private let range: TimeRange
    private let cohort: CohortTest
    private var table = NameTable()
    private var placeOfPath: [Fingerprint: Int] = [:]
    private var placeOfValue: [Fingerprint: UInt32] = [:]
    /// The event that a path was last met in, and its cell there: of a key that stands twice the last counts.
    private var lastCell: [(event: Int, cell: Int)] = []

    init(_ run: PropertyRun, expecting lines: Int) {
        head = BatchHead(expecting: lines)
        users.reserveCapacity(lines)
        name = Array(run.name.utf8)
        isOfSessions = run.isOfSessions
        range = run.range
        cohort = CohortTest(run.cohort, countedBy: nil)
    }

    mutating func take(_ line: EventHead) {
        guard head.take(line) else {
            guard isOfSessions, line.kind == .meta, !line.session.isEmpty, isWanted(line) else { return }
            sessions.append(.of(line.session))
            events.append(0)
            return takeProperties(line)
        }
        users.append(line.user.isEmpty ? .none : .unread)
        var isNew = false
        _ = table.number(of: line.name, isNew: &isNew)
        guard !isOfSessions, isWanted(line) else { return }
        events.append(UInt32(head.events - 1))
        takeProperties(line)
    }

    private func isWanted(_ line: EventHead) -> Bool {
        line.name.elementsEqual(name) && range.contains(line.time) && cohort.admits(line)
    }

    private mutating func takeProperties(_ line: EventHead) {
        if !line.props.isEmpty && line.props.count <= EventLineScanner.lengthLimit {
            let before = cells.count
            do throws(BadLine) {
                try walk(line.props, at: 0, parent: -1, depth: 1)
            } catch {
                // Not well-formed: for tests, too, such an event has no properties at all.
                cells.removeSubrange(before...)
            }
        }
        starts.append(UInt32(cells.count))
    }

    private mutating func walk(_ props: UnsafeRawBufferPointer, at place: Int, parent: Int, depth: Int) throws(BadLine) {
        var cursor = JSONCursor(props, at: place)
        var objects: [(place: Int, path: Int)] = []
        try cursor.forEachEntry { key, value in
            guard let path = path(of: key, in: props, parent: parent) else { return }
            if note(value, path: path, in: props) { objects.removeAll { $0.path == path } }
            if value.kind == .object && depth < Self.depthLimit { objects.append((value.text.range.lowerBound, path)) }
        }
        for object in objects { try walk(props, at: object.place, parent: object.path, depth: depth + 1) }
    }

    private mutating func path(of key: LineText, in props: UnsafeRawBufferPointer, parent: Int) -> Int? {
        func fingerprint(_ bytes: UnsafeRawBufferPointer) -> Fingerprint {
            .of(Fingerprint(high: 0, low: UInt64(truncatingIfNeeded: parent + 1)), .of(bytes))
        }
        let unescaped = key.hasEscapes ? Array(key.string(in: props).utf8) : nil
        let mark = unescaped?.withUnsafeBytes(fingerprint) ?? fingerprint(key.bytes(in: props))
        if let known = placeOfPath[mark] { return known }
        guard paths.count < PropertyCatalogue.keyLimit else {
            hasMorePaths = true
            return nil
        }
        paths.append(Path(parent: parent, key: unescaped ?? Array(key.bytes(in: props))))
        lastCell.append((-1, 0))
        placeOfPath[mark] = paths.count - 1
        return paths.count - 1
    }

    /// Notes the value of a path; says whether it replaces another of the same event.
    private mutating func note(_ value: JSONValue, path: Int, in props: UnsafeRawBufferPointer) -> Bool {
        let number = number(of: value, path: path, in: props)
        let event = events.count
        if lastCell[path].event == event && lastCell[path].cell < cells.count {
            cells[lastCell[path].cell] = number
            return true
        }
        lastCell[path] = (event, cells.count)
        cells.append(number)
        return false
    }

    private mutating func number(of value: JSONValue, path: Int, in props: UnsafeRawBufferPointer) -> UInt32 {
        let kind: PropertyCatalogue.Kind
        var text: UnsafeRawBufferPointer?
        var unescaped: [UInt8] = []
        switch value.kind {
        case .null: kind = .null
        case .object: kind = .object
        case .array: kind = .array
        case .bool:
            kind = .bool
            text = value.text.bytes(in: props)
        case .number:
            let bytes = value.text.bytes(in: props)
            kind = bytes.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") } ? .double : .int
            text = bytes
        case .string:
            kind = .string
            if value.text.hasEscapes {
                unescaped = Array(value.text.string(in: props).utf8)
            } else {
                text = value.text.bytes(in: props)
            }
        }
        func place(_ text: UnsafeRawBufferPointer, hasText: Bool) -> UInt32 {
            let ofValue = Fingerprint.of(Fingerprint(high: UInt64(kind.ordinal), low: 0), .of(text))
            let inBatch = Fingerprint.of(Fingerprint(high: 0, low: UInt64(path)), ofValue)
            if let known = placeOfValue[inBatch] { return known }
            values.append(
                Value(
                    path: path, kind: kind, fingerprint: hasText ? ofValue : .none,
                    text: Array(text.prefix(Self.cut(text)))))
            placeOfValue[inBatch] = UInt32(values.count - 1)
            return UInt32(values.count - 1)
        }
        if let text { return place(text, hasText: true) }
        return unescaped.withUnsafeBytes { place($0, hasText: kind == .string) }
    }

    /// Where a text is cut so that it is short enough and no character is broken.
    private static func cut(_ text: UnsafeRawBufferPointer) -> Int {
        guard text.count > PropertyCatalogue.textLimit else { return text.count }
        var end = PropertyCatalogue.textLimit
        while end > 0 && text[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }
}

extension PropertyCatalogue.Kind {
    /// The place among all kinds.
    var ordinal: Int {
        switch self {
        case .string: 0
        case .int: 1
        case .double: 2
        case .bool: 3
        case .null: 4
        case .object: 5
        case .array: 6
        }
    }
}
