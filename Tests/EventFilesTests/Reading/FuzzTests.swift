import Basics
import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// Files that chance has spoiled: never a crash, never silently wrong, and the same whatever the number of threads.
///
/// CI reads 2,000 of them; `LOOPTRAIL_FUZZ_INPUTS=1000000` asks for more. Input n depends on n alone: `LOOPTRAIL_FUZZ_FIRST=n
/// LOOPTRAIL_FUZZ_INPUTS=1` reads it again.
@Suite struct FuzzTests {
    /// Inputs that were read wrongly once.
    private static let found: [UInt64] = [527_222]
    private static let environment = ProcessInfo.processInfo.environment
    private static let texts = (0..<3).map { RepairTrial.text($0 * 4 + 1...$0 * 4 + 4) }
    private static let known = Set(texts.joined().split(separator: "\n").map { Array($0.utf8) })

    /// Files whose members hold whole lines: whatever is spoiled, only whole lines may come out of them.
    private static let aligned = [
        Gzip.blocked(texts), Gzip.blocked(texts, end: false), Gzip.blocked([texts[0]]) + Gzip.blocked([texts[1]]),
    ]
    private static let others: [[UInt8]] = [
        Gzip.bgzip(texts.joined(), size: 333), Gzip.ordinary(texts.joined()), Gzip.ordinary(texts[0]) + Gzip.ordinary(texts[1]),
        Gzip.ordinary(Array(texts[0].utf8), name: "n", comment: "c", extra: [1, 2, 3], headerCRC: true) + Gzip.blocked([texts[2]]),
        Array(texts.joined().utf8), [], [0x1F, 0x8B], BGZF.endMember,
    ]

    @Test func `spoiled files never crash the reader, make no lines up, and read alike on any number of threads`() throws {
        let first = Self.environment["LOOPTRAIL_FUZZ_FIRST"].flatMap { UInt64($0) } ?? 0
        let count = Self.environment["LOOPTRAIL_FUZZ_INPUTS"].flatMap { UInt64($0) } ?? 2_000
        for number in Self.found + Array(first..<first + count) {
            var random = SeededRandom(seed: number)
            let isAligned = number % 2 == 0
            var bytes = (isAligned ? Self.aligned : Self.others).randomElement(using: &random) ?? []
            // In every eighth input the text is changed before compression, so that the lines are spoiled and each CRC is right.
            let isText = number % 8 == 7
            if isText { bytes = Self.respelled(&random) } else { Self.spoil(&bytes, &random) }
            let read = try Self.read(bytes, threads: 1)
            #expect(read.lines + read.badLines == read.report.lines, "input \(number)")
            if isAligned && read.report.files.first?.framing == .blocked {
                let invented = read.kept.filter { !Self.known.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
                #expect(invented == [], "input \(number) made lines up, \(read.report.files.map(\.damage))")
            }
            if isText {
                #expect(
                    read.kept.allSatisfy { (try? JSONSerialization.jsonObject(with: Data($0))) is [String: Any] },
                    "input \(number): a strict parser refuses a good line")
            }
            if number % 16 == 0 {
                let again = try Self.read(bytes, threads: 3)
                #expect(again == read, "input \(number) reads otherwise on three threads")
            }
        }
    }

    private struct Outcome: Equatable {
        var report = ReadResult()
        var lines = 0
        var badLines = 0
        var kept: [[UInt8]] = []
    }

    /// Reads the bytes through a pipe, which holds all of them.
    private static func read(_ bytes: [UInt8], threads: Int) throws -> Outcome {
        precondition(bytes.count <= 60_000)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        defer { try? pipe.fileHandleForReading.close() }
        let reader = try EventFileReader(paths: ["-"], standardInput: pipe.fileHandleForReading.fileDescriptor)
        var outcome = Outcome()
        outcome.report = try reader.read(
            threads: threads, map: { CheckBatch($0, repairing: true) },
            consume: { batch in
                outcome.lines += batch.lines.count
                outcome.badLines += batch.badLines
                var start = 0
                for line in batch.lines {
                    outcome.kept.append(Array(batch.bytes[start..<line.end - 1]))
                    start = line.end
                }
            })
        return outcome
    }

    /// One to five changes of the kinds that disks, networks and malice make.
    private static func spoil(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let length = min(Int.random(in: 1...64, using: &random), bytes.count - place)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
            case 1: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
            case 2: bytes.removeSubrange(place..<place + length)
            case 3: bytes.insert(contentsOf: (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }, at: place)
            case 4: bytes.removeSubrange(place...)
            case 5: for index in place..<place + length { bytes[index] = 0 }
            case 6:
                // A false size, count or checksum.
                let numbers: [UInt8] = [0, 1, 0x19, 0x1A, 0x1B, 0x7F, 0x80, 0xFE, 0xFF]
                for index in place..<place + min(2, length) { bytes[index] = numbers.randomElement(using: &random) ?? 0 }
            case 7:
                let other = (aligned + others).randomElement(using: &random) ?? []
                let start = Int.random(in: 0...other.count, using: &random)
                bytes.insert(contentsOf: other[start..<min(start + 300, other.count)], at: place)
            case 8: bytes += Array(repeating: 0, count: Int.random(in: 1...600, using: &random))
            default: bytes.insert(contentsOf: bytes[place..<place + length], at: Int.random(in: 0...bytes.count, using: &random))
            }
        }
        if bytes.count > 20_000 { bytes.removeSubrange(20_000...) }
    }

    /// Sound members with spoiled lines.
    private static func respelled(_ random: inout SeededRandom) -> [UInt8] {
        let deflater = BGZFDeflater(level: 1)
        let output = ByteBuffer(capacity: 4_096)
        for text in texts {
            var raw = Array(text.utf8)
            spoil(&raw, &random)
            if raw.isEmpty { continue }
            raw.withUnsafeBufferPointer { deflater.appendMember(of: $0, to: output) }
        }
        return Array(output.bytes) + BGZF.endMember
    }
}
