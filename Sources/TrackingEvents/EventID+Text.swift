extension EventID {
    /// Whether a text is an id as the writers of the format make them: a UUID of version 7 in its canonical form.
    package static func isCanonical(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count == 36 else { return false }
        for (place, byte) in text.enumerated() {
            switch place {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
            case 14: if byte != UInt8(ascii: "7") { return false }
            case 19: if !"89ab".utf8.contains(byte) { return false }
            default:
                let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
                if !isDigit { return false }
            }
        }
        return true
    }
}
