import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Where events are while consent is pending, and what a decision does with them.
@Suite(.notForever) struct ConsentTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    private func expectSound(_ statistics: EventFileWriterStatistics) {
        #expect(statistics.recorded == statistics.written + statistics.waiting + statistics.dropped + statistics.erased)
    }

    @Test func `pending events are apart, in a folder that no reader looks into`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.setConsent(.pending)
        for number in 1...3 { writer.record(testEvent(number)) }
        try await writer.flush()
        #expect(folder.names == [".pending"])
        #expect(try sequences(folder.spooledLines()) == [1, 2, 3])
        #expect(try EventFileCheck(EventFileReader(paths: [folder.path])).run().events == 0)
        #expect(try folder.permissions(".pending") == 0o700)
        let name = try #require(folder.names(in: ".pending")?.first)
        #expect(try folder.permissions(".pending/" + name) == 0o600)
        try await writer.close()
        #expect(folder.names == [".pending"], "closing is no decision")
        #expect(SegmentName.parse(try #require(folder.names(in: ".pending")?.first))?.state == .sealed)
    }

    @Test func `granted: the files are moved as they are, and the folder is gone`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.setConsent(.pending)
        for number in 1...2 { writer.record(testEvent(number)) }
        try await writer.rotate()
        let sealed = try #require(folder.names(in: ".pending")?.first)
        let bytes = try folder.bytes(".pending/" + sealed)
        writer.record(testEvent(3))
        try await writer.flush()
        writer.setConsent(.granted)
        writer.record(testEvent(4))
        try await writer.flush()
        #expect(try folder.bytes(sealed) == bytes, "one rename and nothing else")
        #expect(!folder.names.contains(".pending"))
        #expect(try sequences(folder.lines()).sorted() == [1, 2, 3, 4])
        try await writer.close()
        #expect(folder.names == folder.sealed)
        let report = try EventFileCheck(EventFileReader(paths: [folder.path])).run()
        #expect(report.isSound && report.events == 4)
    }

    @Test func `granted: summaries move with their segments, also where the segment is moved already`() async throws {
        let (whole, moved) = (SegmentName(stem: "events", writer: 9, number: 1), SegmentName(stem: "events", writer: 9, number: 2))
        try folder.put(try member(1...3) + BGZF.endMember, whole.sealed, in: ".pending")
        try folder.put([1], whole.summary, in: ".pending")
        // A process was killed between moving the segment and its summary.
        try folder.put(try member(4...6) + BGZF.endMember, moved.sealed)
        try folder.put([2], moved.summary, in: ".pending")
        let writer = try EventFileWriter(folder, clock: clock)
        writer.setConsent(.granted)
        try await writer.close()
        #expect(folder.everything == [whole.sealed, whole.summary, moved.sealed, moved.summary])
        #expect(try folder.bytes(whole.summary) == [1] && folder.bytes(moved.summary) == [2])
        #expect(try EventFileCheck(EventFileReader(paths: [folder.path])).run().files.count == 2, "readers ignore summaries")
    }

    @Test func `granted: where a segment cannot be moved, its summary stays with it`() async throws {
        let name = SegmentName(stem: "events", writer: 9, number: 1)
        try folder.put(try member(1...3) + BGZF.endMember, name.sealed, in: ".pending")
        try folder.put([1], name.summary, in: ".pending")
        let files = FaultyFileSystem { $0.kind == .rename && $0.name == name.sealed ? .fail(EIO) : nil }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        writer.setConsent(.granted)
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        #expect(folder.names(in: ".pending") == [name.sealed, name.summary])
        files.setRule { _ in nil }
        try await writer.close()
        #expect(folder.everything == [name.sealed, name.summary])
    }

    @Test func `denied: nothing is left, and later events are not even counted`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.setConsent(.pending)
        writer.record(testEvent(1))
        try await writer.rotate()
        writer.record(testEvent(2))
        try await writer.flush()
        writer.record(testEvent(3))
        writer.setConsent(.denied)
        writer.record(testEvent(4))
        try await writer.flush()
        #expect(folder.names == [])
        #expect(writer.statistics.recorded == 3)
        expectSound(writer.statistics)
        try await writer.close()
        #expect(folder.names == [])
    }

    @Test func `granted again without pending events: the same file goes on`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        for number in 1...3 {
            writer.setConsent(.granted)
            writer.record(testEvent(number))
            try await writer.flush()
        }
        try await writer.close()
        #expect(folder.sealed.count == 1)
        #expect(try sequences(folder.lines()) == [1, 2, 3])
    }

    @Test func `what was written with consent stays when it is denied`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        writer.setConsent(.pending)
        writer.record(testEvent(2))
        writer.setConsent(.denied)
        writer.record(testEvent(3))
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1])
        #expect(folder.names == folder.sealed)
        #expect(writer.statistics.erased == 1 && writer.statistics.written == 1)
    }

    @Test func `an event recorded before consent is asked for again stands before later events`() async throws {
        let files = quickFiles()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        try await writer.flush()
        let turn = Lock(0)
        let isOver = Announced(false)
        files.setRule { [weak writer] call in
            let now = turn.withLock { turn in
                // The thread looks for the pending folder when it carries out the grant, after it has written the main lane. It makes a
                // file there once it has taken the pending lane.
                if turn == 0 && call.kind == .status && call.name == ".pending" || turn == 1 && call.kind == .create {
                    turn += 1
                    return turn
                }
                return 0
            }
            if now == 1 {
                writer?.record(testEvent(2))
                writer?.setConsent(.pending)
                for number in 3...4 { writer?.record(testEvent(number)) }
            } else if now == 2 {
                writer?.setConsent(.granted)
                writer?.record(testEvent(5))
                isOver.change { $0 = true }
            }
            return call.kind == .synchronize ? .short(0) : nil
        }
        writer.setConsent(.granted)
        await isOver.until { $0 }
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2, 3, 4, 5])
        expectSound(writer.statistics)
    }

    /// All sequences of five decisions. By night each runs with and without a flush after each decision; on a push they alternate.
    @Test(arguments: [false, true])
    func `after any decisions in any order, each event is where they put it`(isFlushing: Bool) async throws {
        for plan in 0..<243 where isNight || (plan % 2 == 0) == isFlushing {
            var rest = plan
            let steps: [TrackingConsent] = (0..<5).map { _ in
                defer { rest /= 3 }
                return TrackingConsent.allCases[rest % 3]
            }
            let folder = try WriterTestFolder()
            let writer = try EventFileWriter(folder, clock: clock, seed: UInt64(plan + 1), fileSystem: quickFiles().fileSystem)
            var (kept, open): ([Int], [Int]) = ([1], [])
            writer.record(testEvent(1))
            for (index, consent) in steps.enumerated() {
                writer.setConsent(consent)
                writer.record(testEvent(index + 2))
                switch consent {
                case .granted:
                    kept += open + [index + 2]
                    open = []
                case .pending: open.append(index + 2)
                case .denied: open = []
                }
                if isFlushing { try await writer.flush() }
            }
            try await writer.close()
            #expect(try sequences(folder.lines()) == kept, "\(steps)")
            #expect(try sequences(folder.spooledLines()) == open, "\(steps)")
            #expect(folder.names.allSatisfy { $0 == ".pending" || SegmentName.parse($0)?.state == .sealed }, "\(steps)")
            expectSound(writer.statistics)
        }
    }

    /// Files of both folders are numbered in one order. Retention therefore removes the oldest first, and no session gets a hole in its
    /// middle.
    @Test func `consent that comes and goes under a full quota leaves each session a tail without holes`() async throws {
        for limit in [1, 2, 3, 5] {
            let folder = try WriterTestFolder()
            var options = EventFileWriterOptions()
            options.retainFiles = limit
            let writer = try EventFileWriter(
                folder, options: options, clock: clock, seed: UInt64(limit), fileSystem: quickFiles().fileSystem)
            var number = 0
            for round in 0..<12 {
                writer.setConsent(round % 2 == 0 ? .granted : .pending)
                for _ in 0..<(1 + round % 3) {
                    number += 1
                    writer.record(testEvent(number))
                    try await writer.flush()
                }
                if round % 5 == 0 { try await writer.rotate() }
            }
            writer.setConsent(.granted)
            try await writer.close()
            let kept = try sequences(folder.lines())
            #expect(kept == Array((number - kept.count + 1)...number), "limit \(limit)")
            #expect(!kept.isEmpty && kept.count < number, "limit \(limit)")
            #expect(try EventFileCheck(EventFileReader(paths: [folder.path])).run().isSound, "limit \(limit)")
        }
    }

    @Test(arguments: [([1], [1, 2]), ([1, 2], [1]), ([1, 2], [1, 2])] as [([UInt8], [UInt8])])
    func `bytes that are quarantined before and after a power loss stop no promotion, and the longer copy stays`(
        before: [UInt8], after: [UInt8]
    ) async throws {
        let torn = "\(SegmentName(stem: "events", writer: 1, number: 1).sealed).0.torn"
        try folder.put(before, torn, in: ".quarantine")
        try folder.put(after, torn, in: ".pending/.quarantine")
        try folder.put(try member(1...1), ".pending/" + SegmentName(stem: "events", writer: 2, number: 2).sealed)
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: quickFiles().fileSystem)
        writer.setConsent(.granted)
        try await writer.flush()
        try await writer.close()
        #expect(try folder.bytes(".quarantine/" + torn) == [1, 2] && folder.names(in: ".pending") == nil)
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test func `a promotion that fails for a while keeps the order of events`() async throws {
        // The pending file has the number 2, so only its promotion fails.
        let files = FaultyFileSystem {
            $0.kind == .rename && SegmentName.parse($0.name)?.name.number == 2 ? .fail(EIO) : $0.kind == .synchronize ? .short(0) : nil
        }
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        try await writer.flush()
        writer.setConsent(.pending)
        writer.record(testEvent(2))
        try await writer.flush()
        writer.setConsent(.granted)
        writer.record(testEvent(3))
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        try? await writer.rotate()
        writer.record(testEvent(4))
        _ = try? await writer.flush()
        #expect(try sequences(folder.lines()) == [1, 3, 4], "the others do not wait for it")
        files.setRule { _ in nil }
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2, 3, 4])
    }

    @Test(arguments: TrackingConsent.allCases)
    func `a closed writer takes no decision, and the next writer does`(consent: TrackingConsent) async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.setConsent(.pending)
        writer.record(testEvent(1))
        try await writer.close()
        let before = folder.everything
        writer.setConsent(consent)
        writer.record(testEvent(2))
        #expect(folder.everything == before)
        await #expect(throws: EventFileError.closed) { try await writer.erase() }
        let next = try EventFileWriter(folder, clock: clock, seed: 2)
        next.setConsent(consent)
        try await next.close()
        #expect(try sequences(folder.lines()) == (consent == .granted ? [1] : []))
        #expect(try sequences(folder.spooledLines()) == (consent == .pending ? [1] : []))
    }

    @Test func `what an earlier run spooled stays until somebody decides, and is moved then, torn files too`() async throws {
        let (old, torn) = (SegmentName(stem: "events", writer: 9, number: 1), SegmentName(stem: "events", writer: 8, number: 2))
        try folder.put(try member(1...3, session: "old") + BGZF.endMember, old.sealed, in: ".pending")
        try folder.put(try member(1...2, session: "torn") + member(3...4, session: "torn").prefix(30), torn.open, in: ".pending")
        let first = try EventFileWriter(folder, clock: clock)
        first.record(testEvent(1))
        try await first.close()
        #expect(folder.names(in: ".pending") == [torn.open, old.sealed].sorted(), "a writer without a decision leaves them alone")
        let reports = Collected<RecoveryResult>()
        let second = try EventFileWriter(folder, clock: clock, seed: 2, onRecovery: { reports.add($0) })
        second.setConsent(.granted)
        try await second.close()
        #expect(folder.names == [".quarantine"] + folder.sealed)
        #expect(folder.sealed.contains(old.sealed) && folder.sealed.contains(torn.sealed))
        #expect(try sequences(folder.lines(), session: "old") == [1, 2, 3])
        #expect(try sequences(folder.lines(), session: "torn") == [1, 2])
        #expect(folder.names(in: ".quarantine")?.count == 1, "nothing unreadable is deleted")
        #expect(reports.all.map(\.adopted) == [1])
    }

    @Test func `a spool that grows keeps its bounds like any folder`() async throws {
        var options = EventFileWriterOptions()
        options.retainFiles = 3
        for run in 1...6 {
            let writer = try EventFileWriter(folder, options: options, clock: clock, seed: UInt64(run))
            writer.setConsent(.pending)
            for number in 1...2 {
                writer.record(testEvent(run * 10 + number))
                try await writer.rotate()
            }
            // The run ends without a decision: closing seals the last file in the spool.
            writer.record(testEvent(run * 10 + 3))
            try await writer.close()
        }
        #expect(folder.names(in: ".pending")?.count ?? 0 <= 4)
        #expect(try sequences(folder.spooledLines()).last == 63)
    }

    @Test func `drops of pending events are reported in the spool, never beside it`() async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 5
        options.reservedMetaPlaces = 0
        let files = FaultyFileSystem { $0.kind == .create ? .fail(ENOSPC) : nil }
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1, session: "public"))
        writer.setConsent(.pending)
        for number in 1...10 { writer.record(testEvent(number, session: "secret")) }
        #expect(writer.statistics.dropped > 0)
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        files.setRule { _ in nil }
        try await writer.flush()
        try await writer.close()
        #expect(try !folder.lines().joined().contains("secret"))
        #expect(try notes("dropped", in: folder.spooledLines()).first?["sessions"] as? [String: Int] == ["secret": 6])
    }

    @Test(arguments: [TrackingConsent.granted, .denied, .pending])
    func `a decision that comes while storage fails holds for events in the thread's hand`(decision: TrackingConsent) async throws {
        let files = FaultyFileSystem { $0.kind == .write ? .fail(ENOSPC) : nil }
        let gate = Gate()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        writer.setConsent(.pending)
        for number in 1...3 { writer.record(testEvent(number)) }
        // The decision comes while the thread is in a write.
        files.setRule { call in
            if call.kind != .write { return nil }
            gate.wait()
            return .fail(ENOSPC)
        }
        let flushing = Task { try await writer.flush() }
        await gate.untilReached()
        writer.setConsent(decision)
        writer.record(testEvent(4))
        gate.open()
        await #expect(throws: EventFileError.self) { try await flushing.value }
        files.setRule { _ in nil }
        try await writer.flush()
        try await writer.close()
        #expect(try sequences(folder.lines()) == (decision == .granted ? [1, 2, 3, 4] : []))
        #expect(try sequences(folder.spooledLines()) == (decision == .pending ? [1, 2, 3, 4] : []))
        if decision == .denied { #expect(folder.names == [], "not even a note") }
        expectSound(writer.statistics)
    }

    @Test func `a link in the spool's place is not followed, and other events are written all the same`() async throws {
        let elsewhere = try WriterTestFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/.pending", withDestinationPath: elsewhere.path)
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        writer.setConsent(.pending)
        writer.record(testEvent(2))
        await #expect(throws: EventFileError.self) { try await writer.flush() }
        #expect(try sequences(folder.lines()) == [1])
        writer.setConsent(.granted)
        try await writer.flush()
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2])
        #expect(elsewhere.names == [])
    }

    @Test func `a spool that cannot be moved is reported once, tried again, and stops no writing`() async throws {
        let errors = Collected<EventFileError>()
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem, onError: { errors.add($0) })
        writer.setConsent(.pending)
        writer.record(testEvent(1))
        try await writer.rotate()
        files.setRule { $0.kind == .rename && !$0.isOfRing ? .fail(EACCES) : nil }
        writer.setConsent(.granted)
        writer.record(testEvent(2))
        for _ in 0..<3 { await #expect(throws: EventFileError.self) { try await writer.flush() } }
        #expect(try sequences(folder.lines()) == [2])
        #expect(errors.all.count == 1)
        files.setRule { _ in nil }
        // The writer tries again by itself once its pause is over.
        clock.advance(.seconds(60))
        writer.record(testEvent(3))
        await clock.until { folder.names(in: ".pending") == nil }
        try await writer.close()
        #expect(try sequences(folder.lines()).sorted() == [1, 2, 3])
    }

    @Test func `a spool that is taken away is reported as a loss, and the next one begins`() async throws {
        let errors = Collected<EventFileError>()
        let writer = try EventFileWriter(folder, clock: clock, onError: { errors.add($0) })
        writer.setConsent(.pending)
        writer.record(testEvent(1))
        try await writer.flush()
        try FileManager.default.removeItem(atPath: folder.path + "/.pending")
        try? await writer.rotate()
        writer.record(testEvent(2))
        for _ in 0..<2 { _ = try? await writer.flush() }
        try await writer.close()
        #expect(try sequences(folder.spooledLines()) == [2])
        #expect(try notes("dropped", in: folder.spooledLines()).count == 1)
        #expect(errors.all.contains { if case .segmentLost(_, 1) = $0 { true } else { false } })
    }

    @Test func `what the spool lost is reported in the main folder when consent is granted`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(testEvent(1))
        writer.setConsent(.pending)
        for number in 2...4 { writer.record(testEvent(number)) }
        try await writer.flush()
        try FileManager.default.removeItem(atPath: folder.path + "/.pending/" + #require(folder.names(in: ".pending")?.first))
        writer.setConsent(.granted)
        writer.record(testEvent(5))
        try await writer.flush()
        try await writer.close()
        #expect(folder.names == folder.sealed, "nothing is spooled any more")
        #expect(try notes("dropped", in: folder.lines()).first?["count"] as? Int == 3)
        let report = try EventFileCheck(EventFileReader(paths: [folder.path])).run()
        #expect(report.isSound, "a gap that is explained")
    }

    @Test func `what the spool lost is not reported after a denial`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.setConsent(.pending)
        writer.record(testEvent(1))
        try await writer.flush()
        try FileManager.default.removeItem(atPath: folder.path + "/.pending/" + #require(folder.names(in: ".pending")?.first))
        writer.setConsent(.denied)
        try await writer.flush()
        try await writer.close()
        #expect(folder.names == [])
    }

    @Test func `a session that begins after the lines in hand is repeated at the head of the next file after a grant`() async throws {
        let gate = Gate()
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, clock: clock, fileSystem: files.fileSystem)
        writer.setConsent(.pending)
        for number in 1...9 { writer.record(testEvent(number, session: "other")) }
        files.setRule { call in
            if call.kind == .write { gate.wait() }
            return nil
        }
        let flushing = Task { try await writer.flush() }
        await gate.untilReached()
        var start = testEvent(1, name: "session_started", kind: .meta)
        start.event.properties = ["sample_rate": 0.25]
        writer.record(start)
        writer.setConsent(.granted)
        gate.open()
        _ = try await flushing.value
        try await writer.rotate()
        writer.record(testEvent(2))
        try await writer.close()
        let last = try folder.decode(#require(folder.sealed.last)).lines
        #expect(last.first?.contains(#""repeat":true"#) == true)
    }

    @Test func `a grant leaves what another process writes into the spool`() async throws {
        let (one, two) = (try EventFileWriter(folder, clock: clock, seed: 1), try EventFileWriter(folder, clock: clock, seed: 2))
        for (writer, session) in [(one, "a"), (two, "b")] {
            writer.setConsent(.pending)
            writer.record(testEvent(1, session: session))
            try await writer.flush()
        }
        one.setConsent(.granted)
        try await one.flush()
        #expect(try sequences(folder.lines(), session: "a") == [1] && sequences(folder.spooledLines(), session: "b") == [1])
        two.record(testEvent(2, session: "b"))
        two.setConsent(.granted)
        try await two.close()
        try await one.close()
        #expect(try sequences(folder.lines(), session: "b").sorted() == [1, 2])
        #expect(folder.names == folder.sealed)
    }

    @Test func `as a sink, a writer spools, takes a decision, flushes and erases`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        let sink: any TrackingSink = writer
        #expect(sink.spoolsWhilePending)
        sink.setConsent(.pending)
        sink.record(testEvent(1))
        sink.setConsent(.granted)
        try await sink.flush()
        #expect(try sequences(folder.lines()) == [1])
        let error: (any Error)? = await withCheckedContinuation { waiter in sink.erase { waiter.resume(returning: $0) } }
        #expect(error == nil && folder.names == [])
        try await writer.close()
        let late: (any Error)? = await withCheckedContinuation { waiter in sink.erase { waiter.resume(returning: $0) } }
        #expect(late as? EventFileError == .closed)
    }
}
