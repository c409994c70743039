import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// A process that dies between two calls of a promotion, a denial or an erasure. The next process decides the same again.
@Suite struct KilledDecisionTests {
    private static let old = SegmentName(stem: "events", writer: 9, number: 1)
    private static let torn = SegmentName(stem: "events", writer: 8, number: 2)

    private static func fill(_ folder: WriterTestFolder) throws {
        try folder.put(try member(1...3, session: "kept") + BGZF.endMember, SegmentName(stem: "events", writer: 7, number: 1).sealed)
        try folder.put(try member(1...3, session: "old") + BGZF.endMember, old.sealed, in: ".pending")
        try folder.put(try member(1...2, session: "torn") + member(3...4, session: "torn").prefix(30), torn.open, in: ".pending")
        try folder.put([1, 2, 3], "\(old.sealed).17.torn", in: ".pending/.quarantine")
    }

    /// A run that spools two more files and then decides.
    private static func decide(
        _ decision: TrackingConsent?, in folder: WriterTestFolder, on files: FaultyFileSystem, seed: UInt64
    ) async -> (isDone: Bool, spooled: Int) {
        guard let writer = try? EventFileWriter(folder, options: smallRing, seed: seed, fileSystem: files.fileSystem) else {
            return (false, 0)
        }
        var (spooled, isDone) = (0, false)
        do {
            writer.setConsent(.pending)
            for number in 1...2 {
                writer.record(testEvent(number, session: "run\(seed)"))
                if number == 1 { try await writer.rotate() } else { try await writer.flush() }
                spooled = number
            }
            if let decision {
                writer.setConsent(decision)
                try await writer.flush()
            } else {
                try await writer.erase()
            }
            isDone = true
        } catch {}
        try? await writer.close(deadline: .zero)
        return (isDone, spooled)
    }

    private static func mortal(_ kill: Int) -> FaultyFileSystem {
        FaultyFileSystem { $0.number == kill ? .kill : $0.kind == .synchronize ? .short(0) : nil }
    }

    private static func calls(_ decision: TrackingConsent?) async throws -> Int {
        let folder = try WriterTestFolder()
        try fill(folder)
        let files = quickFiles()
        #expect(await decide(decision, in: folder, on: files, seed: 1).isDone)
        return files.calls.count
    }

    @Test func `killed before any call of a promotion, nothing is lost and nothing is there twice`() async throws {
        let calls = try await Self.calls(.granted)
        #expect(calls > 60)
        for kill in 1...calls {
            let folder = try WriterTestFolder()
            try Self.fill(folder)
            let first = await Self.decide(.granted, in: folder, on: Self.mortal(kill), seed: 1)
            // The next one may be killed as well.
            let second = await Self.decide(.granted, in: folder, on: Self.mortal(kill % 50 + 20), seed: 2)
            let third = await Self.decide(.granted, in: folder, on: quickFiles(), seed: 3)
            #expect(third.isDone, "call \(kill)")
            let all = try folder.lines()
            #expect(folder.names(in: ".pending") == nil, "call \(kill): \(folder.everything)")
            #expect(folder.open.isEmpty, "call \(kill)")
            #expect(try sequences(all, session: "kept") == [1, 2, 3], "call \(kill)")
            #expect(try sequences(all, session: "old") == [1, 2, 3], "call \(kill)")
            #expect(try sequences(all, session: "torn") == [1, 2], "call \(kill)")
            for (seed, run) in [(1, first), (2, second), (3, third)] {
                let numbers = try sequences(all, session: "run\(seed)").sorted()
                #expect(numbers.count >= run.spooled && numbers == (1...2).prefix(numbers.count).map { $0 }, "call \(kill), run \(seed)")
            }
            let ids = try all.compactMap { try object($0)["id"] as? String }
            #expect(Set(ids).count == ids.count, "call \(kill)")
            #expect((folder.names(in: ".quarantine")?.count ?? 0) >= 2, "call \(kill): what could not be read is kept")
            for name in folder.sealed { #expect(try folder.decode(name).hasEndMember, "call \(kill)") }
        }
    }

    @Test func `killed before any call of a denial, the next denial leaves nothing`() async throws {
        let calls = try await Self.calls(.denied)
        for kill in 1...calls {
            let folder = try WriterTestFolder()
            try Self.fill(folder)
            _ = await Self.decide(.denied, in: folder, on: Self.mortal(kill), seed: 1)
            let writer = try EventFileWriter(folder, options: smallRing, seed: 2, fileSystem: quickFiles().fileSystem)
            writer.setConsent(.denied)
            try await writer.close()
            #expect(folder.everything == folder.sealed, "call \(kill): \(folder.everything)")
            #expect(try sequences(folder.lines(), session: "kept") == [1, 2, 3] && folder.lines().count == 3, "call \(kill)")
        }
    }

    @Test func `a denial that was begun is not taken back by a later consent`() async throws {
        let calls = try await Self.calls(.denied)
        var begun = 0
        for kill in 1...calls {
            let folder = try WriterTestFolder()
            try Self.fill(folder)
            _ = await Self.decide(.denied, in: folder, on: Self.mortal(kill), seed: 1)
            let isBegun = folder.everything.contains(".pending/.erasing")
            let writer = try EventFileWriter(folder, options: smallRing, seed: 2, fileSystem: quickFiles().fileSystem)
            writer.setConsent(.granted)
            try await writer.close()
            if !isBegun { continue }
            begun += 1
            #expect(try folder.everything == folder.sealed && folder.lines().count == 3, "call \(kill): \(folder.everything)")
        }
        #expect(begun > 5)
    }

    @Test func `killed before any call of an erasure, the next writer finishes it before anything else`() async throws {
        let calls = try await Self.calls(nil)
        var begun = 0
        for kill in 1...calls {
            let folder = try WriterTestFolder()
            try Self.fill(folder)
            _ = await Self.decide(nil, in: folder, on: Self.mortal(kill), seed: 1)
            let isBegun = folder.names.contains(Erasure.markerName)
            // Killed again while it finishes.
            if let again = try? EventFileWriter(folder, options: smallRing, seed: 2, fileSystem: Self.mortal(kill % 25 + 2).fileSystem) {
                _ = try? await again.recovered()
                try? await again.close(deadline: .zero)
            }
            let writer = try EventFileWriter(folder, options: smallRing, seed: 3, fileSystem: quickFiles().fileSystem)
            writer.record(testEvent(1, session: "later"))
            try await writer.close()
            #expect(try sequences(folder.lines(), session: "later") == [1], "call \(kill)")
            #expect(!folder.names.contains(Erasure.markerName), "call \(kill)")
            if isBegun {
                begun += 1
                #expect(folder.everything == folder.sealed && folder.sealed.count == 1, "call \(kill): \(folder.everything)")
            }
        }
        #expect(begun > 20)
    }
}
