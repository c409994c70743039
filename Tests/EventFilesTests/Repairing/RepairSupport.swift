import Foundation
import LoopTesting
import TrackingEvents

@testable import EventFiles

/// Members of numbered events of one session, and a folder to damage them in.
struct RepairTrial {
    let folder: ReadingFolder

    init() throws { folder = try ReadingFolder() }

    var input: String { folder.path + "/events-0000000a-0000000001.ndjson.gz" }
    var output: String { folder.path + "/sound.ndjson.gz" }

    /// The lines of events of these numbers, each with its line feed.
    static func text(_ numbers: ClosedRange<Int>, session: String = "s1") -> String {
        numbers.map { String(decoding: EventLineEncoder().line(of: testEvent($0, session: session)) ?? [], as: UTF8.self) }.joined()
    }

    /// Three members of ten events each.
    static let members = [text(1...10), text(11...20), text(21...30)]

    /// Writes the file, repairs it, and gives the report.
    func repair(_ bytes: [UInt8], files: any FileSystem = PosixFileSystem()) throws -> RepairResult {
        try folder.write(bytes, FilePath(input).name)
        return try run(RepairJob(input: input, output: output), files: files)
    }

    func run(_ jobs: RepairJob..., files: any FileSystem = PosixFileSystem()) throws -> RepairResult {
        try EventFileRepair(jobs, clock: WriterTestClock().wall, random: SeededRandom(seed: 1), fileSystem: files).run(threads: 2)
    }

    /// All names in the folder, hidden ones too.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

    func bytes(_ path: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: path))) }

    /// The lines of a sound file; `nil` if it is not sealed as a writer seals it.
    func lines(_ path: String) throws -> [String]? {
        let segment = DecodedSegment(try bytes(path))
        return segment.hasEndMember && segment.torn == 0 ? segment.lines : nil
    }
}
