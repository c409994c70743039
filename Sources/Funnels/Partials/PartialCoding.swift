import Basics
import EventFiles
import ParquetFiles

/// The form that contexts and partials share: a line that says what it is, numbers of as few bytes as they need, a fingerprint at the end.
///
/// A number is LEB128: seven bits a byte, the lowest first, and a high bit where another byte follows. Signed ones are folded first: 0, −1,
/// 1, −2 … become 0, 1, 2, 3 … A type lists its parts once, for writing and for reading: each call appends the value that it is given, or
/// replaces it by the one that comes next. Only reading throws.
struct PartialCoder {
    /// What was written so far, or all that is read.
    let buffer: ByteBuffer
    private var offset = 0
    /// How much the sizes still to be read may add up to: more than files reach, and too little for a sum over parts to overflow.
    private var sizesLeft = UInt64(1) << 50
    /// Where the fingerprint begins; `nil` while it writes.
    private let end: Int?

    var isReading: Bool { end != nil }

    init(kind: PartialKind) {
        buffer = ByteBuffer(capacity: 1024)
        buffer.append("looptrail \(kind.name) \(kind.version)\n".utf8)
        end = nil
    }

    /// Begins to read, and refuses another kind or version, and damage.
    init(_ bytes: [UInt8], kind: PartialKind) throws(PartialError) {
        let head = Array("looptrail \(kind.name) ".utf8)
        guard bytes.starts(with: head) else { throw .foreign(expected: kind.words) }
        let digits = bytes[head.count...].prefix { (0x30...0x39).contains($0) }.prefix(9)
        guard !digits.isEmpty else { throw .foreign(expected: kind.words) }
        let version = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard version == kind.version else { throw .version(version, expected: kind.version) }
        let start = head.count + digits.count + 1
        guard bytes.count >= start + 16 else { throw .damaged(offset: bytes.count) }
        let end = bytes.count - 16
        guard Self.bytes(of: bytes[..<end].withUnsafeBytes { Fingerprint.of($0) }).elementsEqual(bytes[end...]) else {
            throw .damaged(offset: end)
        }
        (buffer, self.end, offset) = (ByteBuffer(capacity: bytes.count), end, start)
        buffer.append(bytes)
    }

    /// The bytes that a description writes, with their fingerprint.
    static func written(_ kind: PartialKind, _ describe: (inout PartialCoder) throws(PartialError) -> Void) -> [UInt8] {
        var coder = PartialCoder(kind: kind)
        do throws(PartialError) { try describe(&coder) } catch { preconditionFailure("writing refuses nothing") }
        return coder.buffer.bytes + bytes(of: Fingerprint.of(coder.buffer.raw))
    }

    private static func bytes(of fingerprint: Fingerprint) -> [UInt8] {
        [fingerprint.high, fingerprint.low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
    }

    mutating func number(_ number: inout UInt64) throws(PartialError) {
        guard let end else { return buffer.appendVarint(number) }
        let readable = UnsafeRawBufferPointer(rebasing: buffer.raw[..<end])
        guard let read = readable.varint(at: &offset) else { throw .damaged(offset: offset) }
        number = read
    }

    /// Throws while it reads, unless `holds`: only damage makes numbers that no data can have.
    func require(_ holds: Bool) throws(PartialError) { if isReading && !holds { throw .damaged(offset: 0) } }

    mutating func size(_ size: inout Int) throws(PartialError) {
        var number = UInt64(size)
        try self.number(&number)
        guard isReading else { return }
        guard number <= sizesLeft else { throw .damaged(offset: offset) }
        sizesLeft -= number
        size = Int(number)
    }

    mutating func flag(_ flag: inout Bool) throws(PartialError) {
        var number: UInt64 = flag ? 1 : 0
        try self.number(&number)
        flag = number == 1
    }

    mutating func signed(_ number: inout Int64) throws(PartialError) {
        var folded = UInt64(bitPattern: number << 1 ^ number >> 63)
        try self.number(&folded)
        number = Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
    }

    mutating func optional(_ number: inout Int64?) throws(PartialError) {
        var (isThere, value) = (UInt64(number == nil ? 0 : 1), number ?? 0)
        try self.number(&isThere)
        if isThere != 0 { try signed(&value) }
        number = isThere != 0 ? value : nil
    }

    mutating func fingerprint(_ fingerprint: inout Fingerprint) throws(PartialError) {
        guard let end else { return buffer.append(Self.bytes(of: fingerprint)) }
        guard end - offset >= 16 else { throw .damaged(offset: offset) }
        let words = [offset, offset + 8].map { buffer.raw.loadUnaligned(fromByteOffset: $0, as: UInt64.self).littleEndian }
        offset += 16
        fingerprint = Fingerprint(high: words[0], low: words[1])
    }

    mutating func text(_ text: inout [UInt8]) throws(PartialError) {
        let count = try count(text.count)
        if isReading {
            offset += count
            text = Array(buffer.bytes[offset - count..<offset])
        } else {
            buffer.append(text)
        }
    }

    /// Numbers that are not negative, in any order. They are written sorted, each as its difference from the one before.
    mutating func run(_ run: inout [Int64]) throws(PartialError) {
        var last: Int64 = 0
        if !isReading { run.sort() }
        try list(&run, 0) { coder, number throws(PartialError) in
            var difference = UInt64(bitPattern: number &- last)
            try coder.number(&difference)
            let (next, overflow) = last.addingReportingOverflow(Int64(bitPattern: difference))
            guard !overflow, next >= last else { throw .damaged(offset: coder.offset) }
            (number, last) = (next, next)
        }
    }

    /// A list of elements, each of at least one byte.
    ///
    /// - Parameter empty: what each element is before it is read.
    mutating func list<Element>(
        _ list: inout [Element], _ empty: Element, _ describe: (inout PartialCoder, inout Element) throws(PartialError) -> Void
    ) throws(PartialError) {
        let count = try count(list.count)
        if isReading { list = Array(repeating: empty, count: count) }
        for index in list.indices { try describe(&self, &list[index]) }
    }

    /// Writes or reads how many elements or bytes follow. Reading throws if more are said to follow than bytes are left.
    private mutating func count(_ count: Int) throws(PartialError) -> Int {
        var number = UInt64(count)
        try self.number(&number)
        guard let end else { return count }
        guard number <= UInt64(end - offset) else { throw .damaged(offset: offset) }
        return Int(number)
    }

    /// Throws if not all bytes before the fingerprint were read.
    func finish() throws(PartialError) { guard offset == end else { throw .damaged(offset: offset) } }
}

struct PartialKind {
    let name: String
    let version: Int
    /// What a user calls it.
    let words: String

    static let context = PartialKind(name: "context", version: 3, words: "a context of `looptrail cluster prepare`")
    static let partial = PartialKind(
        name: "partial", version: 3, words: "a partial of `looptrail funnel --partial` or `looptrail cluster split`")
}
