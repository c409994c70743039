import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// A name never comes again with other content: not after its file was sent, nor removed, nor after everything was erased.
@Suite struct LastingNamesTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    private enum Fate: CaseIterable {
        case stays, sent, removed
    }

    /// Does to the sealed files what an uploader would.
    private func meet(_ fate: Fate) throws {
        for name in folder.sealed {
            switch fate {
            case .stays: break
            case .sent:
                try FileManager.default.createDirectory(atPath: folder.path + "/" + SentFolder.name, withIntermediateDirectories: true)
                try FileManager.default.moveItem(atPath: folder.path + "/" + name, toPath: folder.path + "/.sent/" + name)
            case .removed: try FileManager.default.removeItem(atPath: folder.path + "/" + name)
            }
        }
    }

    /// Writes one event into a segment of its own, and returns the segment's name.
    private func segment(_ number: Int, by writer: EventFileWriter) async throws -> SegmentName {
        let before = Set(folder.sealed)
        writer.record(testEvent(number))
        try await writer.rotate()
        let new = try #require(Set(folder.sealed).subtracting(before).first)
        return try #require(SegmentName.parse(new)).name
    }

    @Test(arguments: Fate.allCases)
    private func `a writer's numbers rise whatever becomes of its files`(fate: Fate) async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        var names: [SegmentName] = []
        for number in 1...4 {
            names.append(try await segment(number, by: writer))
            try meet(fate)
        }
        try await writer.close()
        #expect(names.map(\.number) == [1, 2, 3, 4])
        #expect(Set(names).count == 4)
    }

    @Test func `numbers of sent files count, so that files are sent and removed in order`() async throws {
        let sent = SegmentName(stem: "other", writer: 9, number: 41)
        try folder.put([1], sent.sealed, in: SentFolder.name)
        let writer = try EventFileWriter(folder, clock: clock)
        #expect(try await segment(1, by: writer).number == 42)
        writer.setConsent(.pending)
        writer.record(testEvent(2))
        try await writer.flush()
        #expect(folder.everything.filter { $0.hasPrefix(".pending/") && $0.contains("-0000000043.") }.count == 1)
        try await writer.close()
    }

    @Test func `after everything was erased the writer has a new name`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        var names: [SegmentName] = []
        for number in 1...3 {
            names.append(try await segment(number, by: writer))
            try await writer.erase()
            #expect(folder.everything == [])
        }
        try await writer.close()
        #expect(Set(names.map(\.writer)).count == 3)
    }

    @Test func `the name of a file that was promoted and sent never comes again`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        var names: Set<String> = []
        for number in 1...4 {
            writer.setConsent(.pending)
            writer.record(testEvent(number))
            try await writer.flush()
            writer.setConsent(.granted)
            try await writer.flush()
            #expect(folder.sealed.count == 1)
            names.formUnion(folder.sealed)
            try meet(.removed)
        }
        try await writer.close()
        #expect(names.count == 4)
    }

    @Test func `two writers with the same digits in one folder never take the same name`() async throws {
        let first = try EventFileWriter(folder, clock: clock, seed: 5)
        let second = try EventFileWriter(folder, clock: clock, seed: 5)
        // A writer that still looks for orphans may lock a new file right before its maker, which then takes the next number.
        for writer in [first, second] { _ = try await writer.recovered() }
        let names = [
            try await segment(1, by: first), try await segment(2, by: second), try await segment(3, by: first),
        ]
        try await first.close()
        try await second.close()
        #expect(names.map(\.number) == [1, 2, 3])
    }

    @Test func `names with eight digits are read, and recovery keeps them`() async throws {
        let old = "events-0a1b2c3d-0000000007.ndjson.gz"
        try folder.put(try member(1...3, session: "old"), old + ".open")
        let writer = try EventFileWriter(folder, clock: clock)
        #expect(try await writer.recovered().adopted == 1)
        #expect(folder.sealed == [old])
        #expect(try await segment(1, by: writer).number == 8)
        try await writer.close()
    }

    @Test func `sixteen digits differ between writers`() async throws {
        // Not only the lower half is drawn.
        var upperHalves: Set<Substring> = []
        for _ in 0..<8 {
            let folder = try WriterTestFolder()
            let writer = try EventFileWriter(folder: folder.path, fileSystem: quickFiles().fileSystem)
            writer.record(testEvent(1))
            try await writer.close()
            let name = try #require(SegmentName.parse(folder.sealed[0])).name
            #expect(name.writer.utf8.count == 16)
            upperHalves.insert(name.writer.prefix(8))
        }
        #expect(upperHalves.count == 8)
    }
}
