import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// What a writer does with files that others left behind.
@Suite(.notForever) struct RecoveryTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()
    let name = SegmentName(stem: "events", writer: 0xABCD_EF01, number: 7)

    init() throws { folder = try WriterTestFolder() }

    private static func lines(_ numbers: ClosedRange<Int>) throws -> [UInt8] {
        try numbers.flatMap { try #require(EventLineEncoder().line(of: testEvent($0))) }
    }

    /// Members of these numbers' events.
    private static func members(_ ranges: ClosedRange<Int>...) throws -> [[UInt8]] {
        try ranges.map { range in
            let output = ByteBuffer(capacity: BGZF.memberLimit)
            try lines(range).withUnsafeBufferPointer { BGZFDeflater(level: 1).appendMember(of: $0, to: output) }
            return Array(output.bytes)
        }
    }

    private func recover(seed: UInt64 = 1, fileSystem: any FileSystem = quickFiles().fileSystem) async throws -> RecoveryResult {
        let writer = try EventFileWriter(folder, clock: clock, seed: seed, fileSystem: fileSystem)
        let report = try await writer.recovered()
        try await writer.close()
        return report
    }

    private var quarantined: [UInt8] {
        get throws {
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/.quarantine")) ?? []).sorted()
            return try names.flatMap { try folder.bytes(".quarantine/" + $0) }
        }
    }

    @Test func `an orphan is adopted under its own name, its members byte for byte`() async throws {
        let members = try Self.members(1...10, 11...15)
        try folder.put(members[0] + members[1], name.open)
        let report = try await recover()
        #expect(folder.names == [name.sealed])
        #expect(try folder.bytes(name.sealed) == members[0] + members[1] + BGZF.endMember)
        #expect(report.description == "adopted 1 orphan, 2 members, 15 lines")
        #expect(report.orphans == [.init(name: name.open, outcome: .adopted, members: 2, lines: 15)])
        #expect(try folder.permissions(name.sealed) == 0o600)
    }

    /// The nightly run cuts at every byte, a push at every third and around the end of each member.
    @Test func `a file cut at any byte loses no whole member, and salvaged lines are a prefix of what was written`() async throws {
        let members = try Self.members(1...4, 5...9, 10...12)
        let whole = members.flatMap { $0 } + BGZF.endMember
        let ends = [members[0].count, members[0].count + members[1].count, members[0].count + members[1].count + members[2].count]
        let lastNumbers = [4, 9, 12]
        for cut in 0...whole.count
        where isNight || cut % 3 == 0 || cut == whole.count || ends.contains(where: { abs($0 - cut) < 9 }) {
            let folder = try WriterTestFolder()
            try folder.put(Array(whole[..<cut]), name.open)
            let writer = try EventFileWriter(folder, clock: clock, fileSystem: quickFiles().fileSystem)
            let report = try await writer.recovered()
            writer.record(testEvent(1, session: "later"))
            try await writer.close()
            let kept = ends.count { $0 <= cut }
            let least = kept == 0 ? 0 : lastNumbers[kept - 1]
            let most = kept == 3 ? 12 : lastNumbers[kept]
            let numbers = try sequences(folder.lines())
            #expect(numbers == Array(1...12).prefix(numbers.count).map { $0 }, "cut at \(cut)")
            #expect(numbers.count >= least && numbers.count <= most, "cut at \(cut)")
            #expect(try sequences(folder.lines(), session: "later") == [1])
            #expect(folder.open.isEmpty)
            for sealed in folder.sealed {
                let segment = try folder.decode(sealed)
                #expect(segment.hasEndMember && segment.torn == 0, "cut at \(cut)")
            }
            let memberEnd = kept == 0 ? 0 : ends[kept - 1]
            #expect(report.tornBytes == Int64(cut == whole.count ? 0 : cut - memberEnd), "cut at \(cut)")
            #expect(report.quarantinedBytes == report.tornBytes)
            let torn = folder.path + "/.quarantine/\(name.sealed).\(memberEnd).torn"
            if report.tornBytes > 0 {
                #expect(try Array(Data(contentsOf: URL(fileURLWithPath: torn))) == Array(whole[memberEnd..<cut]), "cut at \(cut)")
            }
        }
    }

    @Test func `whole lines are salvaged from a member that was cut`() async throws {
        let member = try Self.members(1...200)[0]
        try folder.put(Array(member.dropLast(60)), name.open)
        let report = try await recover()
        #expect(report.salvagedLines > 100 && report.lines == report.salvagedLines && report.members == 0)
        #expect(try sequences(folder.lines()) == (0..<report.lines).map { $0 + 1 })
        #expect(try quarantined == Array(member.dropLast(60)), "the cut member stays to be looked at")
    }

    @Test func `no line is salvaged from a member whose checksum fails`() async throws {
        let members = try Self.members(1...5, 6...10, 11...15)
        // The last byte before the trailer may hold padding bits.
        for place in stride(from: 18, to: members[1].count, by: 7) where place != members[1].count - 9 {
            let folder = try WriterTestFolder()
            var damaged = members[1]
            damaged[place] ^= 0x10
            try folder.put(members[0] + damaged + members[2], name.open)
            let writer = try EventFileWriter(folder, clock: clock, fileSystem: quickFiles().fileSystem)
            let report = try await writer.recovered()
            try await writer.close()
            #expect(try sequences(folder.lines()) == Array(1...5) + Array(11...15), "byte \(place)")
            #expect(report.members == 2 && report.salvagedLines == 0 && report.quarantinedBytes == Int64(damaged.count))
        }
    }

    @Test func `a header with a false size costs that member alone`() async throws {
        var members = try Self.members(1...5, 6...10, 11...15)
        for size in [0, 27, 200, 0xFFFF] {
            let folder = try WriterTestFolder()
            members[1][16] = UInt8(size & 0xFF)
            members[1][17] = UInt8(size >> 8)
            try folder.put(members.flatMap { $0 }, name.open)
            let writer = try EventFileWriter(folder, clock: clock, fileSystem: quickFiles().fileSystem)
            _ = try await writer.recovered()
            try await writer.close()
            #expect(try sequences(folder.lines()) == Array(1...5) + Array(11...15), "size \(size)")
        }
    }

    @Test func `zeros where the rest should be, as after power loss, are no lines`() async throws {
        let members = try Self.members(1...5, 6...200)
        try folder.put(members[0] + Array(members[1].dropLast(200)) + [UInt8](repeating: 0, count: 100), name.open)
        let report = try await recover()
        #expect(try sequences(folder.lines()) == Array(1...5))
        #expect(report.salvagedLines == 0 && report.tornBytes == Int64(members[1].count - 100))
    }

    @Test func `large damage in the middle is passed over and kept up to the bound`() async throws {
        let members = try Self.members(1...5, 6...10)
        var random = SeededRandom(seed: 5)
        let garbage = (0..<600_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        try folder.put(members[0] + garbage + members[1], name.open)
        var options = EventFileWriterOptions()
        options.quarantineBytes = 100_000
        let writer = try EventFileWriter(folder, options: options, clock: clock)
        let report = try await writer.recovered()
        try await writer.close()
        #expect(try sequences(folder.lines()) == Array(1...10))
        #expect(report.tornBytes == 600_000 && report.quarantinedBytes == 100_000)
        #expect(report.description == "adopted 1 orphan, 2 members, 10 lines, 600,000 torn bytes of which 100,000 quarantined")
        #expect(try quarantined == Array(garbage.prefix(100_000)))
    }

    @Test func `the quarantine stays within its bound, the newest are kept`() async throws {
        var options = EventFileWriterOptions()
        options.quarantineBytes = 250
        for round in 1...4 as ClosedRange<Int64> {
            try folder.put([UInt8](repeating: UInt8(round), count: 100), SegmentName(stem: "events", writer: 1, number: round).open)
            let writer = try EventFileWriter(folder, options: options, clock: clock)
            #expect(try await writer.recovered().orphans.map(\.outcome) == [.empty])
            try await writer.close()
        }
        #expect(try quarantined == [UInt8](repeating: 3, count: 100) + [UInt8](repeating: 4, count: 100))
        #expect(folder.names == [".quarantine"])
    }

    @Test func `an orphan that was ended but not published is published as it is`() async throws {
        let bytes = try Self.members(1...5)[0] + BGZF.endMember
        try folder.put(bytes, name.open)
        let report = try await recover()
        #expect(report.adopted == 1 && folder.names == [name.sealed])
        #expect(try folder.bytes(name.sealed) == bytes)
    }

    @Test func `an empty orphan and hidden remainders are removed`() async throws {
        try folder.put([], name.open)
        try folder.put([1, 2, 3], name.temporary)
        try folder.put([1, 2, 3], ".hidden.tmp")
        let report = try await recover()
        #expect(report.orphans.map(\.outcome) == [.empty] && report.removedTemporaries == 1)
        #expect(folder.names == [".hidden.tmp"], "names outside the grammar are left alone")
    }

    @Test func `if the published file is complete, only the open file is removed`() async throws {
        let members = try Self.members(1...5)[0]
        try folder.put(members + BGZF.endMember, name.sealed)
        try folder.put(members, name.open)
        let report = try await recover()
        #expect(report.orphans.map(\.outcome) == [.alreadyPublished])
        #expect(folder.names == [name.sealed])
    }

    @Test func `if the published file is incomplete, both files stay`() async throws {
        let members = try Self.members(1...5)[0]
        try folder.put(members, name.sealed)
        try folder.put(members, name.open)
        let report = try await recover()
        #expect(report.orphans.map(\.outcome) == [.conflict])
        #expect(folder.names == [name.sealed, name.open])
        #expect(try folder.bytes(name.sealed) == members)
    }

    @Test func `links and FIFOs with an orphan's name are left alone`() async throws {
        let precious = try Self.members(1...5)[0]
        try folder.put(precious, "precious")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name.open, withDestinationPath: "precious")
        #expect(mkfifo(folder.path + "/" + SegmentName(stem: "events", writer: 2, number: 1).open, 0o600) == 0)
        let report = try await recover()
        #expect(report.isEmpty)
        #expect(folder.names.count == 3)
        #expect(try folder.bytes("precious") == precious)
    }

    @Test func `two writers share a folder, and neither takes the other's file`() async throws {
        let first = try EventFileWriter(folder, clock: clock, seed: 1)
        first.record(testEvent(1, session: "a"))
        try await first.flush()
        let second = try EventFileWriter(folder, clock: clock, seed: 2)
        #expect(try await second.recovered().isEmpty)
        second.record(testEvent(1, session: "b"))
        try await second.flush()
        #expect(folder.open.count == 2)
        first.record(testEvent(2, session: "a"))
        try await first.close()
        try await second.close()
        #expect(folder.sealed.count == 2)
        #expect(try sequences(folder.lines(), session: "a") == [1, 2])
        #expect(try sequences(folder.lines(), session: "b") == [1])
    }

    @Test func `a file that may not be opened is postponed and not taken for damaged`() async throws {
        let bytes = try Self.members(1...5)[0]
        try folder.put(bytes, name.open)
        let orphan = name.open
        let files = FaultyFileSystem { $0.kind == .open && $0.name == orphan ? .fail(EACCES) : nil }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        let report = try await writer.recovered()
        #expect(report.orphans.map(\.outcome) == [.postponed(.storage(FileSystemError(.open, errno: EACCES, path: orphan)))])
        #expect(try folder.bytes(name.open) == bytes)
        files.setRule { _ in nil }
        writer.record(testEvent(6))
        try await writer.rotate()
        #expect(try await writer.recovered().adopted == 1, "after a rotation it is tried again")
        try await writer.close()
        #expect(try sequences(folder.lines()).sorted() == Array(1...6))
    }

    @Test func `a close whose deadline passes during recovery leaves the rest to the next writer`() async throws {
        for number in 1...5 as ClosedRange<Int64> {
            try folder.put(try Self.members(1...2)[0], SegmentName(stem: "events", writer: 3, number: number).open)
        }
        let gate = Gate()
        let files = FaultyFileSystem { call in
            if call.kind == .names { gate.wait() }
            return call.kind == .synchronize ? .short(0) : nil
        }
        let reports = Collected<RecoveryResult>()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem, onRecovery: { reports.add($0) })
        writer.monitor.giveUp()
        let closing = Task { try await writer.close() }
        // The gate opens once the request to close is posted: otherwise the thread may look after all files before it sees one.
        await writer.monitor.until { !$0.mailbox.requests.isEmpty }
        gate.open()
        try await closing.value
        #expect(reports.all.reduce(0) { $0 + $1.adopted } < 5 && folder.open.count > 0)
        #expect(try await recover(seed: 2).adopted == folder.sealed.count - reports.all.reduce(0) { $0 + $1.adopted })
        #expect(folder.open.isEmpty && folder.sealed.count == 5)
    }

    @Test func `a recovery is reported once, and one that found nothing is not reported`() async throws {
        try folder.put(try Self.members(1...5)[0], name.open)
        let reports = Collected<RecoveryResult>()
        for _ in 0..<2 {
            let writer = try EventFileWriter(folder, clock: clock, onRecovery: { reports.add($0) })
            try await writer.close()
        }
        #expect(reports.all.map(\.adopted) == [1])
    }
}
