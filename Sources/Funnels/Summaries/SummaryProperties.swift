import Basics
import EventFiles
import ParquetFiles
import TrackingEvents

/// Gives back the properties of rows as JSON, from the columns that hold them and the rest.
///
/// Rows are asked for by rising number. Not `Sendable`: one thread at a time.
final class SummaryProperties {
    private struct Node {
        var key: [UInt8]
        var children: [Int] = []
        /// Columns with values of this path.
        var columns: [Int] = []
    }

    private let takesAll: Bool
    private var nodes = [Node(key: [])]
    private var columns: [ColumnCursor] = []
    private var rest: ColumnCursor?
    /// For each node of the root what stands in front of its value, if no node has others inside; else empty.
    private var heads: [[UInt8]] = []
    private var row = 0
    private let json = ByteBuffer(capacity: 512)
    private let scratch = ByteBuffer(capacity: 128)

    /// - Parameter paths: of the properties that are wanted; `nil` for all.
    init(_ summary: SegmentSummary, paths: [[String]]?, group: Int) throws(ParquetError) {
        takesAll = paths == nil
        for leaf in summary.facts.leaves where paths?.contains(leaf.path) ?? true {
            guard let column = summary.file.column(named: leaf.columnName) else { continue }
            columns.append(ColumnCursor(try summary.file.values(ofColumn: column, inGroup: group)))
            nodes[node(at: leaf.path)].columns.append(columns.count - 1)
        }
        // What is wanted may be in the rest, whatever columns there are.
        for path in paths ?? [] { _ = node(at: path) }
        if let column = summary.file.column(named: SummaryColumn.rest.rawValue) {
            let values = try summary.file.values(ofColumn: column, inGroup: group)
            if values.count > 0 { rest = ColumnCursor(values) }
        }
        if nodes.dropFirst().allSatisfy(\.children.isEmpty) {
            heads = nodes[0].children.map { child in
                let head = ByteBuffer(capacity: 64)
                nodes[child].key.withUnsafeBufferPointer { JSONText.append($0, to: head) }
                head.append(UInt8(ascii: ":"))
                return Array(head.bytes)
            }
        }
    }

    private func node(at path: [String]) -> Int {
        var place = 0
        for key in path {
            let key = Array(key.utf8)
            if let known = nodes[place].children.first(where: { nodes[$0].key == key }) {
                place = known
            } else {
                nodes.append(Node(key: key))
                nodes[place].children.append(nodes.count - 1)
                place = nodes.count - 1
            }
        }
        return place
    }

    /// The properties of a row, valid until the next call; empty if it has none.
    func json(of row: Int) -> UnsafeRawBufferPointer {
        self.row = row
        json.removeAll()
        var restText = UnsafeRawBufferPointer(start: nil, count: 0)
        if let text = rest?.text(at: row) { restText = text }
        var hasColumns = false
        for column in columns.indices where columns[column].advance(to: row) { hasColumns = true }
        if !hasColumns { return restText }
        if restText.isEmpty, !heads.isEmpty {
            writeFlat()
            return json.raw
        }
        write(0, restText, at: restText.isEmpty ? nil : 0)
        return json.raw
    }

    /// Appends the object where all values are in columns and none is inside another.
    private func writeFlat() {
        for (place, child) in nodes[0].children.enumerated() {
            let before = json.count
            json.append(before == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
            json.append(heads[place])
            if !nodes[child].columns.contains(where: { appendValue($0) }) { json.truncate(to: before) }
        }
        json.append(UInt8(ascii: "}"))
    }

    /// Appends an object: the values that have columns, and what the rest has of it.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    private func write(_ node: Int, _ rest: UnsafeRawBufferPointer, at place: Int?) -> Bool {
        let start = json.count
        var isEmpty = true
        func open(_ write: () -> Void) {
            json.append(isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            write()
            json.append(UInt8(ascii: ":"))
        }
        var members: [(key: LineText, value: JSONValue)] = []
        if let place {
            var cursor = JSONCursor(rest, at: place)
            try? cursor.forEachEntry { members.append(($0, $1)) }
        }
        func matches(_ member: LineText, _ child: Int) -> Bool {
            member.unescaped(in: rest, scratch: scratch).elementsEqual(nodes[child].key)
        }
        for child in nodes[node].children {
            let before = json.count
            open { nodes[child].key.withUnsafeBufferPointer { JSONText.append($0, to: json) } }
            if nodes[child].columns.contains(where: { appendValue($0) }) {
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

    /// Appends a column's value in the row at hand, if it has one.
    private func appendValue(_ column: Int) -> Bool {
        guard columns[column].advance(to: row) else { return false }
        columns[column].appendJSON(to: json)
        return true
    }
}
