/// One value of a tracking event's properties.
///
/// Whatever is ``TrackingValueConvertible`` can be written as a value in ``TrackingProperties``:
/// ```swift
/// let added = TrackingEvent("cart_added", ["sku": product.sku, "price": 9.5, "first": true])
/// ```
/// Scalars are what funnels, breakdowns and SQL engines handle best; nesting is limited in lines (see ``EventLineEncoder``).
public enum TrackingValue: Sendable, Equatable {
    case string(String)
    case int(Int64)
    /// Always written with a `.` or an exponent, so that a key never changes its type between lines. NaN and ±∞ become `null`.
    case double(Double)
    case bool(Bool)
    case null
    case array([TrackingValue])
    case object(TrackingProperties)
    /// A value about a person, of which ``SensitivityPolicy`` says what is written. Made by ``TrackingValueConvertible/sensitive(_:)``.
    indirect case sensitiveValue(TrackingValue)

    /// Equal if kind and value are equal. NaN equals NaN: otherwise a state that holds one would count as new at every step.
    public static func == (a: TrackingValue, b: TrackingValue) -> Bool {
        switch (a, b) {
        case (.string(let a), .string(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
        case (.bool(let a), .bool(let b)): a == b
        case (.null, .null): true
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        case (.sensitiveValue(let a), .sensitiveValue(let b)): a == b
        default: false
        }
    }
}

extension TrackingValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: TrackingValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, TrackingValue)...) { self = .object(TrackingProperties(elements)) }
}
