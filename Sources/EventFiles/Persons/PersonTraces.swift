import Basics
import TrackingEvents

/// Finds a person's ids in bytes that are not read as event lines.
struct PersonTraces: Sendable {
    /// Each id as it is, and as JSON escapes it if that differs.
    private let spellings: [[UInt8]]

    init(of person: PersonIDs) {
        var spellings: [[UInt8]] = []
        for id in person.ids + person.aliases where !id.isEmpty {
            let escaped = Array(JSONText.quoted(id).utf8.dropFirst().dropLast())
            for spelling in [Array(id.utf8), escaped] where !spellings.contains(spelling) { spellings.append(spelling) }
        }
        self.spellings = spellings
    }

    /// How often a text in a text in a text is unescaped; a limit, because a line can be made on which it would not end soon.
    private static let deepest = 16

    /// Whether one of the ids stands in the bytes, whatever JSON escapes in it, as a word of its own or, if `isQuoted`, as a whole string.
    func areIn(_ bytes: UnsafeRawBufferPointer, quoted isQuoted: Bool = false, depth: Int = 0) -> Bool {
        if stand(in: bytes, quoted: isQuoted) { return true }
        let isPlain = !bytes.contains { $0 == UInt8(ascii: "\\") || $0 >= 0x80 }
        if isQuoted || isPlain || depth == Self.deepest { return false }
        // Broken UTF-8 becomes U+FFFD, as where the command shows ids. A recording holds texts of JSON in texts of JSON.
        var text = LineText(0..<bytes.count, hasEscapes: true).string(in: bytes)
        return text.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            return !text.elementsEqual(bytes) && areIn(text, depth: depth + 1)
        }
    }

    private func stand(in bytes: UnsafeRawBufferPointer, quoted isQuoted: Bool) -> Bool {
        spellings.contains { spelling in
            var offset = 0
            while let start = JSONBytes.first(spelling[0], in: bytes, from: offset) {
                let end = start + spelling.count
                guard end <= bytes.count else { return false }
                offset = start + 1
                if !bytes[start..<end].elementsEqual(spelling) { continue }
                // The letter before may be that of an escape, such as `\n`, which is no part of the word.
                let isEscape = start > 1 && bytes[start - 2] == UInt8(ascii: "\\") && "bfnrt".utf8.contains(bytes[start - 1])
                let around = [start > 0 && !isEscape ? bytes[start - 1] : nil, end < bytes.count ? bytes[end] : nil]
                if around.allSatisfy({ isQuoted ? $0 == UInt8(ascii: "\"") : !($0.map(Self.isOfWord) ?? false) }) { return true }
            }
            return false
        }
    }

    /// Whether one of the ids stands in a file's raw bytes as a whole JSON string; `false` if there is no such file.
    func areQuoted(inFileAt path: String, on fileSystem: any FileSystem) throws(EventFileReadError) -> Bool {
        try reading(path) { () throws(FileSystemError) in
            guard let (file, _) = try fileSystem.open(InputFile(path: path, wasNamed: false)) else { return false }
            defer { fileSystem.close(file) }
            let bytes = ByteBuffer(capacity: Int(try fileSystem.status(of: file).bytes))
            try fileSystem.append(of: file, at: 0, to: bytes)
            return areIn(bytes.raw, quoted: true)
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte &- UInt8(ascii: "0") < 10 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || "_-".utf8.contains(byte)
    }
}
