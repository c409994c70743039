internal import EventFiles
internal import TrackingEvents

/// One of the parts into which event lines were divided by key, for example the third of eight.
public struct FunnelPart: Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    public let number: Int
    /// How many parts there are.
    public let count: Int

    /// `nil` for a number outside `1...count`, and for more parts than ``FunnelSplit/maxParts``.
    public init?(_ number: Int, of count: Int) {
        guard number >= 1, number <= count, count <= FunnelSplit.maxParts else { return nil }
        (self.number, self.count) = (number, count)
    }

    private static let markName = Array("split_part".utf8)
    private static let (part, of) = (PropertyReader(path: ["part"]), PropertyReader(path: ["of"]))

    /// The line that ``FunnelSplit`` puts in front of the part's lines, without its line feed. It is a meta line, which no funnel counts.
    public var mark: String { #"{"v":1,"t_ms":0,"name":"split_part","type":"meta","props":{"part":\#(number),"of":\#(count)}}"# }

    /// The part that a mark names; `nil` for any other line.
    init?(_ line: EventHead) {
        guard line.kind == .meta, line.name.elementsEqual(Self.markName),
            let number = Self.part.value(in: line.props)?.integer(in: line.props),
            let count = Self.of.value(in: line.props)?.integer(in: line.props)
        else { return nil }
        self.init(Int(number), of: Int(count))
    }

    /// `part 3 of 8`
    public var description: String { "part \(number) of \(count)" }
}

/// Which parts were counted, and how many lines the splits gave out. It shows whether all parts are there, each once and whole.
struct PartLedger: Sendable {
    private struct Counted {
        var lines: Int
        /// Whether the part's lines began with the mark of a split. Only then does a split say how many lines the part must have.
        var isMarked: Bool
    }

    private var counted: [Int: Counted] = [:]
    /// Into how many parts the lines were divided; 0 before the first part is counted.
    private var count = 0
    /// The lines that the splits gave to each part; empty before the first split.
    private var given: [Int] = []
    /// A number that each split draws, so that no split is added twice.
    private var splits: Set<Fingerprint> = []

    init() {}

    init(_ part: FunnelPart, isMarked: Bool, lines: Int) {
        counted = [part.number: Counted(lines: lines, isMarked: isMarked)]
        count = part.count
    }

    init(split given: [Int]) {
        self.given = given
        splits = [Fingerprint(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))]
    }

    /// - Throws: ``PartialError`` for a part or a split that is there already, and for parts of another split; nothing has changed then.
    mutating func merge(_ other: PartLedger) throws(PartialError) {
        var merged = self
        if other.count > 0 {
            if count > 0, count != other.count { throw .otherSplit(other.count, expected: count) }
            merged.count = other.count
            for (number, part) in other.counted {
                if merged.counted.updateValue(part, forKey: number) != nil { throw .repeated(part: number, of: other.count) }
            }
        }
        if !other.splits.isDisjoint(with: splits) { throw .repeatedSplit }
        merged.splits.formUnion(other.splits)
        if given.isEmpty {
            merged.given = other.given
        } else if !other.given.isEmpty {
            if given.count != other.given.count { throw .otherSplit(other.given.count, expected: given.count) }
            merged.given = zip(given, other.given).map(+)
        }
        let isOfSplit = merged.counted.values.contains(where: \.isMarked)
        if isOfSplit, !merged.given.isEmpty, merged.given.count != merged.count {
            throw other.count > 0
                ? .otherSplit(other.count, expected: merged.given.count) : .otherSplit(merged.given.count, expected: merged.count)
        }
        self = merged
    }

    /// - Throws: ``PartialError`` unless all parts are there, with as many lines as the splits gave out.
    func check() throws(PartialError) {
        if given.isEmpty { throw .noQuality }
        let all = count > 0 ? count : given.count
        let missing = (1...all).filter { counted[$0] == nil }
        if !missing.isEmpty { throw .missing(missing, of: all) }
        for (number, part) in counted.sorted(by: { $0.key < $1.key }) where part.isMarked && part.lines != given[number - 1] {
            throw .lines(part: number, counted: part.lines, given: given[number - 1])
        }
        let (lines, givenLines) = (counted.values.reduce(0) { $0 + $1.lines }, given.reduce(0, +))
        if lines != givenLines { throw .lines(part: nil, counted: lines, given: givenLines) }
    }

    mutating func code(_ coder: inout PartialCoder) throws(PartialError) {
        try coder.size(&count)
        var parts = counted.sorted { $0.key < $1.key }.map { (number: $0.key, counted: $0.value) }
        try coder.list(&parts, (0, Counted(lines: 0, isMarked: false))) { coder, part throws(PartialError) in
            try coder.size(&part.number)
            try coder.size(&part.counted.lines)
            try coder.flag(&part.counted.isMarked)
        }
        try coder.list(&given, 0) { coder, lines throws(PartialError) in try coder.size(&lines) }
        var drawn = splits.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        try coder.list(&drawn, .none) { coder, split throws(PartialError) in try coder.fingerprint(&split) }
        (counted, splits) = (Dictionary(parts.map { ($0.number, $0.counted) }) { $1 }, Set(drawn))
        // The fingerprint was right, so another program must have written this, in a form of its own.
        guard counted.keys.allSatisfy({ FunnelPart($0, of: count) != nil }), count == 0 || !counted.isEmpty,
            given.isEmpty == splits.isEmpty, given.count == count || !counted.values.contains(where: \.isMarked) || given.isEmpty
        else { throw .damaged(offset: 0) }
    }
}
