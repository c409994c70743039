import EventFiles
import TrackingEvents

/// What a page keeps of one batch of lines: of each event and of each line that begins a session who, when, and which values.
struct ExploreBatch: DecodedBatch {
    private(set) var events: CatalogueBatch
    /// For each event the fingerprint of its session.
    private(set) var sessions: [Fingerprint] = []
    /// Lines that begin sessions.
    private(set) var began: [(session: Fingerprint, time: Int64, cells: [UInt32])] = []
    /// Of each event the numbers of its values: they end where ``ends`` says.
    private(set) var cells: [UInt32] = []
    private(set) var ends: [Int] = []
    private(set) var values = ExploreValues()
    /// The texts of users, where they are kept.
    private(set) var userTexts = NameTable()

    private let keepsIDs: Bool

    init(_ definition: ExploreDefinition, expecting lines: Int) {
        keepsIDs = definition.keepsIDs
        events = CatalogueBatch(joins: definition.identify, cohort: CohortTest(definition.cohort, countedBy: .user), expecting: lines)
    }

    mutating func take(_ line: EventHead) {
        events.take(line)
        guard line.kind == .event else {
            if SessionLine.isOne(line) {
                began.append((.of(line.session), line.time, values.numbers(of: line.props, in: .session)))
            }
            return
        }
        sessions.append(line.session.isEmpty ? .none : .of(line.session))
        cells += values.numbers(of: line.props, in: .event)
        ends.append(cells.count)
        if keepsIDs, !line.user.isEmpty { _ = userTexts.number(of: line.user) }
    }

    mutating func takeBadLine() { events.takeBadLine() }
    mutating func adopt(_ facts: SummaryBatchFacts) { events.adopt(facts) }
}

/// Numbers the values of properties; a number stands for the property and the text.
struct ExploreValues: Sendable {
    private(set) var paths = PathTable()
    /// For each value its path.
    private(set) var pathOf: [UInt32] = []
    /// The texts one behind the other, and where each ends.
    private var texts: [UInt8] = []
    private var textEnds: [Int] = []
    private var numbers = FingerprintNumbers()

    var count: Int { pathOf.count }

    func text(_ value: Int) -> ArraySlice<UInt8> { texts[(value == 0 ? 0 : textEnds[value - 1])..<textEnds[value]] }

    /// The numbers of the texts in some properties: each path has one at most. What is no text, no number, not true and not false has none.
    mutating func numbers(of props: UnsafeRawBufferPointer, in source: PropertySource) -> [UInt32] {
        var found: [UInt32] = []
        for (path, value) in paths.entries(of: props, root: Self.root(of: source)) {
            switch value.kind {
            case .null, .object, .array: continue
            case .bool, .number, .string: found.append(value.withText(in: props) { number(of: $0, at: path) })
            }
        }
        return found
    }

    private mutating func number(of text: UnsafeRawBufferPointer, at path: Int) -> UInt32 {
        let number = numbers.number(of: .of(Fingerprint(high: 0, low: UInt64(path)), .of(text)))
        if number == pathOf.count {
            pathOf.append(UInt32(path))
            texts += text
            textEnds.append(texts.count)
        }
        return UInt32(number)
    }

    /// For each value of another table its number here.
    mutating func numbers(of other: ExploreValues) -> [UInt32] {
        // No table has a limit of paths.
        let ofPath = paths.numbers(of: other.paths).map { $0 ?? 0 }
        return (0..<other.count).map { value in
            other.text(value).withUnsafeBytes { number(of: $0, at: ofPath[Int(other.pathOf[value])]) }
        }
    }

    /// The property of a path's number.
    func property(_ path: Int) -> ExploreDefinition.Property {
        let (root, keys) = paths.keys(of: path)
        return ExploreDefinition.Property(path: keys, in: root == Self.root(of: .session) ? .session : .event)
    }

    private static func root(of source: PropertySource) -> Int { source == .event ? -1 : -2 }
}
