import Basics
import LoopCore
import LoopLogging

/// What the encodings of one system's states, or of its events, have in common.
final class RecordingEncoding {
    /// The reading side nests as deep.
    private static let depthLimit = 120
    /// Longer texts are cut: nobody reads them, and a recording stays small.
    private static let textLimit = 16_384

    private let keepsSensitive: Bool
    private let patterns: HiddenPatterns?
    private var types: [ObjectIdentifier: EncodedType] = [:]
    /// The paths that were hidden or cut since ``encode(_:instead:)`` was called.
    private(set) var hidden: [String] = []

    /// - Parameter hiding: the paths of what is not to be seen, with `*` for any key; `nil` shows everything, sensitive values too.
    init(hiding: [String]?) {
        keepsSensitive = hiding == nil
        patterns = HiddenPatterns(hiding ?? [])
    }

    /// The value as a tree.
    ///
    /// - Parameter previous: the tree of the value before it. Parts of it are taken over where the two are equal.
    /// - Throws: what the value's own `encode(to:)` throws, and `EncodingError` for what nests too deep.
    func encode<Value: Encodable>(_ value: Value, instead previous: RecordedValue? = nil) throws -> RecordedValue {
        hidden = []
        return try encode(value, at: "", in: nil, previous: previous, patterns)
    }

    /// A tree that others made, without what is hidden by its path.
    func hiding(_ tree: RecordedValue) -> RecordedValue {
        hidden = []
        return patterns.map { hiding(tree, $0, at: "") } ?? tree
    }

    private func hiding(_ tree: RecordedValue, _ patterns: HiddenPatterns, at path: String) -> RecordedValue {
        // A text may hold anything.
        guard !patterns.isHidden, case .container(let container) = tree else {
            if case .null = tree { return tree }
            hidden.append(path)
            return .hidden
        }
        let values = container.values.enumerated().map { index, value in
            let key = container.keys?[index] ?? String(index)
            return patterns.inside(key).map { hiding(value, $0, at: "\(path)/\(JSONPointer.escaped(key))") } ?? value
        }
        return .container(RecordedContainer(keys: container.keys, values: values))
    }

    fileprivate func encode<Value: Encodable>(
        _ value: Value, at key: @autoclosure () -> String, in parent: ValueEncoder?, previous: RecordedValue?, _ patterns: HiddenPatterns?
    ) throws -> RecordedValue {
        func hide() -> RecordedValue {
            hidden.append(ValueEncoder.path(of: key(), in: parent))
            return .hidden
        }
        if patterns?.isHidden == true { return hide() }
        if let leaf = RecordedValue(leaf: value) {
            guard case .text(let text) = leaf, text.utf8.count > Self.textLimit else { return leaf }
            hidden.append(ValueEncoder.path(of: key(), in: parent))
            return .text(JSONText.cut(text, to: Self.textLimit))
        }
        let type = type(Value.self)
        if let read = type.read { return withUnsafePointer(to: value) { read($0) } }
        if type.isSensitive && !keepsSensitive { return hide() }
        if let previous, isUnchanged(value, since: previous) { return previous }
        let encoder = ValueEncoder(self, in: parent, at: key(), previous: previous, patterns)
        guard encoder.depth <= Self.depthLimit else {
            let context = EncodingError.Context(codingPath: [], debugDescription: "more than \(Self.depthLimit) values stand in each other")
            throw EncodingError.invalidValue(value, context)
        }
        try value.encode(to: encoder)
        return encoder.finish(as: type, source: type.isEqual == nil ? nil : value)
    }

    /// Whether a value is certainly the one that a tree was made of.
    fileprivate func isUnchanged<Value>(_ value: Value, since previous: RecordedValue) -> Bool {
        guard let source = previous.container?.source, let isEqual = type(Value.self).isEqual else { return false }
        return withUnsafePointer(to: value) { isEqual($0, source) }
    }

    private func type<Value>(_ type: Value.Type) -> EncodedType {
        if let known = types[ObjectIdentifier(type)] { return known }
        let found = EncodedType(type)
        types[ObjectIdentifier(type)] = found
        return found
    }
}

/// What an encoding has to know of a type, asked once.
private final class EncodedType {
    enum Order { case kept, ofKeys, ofPairs, ofElements }

    let isSensitive: Bool
    /// Reads a value that holds no others.
    let read: ((UnsafeRawPointer) -> RecordedValue)?
    /// Whether a value equals an older one in a box; `nil` where the type cannot say so, or where the older one may have changed since.
    let isEqual: ((UnsafeRawPointer, Any) -> Bool)?
    /// What has no order of its own gets one, so that equal values have equal trees.
    let order: Order

    init<Value>(_ type: Value.Type) {
        isSensitive = type is any LogSensitive.Type
        read = RecordedValue.reading(type)
        order = (type as? any Unordered.Type)?.order ?? .kept
        func comparison<Known: Equatable>(_: Known.Type) -> (UnsafeRawPointer, Any) -> Bool {
            { value, older in (older as? Known).map { value.assumingMemoryBound(to: Known.self).pointee == $0 } ?? false }
        }
        isEqual = type is AnyObject.Type ? nil : (type as? any Equatable.Type).map { comparison($0) }
    }
}

private protocol Unordered { static var order: EncodedType.Order { get } }

extension Set: Unordered { fileprivate static var order: EncodedType.Order { .ofElements } }

extension Dictionary: Unordered {
    /// Dictionaries of other keys encode themselves as an array: key, value, key, value.
    fileprivate static var order: EncodedType.Order {
        Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type ? .ofKeys : .ofPairs
    }
}

/// The paths of what is hidden, from some value on.
final class HiddenPatterns {
    private let rests: [ArraySlice<Substring>]
    let isHidden: Bool

    /// `nil` where nothing below is hidden.
    convenience init?(_ paths: [String]) {
        self.init(rests: paths.map { $0.split(separator: "/", omittingEmptySubsequences: false).dropFirst() })
    }

    private init?(rests: [ArraySlice<Substring>]) {
        if rests.isEmpty { return nil }
        self.rests = rests
        isHidden = rests.contains(where: \.isEmpty)
    }

    func inside(_ key: String) -> HiddenPatterns? {
        let token = JSONPointer.escaped(key)
        return HiddenPatterns(rests: rests.filter { $0.first == "*" || $0.first.map(String.init) == token }.map { $0.dropFirst() })
    }
}

extension RecordedValue {
    /// A value of one of the usual types that hold no others; `nil` for any other. Numbers that JSON does not have become texts.
    fileprivate init?<Value>(leaf value: Value) {
        func cast<Known>(_: Known.Type) -> Known { unsafeBitCast(value, to: Known.self) }
        // Compared by type and not by `as`, which takes a hundred times as long.
        if Value.self == String.self {
            self = .text(cast(String.self))
        } else if Value.self == Int.self {
            self = .integer(Int64(cast(Int.self)))
        } else if Value.self == Bool.self {
            self = .bool(cast(Bool.self))
        } else if Value.self == Double.self {
            self.init(cast(Double.self))
        } else {
            return nil
        }
    }

    fileprivate init(_ number: Double) { self = number.isFinite ? .number(number) : .text(number.description) }

    /// Reads a number of one of the language's other types; `nil` for any type that is none of them.
    fileprivate static func reading(_ type: any Any.Type) -> ((UnsafeRawPointer) -> RecordedValue)? {
        func integer<Known: FixedWidthInteger>(_: Known.Type) -> (UnsafeRawPointer) -> RecordedValue {
            {
                let number = $0.assumingMemoryBound(to: Known.self).pointee
                return Int64(exactly: number).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: number))
            }
        }
        if type is Float.Type {
            return {
                let float = $0.assumingMemoryBound(to: Float.self).pointee
                let shortest = Double(float.description).flatMap { Float($0) == float ? $0 : nil }
                return RecordedValue(shortest ?? Double(float))
            }
        }
        let known: [any FixedWidthInteger.Type] = [
            Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
        ]
        return known.first { $0 == type }.map { integer($0) }
    }
}

/// Encodes one value that holds others.
private final class ValueEncoder: Encoder {
    private enum Shape { case none, single, array, object }

    fileprivate let run: RecordingEncoding
    private let parent: ValueEncoder?
    private let key: String
    fileprivate let depth: Int
    private let before: RecordedContainer?
    private let previous: RecordedValue?
    private let patterns: HiddenPatterns?
    private var shape = Shape.none
    private var keys: [String] = []
    private var values: [RecordedValue] = []
    /// Where each key is, once there are many.
    private var indices: [String: Int] = [:]
    /// Encoders whose values are known at the end: those of nested containers.
    private var unfinished: [(index: Int, encoder: ValueEncoder)] = []
    /// By how much an element's index has moved since the last time.
    private var shift = 0

    init(_ run: RecordingEncoding, in parent: ValueEncoder?, at key: String, previous: RecordedValue?, _ patterns: HiddenPatterns?) {
        (self.run, self.parent, self.key, self.previous, self.patterns) = (run, parent, key, previous, patterns)
        before = previous?.container
        depth = (parent?.depth ?? 0) + 1
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Only asked by who throws an error.
    var codingPath: [any CodingKey] { (parent?.codingPath ?? []) + (parent == nil ? [] : [RecordedKey(stringValue: key)]) }

    static func path(of key: String, in parent: ValueEncoder?) -> String {
        parent.map { path(of: $0.key, in: $0.parent) + "/" + JSONPointer.escaped(key) } ?? ""
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        shape = .object
        return KeyedEncodingContainer(Keyed(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        shape = .array
        return Unkeyed(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        shape = .single
        return Single(encoder: self)
    }

    // MARK: What containers do

    func set<Value: Encodable>(_ value: Value, for key: String) throws {
        let old = before.flatMap { $0.keys == nil ? nil : $0.value(of: key, near: values.count) }
        put(try run.encode(value, at: key, in: self, previous: old, patterns?.inside(key)), for: key)
    }

    func put(_ value: RecordedValue, for key: String) {
        if keys.count == 16, indices.isEmpty { for (index, key) in keys.enumerated() { indices[key] = index } }
        let known = keys.count < 16 ? keys.firstIndex(of: key) : indices[key]
        if let known {
            values[known] = value
        } else {
            if keys.count >= 16 { indices[key] = keys.count }
            keys.append(key)
            values.append(value)
        }
    }

    func append<Value: Encodable>(_ value: Value) throws {
        let index = values.count
        let inside = patterns?.inside(String(index))
        if before != nil, patterns == nil {
            // Where one element came or went, those behind it are as they were, beside where they were.
            for moved in [shift, shift - 1, shift + 1] {
                guard let old = element(index + moved), run.isUnchanged(value, since: old) else { continue }
                shift = moved
                return values.append(old)
            }
        }
        values.append(try run.encode(value, at: String(index), in: self, previous: element(index + shift), inside))
    }

    private func element(_ index: Int) -> RecordedValue? {
        guard let before, before.keys == nil, before.values.indices.contains(index) else { return nil }
        return before.values[index]
    }

    func append(_ value: RecordedValue) { values.append(value) }

    var count: Int { values.count }

    func setSingle<Value: Encodable>(_ value: Value) throws {
        values = [try run.encode(value, at: key, in: parent, previous: previous, patterns)]
    }

    func setSingle(_ value: RecordedValue) { values = [value] }

    /// An encoder of a part that is complete when this one is.
    func nested(_ key: String?) -> ValueEncoder {
        let name = key ?? String(values.count)
        let old = key == nil ? element(values.count) : before.flatMap { $0.keys == nil ? nil : $0[name] }
        let encoder = ValueEncoder(run, in: self, at: name, previous: old, patterns?.inside(name))
        if let key { put(.null, for: key) } else { values.append(.null) }
        unfinished.append((key.flatMap { keys.firstIndex(of: $0) } ?? values.count - 1, encoder))
        return encoder
    }

    func finish(as type: EncodedType?, source: Any?) -> RecordedValue {
        for (index, encoder) in unfinished { values[index] = encoder.finish(as: nil, source: nil) }
        if shape == .single { return values.first ?? .null }
        let isObject = shape != .array
        switch type?.order ?? .kept {
        case .kept: break
        case .ofKeys:
            let order = keys.indices.sorted { keys[$0] < keys[$1] }
            values = order.map { values[$0] }
            keys = order.map { keys[$0] }
        case .ofElements: values = values.map { ($0.json, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        case .ofPairs:
            let pairs = stride(from: 0, to: values.count - 1, by: 2).map { (values[$0].json, values[$0], values[$0 + 1]) }
            values = pairs.sorted { $0.0 < $1.0 }.flatMap { [$0.1, $0.2] }
        }
        if let before, let previous, (before.keys != nil) == isObject, before.values.count == values.count, before.keys ?? [] == keys,
            zip(before.values, values).allSatisfy(RecordedValue.areIdentical)
        {
            return previous
        }
        let sharedKeys = before?.keys == keys ? before?.keys : keys
        return .container(
            RecordedContainer(keys: isObject ? sharedKeys : nil, values: values, source: source, isSorted: type?.order == .ofKeys))
    }
}

/// A key of a recorded object or an index of a recorded array.
struct RecordedKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { stringValue = String(intValue) }
}

/// The generic functions serve for every type that a container takes.
private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.put(.null, for: key.stringValue) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encoder.set(value, for: key.stringValue) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        encoder.nested(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.nested(key.stringValue).unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.nested("super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(key.stringValue) }
}

private struct Unkeyed: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    func encodeNil() { encoder.append(.null) }
    func encode<Value: Encodable>(_ value: Value) throws { try encoder.append(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.nested(nil).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nested(nil).unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.nested(nil) }
}

private struct Single: SingleValueEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.setSingle(.null) }
    func encode<Value: Encodable>(_ value: Value) throws { try encoder.setSingle(value) }
}
