/// Finds the value at one path in the `props` of many lines, without a tree. If a key occurs twice in one object, the last one counts.
package struct PropertyReader: Sendable {
    /// A key of `props`, then a key of the object found there, and so on. An empty path leads to `props` itself.
    package let path: [String]
    /// The bytes of the path's keys. As `String`s, keys with different bytes could compare as equal.
    package let keys: [[UInt8]]

    package init(path: [String]) { (self.path, keys) = (path, path.map { Array($0.utf8) }) }

    /// The value at the path in ``EventLine/properties``; `nil` if there is no such key, something on the way to it is no object, or
    /// `props` is not well-formed JSON. O(bytes of the objects along the path). Allocates only for keys that are written with escapes.
    package func value(in properties: UnsafeRawBufferPointer) -> JSONValue? {
        guard properties.count <= EventLineScanner.lengthLimit, properties.first == UInt8(ascii: "{") else { return nil }
        var found = JSONValue(kind: .object, text: LineText(0..<properties.count))
        for key in keys {
            guard found.kind == .object, let next = try? Self.value(of: key, inObject: found, of: properties) else { return nil }
            found = next
        }
        return found
    }

    private static func value(
        of key: [UInt8], inObject object: JSONValue, of properties: UnsafeRawBufferPointer
    ) throws(BadLine) -> JSONValue? {
        var cursor = JSONCursor(properties, at: object.text.range.lowerBound)
        var found: JSONValue?
        try cursor.forEachEntry { name, value in if matches(name, key, in: properties) { found = value } }
        return found
    }

    @inline(__always)
    private static func matches(_ name: LineText, _ key: [UInt8], in properties: UnsafeRawBufferPointer) -> Bool {
        if name.hasEscapes { return Array(name.string(in: properties).utf8) == key }
        return name.bytes(in: properties).elementsEqual(key)
    }
}
