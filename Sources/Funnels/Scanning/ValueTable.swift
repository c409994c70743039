import EventFiles
import TrackingEvents

/// Numbers the values of objects: each pair of a path and a text has one number.
struct ValueTable: Sendable {
    /// Stands for a value that is not kept.
    static let none = UInt32.max

    private(set) var paths: PathTable
    private(set) var pathOf: [UInt32] = []
    /// For each path, how many values of other tables were new here. One beyond the limit is not kept, so it is new each time.
    private(set) var counts: [Int] = []
    /// The texts one after the other, and where each ends.
    private var texts: [UInt8] = []
    private var textEnds: [Int] = []
    private var numbers = FingerprintNumbers()

    init(pathLimit: Int = .max) { paths = PathTable(limit: pathLimit) }

    var count: Int { pathOf.count }

    func text(_ value: Int) -> ArraySlice<UInt8> { texts[(value == 0 ? 0 : textEnds[value - 1])..<textEnds[value]] }

    /// Appends the number of each text, number and truth value of an object, each path once; nothing if the object is not well formed.
    mutating func add(_ object: UnsafeRawBufferPointer, of source: PropertySource, withEmpty: Bool = true, to cells: inout [UInt32]) {
        for (path, value) in paths.entries(of: object, root: source == .event ? -1 : -2)
        where value.hasText && (withEmpty || !value.text.isEmpty) {
            cells.append(value.withText(in: object) { number($0, .of(paths.paths[path].fingerprint, .of($0)), at: path) })
        }
    }

    /// What a line that begins a session says.
    mutating func row(_ line: EventHead, withEmpty: Bool = true) -> SessionRow<[UInt32]> {
        var row = SessionRow<[UInt32]>(time: line.time, isRepetition: SessionLine.repeats(line), values: [])
        add(line.props, of: .session, withEmpty: withEmpty, to: &row.values)
        return row
    }

    /// - Parameter fingerprint: that of the path and the text together, which is the same in every table.
    private mutating func number(_ text: some Sequence<UInt8>, _ fingerprint: Fingerprint, at path: Int) -> UInt32 {
        let number = numbers.number(of: fingerprint)
        if number == pathOf.count {
            pathOf.append(UInt32(path))
            texts += text
            textEnds.append(texts.count)
        }
        return UInt32(number)
    }

    /// For each value of another table, its number here; ``none`` if its path is beyond the limit or has too many values.
    mutating func numbers(of other: ValueTable, atMost limit: Int = .max) -> [UInt32] {
        let ofPath = paths.numbers(of: other.paths)
        while counts.count < paths.paths.count { counts.append(0) }
        return (0..<other.count).map { value in
            let fingerprint = other.numbers.all[value]
            if let known = numbers.known(fingerprint) { return UInt32(known) }
            guard let path = ofPath[Int(other.pathOf[value])] else { return Self.none }
            counts[path] += 1
            return counts[path] > limit ? Self.none : number(other.text(value), fingerprint, at: path)
        }
    }

    /// The rows of a session whose lines have these values, each path at most once.
    func ordered(_ lines: [SessionRow<[UInt32]>]) -> [SessionRow<[UInt32]>] {
        func united(_ values: [UInt32], _ choose: (UInt32, UInt32) -> UInt32) -> [UInt32] {
            Array(Dictionary(values.map { (pathOf[Int($0)], $0) }, uniquingKeysWith: choose).values)
        }
        return SessionRow.ordered(lines) { one, other in
            united(one + other) { text(Int($0)).lexicographicallyPrecedes(text(Int($1))) ? $1 : $0 }
        } filled: { own, before in
            united(own + before) { own, _ in own }
        }
    }

    func property(atPath number: Int) -> FunnelBreakdown.Property {
        let (root, keys) = paths.keys(of: number)
        return FunnelBreakdown.Property(source: root == -1 ? .event : .session, path: keys)
    }
}
