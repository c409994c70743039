import Basics
import LoopCore
import LoopLogging

/// What the encodings of one system's states, or of its events, have in common.
final class RecordingEncoding {
    /// The reading side takes 128 levels, and a line has some of its own.
    private static let depthLimit = 120
    /// In bytes. Longer texts are cut: nobody reads them, and a recording stays small.
    static let textLimit = 16_384
    private let textLimit: Int

    /// Empty if sensitive values are kept.
    fileprivate let userInfo: [CodingUserInfoKey: Any]
    let patterns: HiddenPatterns
    private var types: [ObjectIdentifier: EncodedType] = [:]
    /// The paths that were hidden or cut in the last value.
    fileprivate(set) var hidden: [String] = []
    /// Whether earlier values had such paths.
    fileprivate var hidesAny = false

    /// - Parameter hiding: the paths of what is not to be seen, with `*` for any key; `nil` shows everything, sensitive values too.
    init(hiding: [String]?, textLimit: Int = RecordingEncoding.textLimit) {
        (userInfo, patterns) = (hiding == nil ? [:] : [LogMask.key: true], HiddenPatterns(hiding ?? []))
        self.textLimit = textLimit
    }

    /// - Parameter previous: the tree of the value before. Its parts are taken over where the two values are equal.
    /// - Throws: what the value's own `encode(to:)` throws, and `EncodingError` for what nests too deep.
    func encode<Value: Encodable>(_ value: Value, instead previous: RecordedValue? = nil) throws -> RecordedValue {
        (hidesAny, hidden) = (hidesAny || !hidden.isEmpty, [])
        return try encode(value, at: "", previous: previous?.container, patterns)
    }

    /// A tree that a coder made, masked at the paths that are hidden.
    func hiding(_ tree: RecordedValue) -> RecordedValue {
        hidden = []
        return hiding(tree, patterns, at: "")
    }

    private func hiding(_ tree: RecordedValue, _ patterns: HiddenPatterns, at path: String) -> RecordedValue {
        if patterns.isEmpty || tree == .null { return tree }
        // A text may hold the hidden part.
        guard !patterns.isHidden, let container = tree.container else {
            hidden.append(path)
            return .hidden
        }
        let values = container.values.enumerated().map { index, value in
            let key = container.keys?[index] ?? String(index)
            return hiding(value, patterns.inside(key), at: JSONPointer.path(path, key))
        }
        return .container(RecordedContainer(keys: container.keys, values: values))
    }

    /// - Parameter wraps: how many values hold this one as their single value, and so have its path.
    fileprivate func encode<Value: Encodable>(
        _ value: Value, at path: @autoclosure () -> String, previous: RecordedContainer?, _ patterns: HiddenPatterns, wraps: Int = 0
    ) throws -> RecordedValue {
        func hide(showing shown: RecordedValue = .hidden) -> RecordedValue {
            hidden.append(path())
            return shown
        }
        if patterns.isHidden { return hide() }
        // That of the object: a subclass may be sensitive where the class that is declared is not.
        let type = type(Swift.type(of: value))
        if let read = type.read {
            let leaf = withUnsafePointer(to: value) { read($0) }
            guard case .text(let text) = leaf, text.utf8.count > textLimit else { return leaf }
            return hide(showing: .text(JSONText.cut(text, to: textLimit)))
        }
        if type.isSensitive && !userInfo.isEmpty { return hide() }
        if let previous, isUnchanged(value, since: previous) { return .container(previous) }
        // Nobody knows at which index an element of a set stands: a path with an index is that of every element.
        let patterns = type.unordered == 1 ? patterns.map { ArraySlice(["*"]) + $0.dropFirst() } : patterns
        let encoder = ValueEncoder(self, at: path(), previous: previous, patterns, wraps: wraps)
        guard max(encoder.depth, wraps) <= Self.depthLimit else {
            let context = EncodingError.Context(codingPath: [], debugDescription: "more than \(Self.depthLimit) values stand in each other")
            // Not the value: an error's description prints it whole, and would overflow the stack.
            throw EncodingError.invalidValue(Value.self, context)
        }
        try value.encode(to: encoder)
        return encoder.finish(as: type, source: type.isEqual == nil ? nil : value)
    }

    /// Whether a value is certainly the one that a tree was made of.
    fileprivate func isUnchanged<Value>(_ value: Value, since previous: RecordedContainer) -> Bool {
        guard let source = previous.source, let isEqual = type(Value.self).isEqual else { return false }
        return withUnsafePointer(to: value) { isEqual($0, source) }
    }

    /// What an encoding's error says. Where paths are hidden it may hold what stands there: then its type alone, and where it happened.
    func text<State, Event>(of error: any Error, by values: LogValues<State, Event>) -> String {
        if patterns.isEmpty { return values.text(ofError: error) }
        var path = ""
        if case EncodingError.invalidValue(_, let context) = error { path = context.codingPath.reduce("") { "\($0)/\($1.stringValue)" } }
        return values.text(ofError: RecordedError(description: "\(Swift.type(of: error)) at \"\(path)\""))
    }

    private func type<Value>(_ type: Value.Type) -> EncodedType {
        if let known = types[ObjectIdentifier(type)] { return known }
        let found = EncodedType(type)
        types[ObjectIdentifier(type)] = found
        return found
    }
}

/// What an encoding has to know of a type, asked once: a cast takes a hundred times as long.
private final class EncodedType {
    let isSensitive: Bool
    /// Reads a value that holds no others.
    private(set) var read: ((UnsafeRawPointer) -> RecordedValue)?
    /// Whether a value equals an older one in a box; `nil` where the type cannot say so, or where the older one may have changed since.
    private(set) var isEqual: ((UnsafeRawPointer, Any) -> Bool)?
    /// For a type without an order: how many elements of its array belong together. They are sorted, so that equal values give equal trees.
    let unordered: Int?

    init(_ type: Any.Type) {
        let collection = type as? any Unordered.Type
        isSensitive = type is any LogSensitive.Type || collection?.key is any (LogSensitive & CodingKeyRepresentable).Type
        unordered = collection.map { $0.key == nil ? 1 : 2 }
        func reading<Leaf: RecordedLeaf>(_: Leaf.Type) { read = { $0.assumingMemoryBound(to: Leaf.self).pointee.recorded } }
        func comparing<Known: Equatable>(_: Known.Type) {
            isEqual = { value, older in (older as? Known).map { value.assumingMemoryBound(to: Known.self).pointee == $0 } ?? false }
        }
        if let leaf = type as? any RecordedLeaf.Type { reading(leaf) }
        if !(type is AnyObject.Type), let known = type as? any Equatable.Type { comparing(known) }
    }
}

private protocol Unordered { static var key: Any.Type? { get } }
extension Set: Unordered { fileprivate static var key: Any.Type? { nil } }
/// If its keys cannot be coding keys, a dictionary becomes an array: key, value, key, value.
extension Dictionary: Unordered { fileprivate static var key: Any.Type? { Key.self } }

/// The paths of what is hidden, relative to some value; empty where nothing is hidden.
typealias HiddenPatterns = [ArraySlice<Substring>]

extension HiddenPatterns {
    /// A path without its first slash is taken for the one with it.
    init(_ paths: [String]) {
        self = paths.map { path in
            JSONPointer.split(path[...], at: "/").dropFirst(path.utf8.first == UInt8(ascii: "/") || path.isEmpty ? 1 : 0)
        }
    }

    var isHidden: Bool { contains(where: \.isEmpty) }

    func inside(_ key: @autoclosure () -> String) -> HiddenPatterns {
        if isEmpty { return self }
        let token = JSONPointer.escaped(key())
        return filter { $0.first == "*" || $0.first.map(String.init) == token }.map { $0.dropFirst() }
    }
}

/// Encodes one value that holds others, and is the container of its elements or of its single value.
private final class ValueEncoder: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
    private enum Shape { case object, array, single }

    private let run: RecordingEncoding
    private let path: String
    private let previous: RecordedContainer?
    private let patterns: HiddenPatterns
    private let wraps: Int
    /// How many paths were hidden before.
    private let hiddenBefore: Int
    private var shape = Shape.object
    private var keys: [String] = []
    private var values: [RecordedValue] = []
    /// The index of each key, once there are more than 16.
    private var indices: [String: Int] = [:]
    /// Encoders whose values are known at the end: those of nested containers.
    private var unfinished: [(index: Int, encoder: ValueEncoder)] = []
    /// How much higher an element's index was in the previous value.
    private var shift = 0

    init(_ run: RecordingEncoding, at path: String, previous: RecordedContainer?, _ patterns: HiddenPatterns, wraps: Int = 0) {
        (self.run, self.path, self.previous, self.patterns, self.wraps) = (run, path, previous, patterns, wraps)
        hiddenBefore = run.hidden.count
    }

    var userInfo: [CodingUserInfoKey: Any] { run.userInfo }
    var count: Int { values.count }
    var codingPath: [any CodingKey] { JSONPointer.keys(of: path)?.map(\.codingKey) ?? [] }
    var depth: Int { path.utf8.count { $0 == UInt8(ascii: "/") } }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> { KeyedEncodingContainer(Keyed(encoder: self)) }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        shape = .array
        return self
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        shape = .single
        return self
    }

    // MARK: Of an object

    func encode<Value: Encodable>(_ value: Value, for key: String) throws {
        let old = previous?.value(of: key, near: values.count)?.container
        put(try run.encode(value, at: JSONPointer.path(path, key), previous: old, patterns.inside(key)), for: key)
    }

    /// Returns the index of the key.
    @discardableResult
    func put(_ value: RecordedValue, for key: String) -> Int {
        if keys.count == 16, indices.isEmpty { for (index, key) in keys.enumerated() { indices[key] = index } }
        if let known = keys.count < 16 ? keys.firstIndex(of: key) : indices[key] {
            values[known] = value
            return known
        }
        if keys.count >= 16 { indices[key] = keys.count }
        keys.append(key)
        values.append(value)
        return keys.count - 1
    }

    // MARK: Of elements, or of a single value

    func encodeNil() { values.append(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        if shape == .single { return values.append(try run.encode(value, at: path, previous: previous, patterns, wraps: wraps + 1)) }
        let index = values.count
        if previous != nil, patterns.isEmpty {
            // Where one element came or went, those behind it are unchanged, but one index further or nearer. Their hidden paths are others.
            for moved in run.hidesAny ? [0] : [shift, shift - 1, shift + 1] {
                guard let old = previousElement(index + moved), run.isUnchanged(value, since: old) else { continue }
                shift = moved
                return values.append(.container(old))
            }
        }
        let old = previousElement(index + shift)
        values.append(try run.encode(value, at: "\(path)/\(index)", previous: old, patterns.inside(String(index))))
    }

    private func previousElement(_ index: Int) -> RecordedContainer? {
        previous.flatMap { $0.keys == nil && $0.values.indices.contains(index) ? $0.values[index].container : nil }
    }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> { nested().container(keyedBy: type) }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    // MARK: Of either

    /// An encoder of a part that is complete only when the whole value is.
    func nested(_ name: String? = nil) -> ValueEncoder {
        let index = name.map { put(.null, for: $0) } ?? values.count
        if name == nil { values.append(.null) }
        let name = name ?? String(index)
        let old = previous?.value(of: name, near: index)?.container
        let encoder = ValueEncoder(run, at: JSONPointer.path(path, name), previous: old, patterns.inside(name))
        unfinished.append((index, encoder))
        return encoder
    }

    func finish(as type: EncodedType? = nil, source: Any? = nil) -> RecordedValue {
        for (index, encoder) in unfinished {
            if encoder.patterns.isHidden { run.hidden.append(encoder.path) }
            values[index] = encoder.patterns.isHidden ? .hidden : encoder.finish()
        }
        if shape == .single { return values.last ?? .null }
        if type?.unordered != nil, shape == .object {
            let order = keys.indices.sorted { keys[$0] < keys[$1] }
            (keys, values) = (order.map { keys[$0] }, order.map { values[$0] })
        } else if let together = type?.unordered {
            // By all of a pair: keys that are hidden are alike.
            let groups = stride(from: 0, to: values.count, by: together).map { $0..<$0 + together }
            let order = groups.map { ($0, json: RecordedValue.array(Array(values[$0])).json) }.sorted { $0.json < $1.json }.flatMap(\.0)
            values = order.map { values[$0] }
            // Hidden paths get the elements' new indices.
            let places = run.hidden.count == hiddenBefore ? [:] : Dictionary(uniqueKeysWithValues: zip(order, 0...))
            for hidden in hiddenBefore..<run.hidden.count {
                var keys = JSONPointer.split(run.hidden[hidden][...], at: "/")
                if keys.count > depth + 1, let place = Int(keys[depth + 1]).flatMap({ places[$0] }) { keys[depth + 1] = "\(place)" }
                run.hidden[hidden] = keys.joined(separator: "/")
            }
        }
        var names = shape == .array ? nil : keys
        if let previous, previous.keys == names {
            let isSame = previous.values.count == values.count && zip(previous.values, values).allSatisfy(RecordedValue.areIdentical)
            if isSame { return .container(previous) }
            // So that equal keys are in memory only once.
            names = previous.keys
        }
        return .container(RecordedContainer(keys: names, values: values, source: source))
    }
}

/// The generic functions serve for every type that a container takes.
private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.put(.null, for: key.stringValue) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encoder.encode(value, for: key.stringValue) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        encoder.nested(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.nested(key.stringValue).unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.nested("super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(key.stringValue) }
}
