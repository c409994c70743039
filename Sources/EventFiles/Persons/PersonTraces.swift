import Basics
import TrackingEvents

/// Finds a person's ids in bytes that are no event lines.
struct PersonTraces: Sendable {
    /// Each id as it is, and as it stands in JSON where that differs.
    private let spellings: [[UInt8]]

    init(of person: PersonIDs) {
        var spellings: [[UInt8]] = []
        for id in person.ids + person.aliases where !id.isEmpty {
            spellings.append(Array(id.utf8))
            let escaped = Self.escaped(id)
            if !spellings.contains(escaped) { spellings.append(escaped) }
        }
        self.spellings = spellings
    }

    /// Whether one of the ids stands in the bytes as a word of its own, or as all of a JSON string.
    func areIn(_ bytes: UnsafeRawBufferPointer, quoted isQuoted: Bool = false) -> Bool {
        spellings.contains { spelling in
            var offset = 0
            while let start = JSONBytes.first(spelling[0], in: bytes, from: offset) {
                let end = start + spelling.count
                guard end <= bytes.count else { return false }
                if bytes[start..<end].elementsEqual(spelling), Self.ends(bytes, start, end, quoted: isQuoted) { return true }
                offset = start + 1
            }
            return false
        }
    }

    /// Whether an id may stand in a file, compared byte by byte as it lies.
    func areQuoted(inFileAt path: String, on fileSystem: any FileSystem) throws(EventFileReadError) -> Bool {
        do throws(FileSystemError) {
            let file = try fileSystem.retrying { () throws(FileSystemError) in try fileSystem.openToRead(atPath: path) }
            defer { fileSystem.close(file) }
            let size = try fileSystem.status(of: file).bytes
            let bytes = ByteBuffer(capacity: Int(size))
            bytes.advance(by: try fileSystem.readAll(into: .init(start: bytes.base, count: Int(size)), from: file, at: 0))
            return areIn(bytes.raw, quoted: true)
        } catch {
            if error.errno == ENOENT { return false }
            throw EventFileReadError(error.naming(path))
        }
    }

    private static func ends(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int, quoted isQuoted: Bool) -> Bool {
        let before = start > 0 ? bytes[start - 1] : nil
        let after = end < bytes.count ? bytes[end] : nil
        let quote = UInt8(ascii: "\"")
        if isQuoted { return before == quote && after == quote }
        return !isOfWord(before) && !isOfWord(after)
    }

    private static func isOfWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
            return true
        default: return false
        }
    }

    /// The id as the writer spells it on a line, without its quotes.
    private static func escaped(_ id: String) -> [UInt8] {
        let bytes = ByteBuffer(capacity: id.utf8.count + 2)
        JSONText.append(id, to: bytes)
        return Array(bytes.bytes.dropFirst().dropLast())
    }
}
