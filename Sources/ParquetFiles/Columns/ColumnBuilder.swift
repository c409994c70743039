import Basics

/// Collects the values of one column of one row group, row by row, on one thread at a time. Rows that are passed over have no value.
package final class ColumnBuilder {
    package enum Texts: Sendable {
        /// Each different text once, unless too few of them repeat.
        case once
        /// Each different text once, always: a reader wants the dictionary.
        case dictionary
        /// Every text, one after the other.
        case each
        /// As `each`, but without the beginning that a text shares with the text before: for ids.
        case prefixed

        var keepsEach: Bool { self == .each || self == .prefixed }
    }

    /// Neighbouring rows that all have a value.
    struct Run {
        var start: Int
        var count: Int
        var end: Int { start &+ count }
    }

    struct Collected {
        var runs: [Run] = []
        var count = 0
        /// Whole numbers, or the bits of doubles.
        var integers: [Int64] = []
        var flags: [Bool] = []
        /// The code in `table` of each value, if each different text is kept once.
        var codes: [UInt32] = []
        var table = TextTable()
        /// The bytes of all texts, and where each ends, if every text is kept.
        var bytes = ByteBuffer(capacity: 16)
        var ends: [Int] = []

        func text(_ index: Int) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: bytes.raw[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
        }
    }

    package let column: ParquetColumn
    let texts: Texts
    /// Behind a pointer: the runtime checks every access to a class's stored property for exclusivity, and each value takes several.
    private let collected: UnsafeMutablePointer<Collected>

    package init(_ column: ParquetColumn, texts: Texts = .once) {
        self.column = column
        self.texts = texts
        collected = .allocate(capacity: 1)
        collected.initialize(to: Collected())
    }

    deinit {
        collected.deinitialize(count: 1)
        collected.deallocate()
    }

    var values: Collected { collected.pointee }

    package var heldBytes: Int {
        let all = values
        let texts = all.table.bytes.count + all.table.count * 24 + all.bytes.count + all.codes.count * 4 + all.ends.count * 8
        return texts + all.integers.count * 8 + all.flags.count + all.runs.count * 16
    }

    /// - Parameter row: larger than that of the value before.
    package func append(_ value: Int64, row: Int) {
        note(row)
        collected.pointee.integers.append(value)
    }

    package func append(_ value: Double, row: Int) { append(Int64(bitPattern: value.bitPattern), row: row) }

    package func append(_ value: Bool, row: Int) {
        note(row)
        collected.pointee.flags.append(value)
    }

    package func append(_ text: UnsafeRawBufferPointer, row: Int) {
        note(row)
        switch texts {
        case .once, .dictionary: collected.pointee.codes.append(UInt32(collected.pointee.table.number(of: text)))
        case .each, .prefixed:
            collected.pointee.bytes.append(text)
            collected.pointee.ends.append(collected.pointee.bytes.count)
        }
    }

    /// Appends a text of the dictionary by its code, as ``code(of:)`` gave it.
    package func append(code: Int, row: Int) {
        note(row)
        collected.pointee.codes.append(UInt32(code))
    }

    /// Puts a text into the dictionary, even if no row has it, and returns its code.
    package func code(of text: UnsafeRawBufferPointer) -> Int { collected.pointee.table.number(of: text) }

    @inline(__always)
    private func note(_ row: Int) {
        collected.pointee.count &+= 1
        let last = collected.pointee.runs.count - 1
        if last >= 0, collected.pointee.runs[last].end == row {
            collected.pointee.runs[last].count &+= 1
        } else {
            precondition(last < 0 || row >= collected.pointee.runs[last].end, "row \(row) of \(column.name) comes too late")
            collected.pointee.runs.append(Run(start: row, count: 1))
        }
    }
}
