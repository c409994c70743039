import Basics
import EventFiles
import ParquetFiles
import TrackingEvents

/// The properties of rows, from the columns of single properties and from the column that has the rest.
///
/// Rows are asked for by rising number, on one thread.
final class SummaryProperties {
    private struct Node {
        var key: [UInt8]
        var children: [Int] = []
        /// Columns with values of this path.
        var columns: [Int] = []
    }

    private let nodes: [Node]
    private let columns: UnsafeMutableBufferPointer<ColumnCursor>
    /// The column of properties that have none of their own. It is read when a row first asks for it: many funnels never do.
    private var rest: ColumnCursor?
    private var readRest: (() throws(ParquetError) -> ColumnValues)?
    /// Why the rest could not be read.
    private(set) var failure: ParquetError?
    /// The paths that are wanted, each with its columns; `nil` if all are.
    private let wanted: [(keys: [[UInt8]], columns: [Int])]?
    /// The tests that were asked, each with its path's columns and what it said of each text.
    private var asked: [(test: CompiledTest, columns: [Int], answers: [Bool?])] = []
    /// The last row as JSON.
    private let json = ByteBuffer(capacity: 512)
    private var rowOfJSON = -1
    private let scratch = ByteBuffer(capacity: 128)

    /// - Parameter paths: of the properties that are wanted; `nil` for all.
    init(_ summary: SegmentSummary, paths: [[String]]?, group: Int) throws(ParquetError) {
        var (nodes, columns) = ([Node(key: [])], [ColumnCursor]())
        let keysOfPaths = paths?.map { $0.map { Array($0.utf8) } }
        for leaf in summary.facts.leaves {
            let keys = leaf.path.map { Array($0.utf8) }
            // A wanted path may lead to an object, which occurs where anything in it does.
            let isWanted = keysOfPaths?.contains { keys.starts(with: $0) } ?? true
            guard isWanted, let column = summary.file.column(named: leaf.columnName) else { continue }
            nodes[Self.node(at: keys, &nodes)].columns.append(columns.count)
            columns.append(ColumnCursor(try summary.file.values(ofColumn: column, inGroup: group)))
        }
        // A wanted property may be in the rest, even if it has columns.
        wanted = keysOfPaths?.map { ($0, nodes[Self.node(at: $0, &nodes)].columns) }
        if let column = summary.file.column(named: SummaryColumn.rest.rawValue) {
            readRest = { () throws(ParquetError) in try summary.file.values(ofColumn: column, inGroup: group) }
        }
        self.nodes = nodes
        self.columns = .allocate(capacity: columns.count)
        _ = self.columns.initialize(from: columns)
    }

    deinit {
        columns.deinitialize()
        columns.deallocate()
    }

    private static func node(at path: [[UInt8]], _ nodes: inout [Node]) -> Int {
        path.reduce(0) { node, key in
            if let known = nodes[node].children.first(where: { nodes[$0].key == key }) { return known }
            nodes.append(Node(key: key))
            nodes[node].children.append(nodes.count - 1)
            return nodes.count - 1
        }
    }

    /// Calls `body` with the text of a row's value at a path; with `nil` where it has none.
    func withText<Result>(at path: PropertyReader, of row: Int, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        guard let wanted, let index = wanted.firstIndex(where: { $0.keys == path.keys }) else {
            return path.withText(in: json(of: row), body)
        }
        if let column = column(wanted[index].columns, at: row) { return body(columns[column].text(scratch: scratch)) }
        return path.withText(in: restText(of: row), body)
    }

    /// Whether a test holds for a row's value in a column; `nil` if no column has one. Each text is tested once; most numbers need no text.
    func holds(_ test: CompiledTest, of row: Int) -> Bool? {
        guard let index = asked.firstIndex(where: { $0.test === test }) ?? index(ofNew: test),
            let column = column(asked[index].columns, at: row)
        else { return nil }
        if let number = columns[column].number, let holds = test.holds(for: number) { return holds }
        guard let text = columns[column].textNumber(at: row) else { return test.holds(for: columns[column].text(scratch: scratch)) }
        if let known = asked[index].answers[text] { return known }
        let holds = test.holds(for: columns[column].text(numbered: text))
        asked[index].answers[text] = holds
        return holds
    }

    private func index(ofNew test: CompiledTest) -> Int? {
        guard let columns = wanted?.first(where: { $0.keys == test.property.keys })?.columns else { return nil }
        let texts = columns.reduce(0) { max($0, self.columns[$1].textCount) }
        asked.append((test, columns, Array(repeating: nil, count: texts)))
        return asked.count - 1
    }

    func textColumn(at path: PropertyReader) -> Int? { wanted?.first { $0.keys == path.keys }?.columns.first { columns[$0].textCount > 0 } }

    @inline(__always)
    func textNumber(inColumn column: Int, at row: Int) -> Int? { columns[column].textNumber(at: row) }

    /// The first of some columns that has a value in a row.
    @inline(__always)
    private func column(_ some: [Int], at row: Int) -> Int? { some.first { columns[$0].advance(to: row) } }

    private func restText(of row: Int) -> UnsafeRawBufferPointer {
        if let readRest {
            self.readRest = nil
            do throws(ParquetError) { rest = ColumnCursor(try readRest()) } catch { failure = error }
        }
        return rest?.text(at: row) ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// The properties of a row as JSON, valid until another row is asked for; empty if it has none.
    func json(of row: Int) -> UnsafeRawBufferPointer {
        if row == rowOfJSON { return json.raw }
        rowOfJSON = row
        json.removeAll()
        let rest = restText(of: row)
        write(0, of: row, rest, at: rest.isEmpty ? nil : 0)
        return json.raw
    }

    /// Appends an object: the values from columns, and those from the rest. Says whether there was anything.
    @discardableResult
    private func write(_ node: Int, of row: Int, _ rest: UnsafeRawBufferPointer, at offset: Int?) -> Bool {
        let start = json.count
        var members: [(key: LineText, value: JSONValue, child: Int?)] = []
        if let offset {
            var cursor = JSONCursor(rest, at: offset)
            try? cursor.forEachEntry { key, value in
                let text = key.unescaped(in: rest, scratch: scratch)
                let child = nodes[node].children.first { text.elementsEqual(nodes[$0].key) }
                // If a key stands twice, the last counts. A key without a node is copied as it stands, in its order.
                if child != nil { members.removeAll { $0.child == child } }
                if child != nil || wanted == nil { members.append((key, value, child)) }
            }
        }
        for child in nodes[node].children {
            let (before, column) = (json.count, column(nodes[child].columns, at: row))
            if column == nil && nodes[child].children.isEmpty { continue }
            json.append(before == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
            nodes[child].key.withUnsafeBufferPointer { JSONText.append($0, to: json) }
            json.append(UInt8(ascii: ":"))
            if let column {
                columns[column].appendJSON(to: json)
            } else {
                let inside = members.first { $0.child == child && $0.value.kind == .object }?.value.text.range.lowerBound
                if write(child, of: row, rest, at: inside) { members.removeAll { $0.child == child } } else { json.truncate(to: before) }
            }
        }
        for member in members {
            let isText = member.value.kind == .string
            json.append(json.count == start ? "{\"" : ",\"")
            json.append(member.key.bytes(in: rest))
            json.append(isText ? "\":\"" : "\":")
            json.append(member.value.text.bytes(in: rest))
            if isText { json.append(UInt8(ascii: "\"")) }
        }
        if json.count == start { return false }
        json.append(UInt8(ascii: "}"))
        return true
    }
}
