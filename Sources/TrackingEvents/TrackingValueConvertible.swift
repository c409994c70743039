/// A type that can be a value in ``TrackingProperties``: texts, numbers, truth values, and optionals, arrays and dictionaries of these.
///
/// An enum with convertible raw values needs only the conformance:
/// ```swift
/// enum Plan: String, TrackingValueConvertible { case free, pro }
///
/// let properties: TrackingProperties = ["sku": product.sku, "price": 9.5, "mail": .sensitive("ada@example.org"), "plan": Plan.pro]
/// ```
/// Mark values about a person with ``sensitive(_:)``.
public protocol TrackingValueConvertible { var trackingValue: TrackingValue { get } }

extension TrackingValue: TrackingValueConvertible { public var trackingValue: TrackingValue { self } }
extension String: TrackingValueConvertible { public var trackingValue: TrackingValue { .string(self) } }
extension Bool: TrackingValueConvertible { public var trackingValue: TrackingValue { .bool(self) } }
extension Double: TrackingValueConvertible { public var trackingValue: TrackingValue { .double(self) } }

extension TrackingValueConvertible where Self: FixedWidthInteger {
    /// A number beyond `Int64` becomes text, as every integer beyond ±2⁵³ does on the line.
    public var trackingValue: TrackingValue { Int64(exactly: self).map { .int($0) } ?? .string(String(self)) }
}

extension Int: TrackingValueConvertible {}
extension Int8: TrackingValueConvertible {}
extension Int16: TrackingValueConvertible {}
extension Int32: TrackingValueConvertible {}
extension Int64: TrackingValueConvertible {}
extension UInt: TrackingValueConvertible {}
extension UInt8: TrackingValueConvertible {}
extension UInt16: TrackingValueConvertible {}
extension UInt32: TrackingValueConvertible {}
extension UInt64: TrackingValueConvertible {}

extension TrackingValueConvertible where Self: RawRepresentable, RawValue: TrackingValueConvertible {
    public var trackingValue: TrackingValue { rawValue.trackingValue }
}

extension Optional: TrackingValueConvertible where Wrapped: TrackingValueConvertible {
    public var trackingValue: TrackingValue { self?.trackingValue ?? .null }
}

extension Array: TrackingValueConvertible where Element: TrackingValueConvertible {
    public var trackingValue: TrackingValue { .array(map(\.trackingValue)) }
}

extension Dictionary: TrackingValueConvertible where Key == String, Value: TrackingValueConvertible {
    /// An object with its keys sorted.
    public var trackingValue: TrackingValue { .object(TrackingProperties(sorted { $0.key < $1.key }.map { ($0, $1.trackingValue) })) }
}

/// The cases of ``TrackingValue``, for places that take any convertible value; disfavored where a `TrackingValue` itself is taken.
extension TrackingValueConvertible where Self == TrackingValue {
    @_disfavoredOverload public static func string(_ text: String) -> TrackingValue { .string(text) }
    @_disfavoredOverload public static func int(_ number: Int64) -> TrackingValue { .int(number) }
    public static func int(_ number: Int) -> TrackingValue { .int(Int64(number)) }
    @_disfavoredOverload public static func double(_ number: Double) -> TrackingValue { .double(number) }
    @_disfavoredOverload public static func bool(_ truth: Bool) -> TrackingValue { .bool(truth) }
    @_disfavoredOverload public static var null: TrackingValue { .null }
    /// A list of values of several kinds.
    @_disfavoredOverload public static func array(_ values: [any TrackingValueConvertible]) -> TrackingValue {
        .array(values.map(\.trackingValue))
    }
    @_disfavoredOverload public static func object(_ properties: TrackingProperties) -> TrackingValue { .object(properties) }

    /// A value that must not be written as it is, such as a mail address.
    public static func sensitive(_ value: some TrackingValueConvertible) -> TrackingValue { .sensitiveValue(value.trackingValue) }
}
