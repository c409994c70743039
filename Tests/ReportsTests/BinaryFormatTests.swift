import Testing

@testable import Reports

/// A format whose bytes are no text: each record as its length and its fields, closed by 0xFF.
private struct PackedReport: ReportFormat {
    let name = "packed"
    let fileExtensions = ["pack"]

    func bytes(of document: ReportDocument) -> [UInt8] {
        var bytes: [UInt8] = []
        for section in document.results.map(\.section) {
            bytes += Array(section.kind.utf8)
            for row in section.records.rows {
                bytes += [0xC0, UInt8(truncatingIfNeeded: row.count)]
                for case .count(let count) in row { withUnsafeBytes(of: count.littleEndian) { bytes += $0 } }
            }
            bytes.append(0xFF)
        }
        return bytes
    }
}

@Suite struct BinaryFormatTests {
    @Test func `a format of one type writes every kind of result as bytes`() throws {
        for result in try SampleResults.everything(named: "a") {
            let bytes = PackedReport().bytes(of: ReportDocument(result))
            let section = result.section
            #expect(bytes.starts(with: Array(section.kind.utf8)) && bytes.last == 0xFF)
            let counts = section.records.rows.map { row in row.count { if case .count = $0 { true } else { false } } }
            #expect(bytes.count == section.kind.utf8.count + counts.reduce(1) { $0 + 2 + 8 * $1 })
        }
    }

    @Test func `bytes that are no UTF-8 come out as they were written`() throws {
        let document = ReportDocument(title: "two", results: [try SampleResults.checkout(), try SampleResults.checkout()])
        let bytes = PackedReport().bytes(of: document)
        #expect(String(validating: bytes, as: UTF8.self) == nil)
        #expect(bytes.count { $0 == 0xC0 } >= 2 && Array(bytes.prefix(bytes.count / 2)) == Array(bytes.suffix(bytes.count / 2)))
    }

    @Test(arguments: ReportFormats.texts().map(\.name))
    func `the text of a text format is its bytes`(name: String) throws {
        let format = try #require(ReportFormats.texts().first { $0.name == name })
        let document = ReportDocument(try SampleResults.checkout())
        #expect(Array(format.text(of: document).utf8) == format.bytes(of: document))
        #expect(format.bytes(of: document).last == UInt8(ascii: "\n"))
    }
}
