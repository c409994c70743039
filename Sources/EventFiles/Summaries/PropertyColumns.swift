import Basics
import ParquetFiles
internal import TrackingEvents

/// Divides the properties of lines into columns. A value that a column can give back exactly goes into one. The rest stays as JSON.
struct PropertyColumns {
    private struct Node {
        var mark: Fingerprint
        /// The nodes that came last time as the first key inside this one and as the next key beside it: similar lines order keys alike.
        var first = -1
        var next = -1
        /// The object in which the key was last met.
        var lastObject = -1
        /// The index of its column for each kind, by the format's number of the kind; -1 where it has none.
        var columns = [Int](repeating: -1, count: 8)
        var children: [Fingerprint: Int] = [:]
        var parent: Int
        var path: [String]
    }

    private struct Found {
        enum Value {
            case integer(Int64)
            case number(Double)
            case flag(Bool)
            case text(LineText)
            /// Goes to the rest as it stands on the line.
            case rest
            /// An object. The `inside` entries that follow in `found` are in it, at any depth.
            case object(inside: Int)

            var kind: SummaryLeaf.Kind? {
                switch self {
                case .integer: .integer
                case .number: .number
                case .flag: .flag
                case .text: .text
                case .rest, .object: nil
                }
            }
        }

        var node: Int
        var key: LineText
        var text: LineText
        var value: Value
    }

    /// Objects deeper than this stand in the rest as they are. Writers of the format stop at 4.
    private static let depthLimit = 8
    /// Keys beyond this many different ones are not told apart: they stand in the rest.
    static let nodeLimit = 4096

    private(set) var leaves: [SummaryLeaf] = []
    private var builders: [ColumnBuilder] = [] { didSet { references = builders.map(Unmanaged.passUnretained) } }
    /// ``builders`` without reference counting, which would cost as much as storing a value.
    private var references: [Unmanaged<ColumnBuilder>] = []
    /// New properties get columns only in the first row group: the file's columns are fixed with it.
    private var isLearning = true
    private var nodes = [Node(mark: .none, parent: -1, path: [])]
    private(set) var hasMorePaths = false
    private var objects = 0
    private var found: [Found] = []
    private var hasRepeatedKeys = false
    private let scratch = ByteBuffer(capacity: 256)
    private let rest = ByteBuffer(capacity: 1024)

    var paths: Int? { hasMorePaths ? nil : nodes.count - 1 }
    var heldBytes: Int { builders.reduce(0) { $0 + $1.heldBytes } }

    mutating func takeBuilders() -> [ColumnBuilder] {
        isLearning = false
        return exchange(&builders, with: leaves.map { ColumnBuilder($0.column) })
    }

    /// Adds the properties of a row: an object with its braces. Adds nothing of a malformed object: readers of the line take nothing of it,
    /// either. Returns the rest as JSON, valid until the next call; `nil` if there is none.
    mutating func add(_ properties: UnsafeRawBufferPointer, row: Int) -> UnsafeRawBufferPointer? {
        found.removeAll(keepingCapacity: true)
        hasRepeatedKeys = false
        guard properties.count <= EventLineScanner.lengthLimit else { return nil }
        guard (try? walk(properties, at: 0, node: 0, depth: 1)) != nil else { return nil }
        rest.removeAll()
        if hasRepeatedKeys {
            // Of two equal keys the last one counts. Only the whole object tells which that is, so all of it goes to the rest.
            var cursor = JSONCursor(properties)
            return try? cursor.value().text.bytes(in: properties)
        }
        var index = 0
        return writeRest(properties, row, &index, end: found.count) ? rest.raw : nil
    }

    private mutating func walk(_ bytes: UnsafeRawBufferPointer, at offset: Int, node: Int, depth: Int) throws(BadLine) {
        var cursor = JSONCursor(bytes, at: offset)
        objects += 1
        let object = objects
        var last: Int?
        try cursor.forEachEntry { key, value in
            let child = self.node(of: key, in: bytes, parent: node, after: last)
            if let child {
                if nodes[child].lastObject == object { hasRepeatedKeys = true }
                nodes[child].lastObject = object
                last = child
            }
            if value.kind == .object, depth < Self.depthLimit, let child {
                let before = found.count
                found.append(Found(node: child, key: key, text: value.text, value: .rest))
                // The object was read as a value before, so it is well-formed.
                try? walk(bytes, at: value.text.range.lowerBound, node: child, depth: depth + 1)
                let inside = found.count - before - 1
                // An empty object goes to the rest: it has no value for a column.
                if inside > 0 { found[before].value = .object(inside: inside) }
            } else {
                found.append(Found(node: child ?? -1, key: key, text: value.text, value: self.value(value, in: bytes)))
            }
        }
    }

    private func value(_ value: JSONValue, in bytes: UnsafeRawBufferPointer) -> Found.Value {
        switch value.kind {
        case .null, .array, .object: return .rest
        case .bool(let truth): return .flag(truth)
        case .string: return .text(value.text)
        case .number:
            let text = value.text.bytes(in: bytes)
            if let integer = ExactNumber.integer(text) { return .integer(integer) }
            return ExactNumber.double(text).map { .number($0) } ?? .rest
        }
    }

    private mutating func node(of key: LineText, in bytes: UnsafeRawBufferPointer, parent: Int, after last: Int?) -> Int? {
        let text = key.unescaped(in: bytes, scratch: scratch)
        let fingerprint = Fingerprint.of(text)
        let expected = last.map { nodes[$0].next } ?? nodes[parent].first
        if expected >= 0, nodes[expected].parent == parent, nodes[expected].mark == fingerprint { return expected }
        if let known = nodes[parent].children[fingerprint] {
            expect(known, after: last, in: parent)
            return known
        }
        guard nodes.count <= Self.nodeLimit else {
            hasMorePaths = true
            return nil
        }
        nodes.append(Node(mark: fingerprint, parent: parent, path: nodes[parent].path + [String(decoding: text, as: UTF8.self)]))
        nodes[parent].children[fingerprint] = nodes.count - 1
        expect(nodes.count - 1, after: last, in: parent)
        return nodes.count - 1
    }

    private mutating func expect(_ node: Int, after last: Int?, in parent: Int) {
        if let last { nodes[last].next = node } else { nodes[parent].first = node }
    }

    /// Puts values into their columns, and writes those without a column to the rest; returns whether it wrote any.
    private mutating func writeRest(_ bytes: UnsafeRawBufferPointer, _ row: Int, _ index: inout Int, end: Int) -> Bool {
        var isEmpty = true
        while index < end {
            let one = found[index]
            index += 1
            if case .object(let inside) = one.value {
                let before = rest.count
                openMember(one.key, bytes, isFirst: isEmpty)
                if writeRest(bytes, row, &index, end: index + inside) { isEmpty = false } else { rest.truncate(to: before) }
                continue
            }
            if put(one, bytes, row: row) { continue }
            openMember(one.key, bytes, isFirst: isEmpty)
            isEmpty = false
            // The text of a string lacks its quotes.
            if case .text = one.value { appendQuoted(one.text, bytes) } else { rest.append(one.text.bytes(in: bytes)) }
        }
        if !isEmpty { rest.append(UInt8(ascii: "}")) }
        return !isEmpty
    }

    private func openMember(_ key: LineText, _ bytes: UnsafeRawBufferPointer, isFirst: Bool) {
        rest.append(isFirst ? UInt8(ascii: "{") : UInt8(ascii: ","))
        appendQuoted(key, bytes)
        rest.append(UInt8(ascii: ":"))
    }

    private func appendQuoted(_ text: LineText, _ bytes: UnsafeRawBufferPointer) {
        rest.append(UInt8(ascii: "\""))
        rest.append(text.bytes(in: bytes))
        rest.append(UInt8(ascii: "\""))
    }

    private mutating func put(_ one: Found, _ bytes: UnsafeRawBufferPointer, row: Int) -> Bool {
        guard let column = column(of: one) else { return false }
        references[column]._withUnsafeGuaranteedRef { builder in
            switch one.value {
            case .rest, .object: break
            case .integer(let integer): builder.append(integer, row: row)
            case .number(let number): builder.append(number, row: row)
            case .flag(let flag): builder.append(flag, row: row)
            case .text(let text): builder.append(text.unescaped(in: bytes, scratch: scratch), row: row)
            }
        }
        return true
    }

    private mutating func column(of one: Found) -> Int? {
        let node = one.node
        guard node >= 0, let kind = one.value.kind else { return nil }
        let number = Int(kind.column.rawValue)
        let known = nodes[node].columns[number]
        if known >= 0 { return known }
        guard isLearning, leaves.count < SummaryLeaf.maxCount else { return nil }
        let leaf = SummaryLeaf(path: nodes[node].path, kind: kind)
        guard leaf.columnName.utf8.count <= SummaryLeaf.maxNameBytes else { return nil }
        leaves.append(leaf)
        builders.append(ColumnBuilder(leaf.column))
        nodes[node].columns[number] = leaves.count - 1
        return leaves.count - 1
    }
}
