/// Names of files are bytes: a slash is a slash whatever mark follows it, and two names that look the same are two files. Texts are
/// split and compared by characters, which for names out of any folder is wrong.
extension String {
    func endsWithBytes(_ suffix: String) -> Bool {
        utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// The text before an ending; `nil` if it does not end so.
    func droppingLastBytes(_ suffix: String) -> String? {
        guard endsWithBytes(suffix) else { return nil }
        return String(decoding: utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }

    var isHiddenName: Bool { utf8.first == UInt8(ascii: ".") }
}
