import Basics
import TrackingEvents

@testable import ParquetFiles

/// A column's values for tests, `nil` where a row has none.
struct SampleColumn {
    enum Value: Equatable {
        case integer(Int64)
        case double(UInt64)
        case flag(Bool)
        case text(String)
    }

    var column: ParquetColumn
    var texts = ColumnBuilder.Texts.once
    var values: [Value?]

    func builder() -> ColumnBuilder {
        let builder = ColumnBuilder(column, texts: texts)
        for (row, value) in values.enumerated() {
            switch value {
            case nil: break
            case .integer(let number): builder.append(number, row: row)
            case .double(let bits): builder.append(Double(bitPattern: bits), row: row)
            case .flag(let truth): builder.append(truth, row: row)
            case .text(let text): Array(text.utf8).withUnsafeBytes { builder.append($0, row: row) }
            }
        }
        return builder
    }
}

/// A Parquet file in memory.
enum ParquetBytes {
    /// Writes row groups that have the same columns.
    static func file(
        _ groups: [[SampleColumn]], columns: [ParquetColumn]? = nil, regions: [[UInt8]] = [], metadata: [(String, String)] = []
    ) -> [UInt8] {
        let output = ByteBuffer(capacity: 1024)
        let writer = ParquetFileWriter<Never>(columns: columns ?? groups[0].map(\.column)) { output.append($0.bindMemory(to: UInt8.self)) }
        for group in groups { writer.append(group.map { $0.builder() }, rows: group.first?.values.count ?? 0) }
        for region in regions {
            let bytes = ByteBuffer(capacity: region.count)
            bytes.append(region)
            writer.append(region: bytes)
        }
        writer.finish(metadata: metadata.map { (key: $0.0, value: $0.1) })
        return Array(output.bytes)
    }

    static func reader(_ bytes: [UInt8]) throws(ParquetError) -> ParquetFileReader {
        try ParquetFileReader(size: Int64(bytes.count)) { room, offset throws(ParquetError) in
            guard offset >= 0, Int(offset) + room.count <= bytes.count else {
                throw ParquetError(.unreadable, at: offset, "beyond the end")
            }
            bytes.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + room.count])) }
        }
    }

    /// Everything in a file, group by group and column by column.
    static func contents(_ bytes: [UInt8]) throws(ParquetError) -> [[[SampleColumn.Value?]]] {
        let reader = try reader(bytes)
        var groups: [[[SampleColumn.Value?]]] = []
        for group in reader.groupRows.indices {
            var columns: [[SampleColumn.Value?]] = []
            for column in reader.columns.indices { columns.append(rows(of: try reader.values(ofColumn: column, inGroup: group))) }
            groups.append(columns)
        }
        return groups
    }

    /// The regions after the columns.
    static func regions(_ bytes: [UInt8]) throws(ParquetError) -> [[UInt8]] {
        let reader = try reader(bytes)
        var regions: [[UInt8]] = []
        for number in 0..<reader.regionCount {
            let region = try reader.region(number).bytes
            regions.append(withExtendedLifetime(region) { Array(region.bytes) })
        }
        return regions
    }

    static func rows(of values: ColumnValues) -> [SampleColumn.Value?] {
        var all: [SampleColumn.Value?] = Array(repeating: nil, count: values.rows)
        for place in 0..<values.count {
            let row = values.present.map { Int($0[place]) } ?? place
            switch values.storage {
            case .integers(let numbers): all[row] = .integer(numbers[place])
            case .doubles(let numbers): all[row] = .double(numbers[place].bitPattern)
            case .flags(let flags): all[row] = .flag(flags[place])
            case .texts(let texts, let places): all[row] = .text(String(decoding: texts[Int(places[place])], as: UTF8.self))
            }
        }
        return all
    }
}

/// Random columns of every kind, with few or many distinct values, of which none, some or all are missing.
struct SampleTable {
    var random: SeededRandom

    mutating func column(_ number: Int, rows: Int) -> SampleColumn {
        let kind = ParquetColumn.Kind.allCases[Int(random.next() % 5)]
        let texts: [ColumnBuilder.Texts] = [.once, .dictionary, .each, .prefixed]
        var column = SampleColumn(
            column: ParquetColumn("c\(number)_é", kind), texts: kind == .text ? texts[Int(random.next() % 4)] : .once, values: [])
        let missing = [0, 1, 3, 9, 10][Int(random.next() % 5)]
        let different = [1, 2, 5, 300, UInt64.max][Int(random.next() % 5)]
        let runs = random.next() % 2 == 0
        var last: SampleColumn.Value?
        for _ in 0..<rows {
            if runs, random.next() % 8 != 0, !column.values.isEmpty {
                column.values.append(last)
                continue
            }
            last = Int(random.next() % 10) < missing ? nil : value(kind, different)
            column.values.append(last)
        }
        return column
    }

    private mutating func value(_ kind: ParquetColumn.Kind, _ different: UInt64) -> SampleColumn.Value {
        let number = random.next() % different
        switch kind {
        case .int32: return .integer(Int64(Int32(truncatingIfNeeded: number)))
        case .int64: return .integer(Int64(bitPattern: number))
        case .double: return .double(Double(Int64(bitPattern: number)).bitPattern)
        case .flag: return .flag(number % 2 == 0)
        case .text: return .text(number % 7 == 0 ? "" : "value \(number) ü\u{0}")
        }
    }
}
