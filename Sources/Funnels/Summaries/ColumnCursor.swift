import Basics
import EventFiles
import ParquetFiles

/// Goes through the values of a column by rising row.
///
/// What is needed for each row lies side by side and is counted by nobody: to take a value out of an enumeration or an optional array, or a
/// text out of an object, costs more than to read it.
struct ColumnCursor {
    /// The rows that have a value, if not all have.
    private var present: [UInt32] = []
    private let isFull: Bool
    // One of these has the values, by the kind of the column.
    private var integers: [Int64] = []
    private var doubles: [Double] = []
    private var flags: [Bool] = []
    private var textPlaces: [UInt32] = []
    /// The different texts, which lie in `owner`.
    private var texts: [UnsafeRawBufferPointer] = []
    private let owner: ColumnTexts?
    /// The place of the row's value.
    private var place = 0

    init(_ values: ColumnValues) {
        isFull = values.present == nil
        present = values.present ?? []
        var owner: ColumnTexts?
        switch values.storage {
        case .integers(let values): integers = values
        case .doubles(let values): doubles = values
        case .flags(let values): flags = values
        case .texts(let all, let places):
            (owner, textPlaces) = (all, places)
            texts = (0..<all.count).map { all[$0] }
        }
        self.owner = owner
    }

    /// How many different texts there are, and one of them.
    var textCount: Int { texts.count }
    func text(numbered number: Int) -> UnsafeRawBufferPointer { texts[number] }

    /// Goes to a row, which is none before the last; says whether it has a value.
    @inline(__always)
    mutating func advance(to row: Int) -> Bool {
        if isFull {
            place = row
            return true
        }
        while place < present.count, Int(present[place]) < row { place += 1 }
        return place < present.count && Int(present[place]) == row
    }

    /// The number of the text in a row; `nil` where it has none, and for a column of other values.
    @inline(__always)
    mutating func textNumber(at row: Int) -> Int? {
        guard advance(to: row), place < textPlaces.count else { return nil }
        return Int(textPlaces[place])
    }

    /// The text in a row; `nil` where it has none, and for a column of other values.
    @inline(__always)
    mutating func text(at row: Int) -> UnsafeRawBufferPointer? { textNumber(at: row).map { texts[$0] } }

    /// The whole number in a row; `nil` where it has none, and for a column of other values.
    @inline(__always)
    mutating func integer(at row: Int) -> Int64? {
        guard advance(to: row), place < integers.count else { return nil }
        return integers[place]
    }

    /// Appends the value of the row that it went to, which has one.
    @inline(__always)
    func appendJSON(to json: ByteBuffer) {
        if place < textPlaces.count {
            JSONText.append(texts[Int(textPlaces[place])].bindMemory(to: UInt8.self), to: json)
        } else if place < integers.count {
            JSONText.append(integers[place], to: json)
        } else if place < doubles.count {
            json.append(ExactNumber.text(doubles[place]).utf8)
        } else if place < flags.count {
            if flags[place] { json.append("true") } else { json.append("false") }
        }
    }
}
