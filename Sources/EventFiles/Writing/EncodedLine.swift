/// What a drop needs of a line that this package's encoder wrote: its session, and whether it is a meta line.
///
/// The keys stand in the fixed order of version 1, and a quote inside a text is always escaped, so no general parser is needed.
struct EncodedLine {
    private(set) var session: String?
    private(set) var isMeta = false

    init(_ line: UnsafeBufferPointer<UInt8>) {
        var place = 0
        guard Self.skip(#"{"v":1,"t_ms":"#, in: line, &place) else { return }
        while place < line.count, line[place] != UInt8(ascii: ",") { place += 1 }
        guard Self.skip(#","name":"#, in: line, &place), Self.text(in: line, &place) != nil else { return }
        if Self.skip(#","user":"#, in: line, &place) { _ = Self.text(in: line, &place) }
        if Self.skip(#","session":"#, in: line, &place) { session = Self.text(in: line, &place).map { Self.unescaped(line[$0]) } }
        if Self.skip(#","seq":"#, in: line, &place) { while place < line.count, line[place] != UInt8(ascii: ",") { place += 1 } }
        if Self.skip(#","id":"#, in: line, &place) { _ = Self.text(in: line, &place) }
        isMeta = Self.skip(#","type":"meta""#, in: line, &place)
    }

    private static func skip(_ text: StaticString, in line: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> Bool {
        guard line.count - place >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where line[place + index] != text.utf8Start[index] { return false }
        place += text.utf8CodeUnitCount
        return true
    }

    /// Passes over a quoted text and returns the range between its quotes.
    private static func text(in line: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> Range<Int>? {
        guard place < line.count, line[place] == UInt8(ascii: "\"") else { return nil }
        var end = place + 1
        while end < line.count, line[end] != UInt8(ascii: "\"") { end += line[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end < line.count else { return nil }
        defer { place = end + 1 }
        return place + 1..<end
    }

    /// Undoes the escapes that the encoder makes: the six short ones it knows and `\u00XX`.
    private static func unescaped(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"):
                bytes.append(UInt8(String(decoding: rest.prefix(4).suffix(2), as: UTF8.self), radix: 16) ?? UInt8(ascii: "?"))
                rest = rest.dropFirst(4)
            default: bytes.append(escape)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
