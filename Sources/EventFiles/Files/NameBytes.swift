/// Names of files are bytes: a slash is a slash whatever combining mark follows it, and names that look the same can be two files.
extension String {
    func endsWithBytes(_ suffix: String) -> Bool { utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// The text before a suffix; `nil` if it does not end with the suffix.
    func droppingLastBytes(_ suffix: String) -> String? {
        endsWithBytes(suffix) ? String(decoding: utf8.dropLast(suffix.utf8.count), as: UTF8.self) : nil
    }

    var isHiddenName: Bool { utf8.first == UInt8(ascii: ".") }
}

extension ArraySlice<UInt8> {
    mutating func take(suffix: String) -> Bool {
        let isThere = self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        if isThere { removeLast(suffix.utf8.count) }
        return isThere
    }
}
