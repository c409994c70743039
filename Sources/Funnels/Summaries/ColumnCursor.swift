import Basics
import ParquetFiles

/// Goes through the values of a column by rising row.
///
/// Values lie in plain arrays: to take one out of an enumeration, an optional array or an object would cost more than to read it.
struct ColumnCursor {
    /// The rows that have a value, if not all have.
    private var present: [UInt32] = []
    private let isFull: Bool
    // One of these has the values, by the kind of the column.
    private var integers: [Int64] = []
    private var doubles: [Double] = []
    private var flags: [Bool] = []
    private var textNumbers: [UInt32] = []
    /// Where the different texts lie, from `base` on, which `owner` keeps alive.
    private var spans: [ColumnTexts.Span] = []
    private let base: UnsafeRawPointer?
    let owner: ColumnTexts?
    /// The index of the current row's value.
    private var index = 0

    init(_ values: ColumnValues) {
        isFull = values.present == nil
        present = values.present ?? []
        var owner: ColumnTexts?
        switch values.storage {
        case .integers(let values): integers = values
        case .doubles(let values): doubles = values
        case .flags(let values): flags = values
        case .texts(let all, let numbers): (owner, textNumbers, spans) = (all, numbers, all.spans)
        }
        self.owner = owner
        base = owner?.base
    }

    var textCount: Int { spans.count }

    @inline(__always)
    func text(numbered number: Int) -> UnsafeRawBufferPointer {
        let span = spans[number]
        return UnsafeRawBufferPointer(start: base.map { $0 + Int(span.start) }, count: Int(span.count))
    }

    /// Those of the first `rows` rows that have no text, or an empty one.
    func rowsWithoutText(_ rows: Int) -> [Int] {
        if isFull, spans.allSatisfy({ $0.count > 0 }) { return [] }
        var cursor = self
        return (0..<rows).filter { row in cursor.text(at: row).map(\.isEmpty) ?? true }
    }

    /// All whole numbers of a column, and the numbers of all its texts; `nil` if some row has no value.
    var allIntegers: [Int64]? { isFull ? integers : nil }
    var allTextNumbers: [UInt32]? { isFull ? textNumbers : nil }

    /// Goes to a row, never back to an earlier one; says whether the row has a value.
    @inline(__always)
    mutating func advance(to row: Int) -> Bool {
        if isFull {
            index = row
            return true
        }
        while index < present.count, Int(present[index]) < row { index += 1 }
        return index < present.count && Int(present[index]) == row
    }

    /// The number of the text in a row; `nil` where it has none, and for a column of other values.
    @inline(__always)
    mutating func textNumber(at row: Int) -> Int? {
        guard advance(to: row), index < textNumbers.count else { return nil }
        return Int(textNumbers[index])
    }

    /// The text in a row; `nil` where it has none, and for a column of other values.
    @inline(__always)
    mutating func text(at row: Int) -> UnsafeRawBufferPointer? { textNumber(at: row).map { text(numbered: $0) } }

    /// The number in the current row, which must have a value; `nil` in a column of other values.
    @inline(__always)
    var number: Double? { index < doubles.count ? doubles[index] : index < integers.count ? Double(integers[index]) : nil }

    /// The first row with a value from `row` on; `end` if there is none before `end`. Goes forward only, as ``advance(to:)`` does.
    mutating func firstRow(from row: Int, before end: Int) -> Int {
        if advance(to: row) { return row }
        return index < present.count ? min(Int(present[index]), end) : end
    }

    /// The value of the current row, which must have one, as a text: the text itself, `true` or `false`, or a number as JSON writes it.
    @inline(__always)
    mutating func text(scratch: ByteBuffer) -> UnsafeRawBufferPointer {
        if index < textNumbers.count { return text(numbered: Int(textNumbers[index])) }
        scratch.removeAll()
        appendJSON(to: scratch)
        return scratch.raw
    }

    /// Appends the value of the current row, which must have one, as JSON.
    ///
    /// Like ``text(scratch:)`` it changes nothing. Both are `mutating` because a call that only reads would retain all arrays first.
    @inline(__always)
    mutating func appendJSON(to json: ByteBuffer) {
        if index < textNumbers.count {
            JSONText.append(text(numbered: Int(textNumbers[index])).bindMemory(to: UInt8.self), to: json)
        } else if index < integers.count {
            JSONText.append(integers[index], to: json)
        } else if index < doubles.count {
            JSONText.append(doubles[index], to: json)
        } else if index < flags.count {
            if flags[index] { json.append("true") } else { json.append("false") }
        }
    }
}
