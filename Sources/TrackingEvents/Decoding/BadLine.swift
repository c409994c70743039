/// Why a line cannot be used, and where on the line the mistake is.
package struct BadLine: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// The line has no bytes, or only white space.
        case empty
        case malformed(Expected)
        /// The bytes are no UTF-8 (found only if the whole line is checked).
        case invalidUTF8
        case tooDeep, tooLong
        case missing(EventLine.Key)
        case wrongValue(EventLine.Key, Expected)
        case newerVersion(Int64)
    }

    package enum Expected: String, Sendable, Hashable {
        case object = "a JSON object"
        case key = "a key in quotes"
        case colon = "\":\""
        case value = "a JSON value"
        case commaOrBrace = "\",\" or \"}\""
        case commaOrBracket = "\",\" or \"]\""
        case closingQuote = "the closing quote"
        case escapedControl = "an escape for a control character"
        case escape = "one of the escapes of JSON"
        case number = "a JSON number"
        case endOfLine = "the end of the line"
        case wholeMilliseconds = "whole milliseconds since 1970, up to ±2^53"
        case nonEmptyText = "a text that is not empty"
        case text = "a text"
        case positiveInteger = "a whole number from 1 to 2^53"
        case wholeNumber = "a whole number"
        case lineType = "\"track\", \"meta\" or \"timing\""
    }

    package var reason: Reason
    /// Where on the line, in bytes from its beginning.
    package var byteOffset: Int

    package init(_ reason: Reason, at byteOffset: Int) { (self.reason, self.byteOffset) = (reason, byteOffset) }

    /// For people: `byte 12: t_ms: expected whole milliseconds since 1970, up to ±2^53`.
    package var description: String { "byte \(byteOffset): \(reason)" }
}

extension BadLine.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the line is empty"
        case .malformed(let expected): "expected \(expected.rawValue)"
        case .invalidUTF8: "not UTF-8"
        case .tooDeep: "nested deeper than \(EventLineScanner.depthLimit) levels"
        case .tooLong: "longer than \(EventLineScanner.lengthLimit) bytes"
        case .missing(let key): "\(key.rawValue) is missing"
        case .wrongValue(let key, let expected): "\(key.rawValue): expected \(expected.rawValue)"
        case .newerVersion(let version): "schema version \(version) is newer than \(EventLineLimits.version), the newest known here"
        }
    }
}
