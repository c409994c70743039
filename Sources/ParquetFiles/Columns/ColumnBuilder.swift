import Basics

/// Collects the values of one column of one row group, row by row. Rows that are passed over have no value.
///
/// Not `Sendable`: one thread at a time.
package final class ColumnBuilder {
    /// How texts are kept.
    package enum Texts: Sendable {
        /// Each different one once, unless too few of them repeat.
        case once
        /// Each different one once, always: its dictionary is wanted.
        case dictionary
        /// One behind the other.
        case each
    }

    /// Rows side by side that have a value.
    struct Run {
        var start: Int
        var count: Int
    }

    package let column: ParquetColumn
    let texts: Texts
    private(set) var runs: [Run] = []
    private(set) var count = 0
    private(set) var integers: [Int64] = []
    private(set) var doubles: [Double] = []
    private(set) var flags: [Bool] = []
    /// Of texts kept once: each value's place in the table.
    private(set) var places: [UInt32] = []
    private(set) var table = TextTable()
    /// Of texts kept each: their bytes, and where each ends.
    private(set) var bytes = ByteBuffer(capacity: 16)
    private(set) var ends: [Int] = []

    package init(_ column: ParquetColumn, texts: Texts = .once) {
        self.column = column
        self.texts = texts
    }

    /// About how many bytes the values take here.
    package var heldBytes: Int {
        integers.count * 8 + doubles.count * 8 + flags.count + places.count * 4 + table.bytes.count + table.count * 24 + bytes.count
            + ends.count * 8 + runs.count * 16
    }

    /// - Parameter row: larger than that of the value before.
    package func append(_ value: Int64, row: Int) {
        note(row)
        integers.append(value)
    }

    package func append(_ value: Double, row: Int) {
        note(row)
        doubles.append(value)
    }

    package func append(_ value: Bool, row: Int) {
        note(row)
        flags.append(value)
    }

    package func append(_ text: UnsafeRawBufferPointer, row: Int) {
        note(row)
        switch texts {
        case .once, .dictionary: places.append(UInt32(table.number(of: text)))
        case .each:
            bytes.append(text)
            ends.append(bytes.count)
        }
    }

    /// Puts a text into the dictionary that no row need have.
    ///
    /// - Returns: its place there.
    package func place(of text: UnsafeRawBufferPointer) -> Int { table.number(of: text) }

    private func note(_ row: Int) {
        if let last = runs.last, last.start + last.count == row {
            runs[runs.count - 1].count += 1
        } else {
            precondition(row >= runs.last.map { $0.start + $0.count } ?? 0, "row \(row) of \(column.name) comes too late")
            runs.append(Run(start: row, count: 1))
        }
        count += 1
    }
}

extension ByteBuffer {
    /// A text that was kept, by its place among the values.
    func text(_ place: Int, ends: [Int]) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: raw[(place == 0 ? 0 : ends[place - 1])..<ends[place]])
    }
}
