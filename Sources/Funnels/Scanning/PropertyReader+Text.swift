import Basics
import TrackingEvents

extension PropertyReader {
    /// Calls `body` with the value's text: a string without quotes and escapes, a number as on the line, `true` or `false`; with
    /// `nil` where the path is missing, `null`, an object or an array.
    ///
    /// - Parameter properties: the object with its braces; empty where the line has none.
    func withText<Result>(in properties: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        switch value(in: properties) {
        case .missing, .null, .object, .array: return body(nil)
        case .bool(let truth): return (truth ? Self.true : Self.false).withUnsafeBytes(body)
        case .number(_, let text): return body(text.bytes(in: properties))
        case .string(let text):
            guard text.hasEscapes else { return body(text.bytes(in: properties)) }
            let scratch = ByteBuffer(capacity: text.range.count)
            return withExtendedLifetime(scratch) { body(text.unescaped(in: properties, scratch: scratch)) }
        }
    }

    private static let `true` = Array("true".utf8)
    private static let `false` = Array("false".utf8)
}
