import EventFiles
import TrackingEvents

/// Numbers the paths of properties, and goes through the objects of many lines by these numbers.
struct PathTable: Sendable {
    struct Path: Sendable {
        /// The number of the path of the object that it lies in; a negative one for an outermost key.
        var parent: Int
        var key: [UInt8]
        /// The fingerprint of the keys from the outermost inwards; the same in every table.
        var fingerprint: Fingerprint
    }

    /// How deep objects are looked into. Writers of the format stop at 4.
    static let depthLimit = 8

    /// A parent stands before the paths in it.
    private(set) var paths: [Path] = []
    /// Whether there were more paths than are numbered.
    private(set) var hasMore = false
    private let limit: Int
    private var numbers = FingerprintNumbers()
    /// For each path, the object that had it last, and the index of its entry there.
    private var lastEntries: [(object: Int, index: Int)] = []
    private var objects = 0

    /// - Parameter limit: the most paths that are numbered.
    init(limit: Int = .max) { self.limit = limit }

    /// The properties of an object with the numbers of their paths. Those in an inner object follow it. Of a repeated key the last counts.
    ///
    /// - Parameters:
    ///   - props: the object with its braces. An object that is not well-formed has no properties, as for property tests.
    ///   - root: the parent of the outermost keys, a number below 0. Each kind of object has its own.
    mutating func entries(of props: UnsafeRawBufferPointer, root: Int = -1) -> [(path: Int, value: JSONValue)] {
        guard !props.isEmpty, props.count <= EventLineScanner.lengthLimit else { return [] }
        var entries: [(path: Int, value: JSONValue)] = []
        return (try? walk(props, at: 0, parent: root, depth: 1, to: &entries)) == nil ? [] : entries
    }

    private mutating func walk(
        _ props: UnsafeRawBufferPointer, at offset: Int, parent: Int, depth: Int, to entries: inout [(path: Int, value: JSONValue)]
    ) throws(BadLine) {
        var cursor = JSONCursor(props, at: offset)
        var own: [(path: Int, value: JSONValue)] = []
        own.reserveCapacity(8)
        objects += 1
        try cursor.forEachEntry { key, value in
            guard let path = number(of: key, in: props, parent: parent) else { return }
            if lastEntries[path].object == objects {
                own[lastEntries[path].index].value = value
            } else {
                lastEntries[path] = (objects, own.count)
                own.append((path, value))
            }
        }
        // Most objects have no object in them.
        if entries.isEmpty && !own.contains(where: { $0.value.kind == .object }) {
            entries = own
            return
        }
        for entry in own {
            entries.append(entry)
            guard entry.value.kind == .object, depth < Self.depthLimit else { continue }
            try walk(props, at: entry.value.text.range.lowerBound, parent: entry.path, depth: depth + 1, to: &entries)
        }
    }

    private mutating func number(of key: LineText, in props: UnsafeRawBufferPointer, parent: Int) -> Int? {
        let unescaped = key.hasEscapes ? Array(key.string(in: props).utf8) : nil
        let ofKey = unescaped?.withUnsafeBytes { Fingerprint.of($0) } ?? .of(key.bytes(in: props))
        let above = parent < 0 ? Fingerprint(high: 0, low: UInt64(parent.magnitude)) : paths[parent].fingerprint
        let fingerprint = Fingerprint.of(above, ofKey)
        if let known = numbers.known(fingerprint) { return known }
        return add(Path(parent: parent, key: unescaped ?? Array(key.bytes(in: props)), fingerprint: fingerprint))
    }

    private mutating func add(_ path: Path) -> Int? {
        guard paths.count < limit else {
            hasMore = true
            return nil
        }
        paths.append(path)
        lastEntries.append((0, 0))
        return numbers.number(of: path.fingerprint)
    }

    /// For each path of another table, its number here; `nil` for a path beyond the limit.
    mutating func numbers(of other: PathTable) -> [Int?] {
        var found: [Int?] = []
        for path in other.paths {
            let parent = path.parent < 0 ? path.parent : found[path.parent]
            let known = numbers.known(path.fingerprint)
            found.append(known ?? parent.flatMap { add(Path(parent: $0, key: path.key, fingerprint: path.fingerprint)) })
        }
        return found
    }

    /// The keys of a path from the outermost inwards, and the root.
    func keys(of number: Int) -> (root: Int, keys: [String]) {
        var (number, keys) = (number, [String]())
        while number >= 0 {
            keys.append(String(decoding: paths[number].key, as: UTF8.self))
            number = paths[number].parent
        }
        return (number, keys.reversed())
    }
}

extension JSONValue {
    /// Whether it is a text, a number, `true` or `false`.
    @inline(__always)
    var hasText: Bool {
        switch kind {
        case .null, .object, .array: false
        case .bool, .number, .string: true
        }
    }

    /// Calls `body` with the bytes of a text without quotes and escapes, of a number, or of `true` and `false`.
    @inline(__always)
    func withText<Result>(in props: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard kind == .string, text.hasEscapes else { return body(text.bytes(in: props)) }
        return Array(text.string(in: props).utf8).withUnsafeBytes(body)
    }
}
