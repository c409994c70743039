/// A type whose values are never shown: a password, a card number, an address.
///
/// ```swift
/// struct Card: LogSensitive { var number: String }
/// ```
/// Every format shows `***` in its place, wherever in an event, a state or an error it stands, and so does whatever else goes by
/// `String(describing:)`, `String(reflecting:)` or `Mirror`. For a single property there is ``Sensitive``.
///
/// What this cannot prevent: a description that somebody writes by hand around the value, and closures given to ``LogValues``.
public protocol LogSensitive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension LogSensitive {
    public var description: String { LogMask.text }
    public var debugDescription: String { LogMask.text }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What stands in the place of a sensitive value.
package enum LogMask { package static var text: String { "***" } }

/// Keeps one property out of every log.
///
/// ```swift
/// struct User { var name: String; @Sensitive var email: String }
/// enum Login { case submit(name: String, password: Sensitive<String>) }
/// ```
/// It is `Codable` where its value is: a recorder of LoopRecording writes `***`, and other encoders get the value as it is.
@propertyWrapper
public struct Sensitive<Value>: LogSensitive {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public init(_ value: Value) { wrappedValue = value }
}

extension Sensitive: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Sensitive: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}

extension Sensitive: Equatable where Value: Equatable {}
extension Sensitive: Hashable where Value: Hashable {}
extension Sensitive: Sendable where Value: Sendable {}
