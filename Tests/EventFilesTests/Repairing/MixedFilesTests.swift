import Deflate
import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// Files in which something else stands before members: plain lines, or the rest of a member whose head is gone. No member whose CRC is
/// right is lost, and a check counts what stands there as foreign bytes.
@Suite struct MixedFilesTests {
    let trial: RepairTrial

    init() throws { trial = try RepairTrial() }

    private static let plain = RepairTrial.text(1...20, session: "plain")

    /// A blocked member whose contents are stored, not compressed, as packers leave what does not shrink.
    private static func stored(_ text: String) -> [UInt8] {
        let raw = Array(text.utf8)
        let count = UInt16(raw.count)
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
        let body = [1] + bytes(count) + bytes(~count) + raw
        let crc = raw.withUnsafeBytes { ZlibInflater.checksum(of: $0) }
        let size = UInt16(BGZF.headerBytes + body.count + BGZF.trailerBytes - 1)
        return Array(BGZF.endMember[..<16]) + bytes(size) + body + bytes(crc) + bytes(UInt32(raw.count))
    }

    private func check(_ path: String) throws -> CheckResult { try EventFileCheck(EventFileReader(paths: [path])).run(threads: 2) }

    private func saved() throws -> [String: [Int]] {
        let lines = try #require(try trial.lines(trial.output))
        return ["plain": try sequences(lines, session: "plain"), "s1": try sequences(lines)]
    }

    @Test(arguments: [true, false])
    func `plain lines before members are used, and the members too`(isBlocked: Bool) throws {
        #expect(Self.plain.utf8.count > 512)
        let members = isBlocked ? Gzip.blocked(RepairTrial.members) : RepairTrial.members.flatMap { Gzip.ordinary($0) }
        let report = try trial.repair(Array(Self.plain.utf8) + members)
        #expect(report.isSound && report.savedLines == 50 && report.badLines == 0 && report.unusableBytes == 0)
        #expect(try saved() == ["plain": Array(1...20), "s1": Array(1...30)])
        let checked = try check(trial.input)
        #expect(checked.faults == [.foreignBytes] && checked.count(of: .foreignBytes) == 1 && checked.events == 50)
        let place = try #require(checked.files[0].read.damage.first)
        #expect(place.byteOffset == 0 && place.message.hasPrefix("\(Self.plain.utf8.count) bytes that belong to no member stand before"))
        #expect(checked.files[0].read.framing == (isBlocked ? .blocked : .gzip))
    }

    @Test func `a plain line that is cut is lost, and not joined to the member behind it`() throws {
        for cut in [1, 40, 100] {
            let report = try trial.repair(Array(Self.plain.utf8.dropLast(cut)) + Gzip.blocked(RepairTrial.members))
            defer { try? FileManager.default.removeItem(atPath: trial.output) }
            #expect(report.savedLines == 49 && report.badLines == 0, "\(cut)")
            #expect(try saved() == ["plain": Array(1...19), "s1": Array(1...30)], "\(cut)")
        }
    }

    @Test func `a file whose beginning is cut off inside a stored member loses no other member`() throws {
        let first = Self.stored(Self.plain)
        #expect(try trial.repair(first + Gzip.blocked(RepairTrial.members)).savedLines == 50, "whole, it is a member like any other")
        try FileManager.default.removeItem(atPath: trial.output)
        // With `LOOPTRAIL_FUZZ_INPUTS` the cut is at every byte, otherwise at those of the header and at every 28th behind it.
        let isWhole = ProcessInfo.processInfo.environment["LOOPTRAIL_FUZZ_INPUTS"] != nil
        for cut in 1..<first.count where isWhole || cut < 32 || cut % 28 == 1 {
            _ = try trial.repair(Array(first[cut...]) + Gzip.blocked(RepairTrial.members))
            defer { try? FileManager.default.removeItem(atPath: trial.output) }
            let saved = try saved()
            #expect(saved["s1"] == Array(1...30), "cut at \(cut)")
            let plain = saved["plain"] ?? []
            #expect(plain == Array(1...20).suffix(plain.count), "cut at \(cut)")
            if cut % 49 == 1 {
                let checked = try check(trial.input)
                #expect(checked.count(of: .foreignBytes) == 1 && checked.files[0].read.damage[0].byteOffset == 0, "cut at \(cut)")
            }
        }
    }

    @Test(arguments: [0, 1, 17, 18, 30, 4_000])
    func `members are found wherever they begin in a chunk`(offset: Int) throws {
        let line = RepairTrial.text(1...1, session: "plain")
        let padding = EventFileReader.lineLimit - offset - line.utf8.count
        // One line that is no event fills the room up to the edge of what is read at once.
        let plain = line + String(repeating: "x", count: padding - 1) + "\n"
        let report = try trial.repair(Array(plain.utf8) + Gzip.blocked(RepairTrial.members))
        #expect(try saved() == ["plain": [1], "s1": Array(1...30)])
        #expect(report.badLines == 1)
    }

    @Test func `bytes that only look like a member are a bad line`() throws {
        let odd: [UInt8] = [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 0xFF, 6, 0, 0x42, 0x43, 2, 0, 40, 0, 1, 2, 3, 0x1F, 0x8B, 0x0A]
        let text = Array(Self.plain.utf8)
        let bytes = text + odd + Array(RepairTrial.text(1...5).utf8)
        let checked = try EventFileCheck(EventFileReader(paths: [trial.folder.write(bytes, "a.ndjson")])).run()
        #expect(checked.events == 25 && checked.badLines == 1 && checked.files[0].read.framing == .plain)
        #expect(checked.count(of: .foreignBytes) == 0)
        // Members after them are found, too.
        let report = try trial.repair(bytes + Gzip.blocked([RepairTrial.text(6...9)]))
        #expect(try saved() == ["plain": Array(1...20), "s1": Array(1...9)])
        #expect(report.badLines == 1)
    }

    @Test func `a damaged member between plain lines and whole members costs only itself`() throws {
        var members = Gzip.blocked(RepairTrial.members)
        members[40] ^= 0xFF
        let report = try trial.repair(Array(Self.plain.utf8) + members)
        #expect(try saved() == ["plain": Array(1...20), "s1": Array(11...30)])
        #expect(report.isSound)
    }
}
