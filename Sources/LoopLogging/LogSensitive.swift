/// A type whose values are never shown: a password, a card number, an address.
///
/// ```swift
/// struct Card: LogSensitive { var number: String }
/// ```
/// Every format shows `***` in place of such a value, wherever it stands in an event, a state or an error. `String(describing:)` and
/// `String(reflecting:)` give `***`, too, and `Mirror` shows no children. For a single property there is ``Sensitive``.
///
/// It cannot hide the value from a description written by hand that uses it, nor from closures given to ``LogValues``, nor in a recording
/// from an `encode(to:)` that hands its encoder on to the value's own. ``Sensitive`` is hidden there, too.
public protocol LogSensitive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension LogSensitive {
    public var description: String { LogMask.text }
    public var debugDescription: String { LogMask.text }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What stands in the place of a sensitive value.
package enum LogMask: String, Encodable, LogSensitive {
    case hidden = "***"

    /// Is in the `userInfo` of an encoder that hides sensitive values.
    package static let key = CodingUserInfoKey(rawValue: "looptrail.sensitive")!
    package static var text: String { hidden.rawValue }
}

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
    public func encode(to encoder: any Encoder) throws {
        if encoder.userInfo[LogMask.key] == nil { return try wrappedValue.encode(to: encoder) }
        var container = encoder.singleValueContainer()
        try container.encode(LogMask.hidden)
    }
}

extension Sensitive: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}

extension Sensitive: Equatable where Value: Equatable {}
extension Sensitive: Hashable where Value: Hashable {}
extension Sensitive: Sendable where Value: Sendable {}
