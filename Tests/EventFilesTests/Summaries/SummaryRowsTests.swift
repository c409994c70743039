import Basics
import ParquetFiles
import Testing
import TrackingEvents

@testable import EventFiles

/// What stands in the columns of a summary, value by value.
@Suite struct SummaryRowsTests {
    /// A summary's rows as text, the columns that lack a value left out.
    private func rows(_ lines: [String], keepsProperties: Bool = false) throws -> [[String: String]] {
        let folder = try ReadingFolder()
        let path = try folder.write(Gzip.blocked(lines.isEmpty ? [] : [lines.map { $0 + "\n" }.joined()]))
        let report = EventFileIndexer(try EventFileReader(paths: [path]), keepsProperties: keepsProperties).run()
        #expect(report.made == 1, "\(report)")
        let file = try #require(try SegmentSummary.open(forSegmentAt: path, on: PosixFileSystem())).file
        var rows = Array(repeating: [String: String](), count: Int(file.rows))
        for (place, column) in file.columns.enumerated() where !rows.isEmpty {
            let values = try file.values(ofColumn: place, inGroup: 0)
            for place in 0..<values.count {
                rows[values.present.map { Int($0[place]) } ?? place][column.name] =
                    switch values.storage {
                    case .integers(let numbers): "\(numbers[place])"
                    case .doubles(let numbers): "\(numbers[place])"
                    case .flags(let flags): "\(flags[place])"
                    case .texts(let texts, let places): String(decoding: texts[Int(places[place])], as: UTF8.self)
                    }
            }
        }
        return rows
    }

    @Test func `the fields of a line's head have columns of their own`() throws {
        let lines = [
            #"{"v":1,"t_ms":5,"name":"a","user":"u","session":"s","seq":3,"id":"i","system":"shop","props":{}}"#,
            #"{"t_ms":6,"name":"b","user":""}"#,
            #"{"v":0,"t_ms":7,"name":"identified","type":"meta","props":{"anonymous":"a-1"}}"#,
            #"{"v":1,"t_ms":8,"name":"timing","type":"timing","props":{"x":1}}"#, "not a line",
        ]
        #expect(
            try rows(lines) == [
                ["v": "1", "t_ms": "5", "name": "a", "user": "u", "session": "s", "seq": "3", "id": "i", "system": "shop"],
                ["t_ms": "6", "name": "b", "user": ""],
                ["v": "0", "t_ms": "7", "name": "identified", "type": "meta", "props_anonymous_text": "a-1"],
            ])
    }

    @Test(arguments: [
        (
            #"{"a":1,"b":1.5,"c":"x","d":true}"#,
            ["props_a_integer": "1", "props_b_number": "1.5", "props_c_text": "x", "props_d_flag": "true"]
        ),
        (#"{"a":{"b":{"c":2}}}"#, ["props_a$_b$_c_integer": "2"]),
        (#"{"a":null,"b":[1,{}],"c":{},"d":1e3,"e":01e}"#, [:]),
        (#"{"a":null,"b":[1, {}],"c":{},"d":1e3}"#, ["props_rest": #"{"a":null,"b":[1, {}],"c":{},"d":1e3}"#]),
        (
            #"{"o":{"x":1,"y":null},"p":{"z":{"w":[]}}}"#,
            ["props_o$_x_integer": "1", "props_rest": #"{"o":{"y":null},"p":{"z":{"w":[]}}}"#]
        ),
        (#"{"a\u0041":"\u00fc\n"}"#, ["props_a$41_text": "ü\n"]),
        (#"{"a":1,"a":2}"#, ["props_rest": #"{"a":1,"a":2}"#]),
        (#"{"o":{"a":1,"a":2},"b":3}"#, ["props_rest": #"{"o":{"a":1,"a":2},"b":3}"#]),
        (#"{"x":"q\"uote","y\n":-0}"#, ["props_rest": #"{"y\n":-0}"#, "props_x_text": "q\"uote"]),
    ]) func `a property has a column of its own, or stands in the rest`(props: String, wanted: [String: String]) throws {
        let found = try rows([#"{"v":1,"t_ms":5,"name":"a","props":\#(props)}"#])
        #expect(found == [wanted.merging(["v": "1", "t_ms": "5", "name": "a"]) { $1 }])
    }

    @Test func `properties with too long a name, and those beyond the limit, stand in the rest`() throws {
        let long = String(repeating: "x", count: 120)
        let many = (0..<300).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let found = try rows([#"{"t_ms":1,"name":"a","props":{"\#(long)":1,\#(many)}}"#])[0]
        #expect(found.keys.count { $0.hasPrefix("props_k") } == SummaryLeaf.maxCount)
        #expect(found["props_rest"]?.hasPrefix(#"{"\#(long)":1,"k256":256,"#) == true)
    }

    @Test func `on request, the properties are kept as their text`() throws {
        let props = #"{"a" : 1, "b":null}"#
        let found = try rows([#"{"v":1,"t_ms":5,"name":"a","props":\#(props)}"#], keepsProperties: true)[0]
        #expect(found["props"] == props)
    }

    @Test func `a file without lines has a summary without rows`() throws { #expect(try rows([]) == []) }

    @Test func `row groups share their columns, and properties that come later stand in the rest`() throws {
        var bytes: [UInt8] = []
        var builder = SummaryBuilder(keepsProperties: false, rowsPerGroup: 2) { bytes += $0 }
        let folder = try ReadingFolder()
        // A batch of three lines is more than the two rows of a group, which ends with the batch.
        for late in ["", #","late":9"#] {
            let texts = (1...3).map { number in
                #"{"v":1,"t_ms":\#(number),"name":"n","session":"s","seq":\#(number),"id":"\#(number)","props":{"a":\#(number)\#(late)}}"#
                    + "\n"
            }
            let path = try folder.write(Gzip.blocked([texts.joined()]))
            let file = try PosixFileSystem().openToRead(atPath: path)
            defer { PosixFileSystem().close(file) }
            let mark = try #require(try SegmentMark.of(file, on: PosixFileSystem()))
            let (cursor, workspace) = (FileCursor(segment: file, size: mark.bytes, on: PosixFileSystem()), Workspace())
            var chunk = try cursor.next(into: workspace)
            workspace.inflateMembers(of: &chunk)
            try LineStitcher().stitch(&chunk, in: workspace).withBatch(of: chunk, in: workspace, path: path) {
                batch throws(FileSystemError) in try builder.take(batch)
            }
        }
        try builder.finish(segment: "x", mark: SegmentMark(bytes: 1, members: 1, proof: .none), filledMembers: 1)
        let written = bytes
        let file = try ParquetFileReader(size: Int64(written.count)) { room, offset throws(ParquetError) in
            room.copyBytes(from: written[Int(offset)..<Int(offset) + room.count])
        }
        #expect(file.groupRows == [3, 3] && builder.facts.batches == [3, 3] && builder.facts.ids.repeated == [3, 4, 5])
        #expect(try file.regionCount == 1 && file.region(0).bytes.count > 0)
        let text = builder.facts.text
        #expect(SummaryFacts(text) == builder.facts)
        // Summaries of version 2, the one before, are read, too. Unknown versions are not.
        for version in 1...4 {
            let other = text.replacing("\"version\":3", with: "\"version\":\(version)")
            #expect(SummaryFacts(other) == (2...3 ~= version ? builder.facts : nil))
        }
        let column = try #require(file.column(named: "props_a_integer"))
        guard case .integers(let numbers) = try file.values(ofColumn: column, inGroup: 1).storage else { return #expect(Bool(false)) }
        #expect(numbers == [1, 2, 3])
        #expect(file.column(named: "props_late_integer") == nil)
        let rest = try file.values(ofColumn: try #require(file.column(named: "props_rest")), inGroup: 1)
        guard case .texts(let texts, let places) = rest.storage else { return #expect(Bool(false)) }
        #expect(places.map { String(decoding: texts[Int($0)], as: UTF8.self) } == Array(repeating: #"{"late":9}"#, count: 3))
    }
}
