import Foundation
import Testing

/// `looptrail repair` as a process of its own.
@Suite struct RepairCallTests {
    private static func lines(_ numbers: ClosedRange<Int>) -> String {
        Events.text(numbers.map { Events.line("a", Int64($0), id: "\($0)", more: #","session":"s","seq":\#($0)"#) })
    }

    private static let sound = BlockedFile.bytes([lines(1...5), lines(6...10), lines(11...15)])
    /// A wrong check sum in the second member.
    private static let damaged: [UInt8] = {
        var bytes = sound
        bytes[BlockedFile.bytes([lines(1...5), lines(6...10)], isSealed: false).count - 8] ^= 1
        return bytes
    }()

    @Test func `the sound file is made, what was lost is counted, and the exit is 0`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("bad.ndjson.gz", bytes: Self.damaged)
        let result = try Child.looptrail(["repair", input, "-o", folder.path("good.ndjson.gz")])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("sound") && result.output.contains("good.ndjson.gz"))
        #expect(result.errors.contains("left out: 1 damaged place") && result.errors.contains("5 events missing by sequence"))
        #expect(try Child.looptrail(["check", folder.path("good.ndjson.gz")]).status == 0)
        #expect(try Child.looptrail(["check", input]).status == 3, "the damaged file is as it was")
        #expect(folder.names == ["bad.ndjson.gz", "good.ndjson.gz"])
    }

    @Test func `what may have been lost at a session's beginning is told`() throws {
        let folder = try TemporaryFolder()
        var bytes = Self.sound
        bytes[BlockedFile.bytes([Self.lines(1...5)], isSealed: false).count - 8] ^= 1
        let input = try folder.file("bad.ndjson.gz", bytes: bytes)
        let result = try Child.looptrail(["repair", input, "-o", folder.path("good.ndjson.gz")])
        #expect(result.status == 0 && result.errors.contains("bytes that could not be used"), "\(result.errors)")
        #expect(result.errors.contains("5 earlier events, here or in files not given"))
    }

    @Test func `a file whose lines all stand in another one is not called lost`() throws {
        let folder = try TemporaryFolder()
        for name in ["a.ndjson", "b.ndjson"] { try folder.file(name, Self.lines(1...5)) }
        let result = try Child.looptrail(["repair", folder.path, "-o", folder.path("out")])
        #expect(result.status == 3 && result.errors.contains("b.ndjson: every line stands in another file, and no file was made"))
    }

    @Test func `json has the counts under fixed keys`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("bad.ndjson.gz", bytes: Self.damaged)
        let result = try Child.looptrail(["repair", input, "-o", folder.path("good.ndjson.gz"), "--format", "json"])
        let json = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(json["sound"] as? Bool == true)
        let totals = try #require(json["totals"] as? [String: Int])
        #expect(totals["saved_lines"] == 10 && totals["damaged_places"] == 1 && totals["missing_sequences"] == 5)
        let files = try #require(json["files"] as? [[String: Any]])
        #expect(files.count == 1 && files[0]["outcome"] as? String == "repaired")
        #expect(files[0]["output"] as? String == folder.path("good.ndjson.gz"))
    }

    @Test func `several files go into a folder, which is made`() throws {
        let folder = try TemporaryFolder()
        let inputs = [try folder.file("a.ndjson.gz", bytes: Self.damaged), try folder.file("b.ndjson", Self.lines(16...20))]
        let result = try Child.looptrail(["repair"] + inputs + ["-o", folder.path("out")])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted() == ["a.ndjson.gz", "b.ndjson.gz"])
        #expect(try Child.looptrail(["check", folder.path("out")]).status == 0)
    }

    @Test func `a folder is repaired in place, and the damaged file stays beside its repair`() throws {
        let folder = try TemporaryFolder()
        try folder.file("a.ndjson.gz", bytes: Self.damaged)
        try folder.file("b.ndjson.gz", bytes: BlockedFile.bytes([Self.lines(16...20)]))
        let result = try Child.looptrail(["repair", folder.path, "--in-place"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(folder.names == ["a.ndjson.gz", "a.ndjson.gz.damaged", "b.ndjson.gz"])
        #expect(result.output.contains("untouched"))
        #expect(try Child.looptrail(["check", folder.path]).status == 0)
        let again = try Child.looptrail(["repair", folder.path, "--in-place"])
        #expect(again.status == 0 && again.errors == "looptrail repair: nothing was lost\n")
    }

    @Test func `in place one file that stays as it was does not keep others from repair`() throws {
        let folder = try TemporaryFolder()
        try folder.file("a.ndjson.gz", bytes: Self.damaged)
        let plain = try folder.file("b.ndjson", Self.lines(16...20) + "no event\n")
        try folder.file("c.ndjson", Self.lines(21...25))
        let result = try Child.looptrail(["repair", folder.path, "--in-place"])
        #expect(result.status == 1 && result.errors.contains("\(plain) is no gzip by its name"), "\(result.errors)")
        #expect(folder.names == ["a.ndjson.gz", "a.ndjson.gz.damaged", "b.ndjson", "c.ndjson"])
        #expect(result.output.contains("not sound: files that were left as they were"), "\(result.output)")
    }

    @Test func `a file of which nothing can be saved exits with 3 and makes no file`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("bad.ndjson.gz", bytes: Array(repeating: 0, count: 300))
        let result = try Child.looptrail(["repair", input, "-o", folder.path("good.ndjson.gz")])
        #expect(result.status == 3)
        #expect(result.errors.contains("nothing could be saved, and no file was made; move it away if it is of no use"))
        #expect(folder.names == ["bad.ndjson.gz"])
    }

    @Test func `a repair that fails ends its line of progress first`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("in.ndjson.gz", bytes: Self.damaged)
        let output = try folder.file("out.ndjson.gz", "mine")
        let result = try Child.looptrail(["repair", input, "-o", output, "--progress", "always"])
        let lines = result.errors.split(separator: "\n")
        // The first line of progress, the last one, and the error.
        #expect(result.status == 1 && lines.count >= 3, "\(result.errors)")
        #expect(lines.dropLast().allSatisfy { $0.contains("%)") } && lines.last?.contains("is there already") == true, "\(result.errors)")
    }

    @Test func `numbers that are missing without damage are not explained away`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("gap.ndjson", Self.lines(1...3) + Self.lines(7...9))
        let result = try Child.looptrail(["repair", input, "-o", folder.path("good.ndjson.gz")])
        #expect(result.status == 3)
        #expect(result.output.contains("3 missing by sequence in files that nothing damaged"))
    }

    private static let misuse: [([String], Int32, String)] = [
        ([], 2, "no output"), (["IN"], 2, "-o OUT"), (["IN", "-o", "x.ndjson.gz", "--in-place"], 2, "exclude each other"),
        (["IN", "-o", "-"], 2, "name a file"), (["IN", "-o", "x.json"], 1, "ends with .ndjson.gz"),
        (["IN", "-o", "IN"], 1, "is the input; give another name"), (["/no/such/file", "-o", "x.ndjson.gz"], 1, "/no/such/file"),
        (["-", "-o", "x.ndjson.gz"], 1, "standard input"),
    ]

    @Test(arguments: misuse.indices)
    func `a wrong call is refused with a way out`(row: Int) throws {
        let (arguments, status, message) = Self.misuse[row]
        let folder = try TemporaryFolder()
        let input = try folder.file("in.ndjson.gz", bytes: Self.damaged)
        let result = try Child.looptrail(["repair"] + arguments.map { $0 == "IN" ? input : $0 })
        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(folder.names == ["in.ndjson.gz"])
    }
}
