import EventFiles

/// The form that contexts and partials share: a line that says what it is, numbers of as few bytes as they need, a fingerprint at the end.
///
/// A number takes seven bits a byte, the lowest first; the high bit says that another byte follows (LEB128). Signed numbers are folded
/// first: 0, −1, 1, −2 … become 0, 1, 2, 3 …
struct PartialWriter {
    private(set) var bytes: [UInt8]

    init(kind: PartialKind) { bytes = Array("looptrail \(kind.name) \(kind.version)\n".utf8) }

    mutating func put(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func put(_ number: Int) { put(UInt64(number)) }
    mutating func put(signed number: Int64) { put(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    mutating func put(_ number: Int64?) {
        put(number == nil ? 0 : 1)
        if let number { put(signed: number) }
    }

    mutating func put(_ fingerprint: Fingerprint) {
        for word in [fingerprint.high, fingerprint.low] {
            for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
    }

    mutating func put(_ text: [UInt8]) {
        put(text.count)
        bytes += text
    }

    /// Numbers that are not negative, in any order: sorted, each as the difference to the one before.
    mutating func put(run: [Int64]) {
        put(run.count)
        var before: Int64 = 0
        for number in run.sorted() {
            put(UInt64(number &- before))
            before = number
        }
    }

    /// The bytes with their fingerprint.
    consuming func finished() -> [UInt8] {
        put(bytes.withUnsafeBytes { Fingerprint.of($0) })
        return bytes
    }
}

/// What a file of parts is.
struct PartialKind {
    let name: String
    let version: Int
    /// What a user calls it.
    let words: String

    static let context = PartialKind(name: "context", version: 2, words: "a context of `looptrail prepare`")
    static let partial = PartialKind(
        name: "partial", version: 3, words: "a partial of `looptrail funnel --partial` or `looptrail split`")
}

/// Reads what ``PartialWriter`` wrote, and refuses everything else.
struct PartialReader {
    private let bytes: [UInt8]
    private var offset: Int
    /// Where the fingerprint begins.
    private let end: Int

    init(_ bytes: [UInt8], kind: PartialKind) throws(PartialError) {
        let head = Array("looptrail \(kind.name) ".utf8)
        guard bytes.starts(with: head) else { throw .foreign(expected: kind.words) }
        let digits = bytes[head.count...].prefix { (0x30...0x39).contains($0) }.prefix(9)
        guard !digits.isEmpty else { throw .foreign(expected: kind.words) }
        let version = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard version == kind.version else { throw .version(version, expected: kind.version) }
        let start = head.count + digits.count + 1
        guard bytes.count >= start + 16 else { throw .damaged(offset: bytes.count) }
        end = bytes.count - 16
        var tail = PartialWriter(kind: kind)
        let before = tail.bytes.count
        tail.put(bytes[..<end].withUnsafeBytes { Fingerprint.of($0) })
        guard tail.bytes[before...].elementsEqual(bytes[end...]) else { throw .damaged(offset: end) }
        self.bytes = bytes
        offset = start
    }

    mutating func number() throws(PartialError) -> UInt64 {
        var (number, shift) = (UInt64(0), UInt64(0))
        while offset < end {
            let byte = bytes[offset]
            offset += 1
            guard shift < 63 || byte <= 1 else { break }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        throw .damaged(offset: offset)
    }

    /// A number of things, each of at least one byte: never more than there is room for.
    mutating func count() throws(PartialError) -> Int {
        let number = try number()
        guard number <= UInt64(end - offset) else { throw .damaged(offset: offset) }
        return Int(number)
    }

    mutating func size() throws(PartialError) -> Int {
        // No sum of sizes that a disk can hold overflows.
        guard let size = Int(exactly: try number()), size <= 1 << 53 else { throw .damaged(offset: offset) }
        return size
    }

    mutating func signed() throws(PartialError) -> Int64 {
        let folded = try number()
        return Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
    }

    mutating func optional() throws(PartialError) -> Int64? { try number() == 0 ? nil : try signed() }

    mutating func fingerprint() throws(PartialError) -> Fingerprint {
        guard end - offset >= 16 else { throw .damaged(offset: offset) }
        var words: [UInt64] = []
        for start in [offset, offset + 8] {
            words.append(bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        offset += 16
        return Fingerprint(high: words[0], low: words[1])
    }

    mutating func text() throws(PartialError) -> [UInt8] {
        let count = try count()
        offset += count
        return Array(bytes[offset - count..<offset])
    }

    mutating func run() throws(PartialError) -> [Int64] {
        let count = try count()
        var run: [Int64] = []
        run.reserveCapacity(count)
        var last: Int64 = 0
        for _ in 0..<count {
            let (next, overflow) = last.addingReportingOverflow(Int64(bitPattern: try number()))
            guard !overflow, next >= last else { throw .damaged(offset: offset) }
            run.append(next)
            last = next
        }
        return run
    }

    /// Nothing may follow.
    func finish() throws(PartialError) {
        guard offset == end else { throw .damaged(offset: offset) }
    }
}
