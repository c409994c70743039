import Basics
import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// A ring in plain memory, as a process that was killed leaves it in its file.
final class TrialRing {
    let ring: RingFile
    let memory: UnsafeMutableRawPointer
    let bytes: Int

    init(areaBytes: Int = 1_024, reserve: Int = 0) {
        bytes = RingHead.bytes + areaBytes
        memory = .allocate(byteCount: bytes, alignment: 4096)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        ring = RingFile(
            name: ".events-000000000000000a.ring", file: FileDescriptor(rawValue: -1), inode: 7, memory: memory, bytes: bytes,
            contents: .events, bootID: 3, key: 0xABCD, highestNumber: 0, reserve: reserve)
    }

    deinit { memory.deallocate() }

    var image: [UInt8] { Array(UnsafeRawBufferPointer(start: memory, count: bytes)) }

    func append(_ text: String, reportsDrops: Bool = false) {
        Array(text.utf8).withUnsafeBytes { ring.append($0, reportsDrops: reportsDrops) }
    }

    func contents(inode: UInt64 = 7) throws(RingContents.Fault) -> RingContents { try Self.contents(image, inode: inode) }

    static func contents(_ image: [UInt8], inode: UInt64 = 7) throws(RingContents.Fault) -> RingContents {
        try image.withUnsafeBytes { bytes in Result { () throws(RingContents.Fault) in try RingContents(bytes, inode: inode) } }.get()
    }

    func lines() throws -> [String] { try contents().texts }

    /// A segment of the ring's writer.
    static func segment(_ number: Int64, offset: Int64) -> SegmentWriter.Active {
        SegmentWriter.Active(
            name: SegmentName(stem: "events", writer: 0xA, number: number), file: FileDescriptor(rawValue: -1), inode: 5, createdAt: 0,
            offset: offset)
    }
}

extension WriterTestFolder {
    /// Makes a copy of a ring as good as the ring: a disk that comes back after a power loss has the same inodes.
    func makeOriginal(_ name: String) throws {
        let path = path + "/" + name
        let inode = try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
        guard var head = try bytes(name).withUnsafeBytes({ RingHead($0) }) else { return }
        head.inode = inode
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: RingHead.proved(head.identityWords).withUnsafeBytes { Data($0) })
        try handle.close()
    }
}

extension RingContents {
    var texts: [String] { lines.map { String(decoding: bytes(of: $0), as: UTF8.self) } }
}

/// The copy of what waits, against a plain array of lines.
@Suite struct RingFileTests {
    @Test func `whatever is appended, released, dropped and replaced, the file holds what waits, in order`() throws {
        var random = SeededRandom(seed: 4_711)
        for round in 1...60 {
            let trial = TrialRing(areaBytes: [256, 1_024, 4_096][round % 3])
            var (waiting, inHand, number): ([String], Int, Int) = ([], 0, 0)
            for step in 1...400 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0...4:
                    number += 1
                    let line = "\(number) " + String(repeating: "x", count: Int.random(in: 0...60, using: &random)) + "\n"
                    let hasRoom = trial.ring.hasRoom(for: line.utf8.count, isMeta: false)
                    if hasRoom {
                        trial.append(line)
                        waiting.append(line)
                    }
                case 5:
                    if inHand == 0 { inHand = waiting.count }
                    trial.ring.handChanged()
                case 6, 7:
                    let count = Int.random(in: 0...inHand, using: &random)
                    if count == 0 { continue }
                    trial.ring.release(upTo: trial.ring.note(lines: count, in: TrialRing.segment(1, offset: 0)))
                    waiting.removeFirst(count)
                    inHand -= count
                    if waiting.isEmpty { trial.ring.restart() }
                case 8:
                    if waiting.count == inHand { continue }
                    trial.ring.dropOldest(inHand: inHand)
                    waiting.remove(at: inHand)
                default:
                    if inHand > 0 { continue }
                    waiting.reverse()
                    let text = waiting.joined()
                    trial.ring.replace(bytes: text.utf8.count, count: waiting.count) { body in
                        for line in waiting { Array(line.utf8).withUnsafeBytes(body) }
                    }
                }
                if trial.ring.isPaused { break }
                #expect(try trial.lines() == waiting, "round \(round), step \(step)")
                #expect(trial.ring.lines == waiting.count)
            }
        }
    }

    @Test func `a line of any length stands in the file as it came, also around its end`() throws {
        let trial = TrialRing(areaBytes: 1_024)
        for length in 1...400 {
            let line = String((1..<length).map { Character(UnicodeScalar(UInt8(33 + ($0 * 7 + length) % 90))) }) + "\n"
            trial.append(line)
            #expect(try trial.lines() == [line], "\(length) bytes")
            trial.ring.release(lines: 1)
        }
    }

    #if DEBUG
    /// Only builds with `DEBUG` know the stores.
    @Test(arguments: [0, 1])
    func `an event that makes place for another is counted before it goes`(inHand: Int) throws {
        let trial = TrialRing()
        let lane = RingLane(capacity: 256)
        lane.file = trial.ring
        for number in 1...3 {
            let start = lane.lines.bytes.count
            lane.lines.bytes.append("{\"number\":\(number)}\n".utf8)
            lane.lineAdded(from: start, isNote: false, at: 0)
        }
        var seen: [Int] = []
        trial.ring.beforeStore = {
            // A process that is killed here leaves this.
            guard let left = try? trial.contents() else { return }
            seen.append(left.lines.count + left.unreportedDrops.count)
        }
        #expect(lane.dropOldest(.overflow, inHand: inHand) != nil)
        trial.ring.beforeStore?()
        #expect(seen.count > 2 && seen.allSatisfy { $0 >= 3 } && seen.last == 3)
    }
    #endif

    @Test func `an empty ring begins again at its front`() throws {
        let trial = TrialRing()
        for number in 1...100 {
            trial.append("line \(number)\n")
            #expect(try trial.lines() == ["line \(number)\n"])
            trial.ring.release(lines: 1)
            trial.ring.restart()
        }
        #expect(trial.image[(RingHead.bytes + 32)...].allSatisfy { $0 == 0 }, "one frame's bytes are all that was ever touched")
    }

    @Test func `a line for which there is no room pauses the copy until nothing waits`() throws {
        let trial = TrialRing(areaBytes: 64)
        trial.append(String(repeating: "a", count: 40))
        #expect(!trial.ring.hasRoom(for: 40, isMeta: false), "it has to be dropped, or to wait")
        #expect(trial.ring.hasRoom(for: 70, isMeta: false), "it would never fit")
        trial.append(String(repeating: "b", count: 70))
        trial.append("c")
        #expect(try trial.ring.isPaused && trial.lines().count == 1)
        trial.ring.release(lines: 1)
        trial.ring.restart()
        trial.append("d")
        #expect(try !trial.ring.isPaused && trial.lines() == ["d"])
    }

    @Test func `some room is for meta lines alone`() {
        let trial = TrialRing(areaBytes: 256, reserve: 64)
        for _ in 1...8 { trial.append("0123456789abcdef") }
        #expect(!trial.ring.hasRoom(for: 16, isMeta: false) && trial.ring.hasRoom(for: 16, isMeta: true))
    }

    @Test func `the member under way is the one that begins where nothing is released`() throws {
        let trial = TrialRing()
        for number in 1...4 { trial.append("\(number)\n") }
        #expect(try trial.contents().memberUnderWay == nil)
        trial.ring.note(number: 9)
        let end = trial.ring.note(lines: 3, in: TrialRing.segment(9, offset: 1_234))
        let member = try #require(trial.contents().memberUnderWay)
        #expect(member.writer == 0xA && member.number == 9 && member.inode == 5 && member.offset == 1_234)
        #expect(try trial.contents().lines.filter { $0.end <= member.end }.count == 3)
        trial.ring.release(upTo: end)
        #expect(try trial.contents().memberUnderWay == nil && trial.contents().head.highestNumber == 9)
    }

    @Test func `drops are counted until a line that reports them is there, and never twice`() throws {
        let trial = TrialRing()
        trial.ring.add(2, .overflow)
        trial.ring.add(1, .tooLarge)
        trial.ring.add(5, .closed)
        #expect(try trial.contents().head.unreported == [2, 0, 1], "what comes after closing is nobody's to report")
        trial.append("dropped 3\n", reportsDrops: true)
        #expect(try trial.contents().unreportedDrops.isEmpty && !trial.ring.hasUnreportedDrops)
        // Killed before the store that makes the line count.
        var image = trial.image
        withUnsafeBytes(of: RingHead.checked(0, key: 0xABCD).littleEndian) {
            image.replaceSubrange(RingHead.Offset.end..<RingHead.Offset.end + 8, with: $0)
        }
        #expect(try TrialRing.contents(image).head.unreported == [2, 0, 1])
        trial.ring.add(7, .storage)
        #expect(try trial.contents().head.unreported == [0, 7, 0])
        trial.ring.removeAll()
        #expect(try trial.contents().unreportedDrops.isEmpty)
    }

    @Test func `drops are counted by session as far as there is room, from one report to the next`() throws {
        let trial = TrialRing()
        for session in 1...70 { for _ in 1...2 { trial.ring.add(.overflow, session: "session-\(session)") } }
        trial.ring.add(.storage, session: nil)
        trial.ring.add(.storage, session: String(repeating: "x", count: 41))
        func sessions() throws -> [String: TrackingValue] {
            let all = try trial.contents().unreportedDrops.properties(sessions: 120)["sessions"]
            guard case .object(let sessions)? = all else { return [:] }
            return Dictionary(uniqueKeysWithValues: sessions.entries.map { ($0.key, $0.value) })
        }
        let first = try sessions()
        #expect(first.count == 57 && first["session-1"] == .int(2) && first["session-56"] == .int(2))
        #expect(first["_other"] == .int(30), "those without an entry, too; the one that has no session is missing nowhere")
        trial.append("dropped 142\n", reportsDrops: true)
        #expect(try trial.contents().unreportedDrops.isEmpty)
        trial.ring.add(.overflow, session: "session-2")
        #expect(try sessions() == ["session-2": .int(1)])
    }

    @Test func `lines that have moved to another ring go, those in hand stay`() throws {
        let trial = TrialRing()
        for number in 1...5 { trial.append("\(number)\n") }
        trial.ring.add(1, .overflow)
        trial.ring.removeUntaken(inHand: 2)
        #expect(try trial.lines() == ["1\n", "2\n"] && trial.contents().unreportedDrops.isEmpty)
        trial.append("6\n")
        #expect(try trial.lines() == ["1\n", "2\n", "6\n"])
    }
}
