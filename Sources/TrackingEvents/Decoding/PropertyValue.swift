/// A property's value, as a range of the bytes of `props`.
package enum PropertyValue: Sendable, Hashable {
    /// There is no such key, something on the way to it is no object, or `props` is not well-formed JSON.
    case missing
    case null
    case bool(Bool)
    /// The number, and its text.
    case number(Double, LineText)
    case string(LineText)
    /// The object with its braces.
    case object(LineText)
    /// The array with its brackets.
    case array(LineText)
}
