/// Names of files are bytes: a slash is a slash whatever mark follows it, and two names that look the same are two files. Texts are
/// split and compared by characters, which for names out of any folder is wrong.
extension String {
    func endsWithBytes(_ suffix: String) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            var rest = NameRest(UnsafeRawBufferPointer(bytes))
            return rest.take(suffix: suffix)
        }
    }

    /// The text before an ending; `nil` if it does not end so.
    func droppingLastBytes(_ suffix: String) -> String? {
        guard endsWithBytes(suffix) else { return nil }
        return String(decoding: utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }

    var isHiddenName: Bool { utf8.first == UInt8(ascii: ".") }
}

/// What is left of a file name that is taken apart from both ends. Nothing is copied.
struct NameRest {
    private let bytes: UnsafeRawBufferPointer
    private var start: Int
    private var end: Int

    init(_ bytes: UnsafeRawBufferPointer) { self.init(bytes, 0, bytes.count) }

    private init(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) {
        (self.bytes, self.start, self.end) = (bytes, start, end)
    }

    var count: Int { end - start }
    var first: UInt8? { start < end ? bytes[start] : nil }
    var text: String { String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self) }

    func areAll(_ isGood: (UInt8) -> Bool) -> Bool {
        var index = start
        while index < end {
            if !isGood(bytes[index]) { return false }
            index += 1
        }
        return true
    }

    /// What stands before and behind the last byte of a kind; `nil` without one.
    func split(atLast byte: UInt8) -> (NameRest, NameRest)? {
        var index = end - 1
        while index >= start {
            if bytes[index] == byte { return (NameRest(bytes, start, index), NameRest(bytes, index + 1, end)) }
            index -= 1
        }
        return nil
    }

    /// - Returns: whether it was there.
    mutating func takeFirst(_ byte: UInt8) -> Bool {
        guard first == byte else { return false }
        start += 1
        return true
    }

    /// - Returns: whether it was there.
    mutating func take(suffix: String) -> Bool {
        var suffix = suffix
        let isThere = suffix.withUTF8 { suffix in
            var left = suffix.count
            guard left <= count else { return false }
            // From the end: there most names differ already.
            while left > 0 {
                if bytes[end - suffix.count + left - 1] != suffix[left - 1] { return false }
                left -= 1
            }
            return true
        }
        if isThere { end -= suffix.utf8.count }
        return isThere
    }

    /// Takes so many decimal digits from the end; `nil` if they are not there.
    mutating func takeNumber(digits: Int) -> Int64? {
        guard count >= digits else { return nil }
        var number: Int64 = 0
        var index = end - digits
        while index < end {
            let byte = bytes[index]
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            index += 1
        }
        end -= digits
        return number
    }
}
