import Basics
internal import TrackingEvents

/// The metadata of a summary: the segment that it was made of, and facts that its rows do not tell.
package struct SummaryFacts: Sendable, Hashable {
    package struct Run: Sendable, Hashable {
        /// The session's code in the row group's dictionary.
        package var session: Int
        package var low: Int64
        package var high: Int64
    }

    package struct Identifiers: Sendable, Hashable {
        package var count = 0
        /// The smallest by its bytes. `nil` if there are no ids, or one is longer than ``SummaryFacts/maxIdentifierBytes``.
        package var smallest: String?
        package var largest: String?
        /// The rows whose id an earlier row has, too.
        package internal(set) var repeated: [Int] = []
    }

    static let key = "looptrail.summary"
    static let version = 3
    /// Version 2 stores ids whole, without shared prefixes. A reader of columns takes both.
    private static let readVersions: ClosedRange<Int64> = 2...3
    static let maxIdentifierBytes = 128

    var segment = ""
    var mark = SegmentMark(bytes: 0, members: 0, proof: .none)
    var filledMembers = 0
    /// Whole lines. Bad lines and timing lines count here, and have no row.
    package internal(set) var lines = 0
    package internal(set) var badLines = 0
    package internal(set) var timingLines = 0
    package internal(set) var metaLines = 0
    package internal(set) var events = 0
    package internal(set) var ids = Identifiers()
    /// The runs of sequence numbers of each row group, by session. The numbers of lines without a row are included.
    package internal(set) var runs: [[Run]] = []
    /// The number of rows in each batch of lines that a reader hands over. Batches without rows are left out.
    package internal(set) var batches: [Int] = []
    package internal(set) var leaves: [SummaryLeaf] = []
    /// How many different paths properties have; `nil` if there were too many to count.
    package internal(set) var paths: Int?

    var rows: Int { metaLines + events }
}

extension SummaryFacts {
    var text: String {
        let object: JSONObject = [
            "version": Self.version, "segment": segment, "bytes": mark.bytes, "members": mark.members, "filled_members": filledMembers,
            "members_proof": mark.proof.hexadecimal, "lines": lines, "bad_lines": badLines, "timing_lines": timingLines,
            "meta_lines": metaLines, "events": events, "ids": ids.count, "smallest_id": ids.smallest, "largest_id": ids.largest,
            "repeated_rows": NumberListText.text(Self.differences(ids.repeated)), "runs": runs.map(Self.text),
            "batches": NumberListText.text(batches.map { UInt64($0) }), "paths": paths,
            "leaves": leaves.map { ["column": $0.columnName, "kind": $0.kind.rawValue, "path": $0.path] as JSONObject },
        ]
        var json = JSONWriter(capacity: 4096)
        object.write(to: &json)
        return json.text
    }

    /// Reads what ``text`` wrote; `nil` for anything else, and for a version that cannot be read.
    init?(_ text: String) {
        self.init()
        guard Array(text.utf8).withUnsafeBytes({ (try? read($0)) ?? false }) else { return nil }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(BadLine) -> Bool {
        func string(_ value: JSONValue) -> String? { value.string(in: bytes) }
        func number(_ value: JSONValue) -> Int64? { value.integer(in: bytes) }
        func list(_ value: JSONValue) -> [UInt64]? {
            value.kind == .string && !value.text.hasEscapes ? NumberListText.numbers(value.text.bytes(in: bytes)) : nil
        }
        func count(_ value: JSONValue) -> Int? { number(value).flatMap { $0 >= 0 && $0 < 1 << 40 ? Int($0) : nil } }
        let found = try Self.entries(of: bytes, at: 0)
        func value<Value>(_ key: String, _ read: (JSONValue) -> Value?) -> Value? { found[key].flatMap(read) }
        guard let version = value("version", number), Self.readVersions.contains(version), let segment = value("segment", string),
            let size = value("bytes", number), let members = value("members", count), let filled = value("filled_members", count),
            let proof = value("members_proof", string).flatMap(Fingerprint.init(hexadecimal:)),
            let lines = value("lines", count), let badLines = value("bad_lines", count), let timingLines = value("timing_lines", count),
            let metaLines = value("meta_lines", count), let events = value("events", count), let ids = value("ids", count),
            let repeated = value("repeated_rows", list).flatMap(Self.sums), let batches = value("batches", list),
            let runs = found["runs"], let leaves = found["leaves"]
        else { return false }
        self.segment = segment
        mark = SegmentMark(bytes: size, members: members, proof: proof)
        filledMembers = filled
        (self.lines, self.badLines, self.timingLines, self.metaLines, self.events) = (lines, badLines, timingLines, metaLines, events)
        self.ids = Identifiers(count: ids, smallest: value("smallest_id", string), largest: value("largest_id", string), repeated: repeated)
        paths = value("paths", count)
        self.batches = batches.map { Int(truncatingIfNeeded: $0) }
        // These facts must not contradict the number of rows.
        guard self.batches.allSatisfy({ $0 > 0 && $0 <= rows }), self.batches.reduce(0, { $0 &+ $1 }) == rows,
            repeated.allSatisfy({ $0 < rows }), ids <= events
        else { return false }
        for list in try runs.elements(in: bytes) {
            guard list.kind == .string, !list.text.hasEscapes, let runs = Self.runs(list.text.bytes(in: bytes)) else { return false }
            self.runs.append(runs)
        }
        for element in try leaves.elements(in: bytes) {
            let entries = try Self.entries(of: bytes, at: element.text.range.lowerBound)
            let kind = entries["kind"].flatMap(string).flatMap(SummaryLeaf.Kind.init)
            guard let kind, let path = entries["path"] else { return false }
            let elements = try path.elements(in: bytes)
            let keys = elements.compactMap(string)
            guard keys.count == elements.count else { return false }
            self.leaves.append(SummaryLeaf(path: keys, kind: kind))
        }
        return self.leaves.count <= SummaryLeaf.maxCount
    }

    private static func entries(of bytes: UnsafeRawBufferPointer, at offset: Int) throws(BadLine) -> [String: JSONValue] {
        var entries: [String: JSONValue] = [:]
        var cursor = JSONCursor(bytes, at: offset)
        try cursor.forEachEntry { key, value in entries[key.string(in: bytes)] = value }
        return entries
    }

    private static func differences(_ numbers: [Int]) -> [UInt64] { zip(numbers, [0] + numbers).map { UInt64($0 - $1) } }

    private static func sums(_ steps: [UInt64]) -> [Int]? {
        var sums: [Int] = []
        var last: UInt64 = 0
        for step in steps {
            guard step < 1 << 40, last < 1 << 40 else { return nil }
            last += step
            sums.append(Int(last))
        }
        return sums
    }

    /// For each session of the dictionary, up to the last one with runs: how many runs it has, then two numbers for each run. The first is
    /// its low number minus the high one of the run before (minus 0 for the first run). The second is its high number minus its low one.
    private static func text(of runs: [Run]) -> String {
        var text: [UInt8] = []
        var rest = runs[...]
        for session in 0..<(runs.last.map { $0.session + 1 } ?? 0) {
            let own = rest.prefix { $0.session == session }
            rest = rest.dropFirst(own.count)
            NumberListText.append(UInt64(own.count), to: &text)
            var last: Int64 = 0
            for run in own {
                NumberListText.append(UInt64(run.low - last), to: &text)
                NumberListText.append(UInt64(run.high - run.low), to: &text)
                last = run.high
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func runs(_ text: UnsafeRawBufferPointer) -> [Run]? {
        let most = UInt64(EventLineLimits.integerMagnitude)
        var runs: [Run] = []
        // A session with one run takes at least three characters.
        runs.reserveCapacity(text.count / 3)
        var numbers = NumberListText.Reader(text: text)
        var session = 0
        while let count = numbers.next() {
            var last: UInt64 = 0
            for _ in 0..<count {
                guard let step = numbers.next(), let more = numbers.next(), step <= most, more <= most else { return nil }
                let low = last + step
                let high = low + more
                guard high <= most, low > 0 else { return nil }
                runs.append(Run(session: session, low: Int64(low), high: Int64(high)))
                last = high
            }
            session += 1
        }
        return numbers.isAtEnd ? runs : nil
    }
}
