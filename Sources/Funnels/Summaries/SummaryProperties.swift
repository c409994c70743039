import Basics
import EventFiles
import ParquetFiles
import TrackingEvents

/// Gives back the properties of rows as JSON, from the columns that hold them and the rest.
///
/// Rows are asked for by rising number. A copy shares its buffers: one at a time, on one thread.
struct SummaryProperties {
    private struct Node {
        var key: [UInt8]
        var children: [Int] = []
        /// Columns with values of this path.
        var columns: [Int] = []
    }

    /// A column of an object that has no objects inside, and what stands in front of its value.
    private struct FlatColumn {
        var column: Int
        /// In ``heads``: the key and a colon.
        var head: Range<Int>
    }

    private let takesAll: Bool
    private var nodes = [Node(key: [])]
    private var columns: [ColumnCursor] = []
    private var rest: ColumnCursor?
    /// The columns by the order of their keys, if none is inside another; else empty.
    private var flat: [FlatColumn] = []
    private let heads = ByteBuffer(capacity: 64)
    private var row = 0
    private let json = ByteBuffer(capacity: 512)
    private let scratch = ByteBuffer(capacity: 128)

    /// - Parameter paths: of the properties that are wanted; `nil` for all.
    init(_ summary: SegmentSummary, paths: [[String]]?, group: Int) throws(ParquetError) {
        takesAll = paths == nil
        for leaf in summary.facts.leaves where paths?.contains(leaf.path) ?? true {
            guard let column = summary.file.column(named: leaf.columnName) else { continue }
            columns.append(ColumnCursor(try summary.file.values(ofColumn: column, inGroup: group)))
            let node = node(at: leaf.path)
            nodes[node].columns.append(columns.count - 1)
        }
        // What is wanted may be in the rest, whatever columns there are.
        for path in paths ?? [] { _ = node(at: path) }
        if let column = summary.file.column(named: SummaryColumn.rest.rawValue) {
            let values = try summary.file.values(ofColumn: column, inGroup: group)
            if values.count > 0 { rest = ColumnCursor(values) }
        }
        guard nodes.dropFirst().allSatisfy(\.children.isEmpty) else { return }
        for child in nodes[0].children {
            let start = heads.count
            nodes[child].key.withUnsafeBufferPointer { JSONText.append($0, to: heads) }
            heads.append(UInt8(ascii: ":"))
            flat += nodes[child].columns.map { FlatColumn(column: $0, head: start..<heads.count) }
        }
    }

    private mutating func node(at path: [String]) -> Int {
        var node = 0
        for key in path {
            let key = Array(key.utf8)
            if let known = nodes[node].children.first(where: { nodes[$0].key == key }) {
                node = known
            } else {
                nodes.append(Node(key: key))
                nodes[node].children.append(nodes.count - 1)
                node = nodes.count - 1
            }
        }
        return node
    }

    /// The properties of a row, valid until the next call; empty if it has none.
    mutating func json(of row: Int) -> UnsafeRawBufferPointer {
        self.row = row
        json.removeAll()
        var restText = UnsafeRawBufferPointer(start: nil, count: 0)
        if rest != nil, let text = rest?.text(at: row) { restText = text }
        if restText.isEmpty, !flat.isEmpty {
            writeFlat()
            return json.raw
        }
        var hasColumns = false
        for column in columns.indices where columns[column].advance(to: row) { hasColumns = true }
        if !hasColumns { return restText }
        write(0, restText, at: restText.isEmpty ? nil : 0)
        return json.raw
    }

    /// Appends the object where all values are in columns and none is inside another; nothing if it has none.
    private mutating func writeFlat() {
        for one in flat where columns[one.column].advance(to: row) {
            json.append(json.count == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
            json.append(UnsafeBufferPointer(rebasing: heads.bytes[one.head]))
            columns[one.column].appendJSON(to: json)
        }
        if json.count > 0 { json.append(UInt8(ascii: "}")) }
    }

    /// Appends an object: the values that have columns, and what the rest has of it.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    private mutating func write(_ node: Int, _ rest: UnsafeRawBufferPointer, at offset: Int?) -> Bool {
        let start = json.count
        var isEmpty = true
        func open(_ write: () -> Void) {
            json.append(isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            write()
            json.append(UInt8(ascii: ":"))
        }
        var members: [(key: LineText, value: JSONValue)] = []
        if let offset {
            var cursor = JSONCursor(rest, at: offset)
            try? cursor.forEachEntry { members.append(($0, $1)) }
        }
        func matches(_ member: LineText, _ child: Int) -> Bool {
            member.unescaped(in: rest, scratch: scratch).elementsEqual(nodes[child].key)
        }
        for child in nodes[node].children {
            let before = json.count
            open { nodes[child].key.withUnsafeBufferPointer { JSONText.append($0, to: json) } }
            if appendValue(of: child) {
                isEmpty = false
                continue
            }
            let inside = members.first { $0.value.kind == .object && matches($0.key, child) }?.value.text.range.lowerBound
            if !nodes[child].children.isEmpty, write(child, rest, at: inside) { isEmpty = false } else { json.truncate(to: before) }
        }
        for member in members {
            let child = nodes[node].children.first { matches(member.key, $0) }
            if child == nil, !takesAll { continue }
            // An object whose parts have columns was put together above, unless it is empty.
            if let child, member.value.kind == .object, !nodes[child].children.isEmpty, member.value.text.range.count > 2 { continue }
            open {
                json.append(UInt8(ascii: "\""))
                json.append(member.key.bytes(in: rest))
                json.append(UInt8(ascii: "\""))
            }
            isEmpty = false
            let isText = member.value.kind == .string
            if isText { json.append(UInt8(ascii: "\"")) }
            json.append(member.value.text.bytes(in: rest))
            if isText { json.append(UInt8(ascii: "\"")) }
        }
        if isEmpty {
            json.truncate(to: start)
            return false
        }
        json.append(UInt8(ascii: "}"))
        return true
    }

    /// Appends the value of a node in the row at hand, if a column has one.
    private mutating func appendValue(of node: Int) -> Bool {
        for column in nodes[node].columns where columns[column].advance(to: row) {
            columns[column].appendJSON(to: json)
            return true
        }
        return false
    }
}
