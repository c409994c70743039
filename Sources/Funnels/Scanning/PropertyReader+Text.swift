import Basics
import TrackingEvents

extension PropertyReader {
    /// Calls `body` with the value's text: a string without quotes and escapes, a number as on the line, `true` or `false`; with
    /// `nil` where the path is missing, `null`, an object or an array.
    ///
    /// - Parameter properties: the object with its braces; empty where the line has none.
    func withText<Result>(in properties: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        guard let value = value(in: properties) else { return body(nil) }
        switch value.kind {
        case .null, .object, .array: return body(nil)
        case .bool, .number: return body(value.text.bytes(in: properties))
        case .string:
            guard value.text.hasEscapes else { return body(value.text.bytes(in: properties)) }
            let scratch = ByteBuffer(capacity: value.text.range.count)
            return withExtendedLifetime(scratch) { body(value.text.unescaped(in: properties, scratch: scratch)) }
        }
    }
}
