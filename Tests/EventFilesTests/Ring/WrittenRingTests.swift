import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// A ring whose file is written and not mapped.
@Suite(.notForever) struct WrittenRingTests {
    /// A written ring with its file, an array.
    private final class Trial {
        let ring: Ring
        let written = WrittenRing(isAtOnce: false)
        var file: [UInt8]

        init(areaBytes: Int) {
            let bytes = RingHead.bytes + areaBytes
            file = [UInt8](repeating: 0, count: bytes)
            ring = Ring(
                Ring.File(
                    name: ".events-000000000000000a.ring", descriptor: FileDescriptor(rawValue: -1), fileSystem: PosixFileSystem(),
                    inode: 7, bytes: bytes), memory: calloc(1, bytes), written: written, contents: .events, bootID: 3, key: 0xABCD,
                highestNumber: 0, reserve: 0)
        }

        func apply(_ write: WrittenRing.Write) {
            file.replaceSubrange(Int(write.offset)..<Int(write.offset) + write.bytes.count, with: write.bytes)
        }
    }

    @Test func `the file of a process killed between any two writes is sound and has lost no line that was in it`() throws {
        var random = SeededRandom(seed: 4_711)
        var partial = 0
        for round in 1...60 {
            let trial = Trial(areaBytes: [256, 1_024, 4_096][round % 3])
            let lane = RingLane()
            #expect(lane.move(to: trial.ring))
            let (line, raw) = (ByteBuffer(capacity: 16), ByteBuffer(capacity: 16))
            var (waiting, inFile, number): ([String], [String], Int) = ([], [], 0)
            for step in 1...300 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0...5:
                    number += 1
                    line.removeAll()
                    line.append(("\(number) " + String(repeating: "x", count: Int.random(in: 0...60, using: &random)) + "\n").utf8)
                    guard trial.ring.hasRoom(for: line.count, isMeta: false) else { continue }
                    lane.append(line, isNote: false, at: 0)
                    waiting.append(line.text)
                case 6:
                    raw.removeAll()
                    guard lane.count > 0, let next = lane.nextMember(before: trial.ring.frame(at: trial.ring.start).end, to: raw) else {
                        continue
                    }
                    lane.written(
                        LineRing.InHand(lane: .main, end: next.end, lines: next.lines, bytes: raw.count, notes: next.notes), at: 0)
                    waiting.removeFirst(next.lines)
                case 7 where Int.random(in: 0..<10, using: &random) == 0:
                    _ = lane.forget()
                    waiting = []
                case 8:
                    if lane.count > 0, let dropped = lane.dropOldest(.overflow, behind: nil) {
                        #expect(!dropped.isMeta)
                        waiting.removeFirst()
                    }
                default:
                    for write in trial.ring.takeWrites() {
                        trial.apply(write)
                        partial += 1
                        let texts = try TrialRing.contents(trial.file).texts
                        let kept = inFile.filter(waiting.contains)
                        #expect(texts.filter(kept.contains) == kept, "round \(round), step \(step)")
                        #expect(texts.allSatisfy { waiting.contains($0) || inFile.contains($0) }, "round \(round), step \(step)")
                    }
                    let contents = try TrialRing.contents(trial.file)
                    #expect(contents.texts == waiting)
                    #expect(try contents.unreportedDrops.count == RingContents.drops(of: trial.ring))
                    #expect(trial.ring.takeWrites().isEmpty)
                    inFile = waiting
                }
            }
        }
        #expect(partial > 5_000)
    }

    /// Options for a ring that is written.
    private static func options(_ ring: EventFileWriterOptions.RingFile) -> EventFileWriterOptions {
        var options = smallRing
        options.ring = ring
        return options
    }

    @Test func `in a ring that is written at once an event is in the file when the call returns`() async throws {
        let folder = try WriterTestFolder()
        let files = quickFiles()
        let writer = try EventFileWriter(folder, options: Self.options(.writtenAtOnce), fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        for number in 1...300 { writer.record(testEvent(number)) }
        files.kill()
        try? await writer.close(deadline: .zero)
        let next = try EventFileWriter(folder, options: smallRing, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == Array(1...300))
    }

    @Test func `in a ring that the thread writes a line is in the file after the interval, and not before`() async throws {
        let folder = try WriterTestFolder()
        let clock = WriterTestClock()
        let files = quickFiles()
        let (writer, thread) = try EventFileWriter.withoutThread(
            folder: folder.path, options: Self.options(.written(every: .milliseconds(2))), clock: clock.wall,
            monotonicClock: clock.monotonic,
            fileSystem: files.fileSystem, random: SeededRandom(seed: 1))
        thread.begin()
        func work() { while thread.turnIfDue() {} }
        func lines() throws -> [String] { try TrialRing.contents(folder.bytes(folder.rings[0]), inode: inode()).texts }
        func inode() throws -> UInt64 {
            try #require(FileManager.default.attributesOfItem(atPath: folder.path + "/" + folder.rings[0])[.systemFileNumber] as? UInt64)
        }
        work()
        writer.record(testEvent(1))
        clock.advance(.milliseconds(1))
        work()
        #expect(try lines().isEmpty)
        clock.advance(.milliseconds(1))
        work()
        #expect(try lines().count == 1 && folder.open.isEmpty)
        files.kill()
        let next = try EventFileWriter(folder, options: smallRing, seed: 2)
        #expect(try await next.recovered().ringLines == 1)
        try await next.close()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test func `lines that are recorded before the ring is there are in its file as soon as it is`() async throws {
        let folder = try WriterTestFolder()
        let clock = WriterTestClock()
        let files = quickFiles()
        let (writer, thread) = try EventFileWriter.withoutThread(
            folder: folder.path, options: Self.options(.written(every: .milliseconds(2))), clock: clock.wall,
            monotonicClock: clock.monotonic, fileSystem: files.fileSystem, random: SeededRandom(seed: 1))
        for number in 1...3 { writer.record(testEvent(number)) }
        thread.begin()
        files.kill()
        let next = try EventFileWriter(folder, options: smallRing, seed: 2)
        #expect(try await next.recovered().ringLines == 3)
        try await next.close()
        #expect(try sequences(folder.lines()) == [1, 2, 3])
    }

    @Test func `the thread is woken for the first line that is not in the file`() async throws {
        let folder = try WriterTestFolder()
        let files = quickFiles()
        let clock = WriterTestClock(runs: true)
        let writer = try EventFileWriter(
            folder, options: Self.options(.written(every: .milliseconds(2))), clock: clock, fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        func end() throws -> Int { try folder.bytes(folder.rings[0]).withUnsafeBytes { RingHead($0)?.end ?? 0 } }
        for number in 1...5 {
            let last = try end()
            writer.record(testEvent(number))
            try await clock.until { try end() > last }
        }
        files.kill()
        try? await writer.close(deadline: .zero)
        let next = try EventFileWriter(folder, options: smallRing, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        let found = try sequences(folder.lines())
        #expect(!found.isEmpty && found == Array(1..<found.count + 1))
    }

    @Test(arguments: [EventFileWriterOptions.RingFile.writtenAtOnce, .written(every: .zero)])
    func `a ring whose file fails is removed, and no event is there twice`(ring: EventFileWriterOptions.RingFile) async throws {
        let folder = try WriterTestFolder()
        let errors = Collected<EventFileError>()
        let left = Announced(6)
        let files = FaultyFileSystem { call in
            call.kind == .write
                && left.change { left in
                    left -= 1
                    return left < 0
                } ? .fail(ENOSPC) : nil
        }
        let writer = try EventFileWriter(folder, options: Self.options(ring), fileSystem: files.fileSystem, onError: { errors.add($0) })
        _ = try await writer.recovered()
        for number in 1...50 { writer.record(testEvent(number)) }
        _ = try? await writer.flush()
        files.setRule { _ in nil }
        try await writer.flush()
        files.kill()
        try? await writer.close(deadline: .zero)
        let next = try EventFileWriter(folder, options: smallRing, seed: 2)
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == Array(1...50))
        #expect(!errors.all.isEmpty)
    }
}

extension RingContents {
    /// Drops that a ring has counted and no line reports, read from its memory.
    fileprivate static func drops(of ring: Ring) throws -> Int {
        let bytes = RingHead.bytes + ring.capacity
        return try RingContents(UnsafeRawBufferPointer(start: ring.memory, count: bytes), inode: 7).unreportedDrops.count
    }
}
